"""Which partitions a run touches and how much of each it writes, counted at the server."""

from collections import Counter

import story

TABLE = """keyspace: {ks}
keyspace_definition: |
  CREATE KEYSPACE IF NOT EXISTS {ks} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}
table: {table}
table_definition: |
  CREATE TABLE {table} (id bigint, a bigint, b bigint, v int, w int, PRIMARY KEY (id, a, b))
columnspec:
- {{name: a, cluster: fixed({a})}}
- {{name: b, cluster: fixed({b})}}
insert: {{batchtype: UNLOGGED{insert}}}
queries:
  all: {{cql: SELECT * FROM {table} WHERE id = ?, fields: samerow}}
  one: {{cql: SELECT * FROM {table} WHERE id = ? AND a = ? AND b = ?, fields: samerow}}
"""


class Seeds(story.Story):
    def profile(self, table="t", a=1, b=1, insert=""):
        return self.file(f"{table}.yaml", TABLE.format(ks=self.keyspace, table=table, a=a, b=b, insert=insert))

    def user(self, profile, n, *words, ops="ops(insert=1)", threads=4):
        run = self.good("user", f"profile={profile}", ops, f"n={n}", "no-warmup", "-rate",
                        f"threads={threads}", *words, "-node", self.node)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        return run

    def operations(self, run, kind="total"):
        return int([row for row in run.lines if row.startswith(kind + ",")][-1].split(",")[1])

    def rows_by_partition(self, table="t"):
        rows = self.client.run(f"SELECT id, count(*) AS n FROM {self.keyspace}.{table} GROUP BY id")
        return {row["id"]: row["n"] for row in rows}

    def test_visits_complete_every_partition(self):
        """Each partition in four visits, up to five of them open at a time; c4 needs more seeds in revisit=."""
        for number, (dialect, revisit, threads) in enumerate([("c3", 5, 1), ("c3", 5, 16), ("c4", 1085, 16)]):
            with self.subTest(dialect=dialect, threads=threads):
                table = f"t{number}"
                # c4 draws an open partition once in so many draws: all are complete after many more visits.
                n = 800 if dialect == "c3" else 40000
                self.user(self.profile(table, 5, 4), n, "-pop", "seq=1..80", "-insert", "visits=FIXED(4)",
                          f"revisit=UNIFORM(1..{revisit})", "-compat", f"data={dialect}", threads=threads)
                self.assertEqual(Counter(self.rows_by_partition(table).values()), {20: 80})

    def test_the_count_is_of_partitions(self):
        """n=10 in sevens: an operation of seven, one of three; and a population that ends first."""
        profile = self.profile(a=2)
        run = self.user(profile, 10, "-insert", "partitions=fixed(7)", threads=1)
        self.assertEqual((self.operations(run), run.step.total["Total partitions"]), (2, 10))
        self.assertEqual(Counter(self.rows_by_partition().values()), {2: 10})
        for threads in (1, 8):
            run = self.user(profile, 40, "-insert", "partitions=fixed(7)", "-pop", "seq=1..10", "no-wrap",
                            threads=threads)
            self.assertEqual(run.step.total["Total partitions"], 10, run.report())
        run = self.user(profile, 25, "-pop", "seq=11..20", threads=8)
        self.assertEqual(run.step.total["Total partitions"], 25, run.report())
        self.assertEqual(len(self.rows_by_partition()), 20)

    def test_select_chooses_values_of_the_first_level(self):
        self.user(self.profile(a=5, b=4, insert=", select: fixed(1)/4"), 100)
        counts = Counter(self.rows_by_partition().values())
        self.assertLessEqual(set(counts), {4, 8, 12, 16, 20})
        self.assertGreater(len(counts), 1)
        self.client.run(f"TRUNCATE {self.keyspace}.t")
        self.user(self.profile(a=5, b=4, insert=", select: fixed(1)/4"), 50, "-insert", "select-ratio=fixed(1)/1")
        self.assertEqual(Counter(self.rows_by_partition().values()), {20: 50})

    def test_row_population_leaves_the_last_columns_null(self):
        self.user(self.profile(), 30, "-insert", "row-population-ratio=fixed(1)/2")
        rows = self.client.run(f"SELECT v, w FROM {self.keyspace}.t")
        self.assertEqual(len(rows), 30)
        self.assertTrue(all(row["v"] is not None and row["w"] is None for row in rows))

    def test_reads_look_back_at_what_was_written(self):
        profile = self.profile(a=3)
        words = ("-pop", "seq=501..700", "read-lookback=uniform(1..20)")
        for dialect in ("c4", "c3"):
            self.user(profile, 200, "-pop", "seq=501..700", "-compat", f"data={dialect}")
            run = self.user(profile, 600, *words, "-compat", f"data={dialect}", ops="ops(insert=1,all=1)", threads=8)
            self.assertEqual(run.step.items["Total partitions"]["all"], self.operations(run, "all"), run.report())
            self.client.run(f"TRUNCATE {self.keyspace}.t")

    def test_operations_share_one_population(self):
        """Two inserts divide the positions among them: none twice, none left out."""
        profiles = f"{self.profile('t')},{self.profile('u')}"
        run = self.user(profiles, 200, "-pop", "seq=1..200", ops=f"ops(insert=1,{self.keyspace}.u.insert=1)",
                        threads=8)
        first, second = set(self.rows_by_partition("t")), set(self.rows_by_partition("u"))
        self.assertEqual(run.step.total["Total partitions"], 200, run.report())
        self.assertEqual((len(first | second), len(first & second)), (200, 0))
        self.assertTrue(first and second)

    def test_one_table_name_in_two_keyspaces(self):
        """The original writes everything into the first keyspace; names without specname are keyspace.table."""
        other = f"{self.keyspace[:40]}_b"
        self.addCleanup(self.client.drop, other)
        self.client.drop(other)
        first = self.profile("t")
        second = self.file("second.yaml", TABLE.format(ks=other, table="t", a=1, b=1, insert=""))
        self.user(f"{first},{second}", 100, "-pop", "seq=1..100", ops=f"ops({self.keyspace}.t.insert=1,{other}.t.insert=1)")
        here = set(self.rows_by_partition())
        there = {row["id"] for row in self.client.run(f"SELECT id FROM {other}.t")}
        self.assertTrue(here and there)
        self.assertEqual((len(here | there), len(here & there)), (100, 0))
        run = self.user(f"{first}, {second}", 100, "-pop", "seq=1..100", ops=f"ops(all=1,{other}.t.all=1)")
        found = run.step.items["Total partitions"]
        self.assertTrue(0 < found["all"] < 100 and 0 < found[f"{other}.t.all"] < 100, run.report())

    def test_batches_beyond_what_the_protocol_counts(self):
        profile = self.profile(a=700, b=100)
        self.user(profile, 2, threads=2)
        self.assertEqual(Counter(self.rows_by_partition().values()), {70000: 2})
        run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=2", "no-warmup", "-rate", "threads=1",
                           "-insert", "batchtype=LOGGED", "-node", self.node, status=1)
        self.one_error_line(run, "70000 rows", "LOGGED", "65535")

    def test_a_batch_that_the_server_refuses_is_explained(self):
        """Of several partitions and more than batch_size_fail_threshold (50 KiB)."""
        profile = self.profile(a=50, b=2)
        run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=20", "no-warmup", "-rate", "threads=1",
                           "-insert", "partitions=fixed(20)", "-node", self.node, status=1)
        self.assertIn("Error executing: (InvalidQueryException): Batch too large", run.stdout)
        self.assertIn("the batch had 2000 rows of 20 partitions", run.stderr)
        self.assertIn("batch_size_fail_threshold", run.stderr)

    def test_counters_are_added_once_per_visit(self):
        text = TABLE.format(ks=self.keyspace, table="c", a=2, b=1, insert="").replace("UNLOGGED", "COUNTER")
        text = text.replace("v int, w int,", "n counter,") + "token_range_queries: {}\n"
        profile = self.file("c.yaml", text.replace("insert:", "- {name: n, population: fixed(3)}\ninsert:"))
        # One thread: beside others, a partition that is still being visited is passed over.
        self.user(profile, 90, "-pop", "seq=1..30", "-insert", "partitions=fixed(5)", threads=1)
        rows = self.client.run(f"SELECT n FROM {self.keyspace}.c")
        self.assertEqual(Counter(row["n"] for row in rows), {9: 60})


if __name__ == "__main__":
    story.main()
