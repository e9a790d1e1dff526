"""The original cassandra-stress, to run beside ours: fetched with Maven, once per release."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import java as java_finder
from . import maven, versions
from .java import Java
from .places import cache_folder, locked
from .terminal import say

# The tool is part of the whole release only, and of each line Maven has no newer whole release.
# Both dialects of the data are here: 3.11 writes c3, 4.0 writes c4.
RELEASES = {"3.11": "3.11.5", "4.0": "4.0-alpha2"}
ARTIFACT = "org.apache.cassandra:apache-cassandra:{version}:tar.gz:bin"
# Java had these classes until 11 took them out; the tool needs them for its hdr logs.
FORMERLY_IN_JAVA = "javax.xml.bind:jaxb-api:2.3.1"
JAVA = (17, 11)
MAIN_CLASS = "org.apache.cassandra.stress.Stress"
KEPT = ("lib", "tools/lib", "conf")
SUFFIXES = (".jar", ".yaml", ".xml")

# One run lasts seconds: what starts soonest is best. Assertions as in the original's own launcher,
# which checks profiles by them.
FLAGS = ["-ea", "-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
         "-Xshare:auto", "-XX:-UsePerfData"]


@dataclass(frozen=True)
class Tool:
    """One release of the tool and the Java that runs it."""

    version: versions.Version
    folder: Path
    java: Java

    def command(self, words: list[str]) -> list[str]:
        """The whole command for these arguments of the tool."""
        jars = [*sorted(self.folder.glob("lib/*.jar")), *sorted(self.folder.glob("tools/lib/*.jar"))]
        properties = {
            # It reads a server's configuration, though it starts none and writes nothing there.
            "cassandra.config": (self.folder / "conf" / "cassandra.yaml").as_uri(),
            "cassandra.storagedir": str(self.folder / "data"),
            "logback.configurationFile": str(self.folder / "conf" / "logback-tools.xml"),
        }
        return [self.java.path, *versions.module_flags(self.version, self.java.major), *FLAGS,
                "-cp", ":".join(map(str, jars)),
                *(f"-D{key}={value}" for key, value in properties.items()), MAIN_CLASS, *words]


def find(line: str) -> Tool:
    """The tool of the line 3.11 or 4.0, fetched when it is not there yet."""
    version = versions.parse(RELEASES[line])
    java = java_finder.find_one_of(JAVA, f"cassandra-stress {version.text}")
    folder = cache_folder() / "stress" / version.text
    if not folder.is_dir():
        with locked(folder.with_name(version.text + ".lock")):
            if not folder.is_dir():
                _fetch(version, folder)
    return Tool(version, folder, java)


def _fetch(version: versions.Version, folder: Path) -> None:
    """Unpack the release beside the final folder, and rename the parts that the tool needs."""
    say(f"fetching cassandra-stress {version.text} with Maven (once; about 50 MB, up to two "
        "minutes)")
    partial = Path(tempfile.mkdtemp(prefix=".fetch-", dir=folder.parent))
    try:
        archive = _copy(ARTIFACT.format(version=version.text), partial, "*.tar.gz")
        _unpack(archive, partial / "kept")
        _copy(FORMERLY_IN_JAVA, partial / "kept" / "lib", "jaxb-api-*.jar")
        os.rename(partial / "kept", folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _copy(artifact: str, folder: Path, pattern: str) -> Path:
    """Let Maven put one artifact, and nothing it depends on, into a folder."""
    said = maven.run(artifact, ["dependency:copy", f"-Dartifact={artifact}",
                                f"-DoutputDirectory={folder}"], folder)
    found = next(folder.glob(pattern), None)
    if not found:
        raise maven.failure(artifact, said)
    return found


def _unpack(archive: Path, target: Path) -> None:
    """The jars and the configuration, without the folder that all stands in."""
    with tarfile.open(archive) as packed:
        for member in packed:
            inner = Path(member.name.partition("/")[2])
            content = packed.extractfile(member)
            if content and str(inner.parent) in KEPT and inner.suffix in SUFFIXES:
                (target / inner.parent).mkdir(parents=True, exist_ok=True)
                with content, open(target / inner, "wb") as copy:
                    shutil.copyfileobj(content, copy)
