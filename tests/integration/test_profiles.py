"""Profiles of other shapes than the tutorial's, read back by the independent client."""

import story

KEYSPACE = ("keyspace: {ks}\n"
            "keyspace_definition: |\n"
            "  CREATE KEYSPACE {ks} WITH replication = {{'class': 'SimpleStrategy',"
            " 'replication_factor': 1}};\n")
ONE = "queries:\n  one: {cql: SELECT * FROM t WHERE id = ?, fields: samerow}\n"


class Profiles(story.Story):
    def write_profile(self, text, name="p.yaml"):
        return self.file(name, KEYSPACE.format(ks=self.keyspace) + text)

    def user(self, profile, *words, ops="ops(insert=1)", n=20, status=0):
        run = self.cstress("user", f"profile={profile}", ops, f"n={n}", "no-warmup", "-rate",
                           "threads=2", *words, "-node", self.node, status=status)
        if status == 0:
            self.assertEqual(run.lines[-1], "END", run.report())
            self.assertEqual(run.step.total["Total errors"], 0, run.report())
        return run

    def rows(self, table="t"):
        return self.client.run(f'SELECT * FROM "{self.keyspace}".{table}')

    def test_what_exists_already_is_passed_over(self):
        """No IF NOT EXISTS anywhere; for an index the server has no code of its own."""
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id uuid PRIMARY KEY, mail text)\n"
            "extra_definitions:\n- CREATE INDEX t_mail ON t (mail);\n"
            "- CREATE MATERIALIZED VIEW by_mail AS SELECT * FROM t WHERE mail IS NOT NULL AND id"
            " IS NOT NULL PRIMARY KEY (mail, id)\n" + ONE)
        self.user(profile)
        self.user(profile)
        self.assertEqual(len(self.rows()), 20)
        story.wait_until(lambda: len(self.rows("by_mail")) == 20, "the view has all rows")

    def test_a_type_is_made_before_the_table_that_needs_it(self):
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id uuid PRIMARY KEY, a frozen<place>)\n"
            "extra_definitions: ['CREATE TYPE place (street text, zip int);']\n" + ONE)
        self.user(profile)
        self.user(profile)
        self.assertTrue(all(row["a"].street for row in self.rows()))

    def test_a_wrong_extra_definition_ends_the_run(self):
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id uuid PRIMARY KEY, mail text)\n"
            "extra_definitions: [CREATE INDEX ON t (nosuch)]\n" + ONE)
        self.one_error_line(self.user(profile, status=1), "nosuch")
        self.assertEqual(self.rows(), [])

    def test_a_wrong_table_is_told_with_its_line(self):
        """The server counts lines of the definition; our own reader knows those of the file."""
        profile = self.write_profile("table: t\ntable_definition: |\n  CREATE TABLE t (\n    id int PRIMARY KEY,\n"
                                     "    order text\n  )\n" + ONE)
        self.one_error_line(self.user(profile, status=1), "p.yaml:5:19: table_definition: SYNTAX_ERROR",
                            "p.yaml:8:5: table_definition: found the reserved word 'order'")

    def test_comments_in_definitions(self):
        profile = self.write_profile(
            "table: t\ntable_definition: |\n  // was: CREATE TABLE old (id int)\n"
            "  CREATE TABLE t ( -- the table\n    id int PRIMARY KEY, /* the key */\n    v text\n"
            "  ) WITH comment = 'see ticket #12';\n" + ONE)
        self.user(profile)
        self.assertEqual(len(self.rows()), 20)

    def test_a_profile_saved_by_windows(self):
        profile = self.write_profile("table: t\ntable_definition: |\n  CREATE TABLE t (\n"
                                     "  \tid int PRIMARY KEY,\n  \tv text);\n" + ONE)
        profile.write_bytes(b"\xef\xbb\xbf" + profile.read_bytes().replace(b"\n", b"\r\n"))
        self.user(profile)
        self.assertEqual(len(self.rows()), 20)

    def test_names_with_capitals(self):
        profile = self.write_profile(
            'table: t\ntable_definition: CREATE TABLE t (id int PRIMARY KEY, "C0" blob, c1 blob)\n'
            "columnspec:\n- {name: C0, size: fixed(128)}\n- {name: C1, size: fixed(16)}\n"
            "queries:\n  q: {cql: 'SELECT \"C0\" FROM t WHERE id = ?', fields: samerow}\n")
        run = self.user(profile, ops="ops(insert=1,q=1)", n=100)
        rows = self.rows()
        self.assertTrue(rows)
        self.assertEqual({len(row["C0"]) for row in rows}, {128})
        self.assertLessEqual({len(row["c1"]) for row in rows}, {4, 5, 6, 7, 8})
        self.assertIn("C1", run.stderr)

    def test_a_table_that_was_made_by_hand(self):
        self.client.run(f"CREATE KEYSPACE {self.keyspace} WITH replication = "
                        "{'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.client.run(f"CREATE TABLE {self.keyspace}.t (id int, pos int, v text, w text,"
                        " PRIMARY KEY (id, pos))")
        profile = self.file("p.yaml", f"keyspace: {self.keyspace}\ntable: t\ncolumnspec:\n"
                            "- {name: v, size: fixed(30)}\n- {name: ghost}\nqueries: {}\n")
        run = self.user(profile)
        self.assertIn("ghost", run.stderr)
        self.assertEqual({len(row["v"]) for row in self.rows()}, {30})
        self.assertEqual(len(self.rows()), 20)
        self.assertTrue(all(row["w"] for row in self.rows()))

    def test_a_table_of_keys_only(self):
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id uuid, b uuid, PRIMARY KEY (id, b))\n"
            "columnspec: [{name: b, cluster: fixed(10)}]\ninsert: {batchtype: UNLOGGED}\n" + ONE)
        self.user(profile)
        self.assertEqual(len(self.rows()), 200)

    def test_counters_in_batches(self):
        profile = self.write_profile(
            "table: t\ntable_definition: |\n  CREATE TABLE t (id text, page int, hits counter,"
            " bytes counter, PRIMARY KEY (id, page));\n"
            "columnspec:\n- {name: page, cluster: fixed(3)}\n"
            "- {name: hits, population: uniform(1..5)}\n"
            "- {name: bytes, population: fixed(1000)}\ninsert: {batchtype: COUNTER}\n" + ONE)
        self.user(profile)
        rows = self.rows()
        self.assertEqual(len(rows), 60)
        self.assertEqual({row["bytes"] for row in rows}, {1000})
        self.assertLessEqual({row["hits"] for row in rows}, {1, 2, 3, 4, 5})
        self.user(profile)
        self.assertEqual({row["bytes"] for row in self.rows()}, {2000})

    def test_types_the_original_cannot_fill(self):
        profile = self.write_profile(
            "table: t\ntable_definition: |\n  CREATE TABLE t (id int PRIMARY KEY, m map<text, int>,"
            " g set<frozen<set<int>>>, p tuple<int, text>, d duration, v vector<float, 3>);\n"
            "columnspec: [{name: m, size: fixed(3)}]\n" + ONE)
        self.user(profile)
        for row in self.rows():
            self.assertEqual(len(row["m"]), 3)
            for name in ("g", "p", "d"):
                self.assertIsNotNone(row[name])

    def test_two_profiles_in_one_run(self):
        first = self.write_profile(
            "specname: orders\ntable: t\ntable_definition: CREATE TABLE t (id uuid PRIMARY KEY, v"
            " text)\n" + ONE)
        second = self.file("q.yaml", f"specname: buyers\nkeyspace: {self.keyspace}\ntable: u\n"
                           "table_definition: CREATE TABLE u (mail text PRIMARY KEY, v text)\n"
                           "queries: {}\n")
        run = self.user(f"{first},{second}", ops="ops(orders.insert=1,buyers.insert=2,one=1)",
                        n=200)
        self.assertEqual(run.step.types(), ["buyers.insert", "one", "orders.insert", "total"])
        counts = {kind: run.step.last(kind)["total ops"] for kind in run.step.types()}
        self.assertEqual(counts["total"], 200)
        self.assertLessEqual(len(self.rows("t")), counts["orders.insert"])
        self.assertLessEqual(len(self.rows("u")), counts["buyers.insert"])
        self.assertTrue(self.rows("t") and self.rows("u"))

    def test_queries_that_bind_nothing(self):
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id int PRIMARY KEY, v int)\n"
            "queries:\n  count_all: {cql: SELECT count(*) FROM t}\n"
            "  newest: {cql: SELECT * FROM t LIMIT 5, fields: samerow}\n")
        run = self.user(profile, ops="ops( insert=2, count_all=1, newest=1 )", n=200)
        self.assertEqual(run.step.last("count_all")["total ops"],
                         run.step.items["Total partitions"]["count_all"])

    def test_a_query_named_insert_is_shadowed_and_told(self):
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id int PRIMARY KEY, v text)\n"
            "queries:\n  insert: {cql: 'INSERT INTO t (id, v) VALUES (?, ?) USING TTL 600'}\n")
        run = self.user(profile)
        self.assertIn("'insert'", run.stderr)
        rows = self.client.run(f"SELECT ttl(v) AS ttl FROM {self.keyspace}.t")
        self.assertEqual({row["ttl"] for row in rows}, {None})

    def test_a_statement_of_any_kind_may_be_a_query(self):
        profile = self.write_profile(
            "table: t\ntable_definition: CREATE TABLE t (id int PRIMARY KEY, v text)\n"
            "queries:\n  put: {cql: 'INSERT INTO t (id, v) VALUES (?, ?) USING TTL 600'}\n")
        self.user(profile, ops="ops(put=1)")
        rows = self.client.run(f"SELECT ttl(v) AS ttl FROM {self.keyspace}.t")
        self.assertTrue(rows)
        self.assertTrue(all(0 < row["ttl"] <= 600 for row in rows))


if __name__ == "__main__":
    story.main()
