"""Conditional statements: what is bound behind IF, and how many applied."""

import re

import story

TABLE = """keyspace: {ks}
keyspace_definition: CREATE KEYSPACE {ks} WITH replication = {{'class':'SimpleStrategy','replication_factor':1}}
table: t
table_definition: |
  CREATE TABLE t (id bigint, c int, v int, "W" text, m text, s text static, PRIMARY KEY (id, c))
columnspec:
  - {{name: c, cluster: fixed(2)}}
insert: {{batchtype: UNLOGGED{condition}}}
queries:
  cas: {{cql: 'UPDATE t SET v = ?, "W" = ? WHERE id = ? AND c = ? IF v = ? AND "W" = ?', fields: samerow}}
  fresh: {{cql: 'UPDATE t SET m = ? WHERE id = ? AND c = ? IF m = ?', fields: samerow}}
"""


class Conditions(story.Story):
    def user(self, ops, n, *words, condition=""):
        profile = self.file("p.yaml", TABLE.format(ks=self.keyspace, condition=condition))
        run = self.good("user", f"profile={profile}", ops, f"n={n}", "no-warmup", "-rate", "threads=4", *words,
                        "-node", self.node)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        return run

    def applied(self, run):
        found = re.search(r"conditional statements ([\d,]+) applied and ([\d,]+) did not", run.stdout)
        return tuple(int(count.replace(",", "")) for count in found.groups()) if found else None

    def test_binds_what_the_row_holds(self):
        self.user("ops(insert=1)", 30)
        rows = self.client.run(f"SELECT * FROM {self.keyspace}.t")
        for row in rows:  # nothing that a generator could know
            self.client.run(f"UPDATE {self.keyspace}.t SET v = -7, m = 'mine'"
                            f" WHERE id = {row['id']} AND c = {row['c']}")
        old = self.user("ops(cas=1)", 30, "-pop", "seq=1..30", "-compat", "data=c3")
        self.assertEqual(self.applied(old), (0, 30), old.report())
        run = self.user("ops(cas=1)", 30, "-pop", "seq=1..30")
        self.assertEqual(self.applied(run), (30, 0), run.report())
        again = self.client.run(f"SELECT v, m FROM {self.keyspace}.t")
        self.assertEqual(sum(row["v"] != -7 for row in again), 30)
        self.assertEqual({row["m"] for row in again}, {"mine"})

    def test_an_absent_row_is_bound_as_nulls(self):
        run = self.user("ops(fresh=1)", 20, "-pop", "seq=1..20")
        self.assertEqual(self.applied(run), (20, 0), run.report())
        self.assertEqual(len(self.client.run(f"SELECT * FROM {self.keyspace}.t")), 20)

    def test_a_condition_of_the_insert_is_counted(self):
        condition = ", select: fixed(1)/1, condition: IF v = NULL"
        run = self.user("ops(insert=1)", 25, condition=condition)
        self.assertEqual(self.applied(run), (25, 0), run.report())
        run = self.user("ops(insert=1)", 25, condition=condition)
        self.assertEqual(self.applied(run), (0, 25), run.report())

    def test_a_table_of_keys_takes_no_condition(self):
        text = TABLE.format(ks=self.keyspace, condition=", condition: IF NOT EXISTS")
        text = text.replace(', v int, "W" text, m text, s text static', "").split("queries:")[0] + "queries: {}\n"
        run = self.cstress("user", f"profile={self.file('p.yaml', text)}", "ops(insert=1)", "n=1", "no-warmup",
                           "-node", self.node, status=1)
        self.one_error_line(run, "p.yaml: insert: 'condition' is not allowed", "key columns only")

    def test_arguments_of_several_rows_are_refused(self):
        text = TABLE.format(ks=self.keyspace, condition="").replace("IF m = ?', fields: samerow", "IF m = ?'")
        profile = self.file("p.yaml", text)
        words = ("user", f"profile={profile}", "ops(fresh=1)", "n=1", "no-warmup", "-node", self.node)
        run = self.cstress(*words, status=1)
        self.one_error_line(run, "p.yaml:11:3: query 'fresh'", "CAS is supported only for type 'samerow'")
        self.cstress(*words, "-rate", "threads=1", "-compat", "data=c3")


if __name__ == "__main__":
    story.main()
