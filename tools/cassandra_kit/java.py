"""Finds a Java that suits the wanted Cassandra."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from .errors import KitError
from .versions import JAVA_OF_LINE, Version


@dataclass(frozen=True)
class Java:
    """A Java executable, its full version text and its major version."""

    path: str
    text: str
    major: int


def find(version: Version) -> Java:
    """The Java that starts a node of this release."""
    return find_one_of(JAVA_OF_LINE[version.line], f"Cassandra {version.text}")


def find_one_of(wanted: tuple[int, ...], what: str) -> Java:
    """The first suitable Java: CSTRESS_JAVA, JAVA_HOME, PATH, /usr/lib/jvm."""
    seen: list[str] = []
    for path in _candidates():
        java = _probe(path)
        if java and java.major in wanted:
            return java
        if java:
            seen.append(f"Java {java.major} ({path})")
    raise KitError(
        f"{what} needs Java {' or '.join(map(str, wanted))}; found "
        f"{', '.join(seen) or 'no Java'}. tools/install-deps installs Java 17; set "
        "CSTRESS_JAVA to the java executable to use another one")


def _candidates() -> list[str]:
    home = os.environ.get("JAVA_HOME")
    paths = [os.environ.get("CSTRESS_JAVA"), f"{home}/bin/java" if home else None,
             shutil.which("java"), *sorted(glob.glob("/usr/lib/jvm/*/bin/java"))]
    usable = (path for path in paths if path and os.access(path, os.X_OK))
    # Several names of one Java are one candidate.
    return list({os.path.realpath(path): path for path in usable}.values())


def _probe(path: str) -> Java | None:
    """Ask a Java for its version; None when it does not answer as one."""
    try:
        answer = subprocess.run([path, "-version"], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', answer.stderr)
    return Java(path, answer.stderr.strip(), int(found[2])) if found else None
