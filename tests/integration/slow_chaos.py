"""Three nodes that are hurt at random while they are written to: the books are exact, nothing is lost.

    CSTRESS_CHAOS_SEED=7     the faults of this seed, in their order (the seed is printed)
    CSTRESS_CHAOS_MINUTES=30 for how long (default: 3)

Most faults hurt one node at a time, so that QUORUM of three copies can be had; some hurt two.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import story
from cassandra import OperationTimedOut
from kit import NodesStory, kit, node

MINUTES = float(os.environ.get("CSTRESS_CHAOS_MINUTES", "3"))
SEED = int(os.environ.get("CSTRESS_CHAOS_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
MEMORY_KB = 64 * 1024
LONGEST_FAULT = 180  # seconds until everything is up again on a busy machine


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
        run.wait_for_rows(len(run.rows()) + self.random.randint(least, most))

    def killed(self, run, number):
        node("kill", number)
        self.hold(run)
        kit("start")

    def restarted(self, _, number):
        node("restart", number)

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

    def cut(self, run, number):
        """All connections of clients to a node are reset."""
        if os.geteuid() or not shutil.which("ss"):
            self.skipped.add("cut")
            return
        for _ in range(self.random.randint(1, 10)):
            subprocess.run(["ss", "-K", "dst", self.nodes[number - 1], "dport", "=", ":9042"],
                           capture_output=True, check=False)
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
        faults = [self.killed, self.restarted, self.paused, self.two_paused, self.drained,
                  self.deaf, self.cut, self.altered]
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
        run = self.start("write", "n=100M", "cl=quorum", "no-warmup", "-rate", "threads=50",
                         "throttle=400/s", "-schema", f"keyspace={self.keyspace}",
                         "replication(factor=3)", "-pop", "seq=1..100M", "-errors", "ignore",
                         "retries=20", "-mode", "native", "cql3", "requestTimeout=4000",
                         "-node", ",".join(self.nodes))
        run.wait_for_rows(3)
        done = self.hurt(run)
        run.send()
        run.wait(LONGEST_FAULT)
        self.assertEqual(run.status, 130, run.report())
        book = run.book()
        print(f"{len(done)} faults, {book}, at most {self.peak_kb} kB", file=sys.stderr, flush=True)
        found = self.client.count(f'"{self.keyspace}".standard1', "QUORUM")
        self.assertTrue(book.acknowledged <= found <= book.started,
                        f"seed {SEED}: {found} found of {book}\n{run.report()}")
        self.assertGreater(book.acknowledged, 100 * len(done), run.report())
        self.assertLess(self.peak_kb, MEMORY_KB, f"seed {SEED}")
        self.assertFalse(self.skipped, "these need root and ss")


if __name__ == "__main__":
    story.main()
