"""Three nodes that are hurt at random while they are written to: the books are exact, nothing is lost.

    CSTRESS_CHAOS_SEED=7     the faults of this seed, in their order (the seed is printed)
    CSTRESS_CHAOS_MINUTES=30 for how long (default: 5)

Most faults hurt one node at a time, so that QUORUM of three copies can be had; some hurt two or all.
The cluster must have each write in its log before it is acknowledged, as the `durable` one does.
"""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import acknowledged
import story
from cassandra import OperationTimedOut
from kit import NodesStory, kit, node

MINUTES = float(os.environ.get("CSTRESS_CHAOS_MINUTES", "5"))
SEED = int(os.environ.get("CSTRESS_CHAOS_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
MEMORY_KB = 64 * 1024
LONGEST_FAULT = 300  # seconds until everything is up again on a busy machine
THREADS = 50
ENDURE = ["-mode", "native", "cql3", "requestTimeout=4000", "-errors", "ignore", "retries=20"]


class Chaos(NodesStory):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.peak_kb = 0
        print(f"CSTRESS_CHAOS_SEED={SEED} CSTRESS_CHAOS_MINUTES={MINUTES:g}", file=sys.stderr,
              flush=True)

    # ---- faults; each leaves all nodes up ----

    def hold(self, run, least=1, most=5):
        """The load meets what has been done for some rows of the report."""
        run.wait_for_rows(len(run.rows()) + self.random.randint(least, most), LONGEST_FAULT)

    def killed(self, run, number):
        node("kill", number)
        self.hold(run)
        kit("start")

    def two_killed(self, run, number):
        """No QUORUM, and the one that is left knows it."""
        for other in (number, number % 3 + 1):
            node("kill", other)
        self.hold(run)
        kit("start")

    def all_killed(self, run, _):
        """Nothing ends any more, until the first attempts have waited long enough for a node."""
        said = run.err.stat().st_size
        for other in (1, 2, 3):
            node("kill", other)
        story.wait_until(lambda: run.err.stat().st_size > said, "attempts that fail",
                         LONGEST_FAULT)
        kit("start")

    def restarted(self, _, number):
        node("restart", number)

    def rolling(self, run, number):
        """One after the other, each as soon as the last one is ready."""
        for other in range(number, number + 3):
            node("restart", other % 3 + 1)
        self.hold(run)

    def slow(self, run, number):
        """A peer that works in short bursts; the lengths are the fault."""
        for _ in range(self.random.randint(5, 20)):
            node("pause", number)
            time.sleep(self.random.uniform(0.05, 0.8))
            node("resume", number)
            time.sleep(self.random.uniform(0, 0.2))
        self.hold(run)

    def paused(self, run, number):
        node("pause", number)
        try:
            self.hold(run, 2, 15)
        finally:
            node("resume", number)

    def two_paused(self, run, number):
        """No QUORUM for a while."""
        others = [number, number % 3 + 1]
        for other in others:
            node("pause", other)
        try:
            self.hold(run, 1, 4)
        finally:
            for other in others:
                node("resume", other)

    def drained(self, run, number):
        self.nodetool(number, "drain")
        self.hold(run)
        node("restart", number)

    def deaf(self, run, number):
        """It serves the others, and no clients."""
        self.nodetool(number, "disablebinary")
        self.hold(run)
        self.nodetool(number, "enablebinary")

    def reset(self, number):
        """All connections of clients to a node; how many there were."""
        done = subprocess.run(["ss", "-KHtn", "dst", self.nodes[number - 1], "dport", "=", ":9042"],
                              capture_output=True, text=True, check=False)
        return len(done.stdout.splitlines())

    def cut(self, run, number):
        if self.reset(number) < 1:
            self.skipped.add("cut")
        for _ in range(self.random.randint(0, 9)):
            self.reset(number)
        self.hold(run)

    def torn(self, run, number):
        """In the middle of large frames, of which more are under way than sockets hold."""
        large = self.start("write", "n=100", "cl=quorum", "no-warmup", "-rate", "threads=30",
                           "-schema", f"keyspace={self.keyspace}_large", "replication(factor=3)",
                           "-col", "n=fixed(1)", "size=fixed(200000)", "-pop", "seq=1..100",
                           *ENDURE, "-log", "interval=100ms", "-node", ",".join(self.nodes))
        story.wait_until(lambda: "Running WRITE" in large.stdout, "large rows under way",
                         LONGEST_FAULT)
        for _ in range(30):
            self.reset(number)
            time.sleep(self.random.uniform(0, 0.1))
        large.wait(LONGEST_FAULT)
        self.assertEqual(large.status, 0, large.report())
        book = large.book()
        found = self.client.count(f'"{self.keyspace}_large".standard1', "QUORUM")
        self.assertTrue(book.acknowledged <= found <= book.started, large.report())
        self.client.drop(f"{self.keyspace}_large")
        self.hold(run)

    def altered(self, _, number):
        """The written table gets one more column, and another table comes and goes."""
        self.columns += 1
        other = f'"{self.keyspace}".other{number}'
        for cql in (f'ALTER TABLE "{self.keyspace}".standard1 ADD "more{self.columns}" blob',
                    f"CREATE TABLE IF NOT EXISTS {other} (k int PRIMARY KEY)",
                    f"DROP TABLE IF EXISTS {other}"):
            try:
                self.client.run(cql)
            except OperationTimedOut:  # hurt enough; the schema may change or not
                return

    def nodetool(self, number, *words):
        self.assertIsNotNone(kit("nodetool", str(number), *words))

    # ---- the load and the books ----

    def watch(self, run):
        """Still there, and in its bounds."""
        if run.process.poll() is not None:
            self.fail(f"ended by itself, seed {SEED}\n{run.report()}")
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{run.process.pid}/status").read_text())
        self.peak_kb = int(found[1])

    def all_serve(self, run):
        """Each node answers us again, and no request fails any more."""
        kit("start")
        before = self.requests()
        story.wait_until(lambda: all(count != before[at] and count > 100
                                     for at, count in self.requests().items()),
                         "requests at each node", LONGEST_FAULT)
        self.watch(run)

    def hurt(self, run):
        faults = [self.killed, self.two_killed, self.all_killed, self.restarted, self.rolling,
                  self.paused, self.two_paused, self.slow, self.drained, self.deaf, self.cut,
                  self.torn, self.altered]
        end = time.monotonic() + 60 * MINUTES
        done = []
        while time.monotonic() < end:
            if not done or len(done) % len(faults) == 0:
                self.random.shuffle(faults)
            fault, number = faults[len(done) % len(faults)], self.random.randint(1, 3)
            done.append(f"{fault.__name__} {number}")
            print(f"{len(run.rows())}: {done[-1]}", file=sys.stderr, flush=True)
            fault(run, number)
            self.all_serve(run)
        return done

    def test_everything_acknowledged_is_found(self):
        self.columns, self.skipped = 0, set()
        run = self.start("write", "n=100M", "cl=quorum", "no-warmup", "-rate", f"threads={THREADS}",
                         "throttle=400/s", "-loops", "count=2", "-schema",
                         f"keyspace={self.keyspace}", "replication(factor=3)", "-pop",
                         "seq=1..100M", *ENDURE, f"failures={acknowledged.FILE}",
                         "-node", ",".join(self.nodes))
        run.wait_for_rows(3)
        done = self.hurt(run)
        run.send()
        run.wait(LONGEST_FAULT)
        self.assertEqual(run.status, 130, run.report())
        print(f"{len(done)} faults, {run.book()}, at most {self.peak_kb} kB", file=sys.stderr,
              flush=True)
        book = acknowledged.check(self.client, run, f'"{self.keyspace}".standard1', THREADS)
        self.assertGreater(book.acknowledged, 100 * len(done), run.report())
        self.assertLess(self.peak_kb, MEMORY_KB, f"seed {SEED}")
        self.assertFalse(self.skipped, "these need root and ss")


if __name__ == "__main__":
    story.main()
