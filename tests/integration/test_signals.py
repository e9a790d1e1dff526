"""Ctrl-C ends a run with what was measured: rows, block, graph page, status."""

import signal

import story
from test_tutorial_graph import stats_of


class Signals(story.Story):
    def interrupt(self, number, *args, rows=2):
        run = self.start(*args)
        run.wait_for_rows(rows)
        run.send(number)
        run.wait(30)
        self.assertEqual(run.status, 128 + number, run.report())
        return run

    def check_end(self, run):
        """Everything that was written is counted, and nothing more."""
        lines = run.lines
        self.assertEqual(lines[-2:], ["Incomplete: interrupted", ""], run.report())
        step = run.step
        self.assertEqual(step.last("total")["total ops"], step.total["Total partitions"])
        self.assertEqual(self.client.count(f'"{self.keyspace}".standard1'),
                         step.total["Total partitions"])
        self.assertEqual(run.errors(), [], run.report())

    def write(self, *size):
        return ["write", *size, "no-warmup", "-rate", "threads=8", "throttle=500/s", "-schema",
                f"keyspace={self.keyspace}", "-node", self.node]

    def test_sigint_in_a_run_by_count(self):
        run = self.interrupt(signal.SIGINT, *self.write("n=10M"), "-graph", "file=g.html",
                             "revision=r1")
        self.check_end(run)
        record = stats_of(self.folder / "g.html")["stats"][0]
        self.assertEqual(len(record["intervals"]), len(run.step.rows))
        self.assertEqual(record["total partitions"],
                         next(line for line in run.lines if line.startswith("Total partitions"))
                         .split(": ", 1)[1].strip())

    def test_sigterm_in_a_run_by_time(self):
        self.check_end(self.interrupt(signal.SIGTERM, *self.write("duration=60s")))

    def test_the_log_file_has_every_line(self):
        run = self.interrupt(signal.SIGINT, *self.write("duration=60s"), "-log", "file=run.log")
        self.assertEqual((self.folder / "run.log").read_text(), run.stdout)

    def test_sigint_in_a_ramp_keeps_the_steps(self):
        run = self.start("mixed", "ratio(read=1)", "duration=2s", "no-warmup", "-errors",
                         "skip-read-validation", "-rate", "threads>=2", "threads<=64", "-schema",
                         f"keyspace={self.keyspace}", "-node", self.node)
        story.wait_until(lambda: "Running with 2 threadCount" in run.stdout, "the first step")
        run.wait_for_rows(1)
        run.send(signal.SIGINT)
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        self.assertIn("Incomplete: interrupted", run.lines, run.report())


if __name__ == "__main__":
    story.main()
