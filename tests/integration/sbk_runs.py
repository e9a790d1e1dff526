"""Real runs of SBK (vectors/output/sbk/runs.jsonl) as expectations: what was printed, line by line, against what
`sbk` prints for the same words.

What may differ, and nothing else: the lines of SBK's start-up, its CQL driver, its queues and its Java stacks are
not printed; a run that never ended ends with status 1; writers together with readers are refused in one line.
"""

import json
import re

import story

SBK = story.VECTORS / "output" / "sbk"
STAMP = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
START_ENDS = re.compile(rf"{STAMP} INFO Available Drivers : 1| PrometheusLogger, .*\]")
EXITED = re.compile(rf"{STAMP} INFO (Writer|Reader) \d+ exited")
# Its clean-up ran into a limit of its own; ours ends by itself.
FORCED = "+WARN SBK: Graceful shutdown exceeded 3 seconds"
NOT_PRINTED = ("PerL ", "CQueuePerl ")
FORMAT = ("-format", "10.6")


def table(name):
    """The rows of a file with a heading, as dicts."""
    lines = (SBK / name).read_text().splitlines()
    heading = lines[0].split("\t")
    return [dict(zip(heading, line.split("\t"))) for line in lines[1:]]


def pattern(version, unit):
    """The result line of a release as an expression with a group per field."""
    text = ""
    for row in table("result-line.tsv"):
        if row["version"] != version:
            continue
        text += re.escape(json.loads(row["before"]).replace("{unit}", unit))
        if row["field"] != "-":
            name = row["field"].replace(".", "_")
            width = re.match(r"%(\d*)", row["format"])[1]
            text += f"(?P<{name}>.+?)" if not width else f"(?P<{name}> *[-0-9.]{{1,20}})"
    return re.compile(text + r"\Z")


def runs():
    """Name of each run to its expectation."""
    with open(SBK / "runs.jsonl", encoding="utf-8") as lines:
        return {row["id"]: row for row in map(json.loads, lines)}


def words(row, places):
    """Its command line; the layout is asked for wherever our option for that is known."""
    args = row["args"]
    for name, address in places.items():
        args = args.replace(name, address)
    args = args.split()
    is_ours = "-class cassandra" in row["args"].lower() and row["id"] != "version"
    return args + (list(FORMAT) if is_ours else [])


def is_both(row):
    return "-writers 1 -readers 1" in row["args"]


def takes_time(row):
    """Whether it writes, or is paced, by the clock, or waits for a signal."""
    if row["exit"] in (130, 143) or row["id"] == "server-stalls":
        return True
    args = row["args"].split()
    return "-seconds" in args and row["exit"] == 0 and ("-writers" in args or "-records" in args)


