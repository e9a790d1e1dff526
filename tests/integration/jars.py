"""The Java library of histograms, whose tools read our logs: fetched with Maven once, kept where tools/cassandra keeps its jars."""

import os
import shutil
import subprocess
import sys
import tempfile

import story

sys.path.insert(0, str(story.ROOT / "tools"))

from cassandra_kit import java, maven  # noqa: E402
from cassandra_kit.places import cache_folder, locked  # noqa: E402

HDR_VERSION = "2.1.12"  # the library of Cassandra 5.0
HDR_PROCESSOR = "org.HdrHistogram.HistogramLogProcessor"
JAVA = (17, 11)
LIMIT_S = 120


def hdr_jar():
    """The jar of the HdrHistogram library."""
    folder = cache_folder() / "hdr" / HDR_VERSION
    name = f"HdrHistogram-{HDR_VERSION}.jar"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_name(HDR_VERSION + ".lock")):
            if not folder.is_dir():
                fetch(folder, name)
    return folder / name


def fetch(folder, name):
    """Beside the final folder first, so that a broken fetch leaves nothing."""
    partial = tempfile.mkdtemp(prefix=".fetch-", dir=folder.parent)
    try:
        said = maven.run(name, ["dependency:copy", f"-Dartifact=org.hdrhistogram:HdrHistogram:{HDR_VERSION}",
                                f"-DoutputDirectory={partial}/jar"], partial)
        if not os.path.exists(f"{partial}/jar/{name}"):
            raise maven.failure(name, said)
        os.rename(f"{partial}/jar", folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def processor(*words):
    """What HistogramLogProcessor prints on stdout."""
    command = [java.find_one_of(JAVA, "HdrHistogram").path, "-XX:TieredStopAtLevel=1", "-cp", str(hdr_jar()),
               HDR_PROCESSOR, *map(str, words)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S,
                          check=False)
    assert done.returncode == 0 and "Exception" not in done.stderr, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout
