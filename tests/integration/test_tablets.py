"""Tablets as ScyllaDB has them, and its other extensions, played by the responder: the first requests teach where the
tablets are, and what has moved is learned anew."""

import os
import re

import story
from responder_kit import ResponderStory, free_port

HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
SHARDS = 4
ROWS = 20000
RATE = 3000
LEARNED = re.compile(r"# ([\d,]+) answers said where a tablet is")
RIGHT = re.compile(r"# requests to the shard of their partition: ([\d,]+) of ([\d,]+)")
REPLICAS = re.compile(r"# requests per node \(([\d.]+)% to a replica\)")
ROLES = re.compile(r"# requests per replica of their partition: first [\d,]+ \(([\d.]+)%\), second ([\d,]+)")
PROFILE = """
keyspace: {keyspace}
keyspace_definition: |
  CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 3}};
table: t
table_definition: CREATE TABLE t (a int PRIMARY KEY, b int)
columnspec:
  - name: a
    population: uniform(1..100000)
queries:
  if:
    cql: UPDATE t SET b = ? WHERE a = ? IF EXISTS
    fields: samerow
  plain:
    cql: UPDATE t SET b = ? WHERE a = ?
    fields: samerow
"""


def number(text):
    return int(text.replace(",", ""))


class Tablets(ResponderStory):
    def ring(self, *words, tablets=64):
        port = free_port()
        nodes = ",".join(f"{host}:{port}" for host in HOSTS)
        if tablets:
            words = (f"tablets={tablets}", *words)
        self.server = self.start("responder", f"listen={nodes}", f"shards={SHARDS}",
                                 f"shard-aware-port={free_port()}", *words)
        story.wait_until(lambda: self.server.stdout.count("listening on") == len(HOSTS)
                         or self.server.process.poll() is not None, "the responder")
        return f"{HOSTS[0]}:{port}"

    def write(self, node, *words, count=f"n={ROWS}", factor=2, threads=16):
        return self.good("write", count, "no-warmup", "cl=ONE", "-rate", f"threads={threads}", *words,
                         "-schema", f"keyspace={self.keyspace}", f"replication(factor={factor})",
                         "-node", node)

    def found(self, run, form):
        found = [match for match in map(form.match, run.lines) if match]
        self.assertEqual(len(found), 1, run.report())
        return found[0]

    def learned(self, run):
        return number(self.found(run, LEARNED)[1])

    def steady(self, tablets, *steps):
        """A run at a fixed rate with one copy of each row; after each second one of the steps is played."""
        pipe = self.folder / "script"
        os.mkfifo(pipe)
        node = self.ring(f"script={pipe}", tablets=tablets)
        run = self.start("write", f"duration={len(steps) + 1}s", "no-warmup", "cl=ONE", "-rate", "threads=8",
                         f"fixed={RATE}/s", "-schema", f"keyspace={self.keyspace}", "replication(factor=1)",
                         "-node", node)
        with open(pipe, "w", encoding="ascii") as script:
            for number, lines in enumerate(steps):
                run.wait_for_rows(number + 1)
                script.write("".join(f"{line}\n" for line in lines))
                script.flush()
            run.wait()
        self.assertEqual(run.status, 0, run.report())
        return run

    # ---- tablets ----

    def test_the_first_requests_teach(self):
        node = self.ring()
        run = self.write(node, "-loops", "count=2")
        told = self.told()
        self.assertEqual(told["right"] + told["wrong"], ROWS)
        # Each loop learns each tablet once; what is under way meanwhile goes astray, too.
        self.assertLess(told["wrong"], 64 * 2 * 3, self.server.report())
        self.assertEqual(told["tablets"], told["wrong"])
        self.assertEqual(self.learned(run), told["tablets"], run.report())
        right, known = map(number, self.found(run, RIGHT).groups())
        self.assertEqual(right, known, run.report())
        self.assertGreaterEqual(known, told["right"] - 2 * 16, run.report())
        self.assertGreater(float(self.found(run, REPLICAS)[1]), 99, run.report())
        # Two replicas, one as good as the other.
        self.assertGreater(number(self.found(run, ROLES)[2]), ROWS * 0.4, run.report())

    def test_what_has_moved_is_learned_anew(self):
        moves = [f"migrate {tablet}" for tablet in range(1, 9)]
        run = self.steady(8, moves, ["tablets 16"])
        told = self.told()
        # There is one copy only: each move misleads each tablet once, and half of the halves are elsewhere, too.
        self.assertGreaterEqual(told["tablets"], 8 + 4, run.report())
        self.assertLess(told["wrong"], RATE / 10, run.report())
        self.assertEqual(self.learned(run), told["tablets"], run.report())
        book = run.book()
        self.assertEqual(book.started, book.acknowledged, run.report())

    def test_tables_that_change_and_nodes_that_leave_take_their_tablets_along(self):
        run = self.steady(24, [f"cql ALTER TABLE {self.keyspace}.standard1 ADD x int"], ["leave 3"])
        told = self.told()
        # After the change nothing is known of the table: one request in twelve is right by chance.
        self.assertGreater(told["tablets"], 24 + 8, run.report())
        self.assertLess(told["wrong"], RATE, run.report())
        book = run.book()
        self.assertGreater(book.acknowledged, 0.9 * book.started, run.report())

    def test_a_client_that_wants_no_shards_is_not_told(self):
        node = self.ring()
        run = self.write(node, "-mode", "noShards")
        told = self.told()
        self.assertNotIn("tablets", told)
        self.assertGreater(told["wrong"], ROWS / 2)
        self.assertFalse(list(filter(LEARNED.match, run.lines)), run.report())

    # ---- the other extensions ----

    def test_conditional_statements_go_to_the_first_replica(self):
        profile = self.file("if.yaml", PROFILE.format(keyspace=self.keyspace))
        for tablets in (0, 16):
            node = self.ring(tablets=tablets)
            words = ("n=4000", "no-warmup", "cl=ONE", "-rate", "threads=8", "-node", node)
            run = self.good("user", f"profile={profile}", "ops(if=1)", *words)
            self.assertGreater(float(self.found(run, REPLICAS)[1]), 99, run.report())
            seconds = [match for match in map(ROLES.match, run.lines) if match]
            self.assertFalse(seconds, run.report())
            run = self.good("user", f"profile={profile}", "ops(plain=1)", *words)
            self.assertGreater(number(self.found(run, ROLES)[2]), 800, run.report())
            self.told()

    def test_without_the_first_replica_they_go_to_the_second(self):
        script = self.file("script", "down 3\n")
        node = self.ring(f"script={script}", tablets=16)
        profile = self.file("if.yaml", PROFILE.format(keyspace=self.keyspace))
        run = self.good("user", f"profile={profile}", "ops(if=1)", "n=4000", "no-warmup", "cl=ONE",
                        "-rate", "threads=8", "-node", node)
        first, second = self.found(run, ROLES).groups()
        self.assertGreater(float(first), 40, run.report())
        self.assertGreater(number(second), 800, run.report())
        self.assertNotIn(", third ", run.stdout, run.report())
        self.assertEqual(run.book().acknowledged, 4000, run.report())

    def test_the_limit_of_a_partition_is_a_failure_of_its_own(self):
        for shards, name, words in ((SHARDS, "RateLimitReachedException", "(a write, refused by the coordinator)"),
                                    (0, "InvalidQueryException", "the responder was told so")):
            port = self.serve("errors=rate_limit:0.1", f"shards={shards}")
            run = self.cstress("write", "n=2000", "no-warmup", "cl=ONE", "-rate", "threads=4", "-node",
                               f"127.0.0.1:{port}", "-errors", "ignore", "retries=0")
            told = self.told()
            self.assertGreater(told["errors"], 0)
            classes = next(line for line in run.lines if "failed operations by class" in line)
            self.assertIn(f"{name} {told['errors']}", classes, run.report())
            self.assertIn(words, run.stderr, run.report())


if __name__ == "__main__":
    story.main()
