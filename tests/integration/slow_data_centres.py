"""Two data centres: traffic stays in the local one, and LOCAL levels ask nothing of the other."""

import story
from kit import NodesStory, node

# Two nodes in dc1, one in dc2.
NEAR, FAR = slice(0, 2), slice(2, 3)
COPIES = "replication(strategy=NetworkTopologyStrategy,dc1=2,dc2=1)"


class DataCentres(NodesStory):
    def write(self, *where, level="LOCAL_QUORUM", size="n=100M"):
        return self.start("write", size, f"cl={level}", "no-warmup", "-rate", "threads=8",
                          "throttle=1000/s", "-schema", f"keyspace={self.keyspace}", COPIES,
                          "-node", *where)

    def counts(self, *where):
        """Requests at each node in a running run, and the run, which is ended."""
        run = self.write(*where)
        run.wait_for_rows(3)
        counts = self.requests()
        run.send()
        run.wait(30)
        self.assertEqual(run.book().failed, 0, run.report())
        return [counts[address] for address in self.nodes], run

    def test_traffic_stays_in_the_data_centre_that_is_named(self):
        for where, asked, left in (((self.nodes[0],), NEAR, FAR),
                                   (("datacenter=dc1", self.nodes[2]), NEAR, FAR),
                                   ((self.nodes[2],), FAR, NEAR),
                                   (("datacenter=dc2", ",".join(self.nodes)), FAR, NEAR)):
            with self.subTest(where):
                counts, run = self.counts(*where)
                self.assertGreater(min(counts[asked]), 300, f"{counts}\n{run.report()}")
                # The control connection asks its contact point, wherever that is.
                self.assertLess(sum(counts[left]), 30, f"{counts}\n{run.report()}")
                extra = "\n".join(run.step.extra)
                if asked is NEAR:
                    self.assertIn("(100.0% to a replica)", extra)
                waits = 2 if asked is NEAR else 1
                self.assertIn(f"# each write at LOCAL_QUORUM waits for {waits} of 3 replicas, and "
                              "is sent to all 3", extra)
                self.client.drop(self.keyspace)

    def test_a_data_centre_that_is_not_there_is_named_beside_those_that_are(self):
        run = self.cstress("write", "n=10", "no-warmup", "-node", "datacenter=DC1", self.nodes[0],
                           status=1)
        self.one_error_line(run, "'DC1'", "dc1, dc2")

    def test_the_other_one_may_be_down(self):
        self.cstress("write", "n=10", "no-warmup", "-schema", f"keyspace={self.keyspace}", COPIES,
                     "-node", self.nodes[0])
        node("kill", 3)
        run = self.write("datacenter=dc1", ",".join(self.nodes), size="n=3000").wait()
        self.assertEqual(run.status, 0, run.report())
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(self.client.count(f'"{self.keyspace}".standard1', "LOCAL_ONE"), 3000)


if __name__ == "__main__":
    story.main()
