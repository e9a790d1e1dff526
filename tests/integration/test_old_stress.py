"""The tools of 0.7 to 2.0 under their own names: every operation runs, and an independent client
finds the keys and values that those tools made."""

import hashlib
import re
import tempfile
from pathlib import Path

import story

HEADER = "total,interval_op_rate,interval_key_rate,avg_latency,elapsed_time"
ROW = re.compile(r"(\d+),(\d+),(\d+),(\d+\.\d+(?:E-\d+)?|NaN),(\d+)")
KEYSPACE = "keyspace1"


def value(number, size):
    return (hashlib.md5(str(number).encode()).hexdigest() * (size // 32 + 1))[:size].encode()


class OldStress(story.Story):
    def setUp(self):
        super().setUp()
        self.client.drop(KEYSPACE)
        self.addCleanup(self.client.drop, KEYSPACE)
        names = tempfile.TemporaryDirectory()
        self.addCleanup(names.cleanup)
        self.names = Path(names.name)
        for name in ("stress", "stress.py"):
            (self.names / name).symlink_to(story.PROGRAM)

    def begin(self, *args, tool="stress"):
        return self.start("-d", self.node, *args, program=(str(self.names / tool),))

    def finished(self, run, status=0):
        """Header, rows and the last word: nothing else but the line about the schema."""
        run.wait()
        self.assertEqual(run.status, status, run.report())
        lines = [line for line in run.lines if not line.startswith("Created keyspaces.")]
        self.assertEqual(lines[0], HEADER, run.report())
        self.assertEqual(lines[-1], "FAILURE" if status else "END", run.report())
        rows = [ROW.fullmatch(line) for line in lines[1:-1]]
        if not status:
            self.assertTrue(rows and all(rows), run.report())
            self.assertRegex(run.stderr, r"(?m)^# the client ")
        return [row for row in rows if row]

    def old(self, *args, status=0, tool="stress"):
        """The operations of a run, by its last row."""
        return int(self.finished(self.begin(*args, tool=tool), status)[-1][1])

    def keys(self, table="standard1"):
        return sorted(row["key"] for row in self.client.raw(f"SELECT key FROM {KEYSPACE}.{table}"))

    def test_regular_columns(self):
        run = self.begin("-n", 1000, "-t", 8, "-x", "KEYS", "-C", 5)
        self.assertEqual(int(self.finished(run)[-1][1]), 1000)
        self.assertIn("Created keyspaces. Sleeping 1s for propagation.", run.lines)
        self.assertEqual(self.keys(), [b"%04d" % i for i in range(1000)])
        for row in self.client.raw(f"SELECT * FROM {KEYSPACE}.standard1"):
            for j in range(5):
                self.assertEqual(row[f"C{j}"], value(j, 34))
        for options in (["-r"], [], ["-Q", "C1,C3"]):
            self.assertEqual(self.old("-o", "READ", "-n", 1000, "-t", 8, *options), 1000)
        self.assertGreaterEqual(self.old("-o", "RANGE_SLICE", "-n", 1000, "-g", 100, "-t", 3), 10)
        self.assertEqual(self.old("-o", "MULTI_GET", "-n", 20, "-F", 1000, "-g", 40, "-t", 4), 20)
        story.wait_until(lambda: self.client.run("SELECT index_name FROM system.\"IndexInfo\""),
                         "the index")
        self.assertEqual(self.old("-o", "INDEXED_RANGE_SLICE", "-n", 5, "-F", 1000, "-C", 5,
                                  "-g", 100, "-t", 2), 10)

    def test_values_of_stress_py(self):
        self.assertEqual(self.old("-n", 100, "-t", 4, "-c", 2, "-S", 40, tool="stress.py"), 100)
        self.assertEqual(self.keys(), [b"%03d" % i for i in range(100)])
        for row in self.client.raw(f"SELECT * FROM {KEYSPACE}.standard1"):
            number = int(row["key"]) % 50
            self.assertEqual((row["C0"], row["C1"]), (value(number, 40), value(number, 40)))
        self.assertEqual(self.old("-o", "multiget", "-n", 100, "-g", 20, tool="stress.py",
                                  *["-c", 2]), 5)
        self.assertEqual(self.old("-o", "rangeslice", "-n", 100, "-g", 100, "-t", 1, "-c", 2,
                                  tool="stress.py") >= 1, True)

    def test_super_columns_and_counters(self):
        self.assertEqual(self.old("-y", "Super", "-u", 3, "-n", 50, "-t", 4), 50)
        rows = self.client.raw(f"SELECT * FROM {KEYSPACE}.super1")
        self.assertEqual(sorted((row["key"], row["super"]) for row in rows),
                         [(b"%02d" % i, b"S%d" % j) for i in range(50) for j in range(3)])
        self.assertTrue(all(row["C2"] == value(2, 34) for row in rows))
        self.assertEqual(self.old("-o", "READ", "-y", "Super", "-u", 3, "-n", 50), 150)
        for _ in range(2):
            self.assertEqual(self.old("-o", "COUNTER_ADD", "-n", 60, "-F", 20, "-t", 4), 60)
        rows = self.client.run(f"SELECT * FROM {KEYSPACE}.counter1")
        self.assertEqual(len(rows), 20)
        self.assertTrue(all(row[f"C{j}"] == 6 for row in rows for j in range(5)))
        self.assertEqual(self.old("-o", "COUNTER_GET", "-n", 60, "-F", 20, "-t", 4), 60)

    def test_processes_share_the_keys_and_the_schema(self):
        parts = [("-n", 1000), ("-n", 2000, "-N", 0.5), ("-n", 4000, "-N", 0.5)]
        runs = [self.begin(*part, "-t", 8) for part in parts]
        self.assertEqual([int(self.finished(run)[-1][1]) for run in runs], [1000, 1000, 2000])
        self.assertEqual(self.keys(), [b"%04d" % i for i in range(4000)])

    def test_four_writers_make_the_schema_together(self):
        """The new command from several processes, each with its part of the population."""
        count = 500
        runs = [self.start("write", f"n={count}", "no-warmup", "-pop",
                           f"seq={count * i + 1}..{count * (i + 1)}", "-rate", "threads=8", "-node",
                           self.node) for i in range(4)]
        for run in runs:
            run.wait()
            self.assertEqual((run.status, run.lines[-1]), (0, "END"), run.report())
            self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(len(set(self.keys())), 4 * count)

    def test_what_is_not_found(self):
        self.old("-n", 100)
        run = self.begin("-o", "READ", "-n", 10, "-t", 1, "-K", 3)
        self.finished(run, status=1)
        self.assertRegex(run.stdout, r"(?m)^Operation \[0\] retried 3 times - error reading key \d+ "
                                     r"\(key not found\)$")
        run = self.begin("-o", "READ", "-n", 10, "-t", 2, "-k")
        self.assertEqual(int(self.finished(run)[-1][1]), 10)
        self.assertIn("retried 1 times - error reading key", run.stderr)

    def test_file_layout_and_nodes(self):
        run = self.cstress("stress", "-d", f"{self.node},{self.node}", "-n", 3000, "-t", 10,
                           "-th", 1000, "-i", 1, "-f", self.folder / "rows.csv", "--layout", "2.0",
                           "--averages")
        self.assertEqual(run.lines, ["Created keyspaces. Sleeping 2s for propagation."])
        lines = (self.folder / "rows.csv").read_text().splitlines()
        self.assertEqual(lines[0], HEADER.replace("avg_latency", "latency,95th,99.9th"))
        self.assertEqual(lines[-1], "END")
        self.assertIn("Averages from the middle 80% of values:", lines)
        self.assertRegex(lines[1], r"\A\d+,\d+,\d+,\d+\.\d,\d+\.\d,\d+\.\d,1\Z")
        nodes = self.file("nodes", f"{self.node}\n")
        self.assertEqual(self.finished(self.start("-D", nodes, "-o", "READ", "-n", 3000, program=(
            str(self.names / "stress.py"),)))[-1][1], "3000")


if __name__ == "__main__":
    story.main()
