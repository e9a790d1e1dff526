"""Nodes that die during a run: every acknowledged row is there afterwards."""

import story
from kit import NodesStory, node


class Killed(NodesStory):
    """Three nodes, three copies, QUORUM: the death of one is no event."""

    def write(self, *size, rate=(), more=()):
        return self.start("write", *size, "cl=quorum", "no-warmup", "-rate", "threads=50", *rate,
                          "-schema", f"keyspace={self.keyspace}", "replication(factor=3)", "-pop",
                          "seq=1..100M", "-node",
                          ",".join(self.nodes), *more)

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
        book = run.book()
        found = self.client.count(f'"{self.keyspace}".standard1', "QUORUM")
        self.assertTrue(book.acknowledged <= found <= book.acknowledged + book.unknown
                        + book.failed, f"{found} found of {book}\n{run.report()}")

    def test_a_killed_node_loses_no_acknowledged_row(self):
        run = self.kill_during(2)
        self.check_rows(run)

    def test_the_node_of_the_control_connection_may_die_too(self):
        run = self.kill_during(1)
        self.check_rows(run)

    def test_a_node_that_comes_back_gets_requests_again(self):
        run = self.write("duration=75s")
        run.wait_for_rows(3)
        node("kill", 3)
        node("restart", 3)
        story.wait_until(lambda: self.requests()[self.nodes[2]] > 100,
                         "requests at the node that came back", 60)
        run.wait()
        self.assertEqual(run.status, 0, run.report())
        self.check_rows(run)

    def test_nodes_that_are_stopped_and_go_on_in_turn(self):
        run = self.write("n=100M", rate=["throttle=1000/s"],
                         more=["-errors", "ignore", "retries=0", "-mode", "native", "cql3",
                               "requestTimeout=3000"])
        run.wait_for_rows(3)
        for number in (1, 2, 3):
            node("pause", number)
            try:
                rows = len(run.rows())
                run.wait_for_rows(rows + 5)  # the others serve meanwhile
            finally:
                node("resume", number)
            run.wait_for_rows(len(run.rows()) + 4)
        run.send()
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        self.assertEqual(run.step.last("total")["errors"], 0, "all is well again")
        self.check_rows(run)

    def test_a_rolling_restart(self):
        run = self.write("n=100M", rate=["throttle=500/s"])
        run.wait_for_rows(3)
        for number in (1, 2, 3):
            node("restart", number)
            story.wait_until(lambda at=number - 1: self.requests()[self.nodes[at]] > 100,
                             "requests at the node that was restarted", 60)
        run.send()
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        self.check_rows(run)


if __name__ == "__main__":
    story.main()