class Replay:
    """One run's lines against its expectation."""

    def __init__(self, row, places, unit):
        self.places = places
        self.layout = pattern("10.6", unit)
        self.has_layout = "cassandra" in row["args"].lower()
        self.row = row
        self.furthest = (len(row["stdout"]) + 1, None, None)

    def fits(self, lines):
        """None, or where the best attempt ended: what was expected, and what was there instead."""
        self.furthest = (1 << 30, None, None)
        if not re.search(r"(Writer|Reader) \d+ exited", json.dumps(self.row["stdout"])):
            # It was stopped, at times by itself, before its workers could say so.
            lines = [line for line in lines if not EXITED.fullmatch(line)]
        if self.match(self.row["stdout"], lines):
            return None
        return f"expected {self.furthest[1]!r}, found {self.furthest[2]!r}"

    def match(self, items, lines):
        if not items:
            return self.note(["the end"], lines) if lines else True
        item, rest = items[0], items[1:]
        if isinstance(item, dict):
            return self.match_group(item, rest, lines)
        kind, _, text = item.partition(" ")
        if item[0] in "+=":
            return self.match_line(item, rest, lines)
        if kind in ("window", "windows", "total"):
            return self.match_results(kind, text, rest, lines)
        if kind == "start":
            ends = [i for i, line in enumerate(lines) if START_ENDS.match(line)]
            return self.match(rest, lines[ends[0] + 1:]) if ends else self.note(items, lines)
        if kind == "help":
            return lines[:2] == ["", "usage: " + text] or self.note(items, lines)
        return self.match(rest, lines)  # driverlog, stack

    def note(self, items, lines):
        if len(lines) < self.furthest[0]:
            self.furthest = (len(lines), items[0], lines[0][:200] if lines else "the end")
        return False

    def is_line(self, item, line):
        text = item[1:]
        for name, address in self.places.items():
            text = text.replace(name, address)
        if item[0] == "=":
            return line == text.replace("null", "0.88")
        text = re.sub(r"<(HOST|IP)>", r"\\S+", re.escape(text))
        return re.fullmatch(f"{STAMP} {text}", line) is not None

    def may_miss(self, item):
        """Lines that are not printed, or not in the layout of a command line without a class."""
        text = item.partition(" ")[2]
        return text.startswith(NOT_PRINTED) or (item.startswith("+WARN The option '-out'")
                                                and not self.has_layout)

    def match_line(self, item, rest, lines):
        if item.startswith(FORCED):
            item = "+INFO SBK Benchmark Shutdown: stopped by a lifecycle request"
        if lines and self.is_line(item, lines[0]) and self.match(rest, lines[1:]):
            return True
        if self.may_miss(item):
            return self.match(rest, lines)
        return self.note([item], lines)

    def is_result(self, line, action, total):
        found = self.layout.match(line)
        want = f"{'Total ' if total else ''}Cassandra {action}"
        return bool(found) and f"{found['driver']} {found['action']}" == want

    def match_results(self, kind, action, rest, lines):
        """Each line is followed by an empty one."""
        if not lines or not self.is_result(lines[0], action, kind == "total") or lines[1:2] != [""]:
            return self.note([f"{kind} {action}"], lines)
        if self.match(rest, lines[2:]):
            return True
        return kind == "windows" and self.match([f"windows {action}", *rest], lines[2:])

    def match_group(self, item, rest, lines):
        if "one_of" in item:
            return any(self.match([*way, *rest], lines) for way in item["one_of"])
        if "optional" in item:
            return self.match([*item["optional"], *rest], lines) or self.match(rest, lines)
        wanted = item.get("any_order") or item["later"]
        left = list(lines)
        for one in wanted:
            found = [i for i, line in enumerate(left) if self.is_line(one, line)]
            if not found or ("any_order" in item and found[0] >= len(wanted)):
                return self.note([one], lines)
            del left[found[0]]
        return self.match(rest, left)


class Runs(story.Story):
    """Replays runs on the keyspace of the command lines."""

    def setUp(self):
        super().setUp()
        self.client.drop("sbk")
        self.addCleanup(self.client.drop, "sbk")
        self.places = {"<ADDR>": self.node, "<DOWN>": "127.0.0.77"}  # nobody listens there
        self.link = self.folder / "sbk"
        self.link.symlink_to(story.PROGRAM)

    def begin(self, row):
        return self.start(*words(row, self.places), program=(str(self.link),))

    def fill(self, *args):
        """Rows for what comes next."""
        run = self.start("-class", "cassandra", "-node", self.node, "-writers", 2, *args,
                         program=(str(self.link),)).wait()
        self.assertEqual(run.status, 0, run.report())

    def check(self, row, run):
        """Status, stdout and stderr of a run that has ended."""
        status = row["exit"] if isinstance(row["exit"], int) else 1
        self.assertEqual(run.status, status, f"{row['id']}\n{run.report()}")
        unit = re.search(r"-time (mcs|ns)", row["args"])
        if row["exit"] == status:
            why = Replay(row, self.places, unit[1] if unit else "ms").fits(run.lines)
            self.assertIsNone(why, f"{row['id']}: {why}\n{run.report()}")
        starts = row["stderr"] if row["id"] != "number-negative" else []
        for start in starts:
            self.assertTrue(any(line.startswith(start) for line in run.errors()),
                            f"{row['id']}: {start}\n{run.report()}")

    def replay(self, row):
        run = self.begin(row).wait()
        self.check(row, run)
        return run
