"""Nodes that die during a run: every acknowledged row is there afterwards."""

import acknowledged
import story
from kit import NodesStory, node

THREADS = 50


class Killed(NodesStory):
    """Three nodes, three copies, QUORUM: the death of one is no event."""

    def write(self, *size, rate="throttle=1000/s", errors=(), more=()):
        """Not as fast as it goes: each row is looked for afterwards."""
        return self.start("write", *size, "cl=quorum", "no-warmup", "-rate", f"threads={THREADS}",
                          rate, "-schema", f"keyspace={self.keyspace}", "replication(factor=3)",
                          "-pop", "seq=1..100M", "-errors", f"failures={acknowledged.FILE}",
                          *errors, "-node", ",".join(self.nodes), *more)

    def kill_during(self, number):
        run = self.write("duration=25s")
        run.wait_for_rows(4)
        node("kill", number)
        rows = len(run.rows())
        run.wait()
        self.assertEqual(run.status, 0, run.report())
        self.assertEqual(run.lines[-1], "END", run.report())
        self.assertGreater(len(run.rows()), rows + 5, "the run went on")
        return run

    def check_rows(self, run):
        """Every row that was acknowledged is there, and none that was not sent."""
        acknowledged.check(self.client, run, f'"{self.keyspace}".standard1', THREADS)

    def end(self, run):
        run.send()
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        self.check_rows(run)

    def test_a_killed_node_loses_no_acknowledged_row(self):
        run = self.kill_during(2)
        self.check_rows(run)

    def test_the_node_of_the_control_connection_may_die_too(self):
        run = self.kill_during(1)
        self.check_rows(run)

    def test_a_node_that_comes_back_gets_requests_again(self):
        run = self.write("n=100M")
        run.wait_for_rows(3)
        node("kill", 3)
        node("restart", 3)
        story.wait_until(lambda: self.requests()[self.nodes[2]] > 100,
                         "requests at the node that came back")
        self.end(run)

    def test_nodes_that_are_stopped_and_go_on_in_turn(self):
        run = self.write("n=100M", errors=["ignore", "retries=0"],
                         more=["-mode", "native", "cql3", "requestTimeout=3000"])
        run.wait_for_rows(3)
        for number in (1, 2, 3):
            node("pause", number)
            try:
                rows = len(run.rows())
                run.wait_for_rows(rows + 5)  # the others serve meanwhile
            finally:
                node("resume", number)
            run.wait_for_rows(len(run.rows()) + 4)
        self.end(run)
        self.assertEqual(run.step.last("total")["errors"], 0, "all is well again")

    def test_a_rolling_restart(self):
        run = self.write("n=100M", rate="throttle=500/s")
        run.wait_for_rows(3)
        for number in (1, 2, 3):
            node("restart", number)
            story.wait_until(lambda at=number - 1: self.requests()[self.nodes[at]] > 100,
                             "requests at the node that was restarted")
        self.end(run)


if __name__ == "__main__":
    story.main()
