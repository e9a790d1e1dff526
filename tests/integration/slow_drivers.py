"""Java drivers against the responder: those of the original cassandra-stress (3), and version 4."""

import shutil
import subprocess
import sys
import tempfile

import jars
import story
from original import LONG, TOOL
from responder_kit import ResponderStory, free_port

sys.path.insert(0, str(story.ROOT / "tools"))

from cassandra_kit import java, maven  # noqa: E402
from cassandra_kit.places import cache_folder, locked  # noqa: E402

DRIVER = "4.18.1"
ECJ = "3.32.0"  # a compiler that needs no more than a Java to run on
POM = f"""<project>
<modelVersion>4.0.0</modelVersion><groupId>cstress</groupId><artifactId>drivers</artifactId><version>1</version>
<dependencies>
<dependency><groupId>org.apache.cassandra</groupId><artifactId>java-driver-core</artifactId><version>{DRIVER}</version>
</dependency>
<dependency><groupId>org.eclipse.jdt</groupId><artifactId>ecj</artifactId><version>{ECJ}</version></dependency>
</dependencies></project>
"""
PROGRAM = story.ROOT / "tests" / "support" / "java" / "Statements.java"


def driver_jars():
    """The folder with the driver, what it needs and the compiler; fetched once."""
    folder = cache_folder() / "java-driver" / f"{DRIVER}-{ECJ}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder.with_name(folder.name + ".lock")):
        if folder.is_dir():
            return folder
        partial = tempfile.mkdtemp(prefix=".fetch-", dir=folder.parent)
        try:
            story.Path(partial, "pom.xml").write_text(POM, encoding="ascii")
            maven.run("the Java driver", ["dependency:copy-dependencies", "-DoutputDirectory=jars"], partial)
            story.Path(partial, "jars").rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return folder


class Drivers(ResponderStory):
    def ring(self, *words):
        """A responder of two nodes in dc1; its port."""
        port = free_port()
        self.server = self.start("responder", f"listen=127.0.0.1:{port}/dc1/r1,127.0.0.2:{port}/dc1/r2",
                                 "tokens=4", "stored=64m", *words)
        story.wait_until(lambda: self.server.stdout.count("listening on") == 2
                         or self.server.process.poll() is not None, "the responder")
        return port

    def test_the_original_writes_and_reads(self):
        port = self.ring()
        for release in ("3.11", "4.0"):
            for command in ("write", "read"):
                run = self.start(command, "n=2000", "no-warmup", "cl=ONE", "-rate", "threads=4", "-node",
                                 "127.0.0.1", "-port", f"native={port}",
                                 program=(str(TOOL), "stress", release)).wait(LONG)
                self.assertEqual((run.status, run.lines[-1]), (0, "END"), run.report())
                self.assertEqual(run.step.total["Total errors"], 0, run.report())
                self.assertEqual(run.step.total["Total partitions"], 2000, run.report())
        self.assertEqual(self.told()["statements"], 4 * 2000)

    def test_the_java_driver_4_reads_what_it_wrote(self):
        folder = driver_jars()
        machine = java.find_one_of(jars.JAVA, "the Java driver").path
        compiled = subprocess.run([machine, "-jar", str(next(folder.glob("ecj-*.jar"))), "-11", "-cp",
                                   ":".join(map(str, folder.glob("*.jar"))), "-d", str(self.folder), str(PROGRAM)],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG,
                                  check=False)
        self.assertEqual(compiled.returncode, 0, compiled.stdout + compiled.stderr)
        port = self.ring("user=me", "password=secret")
        run = self.start("127.0.0.1", port, program=(machine, "-cp", f"{folder}/*:{self.folder}",
                                                     "Statements")).wait(LONG)
        self.assertEqual(run.lines, ["protocol V5", "nodes 2", "sum 4950.0", "columns 4", "applied false",
                                     "count 102"], run.report())


if __name__ == "__main__":
    story.main()
