"""The real runs of SBK that take their time: by the clock, at a pace, with a signal, with a server that stalls."""

import csv
import re
import signal
import urllib.request

import story
from kit import NodesStory, node
from sbk_runs import SBK, Runs, is_both, runs, takes_time

SIGNALS = {"sigint": signal.SIGINT, "sigint-forever": signal.SIGINT, "sigterm": signal.SIGTERM}
NUMBER = re.compile(r"-?\d+(?:\.\d+(?:E\d+)?)?$")


def without_number(line):
    return NUMBER.sub("#", line) if not line.startswith("#") else line


class SlowRuns(Runs, NodesStory):
    def is_begun(self, run):
        """Whether a writer has begun."""
        return "Writer 0 started" in run.stdout

    def test_replayed_runs_by_the_clock(self):
        for row in runs().values():
            if is_both(row) or not takes_time(row) or row["id"] in SIGNALS or row["id"] == "server-stalls":
                continue
            if "-readers" in row["args"]:
                self.fill("-size", 100, "-records", 9000)
            run = self.begin(row)
            if row["id"] == "prometheus":
                self.check_page(run)
            self.check(row, run.wait())
            if "-csvfile" in row["args"]:
                self.check_file("example.csv" if row["id"] == "csv" else "example-metrics.csv")

    def check_page(self, run):
        """Every family, label and line of the original's page, in its order; the numbers are ours."""
        story.wait_until(lambda: ", Cassandra Writing" in run.stdout, "a window")
        with urllib.request.urlopen("http://127.0.0.1:19718/metrics") as answer:
            page = answer.read().decode().splitlines()
        wanted = (SBK / "metrics-example.txt").read_text().splitlines()
        self.assertEqual(list(map(without_number, page)), list(map(without_number, wanted)))

    def check_file(self, name):
        """Heading, rows and the width of each cell as in a real file, unless a number is wider than its place."""
        with open(self.folder / "a.csv", newline="") as ours, open(SBK / name, newline="") as theirs:
            got, want = list(csv.reader(ours)), list(csv.reader(theirs))
        self.assertEqual(got[0], want[0])
        self.assertEqual([row[4] for row in got], [row[4] for row in want])
        for row in got[1:]:
            for column, cell, like in zip(want[0], row, want[1]):
                filled = not cell.startswith(" ")
                self.assertTrue(filled or len(cell) == len(like), f"{column}: {cell!r} and {like!r}")

    def test_replayed_runs_with_a_signal(self):
        for name, number in SIGNALS.items():
            row = runs()[name]
            run = self.begin(row)
            story.wait_until(lambda: self.is_begun(run), "writers")
            if name == "sigint":
                story.wait_until(lambda: self.client.has_table("sbk", "temp")
                                 and self.client.run("SELECT id FROM sbk.temp LIMIT 1"), "rows")
                run.send(number)
                self.check(row, run.wait())
                continue
            # The original was caught before its workers began: what it said at its end counts.
            run.send(number)
            run.wait()
            self.assertEqual(run.status, row["exit"], run.report())
            self.assertIn("INFO SBK: Shutdown signal received", run.stdout)
            self.assertIn(", Total Cassandra Writing", run.stdout)
            self.assertRegex(run.lines[-1], r" INFO SBK Benchmark Shutdown: stopped by a lifecycle request\Z")

    def test_replayed_run_with_a_server_that_stalls(self):
        row = runs()["server-stalls"]
        self.fill("-size", 10, "-records", 10)
        run = self.begin(row)
        story.wait_until(lambda: self.is_begun(run) and self.client.count("sbk.temp") > 10, "rows")
        node("pause", 1)
        self.addCleanup(node, "resume", 1)
        self.check(row, run.wait())


if __name__ == "__main__":
    story.main()
