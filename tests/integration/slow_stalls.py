"""A server that stops answering: the run ends with a time-out, not with silence."""

import story
from kit import NodesStory, node


class Stalls(NodesStory):
    def test_the_run_ends_with_a_time_out(self):
        run = self.start("write", "duration=30s", "no-warmup", "-rate", "threads=2", "-errors",
                         "retries=0", "-log", "no-settings", "-schema",
                         f"keyspace={self.keyspace}", "-node", self.node)
        run.wait_for_rows(3)
        node("pause", 1)
        self.addCleanup(node, "resume", 1)
        run.wait()
        self.assertEqual(run.status, 1, run.report())
        self.assertLess(run.seconds, 28)
        self.assertEqual(run.lines[-1], "FAILURE", run.report())
        self.assertIn("OperationTimedOutException", run.stdout + run.stderr, run.report())
        self.assertGreaterEqual(run.book().unknown, 2)

    def test_a_restart_of_the_only_node_is_outlived(self):
        run = self.start("write", "n=100M", "no-warmup", "-rate", "threads=20",
                         "throttle=500/s", "-errors", "ignore", "retries=0", "-log", "no-settings",
                         "-schema", f"keyspace={self.keyspace}", "-pop", "seq=1..100M", "-node",
                         self.node)
        run.wait_for_rows(3)
        node("restart", 1)
        story.wait_until(lambda: self.requests()[self.node] > 500, "requests after the restart")
        run.wait_for_rows(len(run.rows()) + 2)
        run.send()
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        step = run.step
        self.assertGreater(step.total["Total errors"], 0)
        self.assertEqual(step.last("total")["errors"], 0, "all is well again")
        classes = next(line for line in step.extra if line.startswith("# failed operations by"))
        self.assertRegex(classes, "TransportException|NoHostAvailableException|ServerError|"
                         "OverloadedException|OperationTimedOutException")
        self.assertGreaterEqual(self.client.count(f'"{self.keyspace}".standard1'),
                                run.book().acknowledged)

    def test_a_signal_ends_a_run_on_a_node_that_hangs(self):
        run = self.start("write", "n=100M", "no-warmup", "-rate", "threads=20", "-log",
                         "no-settings", "-schema", f"keyspace={self.keyspace}", "-node", self.node)
        run.wait_for_rows(3)
        node("pause", 1)
        self.addCleanup(node, "resume", 1)
        # Intervals in which nothing happened have no row.
        story.wait_until(lambda: story.time.time() - run.out.stat().st_mtime > 2, "silence", 20)
        run.send()
        began = story.time.monotonic()
        run.wait(20)
        self.assertLess(story.time.monotonic() - began, 2)
        self.assertEqual(run.status, 130, run.report())
        self.assertIn("# 20 requests were without an answer when the run ended, and are not "
                      "counted", run.step.extra)

    def tearDown(self):
        node("resume", 1)
        super().tearDown()


if __name__ == "__main__":
    story.main()
