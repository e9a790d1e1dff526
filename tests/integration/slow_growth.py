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

    def grow_and_shrink(self, go_on):
        """A third node joins and has its share, then leaves; the runs go on after each. Its address."""
        new = self.grow()
        story.wait_until(lambda: self.share(new) >= 0.2, f"a fifth of the requests at {new}", SOON)
        node("decommission", self.numbers()[-1])
        self.nodes = self.nodes[:2]
        go_on()
        return new

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
        new = self.grow_and_shrink(lambda: run.wait_for_rows(len(run.rows()) + 3))
        run.send()
        run.wait(30)
        self.assertEqual(run.status, 130, run.report())
        self.check_books(run)
        self.check_report(run, new, "\n".join(run.step.extra))

    def check_books(self, run):
        """No operation failed, and each that was acknowledged is there on its own."""
        book = run.book()
        self.assertEqual(book.failed, 0, run.report())
        self.assertLessEqual(book.unknown, 16, run.report())
        self.assertGreater(book.acknowledged, 5000, run.report())
        found = self.client.count(f'"{self.keyspace}".standard1', "ALL")
        self.assertGreaterEqual(found, book.acknowledged, run.report())
        self.assertLessEqual(found, book.started, run.report())

    def check_report(self, run, new, extra):
        joined = re.search(rf"# node {new}:9042 joined after ([\d.]+) s, the first request reached "
                           r"it ([\d.]+) s later", extra)
        left = re.search(rf"# node {new}:9042 left after ([\d.]+) s", extra)
        self.assertTrue(joined and left, run.report())
        self.assertLess(float(joined[1]), float(left[1]), extra)
        self.assertLess(float(joined[2]), SOON, extra)
        self.assertRegex(extra, "# each write at (LOCAL_)?ONE waits for 1 of 2 replicas, and is sent to all 2")
        self.assertRegex(extra, r"# requests per replica of their partition: first .*%\), second .*%\)")
        share = re.search(rf"# requests per node .*{new}:9042 [\d,]+ \(([\d.]+)%\)", extra)
        self.assertGreater(float(share[1]), 1, extra)
        self.assertIn("# the client ", extra)
        self.assertIn(f"node {new}:9042 has joined the cluster", run.stderr)
        self.assertIn(f"node {new}:9042 has left the cluster", run.stderr)

    def test_the_old_tools_follow_a_cluster_that_grows_and_shrinks(self):
        """`stress` and `sbk` at once, as two clients of one cluster."""
        for keyspace in ("keyspace1", "sbk"):
            self.client.drop(keyspace)
            self.addCleanup(self.client.drop, keyspace)
        old = self.old("stress", "-d", ",".join(self.nodes), "-n", 10**7, "-t", 8, "-i", 1, "-l", 2,
                       "-th", 200)
        sbk = self.old("sbk", "-class", "cassandra", "-node", self.node, "-writers", 2, "-size", 100,
                       "-records", 200, "-seconds", 3600, "-throughput", -1, "-rf", 2)
        runs = ((old, r"(?m)^\d+,\d+,\d+,"), (sbk, r"(?m)^Cassandra Writing .*th\.$"))
        self.wait_for_lines(runs)
        new = self.grow_and_shrink(lambda: self.wait_for_lines(runs))
        for run, _ in runs:
            run.send()
            run.wait(30)
            self.assertEqual(run.status, 130, run.report())
            self.check_report(run, new, run.stderr)
        self.check_keys(old)
        self.check_records(sbk)

    def old(self, name, *args):
        """A run of the program under another name."""
        link = self.folder / name
        link.symlink_to(story.PROGRAM)
        return self.start(*args, program=(str(link),))

    def wait_for_lines(self, runs):
        """Until each has printed two more lines of results."""
        for run, form in runs:
            before = len(re.findall(form, run.stdout))
            story.wait_until(lambda: run.process.poll() is not None
                             or len(re.findall(form, run.stdout)) >= before + 2, form)
            self.assertIsNone(run.process.poll(), run.report())

    def account(self, run):
        """Requests that began, were acknowledged, failed, and are unknown; None where nothing went wrong."""
        found = re.search(r"(?m)" + story.BOOK.pattern, run.stderr)
        return story.Book(*(int(text.replace(",", "")) for text in found.groups())) if found else None

    def check_keys(self, run):
        """Every key from the first on is there with all its columns, but for those without an answer."""
        book = self.account(run)
        last = int(re.findall(r"(?m)^(\d+),\d+,\d+,", run.stdout)[-1])
        book = book or story.Book(last, last, 0, 0)
        self.assertEqual((book.acknowledged, book.failed), (last, 0), run.report())
        self.assertLessEqual(book.unknown, 8, run.report())
        rows = self.client.raw("SELECT * FROM keyspace1.standard1", "ALL")
        keys = {row["key"] for row in rows}
        wanted = {b"%08d" % number for number in range(book.started)}
        self.assertLessEqual(keys, wanted, run.report())
        self.assertLessEqual(len(wanted - keys), book.unknown, run.report())
        for row in rows:
            self.assertTrue(all(len(row[f"C{i}"]) == 34 for i in range(5)), row)

    def check_records(self, run):
        """At least as many rows as records that were told."""
        total = int(re.search(r"(?m)^Total : Cassandra Writing *(\d+) records", run.stdout)[1])
        book = self.account(run) or story.Book(total, total, 0, 0)
        self.assertEqual((book.acknowledged, book.failed), (total, 0), run.report())
        found = self.client.count("sbk.temp", "ALL")
        self.assertGreaterEqual(found, total, run.report())
        self.assertLessEqual(found, book.started, run.report())


if __name__ == "__main__":
    story.main()
