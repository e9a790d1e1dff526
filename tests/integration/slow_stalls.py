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
        self.assertTrue(run.step.total, run.report())

    def tearDown(self):
        node("resume", 1)
        super().tearDown()


if __name__ == "__main__":
    story.main()
