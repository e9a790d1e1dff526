"""Token range queries: every row is read once, page by page, whatever the ring is cut into."""

import story

TABLE = """keyspace: {ks}
keyspace_definition: CREATE KEYSPACE {ks} WITH replication = {{'class':'SimpleStrategy','replication_factor':1}}
table: t
table_definition: |
  CREATE TABLE t ("Id" bigint, part text, c int, v text, "Val" blob, PRIMARY KEY (("Id", part), c))
columnspec:
  - {{name: c, cluster: fixed(4)}}
insert: {{batchtype: UNLOGGED}}
queries:
  one: {{cql: 'SELECT * FROM t WHERE "Id" = ? AND part = ?', fields: samerow}}
token_range_queries:
  all: {{columns: '*', page_size: 7}}
  some: {{columns: 'Id, writetime(v)', page_size: 5000}}
"""
PARTITIONS = 60
ROWS = 4 * PARTITIONS


class TokenRanges(story.Story):
    def setUp(self):
        super().setUp()
        self.keyspace = self.keyspace[:30]
        self.profile = self.file("p.yaml", TABLE.format(ks=self.keyspace))
        self.user("ops(insert=1)", PARTITIONS)

    def user(self, ops, n, *words, warmup=("no-warmup",), threads=4):
        return self.good("user", f"profile={self.profile}", ops, f"n={n}", *warmup, "-rate",
                         f"threads={threads}", *words, "-node", self.node)

    def total(self, run):
        """Operations and partitions of the whole run."""
        last = [row for row in run.lines if row.startswith("total,")][-1]
        return int(last.split(",")[1]), run.step.total["Total partitions"]

    def test_reads_every_row_once(self):
        """One thread, pages of 7: 240 rows are 35 pages of a ring with one token."""
        operations, partitions = self.total(self.user("ops(all=1)", 10000, threads=1))
        self.assertEqual((operations, partitions), (-(-ROWS // 7), PARTITIONS))
        for threads, factor in ((1, 7), (8, 7), (8, 1000)):
            run = self.user("ops(all=1)", 10000, "-tokenrange", f"split-factor={factor}", threads=threads)
            self.assertEqual(self.total(run)[1], PARTITIONS, run.report())
            self.assertEqual(run.step.total["Total errors"], 0, run.report())
            self.assertGreaterEqual(self.total(run)[0], factor, run.report())

    def test_the_rest_of_the_mix_goes_on(self):
        run = self.user("ops(some=1,insert=1,one=1)", 400, "-tokenrange", "split-factor=20")
        self.assertEqual(self.total(run)[0], 400, run.report())
        ranges = [row for row in run.lines if row.startswith("some,")][-1]
        self.assertEqual(int(ranges.split(",")[1]), 20, run.report())

    def test_wraps_until_the_count_is_reached(self):
        run = self.user("ops(all=1)", 90, "-tokenrange", "wrap")
        self.assertEqual(self.total(run)[0], 90, run.report())
        self.assertGreater(self.total(run)[1], PARTITIONS, run.report())

    def test_a_warm_up_reads_one_page_of_each_range(self):
        run = self.user("ops(all=1)", 10000, "-tokenrange", "split-factor=5", warmup=())
        self.assertIn("Warming up all with", run.stdout)
        self.assertEqual(self.total(run)[1], PARTITIONS, run.report())

    def test_a_wrong_column_is_told_with_its_place(self):
        text = TABLE.format(ks=self.keyspace).replace("'Id, writetime(v)'", "'Id, nosuch'")
        profile = self.file("p.yaml", text)
        run = self.cstress("user", f"profile={profile}", "ops(some=1)", "n=1", "no-warmup", "-node", self.node,
                           status=1)
        self.one_error_line(run, "p.yaml:13:3: token range query 'some'", "nosuch")


if __name__ == "__main__":
    story.main()
