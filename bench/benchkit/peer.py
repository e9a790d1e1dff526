"""Another client, as a file of bench/peers or a command line describes it: how it is called and what it tells."""

import configparser
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass

from benchkit.bench import HERE

FOLDER = os.path.join(HERE, "peers")
OPERATIONS = 500_000
UNITS_MS = {"ns": 1e-6, "µs": 1e-3, "us": 1e-3, "ms": 1.0, "s": 1e3}


@dataclass
class Peer:
    """Words of commands, and patterns of what they print; none where it does not tell."""
    name: str
    run: str
    prepare: str = ""
    operations: int = OPERATIONS
    instructions: bool = False
    rate: str = ""
    count: str = ""
    p50: str = ""
    p99: str = ""
    own: str = ""  # words for cstress, so that both write the same row
    unit: str = "ms"  # of both; time: each has its own

    def words(self, text, address, threads, operations):
        for mark, value in (("%A", address), ("%T", threads), ("%N", operations), ("%H", FOLDER)):
            text = text.replace(mark, str(value))
        return shlex.split(text)

    def number(self, what, text):
        """A figure that it tells; NaN: it does not."""
        pattern = getattr(self, what)
        found = re.search(pattern, text) if pattern else None
        return float(found[1].replace(",", "")) if found else float("nan")

    def milliseconds(self, what, text):
        if self.unit != "time":
            return self.number(what, text) * UNITS_MS[self.unit]
        pattern = getattr(self, what)
        found = re.search(pattern, text) if pattern else None
        return float(found[1]) * UNITS_MS[found[2]] if found else float("nan")


OWN = Peer("cstress", "", rate="Op rate +: +([0-9,]+) op/s", count="Total partitions +: +([0-9,]+)",
           p50="Latency median +: +([0-9.]+)", p99="Latency 99th percentile +: +([0-9.]+)")


def program_of(section, given):
    """The path of its program: as given, beside bench, or where programs are looked for."""
    name = given or section["program"]
    beside = os.path.join(HERE, name)
    path = beside if os.path.exists(beside) else shutil.which(name)
    if not path:
        sys.exit(f"bench/run: {name} is not there: --peer NAME=/path/to/it, see the first lines of its file in peers")
    return os.path.abspath(path)


def read(path, given):
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes=(";",))
    parser.read(path, encoding="utf-8")
    section = parser["peer"]
    program = shlex.quote(program_of(section, given))
    told = {key: section[key] for key in ("rate", "count", "p50", "p99", "own", "unit") if key in section}
    return Peer(os.path.basename(path).removesuffix(".ini"), section["run"].replace("%P", program),
                section.get("prepare", "").replace("%P", program), section.getint("operations", OPERATIONS),
                section.getboolean("instructions", False), **told)


def peer_of(text):
    """NAME, NAME=PROGRAM or NAME=COMMAND."""
    name, _, given = text.partition("=")
    path = os.path.join(FOLDER, name + ".ini")
    if os.path.exists(path) and len(shlex.split(given)) < 2:
        return read(path, given)
    if not given:
        sys.exit(f"bench/run: --peer {name}: no such file in {FOLDER}, and no command")
    return Peer(name, given)
