"""What differs between Cassandra versions: the Java they run on and its flags."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import KitError

DEFAULT = "5.0.9"

# The newest release of each line that the kit was tried with; "--version 4.1" means the one here.
NEWEST = {"5.0": "5.0.9", "4.1": "4.1.10", "4.0": "4.0.19", "3.11": "3.11.19"}

JAVA_OF_LINE = {"3.11": (11,), "4.0": (11, 17), "4.1": (11, 17),
                "5.0": (17, 11, 21), "6.0": (17, 21)}

OPENS_FEW = ("java.base/sun.nio.ch", "java.base/jdk.internal.ref", "java.base/java.io")
EXPORTS_JAVA_11 = ("java.base/jdk.internal.misc", "java.base/jdk.internal.ref",
                   "java.base/sun.nio.ch")
EXPORTS_ALL = (
    "java.base/jdk.internal.misc", "java.base/java.lang.ref", "java.rmi/sun.rmi.registry",
    "java.rmi/sun.rmi.server", "java.management.rmi/com.sun.jmx.remote.internal.rmi",
    "java.management/com.sun.jmx.remote.security", "java.sql/java.sql", "jdk.unsupported/sun.misc")
OPENS_ALL = tuple(f"java.base/{package}" for package in (
    "java.lang.module", "jdk.internal.loader", "jdk.internal.ref", "jdk.internal.reflect",
    "jdk.internal.math", "jdk.internal.module", "jdk.internal.util.jar", "sun.nio.ch", "java.io",
    "java.lang.reflect", "java.lang", "java.util", "java.nio",
)) + ("jdk.management/com.sun.management.internal",)
OPENS_CONCURRENT = ("java.base/java.util.concurrent", "java.base/java.util.concurrent.atomic")


@dataclass(frozen=True)
class Version:
    """A Cassandra release, such as 5.0.9."""

    text: str
    line: str

    def is_before(self, major: int, minor: int) -> bool:
        """True for releases of an older line than major.minor."""
        own = tuple(int(part) for part in self.line.split("."))
        return own < (major, minor)


def parse(text: str) -> Version:
    """Read "5.0.9", "6.0-alpha2", or a line such as "4.1" for its newest known release."""
    text = NEWEST.get(text, text)
    found = re.fullmatch(r"(\d+\.\d+)(?:\.\d+)?(?:-[A-Za-z0-9]+)?", text)
    if not found:
        raise KitError(f"version '{text}': expected a release such as {DEFAULT}")
    if found[1] not in JAVA_OF_LINE:
        raise KitError(f"version '{text}': the kit knows the lines {', '.join(JAVA_OF_LINE)}")
    return Version(text, found[1])


def module_flags(version: Version, java: int) -> list[str]:
    """The module flags that this release needs on this Java; fewer is faster to read."""
    if java == 11:
        return _flags("exports", EXPORTS_JAVA_11)
    if version.is_before(5, 0):
        return (_flags("exports", EXPORTS_ALL) + _flags("opens", OPENS_ALL)
                + _flags("opens", OPENS_CONCURRENT))
    if java == 17:
        return _flags("opens", OPENS_FEW)
    return (_flags("exports", EXPORTS_ALL) + _flags("opens", OPENS_ALL)
            + ["-Djava.security.manager=allow"])


def _flags(what: str, packages: tuple[str, ...]) -> list[str]:
    return [f"--add-{what}={package}=ALL-UNNAMED" for package in packages]


def needs_jamm_agent(version: Version, java: int) -> bool:
    """4.x measures objects through an agent on Java 17; without it the start fails."""
    return version.is_before(5, 0) and java >= 17
