"""A cluster that grows and shrinks under load: the new node takes its share, nothing is lost."""

import re
import time

import story
from kit import NodesStory, kit, node

SOON = 30  # seconds after a node is up, in which it has to have its share


class Growth(NodesStory):
    """Two nodes at first, two copies of each row; a third node comes and goes."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.shrink)

    def shrink(self):
        """Whatever went wrong, two nodes are left."""
        for number in self.numbers()[2:]:
            node("decommission", number)

    def numbers(self):
        return [int(number) for number in re.findall(r"(?m)^node (\d+):", kit("status"))]

    def write(self):
        run = self.start("write", "n=100M", "cl=ONE", "no-warmup", "-rate", "threads=16",
                         "throttle=1000/s", "-schema", f"keyspace={self.keyspace}",
                         "replication(factor=2)", "-pop", "seq=1..100M", "-node",
                         ",".join(self.nodes))
        run.wait_for_rows(3)
        return run

    def grow(self):
        """Adds a node; its address."""
        self.nodes = kit("add").strip().partition("=")[2].split(",")
        return self.nodes[-1]

    def share(self, address):
        """Its part of the requests of a second from now on."""
        before = self.requests()
        time.sleep(1)
        now = self.requests()
        news = {at: now[at] - before[at] for at in now}
        return news[address] / max(1, sum(news.values()))

    def test_a_node_that_joins_gets_its_share_and_one_that_leaves_is_no_loss(self):
        run = self.write()
        new = self.grow()
        story.wait_until(lambda: self.share(new) >= 0.2, f"a fifth of the requests at {new}", SOON)
        node("decommission", self.numbers()[-1])
        self.nodes = self.nodes[:2]
        rows = len(run.rows())
        run.wait_for_rows(rows + 3)
        run.send()
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        self.check_books(run)
        self.check_report(run, new)

    def check_books(self, run):
        """No operation failed, and each that was acknowledged is there on its own."""
        book = run.book()
        self.assertEqual(book.failed, 0, run.report())
        self.assertLessEqual(book.unknown, 16, run.report())
        self.assertGreater(book.acknowledged, 5000, run.report())
        found = self.client.count(f'"{self.keyspace}".standard1', "ALL")
        self.assertGreaterEqual(found, book.acknowledged, run.report())
        self.assertLessEqual(found, book.started, run.report())

    def check_report(self, run, new):
        extra = "\n".join(run.step.extra)
        joined = re.search(rf"# node {new}:9042 joined after ([\d.]+) s, the first request reached "
                           r"it ([\d.]+) s later", extra)
        left = re.search(rf"# node {new}:9042 left after ([\d.]+) s", extra)
        self.assertTrue(joined and left, run.report())
        self.assertLess(float(joined[1]), float(left[1]), extra)
        self.assertLess(float(joined[2]), SOON, extra)
        self.assertIn("# each write at ONE waits for 1 of 2 replicas, and is sent to all 2", extra)
        self.assertIn(f"node {new}:9042 has joined the cluster", run.stderr)
        self.assertIn(f"node {new}:9042 has left the cluster", run.stderr)


if __name__ == "__main__":
    story.main()
