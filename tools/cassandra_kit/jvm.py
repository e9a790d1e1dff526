"""The command line of a node, and the class archive that halves the work of a start."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import jars as jar_cache
from . import java as java_finder
from . import roots
from .java import Java
from .places import cache_folder
from .versions import Version, module_flags, needs_jamm_agent

MAIN_CLASS = "org.apache.cassandra.service.CassandraDaemon"

# No bootstrap of the first nodes waits for others, and a stop does not wait for gossip to spread.
# cassandra.unsafesystem would save a second per start, but loses the schema after a SIGKILL.
PROPERTIES = {
    "cassandra-foreground": "yes",
    "cassandra.skip_wait_for_gossip_to_settle": "0",
    "cassandra.ring_delay_ms": "1000",
    # Not 0: while another node is down the set-up is tried again after each delay, and logged.
    "cassandra.superuser_setup_delay_ms": "1000",
    "cassandra.shutdown_announce_in_ms": "0",
}
PROPERTIES_FOR_TESTS = {
    "cassandra.available_processors": "2",
    "io.netty.eventLoopThreads": "2",
}


def default_heap(purpose: str, nodes: int) -> str:
    """The largest heap of a node: three nodes for tests fit in 2 GB."""
    if purpose == "load":
        return "1g"
    return "512m" if nodes == 1 else "384m"


def tuning(purpose: str, heap: str) -> list[str]:
    """Memory, collector and compiler: light and soon there, or as fast as a server is."""
    if purpose == "load":
        # As root Cassandra locks its memory: the heap is resident from the start.
        return [f"-Xms{heap}", f"-Xmx{heap}", "-XX:+UseG1GC"]
    return ["-Xms64m", f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


@dataclass(frozen=True)
class Runtime:
    """All that runs a release on this machine: its Java, its jars, its class archive."""

    version: Version
    java: Java
    jars: list[Path]
    archive: Path
    wrapper: list[str]

    @staticmethod
    def find(version: Version) -> Runtime:
        """Find the Java and fetch the jars; all that can be missing is told before a start."""
        java = java_finder.find(version)
        jars = jar_cache.class_path(version)
        seed = "\n".join([java.path, java.text, *map(str, jars)])
        digest = hashlib.sha256(seed.encode("utf-8")).hexdigest()[:16]
        archives = cache_folder() / "cassandra" / "archives"
        return Runtime(version, java, jars, archives / f"{version.text}-{digest}.jsa",
                       roots.wrapper())

    def command(self, purpose: str, heap: str, folder: Path, more: list[str]) -> list[str]:
        """The whole command, without the class path, which travels in the environment."""
        flags = [*module_flags(self.version, self.java.major), *tuning(purpose, heap),
                 "-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData"]
        if needs_jamm_agent(self.version, self.java.major):
            flags += [f"-javaagent:{jar}" for jar in self.jars if jar.name.startswith("jamm-")]
        properties = {
            **PROPERTIES, **(PROPERTIES_FOR_TESTS if purpose == "tests" else {}),
            "cassandra.config": (folder / "cassandra.yaml").as_uri(),
            "cassandra.storagedir": str(folder / "data"),
            "cassandra.logdir": str(folder),
            "logback.configurationFile": str(folder / "logback.xml"),
            # Native libraries are unpacked here; nothing is left in /tmp.
            "java.io.tmpdir": str(folder / "tmp"),
        }
        return [*self.wrapper, self.java.path, *flags, *more,
                *(f"-D{key}={value}" for key, value in properties.items()), MAIN_CLASS]

    def has_archives(self) -> bool:
        """True when this Java can write such an archive, which it cannot beside an agent."""
        return self.java.major >= 13 and not needs_jamm_agent(self.version, self.java.major)

    def archive_flags(self, purpose: str, dump: Path, may_train: bool) -> list[str]:
        """Use the archive when there is one, else let a node write it to `dump` when it ends.

        Only for tests: an archive fits one collector, and a load test starts its server once.
        """
        if purpose != "tests" or not self.has_archives():
            return []
        if self.archive.is_file():
            return [f"-XX:SharedArchiveFile={self.archive}", "-Xshare:auto"]
        return [f"-XX:ArchiveClassesAtExit={dump}"] if may_train else []

    def environment(self) -> dict[str, str]:
        """The environment of a node; with the class path in it `ps` stays readable."""
        return {**os.environ, "CLASSPATH": ":".join(map(str, self.jars)), "MALLOC_ARENA_MAX": "2"}


def adopt_archive(dump: Path, archive: Path) -> None:
    """Move a whole archive into the cache; readers see all of it or nothing."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    partial = archive.with_name(f".{archive.name}.{os.getpid()}")
    shutil.move(dump, partial)
    partial.replace(archive)
