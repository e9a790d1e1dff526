"""Three nodes of which some are down or hang: each kind of error as the servers make it."""

import re

import story
from kit import NodesStory, node


class FailingNodes(NodesStory):
    def begin(self, command, *words, nodes=None):
        return self.start(command, "no-warmup", *words, "-schema", f"keyspace={self.keyspace}",
                          "replication(factor=3)", "-node", ",".join(nodes or self.nodes))

    def go(self, command, *words, status=0, **how):
        run = self.begin(command, *words, **how).wait()
        self.assertEqual(run.status, status, run.report())
        return run

    def classes(self, run):
        """Failed operations by class, and their sum is that of the block."""
        lines = [line for line in run.step.extra if line.startswith("# failed operations by")]
        counts = {name: int(count.replace(",", "")) for name, count in
                  re.findall(r"(\w+) ([\d,]*\d)", lines[0].partition(": ")[2])} if lines else {}
        self.assertEqual(sum(counts.values()), run.step.total["Total errors"], run.report())
        run.book()
        return counts

    def test_too_few_replicas(self):
        self.go("write", "n=100", "-rate", "threads=4")
        node("kill", 2)
        node("kill", 3)
        ignore = ["-errors", "ignore", "retries=1", "-rate", "threads=4", "-pop", "seq=1..100"]
        story.wait_until(lambda: self.classes(
            self.go("write", "n=4", "cl=TWO", *ignore, nodes=self.nodes[:1])) ==
            {"UnavailableException": 4}, "node 1 knows that it is alone")
        for command in ("write", "read"):
            for level in ("QUORUM", "ALL"):
                with self.subTest(command=command, level=level):
                    run = self.go(command, "n=100", f"cl={level}", *ignore)
                    self.assertEqual(self.classes(run), {"UnavailableException": 100})
                    self.assertIn("# 100 attempts were retries", run.step.extra)
            run = self.go(command, "n=100", "cl=ONE", *ignore)
            self.assertEqual(self.classes(run), {})
        run = self.go("write", "n=100", "cl=ALL", "-rate", "threads=1", status=1)
        self.assertEqual(run.lines[-1], "FAILURE")
        self.assertRegex(run.stdout, r"Operation x10 on key\(s\) \[[0-9A-Fa-f]+\]: "
                         r"Error executing: \(UnavailableException\): ")
        run = self.go("write", "n=10", "truncate=once", "-rate", "threads=1", status=1)
        self.one_error_line(run, f"truncating {self.keyspace}.standard1", "TRUNCATE_ERROR")

    def test_a_node_that_hangs_costs_time_outs_and_comes_back(self):
        self.go("write", "n=100", "cl=ALL", "-rate", "threads=4")
        how = ["cl=ALL", "-errors", "ignore", "retries=0", "-rate", "threads=20", "throttle=200/s",
               "-pop", "seq=1..100"]
        runs = {command: self.begin(command, "duration=70s", *how, nodes=self.nodes[:2])
                for command in ("write", "read")}
        for run in runs.values():
            run.wait_for_rows(3)
        node("pause", 3)
        story.wait_until(lambda: all("UnavailableException" in run.stderr
                                     for run in runs.values()), "node 3 counts as down")
        node("resume", 3)
        for command, kind in (("write", "WriteTimeoutException"), ("read", "ReadTimeoutException")):
            run = runs[command].wait()
            self.assertEqual((run.status, run.lines[-1]), (0, "END"), run.report())
            classes = self.classes(run)
            # Those that node 3 should have coordinated have no answer at all.
            self.assertLessEqual({kind, "UnavailableException"}, set(classes), run.report())
            self.assertLessEqual(set(classes), {kind, "UnavailableException",
                                                "OperationTimedOutException"})
            self.assertEqual(run.step.last("total")["errors"], 0, "all is well again")
            self.assertGreater(run.step.total["Latency max"], 9000)
            self.assertTrue([line for line in run.step.extra if line.startswith("# without the ")])
            self.check_folding(run)

    def check_folding(self, run):
        """Ten lines of a cause in a second at most, and what was left out is counted."""
        told = [line for line in run.errors() if line.startswith("UnavailableException: ")]
        more = [int(match[1].replace(",", "")) for match in re.finditer(
            r"… and ([\d,]+) more: UnavailableException", run.stderr)]
        self.assertEqual(len(told) + sum(more), self.classes(run)["UnavailableException"])
        self.assertLessEqual(len(told), 10 * (len(more) + 5))

    def test_a_node_that_misses_a_change_of_the_schema_is_told_of(self):
        node("pause", 3)
        run = self.start("write", "n=0", "-schema", f"keyspace={self.keyspace}", "-node",
                         self.nodes[0], "whitelist").wait()
        self.assertEqual(run.status, 0, run.report())
        notices = [line for line in run.errors() if "do not agree on the schema" in line]
        self.assertEqual(len(notices), 1, run.report())
        self.assertIn(self.nodes[2], notices[0])
        self.assertLess(run.seconds, 60)
        # A node that only goes on may take minutes to fetch what it missed.
        node("restart", 3)
        story.wait_until(self.client.sees_the_schema, "the nodes agree", 240)
        run = self.go("write", "n=30", "cl=ALL", "-rate", "threads=2")
        self.assertEqual(run.step.total["Total errors"], 0)


if __name__ == "__main__":
    story.main()
