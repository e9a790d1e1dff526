"""Profiles as users wrote them (tests/cases, 027 to 050): rows, statements, refusals."""

import cases
import story

# Case, table, its rows after one run, partitions in the block (None: several kinds mix).
COUNTED = [
    (27, "ks_tiny.wide_notes", 200, 200),
    (29, "ks_hits.page_hits", 180, 60),
    (30, "ks_social.follows", 200, 20),
    (31, "ks_stock.shelves", 200, 50),
    (37, "ks_plain.plain_t", 300, 10),
    (38, "ks_notes.notes", 10, 10),
    (40, "ks_elastic.elastic", 100, 100),
    (41, "ks_coll.recipes", 100, 100),
    (42, "ks_map.gadgets", 50, 50),
    (43, "ks_udt.clients", 50, 50),
    (44, "ks_static.albums", 600, 30),
    (49, "ks_anchor.forms", 100, 25),
    (50, "ks_win.win_t", 10, 10),
]

# A key of case 048's profile made wrong, and words of the one line that says so.
MISSPELT = [
    ("size: fixed", "poulation: fixed", ":9:5:", "column 'v'", "poulation", "population"),
    ("fields: samerow", "field: samerow", "query 'get'", "'field'", "'fields'"),
    ("partitions: fixed", "partition: fixed", "insert:", "'partition'", "'partitions'"),
    ("queries:", "token_range_queries:\n  s:\n    columns: '*'\n    pagesize: 5\nqueries:",
     "'s'", "pagesize", "page_size"),
    ("- name: v\n    size", "- size", ":8:5:", "without 'name'"),
]


class Profiles(cases.CaseStory):
    def count(self, number):
        table, rows, partitions = next(row[1:] for row in COUNTED if row[0] == number)
        run, seen = self.recorded(number)
        self.total(run, partitions)
        self.assertEqual(self.client.count(table), rows)
        return run, seen

    def batches(self, seen, kind, count, rows):
        """So many batches of this kind, each of so many rows, and nothing else written."""
        found = seen.of("BATCH")
        self.assertEqual([(one.batch_type, len(one.statements)) for one in found],
                         [(kind, rows)] * count)
        self.assertEqual(seen.of("EXECUTE"), [])

    def statement(self, seen, *words):
        """The one statement that was prepared to write has these words, and no others do."""
        found = {one.text for one in seen.of("PREPARE")
                 if one.text.startswith(("UPDATE", "INSERT"))}
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, next(iter(found)))
        return found.pop()

    def test_027_at_least_one_row_of_each_partition(self):
        run, seen = self.count(27)
        self.batches(seen, "UNLOGGED", 100, 2)
        self.assertIn("[2..2] partitions and [0..0] rows (of [100..100]", run.stdout)

    def test_029_counters_go_into_counter_batches(self):
        run, seen = self.count(29)
        self.quiet(run)
        self.batches(seen, "COUNTER", 60, 3)
        self.statement(seen, "hits = hits + ?", "bytes = bytes + ?", "WHERE site = ? AND page = ?")
        found = self.columns("ks_hits.page_hits", "hits", "bytes")
        self.assertTrue(all(1 <= hits <= 5 and size == 1000 for hits, size in found), found)
        self.profile(("insert:", "insert:\n  batchtype: UNLOGGED"), name="profile2.yaml")
        with cases.Proxy(self.node) as proxy:
            self.typed('user profile=profile2.yaml "ops(insert=1)" n=60 no-warmup -rate threads=2 '
                       f"-port native={proxy.port} -node NODE")
        self.batches(proxy.recorder, "UNLOGGED", 60, 3)

    def test_030_a_table_of_keys_only(self):
        _, seen = self.count(30)
        self.batches(seen, "UNLOGGED", 20, 10)
        self.statement(seen, "INSERT INTO ks_social.follows", "(?, ?)")
        run = self.typed('user profile=profile.yaml "ops(is-following=1)" n=20 no-warmup -pop '
                         "seq=1..20 -rate threads=2 -node NODE")
        self.assertEqual(run.step.total["Total errors"], 0)

    def test_031_three_clustering_columns_end_a_visit_early(self):
        run, seen = self.count(31)
        self.assertEqual({len(one.statements) for one in seen.of("BATCH")}, {4})
        self.assertIn("[24..24] rows (of [24..24] total rows in the partitions)", run.stdout)
        self.warned(run, "3 clustering columns", "4 of the up to 24 rows")
        self.case(31)
        self.assertEqual(self.client.count("ks_stock.shelves"), 200, "the very same rows")
        self.total(self.typed('user profile=profile.yaml "ops(shop=1)" n=20 no-warmup -pop '
                              "seq=1..20 -rate threads=2 -node NODE"), 20)

    def test_034_an_index_that_is_there(self):
        for _ in range(2):
            self.total(self.case(34), 50)
        self.profile(("people (mail)", "people (nail)"), ("people_mail_idx", "second"))
        run = self.typed('user profile=changed.yaml "ops(insert=1)" n=9 -rate threads=1 '
                         "-node NODE", status=1)
        self.one_error_line(run, "extra_definitions, item 1", "nail")

    def test_035_a_query_called_insert(self):
        run, seen = self.recorded(35)
        self.warned(run, "query 'insert' is never run")
        sent = [one.text for one in seen.of("EXECUTE")]
        self.assertEqual({text.split()[0] for text in sent}, {"UPDATE", "INSERT"})
        for text in sent:
            self.assertEqual("TTL" in text, text.startswith("INSERT"), text)

    def test_036_a_table_made_beforehand(self):
        self.client.run("CREATE KEYSPACE ks_made WITH replication = {'class': 'SimpleStrategy', "
                        "'replication_factor': 1}")
        self.one_error_line(self.case(36, status=1), "Unable to find table ks_made.items")
        self.client.run("CREATE TABLE ks_made.items (id int, pos int, v text, PRIMARY KEY (id, "
                        "pos))")
        self.client.run("ALTER TABLE ks_made.items ADD later text")
        run, seen = self.recorded(36)
        self.total(run, 100)
        self.warned(run, "'ghost' matches no column of ks_made.items")
        self.assertEqual(seen.of("QUERY", about="CREATE"), [])
        found = self.columns("ks_made.items", "v", "later")
        self.assertEqual((len(found), {len(row[0]) for row in found}), (100, {30}))
        self.assertTrue(all(4 <= len(row[1]) <= 8 for row in found), found)

    def test_037_definitions_as_plain_text(self):
        _, seen = self.count(37)
        self.assertIn("CREATE TABLE IF NOT EXISTS plain_t ( pk text, ck int, v text,",
                      seen.of("QUERY", about="plain_t")[0].text)
        self.profile(("'class':'", "'class': '"))
        self.refused('user profile=changed.yaml "ops(insert=1)" n=10 -rate threads=1 -node NODE',
                     "changed.yaml:4:", "quoted")

    def test_038_comments_in_definitions(self):
        self.count(38)
        made = self.client.run("SELECT comment FROM system_schema.tables WHERE keyspace_name = "
                               "'ks_notes'")
        self.assertEqual(made, [{"comment": "see ticket #12"}])

    def test_039_scans_all_columns(self):
        load = 'user profile=profile.yaml "ops(insert=1)" n=1000 no-warmup -rate threads=4 -node NODE'
        self.enter(39)
        self.typed(load)
        run, seen = self.recorded(39)
        pages = seen.of("QUERY", about="token(")
        self.assertEqual({one.text for one in pages},
                         {"SELECT token(id), id, a, b FROM ks_scan.rows_t WHERE token(id) > "
                          "-9223372036854775808 AND token(id) <= -9223372036854775808"})
        self.assertEqual(len(pages), 200)
        self.assertEqual({one.level for one in pages}, {"LOCAL_ONE"})
        self.assertEqual({one.page_size for one in pages}, {50})
        self.assertEqual(run.step.last("total")["total ops"], 200)
        run = self.case(39, [(" -tokenrange wrap", "")])
        self.total(run, 1000)

    def test_040_columns_with_capital_letters(self):
        run, seen = self.count(40)
        self.quiet(run)
        self.statement(seen, '"C0" = ?', '"C1" = ?', "WHERE key = ?")
        sizes = {tuple(map(len, row)) for row in self.columns("ks_elastic.elastic", "C0", "C1")}
        self.assertEqual(sizes, {(128, 16)})
        for name in ("c0", "'\"C0\"'"):
            self.profile(("name: C0", f"name: {name}"))
            run = self.typed('user profile=changed.yaml "ops(insert=1)" n=100 no-warmup -rate '
                             "threads=2 -node NODE")
            self.warned(run, "matches no column", "nearest column 'C0'")
        for row in self.columns("ks_elastic.elastic", "C0"):
            self.assertTrue(4 <= len(row[0]) <= 8, row)

    def test_041_collections_grow(self):
        run, seen = self.count(41)
        self.statement(seen, "labels = labels + ?", "steps = steps + ?", "pair = ?", "title = ?")
        names = ("id", "labels", "steps", "pair")
        before = {row[0]: row[1:] for row in self.columns("ks_coll.recipes", *names)}
        self.case(41)
        for row in self.columns("ks_coll.recipes", *names):
            labels, steps, pair = before[row[0]]
            self.assertEqual(row[1], labels)
            self.assertEqual(row[2][:len(steps)], steps)
            self.assertGreater(len(row[2]), len(steps))
            self.assertEqual((row[3], len(pair)), (pair, 2))

    def test_042_maps_and_nested_sets_are_filled(self):
        run, _ = self.count(42)
        self.quiet(run)
        for attributes, groups in self.columns("ks_map.gadgets", "attrs", "groups"):
            self.assertEqual({len(key) for key in attributes}, {3})
            self.assertEqual(len(attributes), 3)
            self.assertTrue(groups)

    def test_043_a_type_of_the_extra_definitions(self):
        run, seen = self.count(43)
        self.quiet(run)
        self.assertEqual([one.text.split()[1] for one in seen.of("QUERY", about="CREATE")],
                         ["KEYSPACE", "TYPE", "TABLE", "INDEX"])
        for address, span in self.columns("ks_udt.clients", "addr", "span"):
            self.assertTrue(address.street)
            self.assertEqual(len(span), 2)
        self.total(self.case(43), 50)

    def test_044_a_static_column(self):
        _, seen = self.count(44)
        self.batches(seen, "UNLOGGED", 30, 20)
        self.statement(seen, "cover = ?", "title = ?", "WHERE artist = ? AND track = ?")
        covers = set(self.columns("ks_static.albums", "artist", "cover"))
        self.assertEqual((len(covers), {len(cover) for _, cover in covers}), (30, {2000}))
        self.total(self.typed('user profile=profile.yaml "ops(cover_of=1,page=1)" n=30 no-warmup '
                              "-pop seq=1..30 -rate threads=2 -node NODE"), 30)

    def test_045_each_query_at_its_levels(self):
        run, seen = self.recorded(45)
        self.assertEqual(run.step.total["Total errors"], 0)
        claims = seen.of("EXECUTE", about="SET holder = 1 ")
        passed = seen.of("EXECUTE", about="SET holder = ? ")
        reads = [one for one in seen.of("EXECUTE", about="SELECT") if one.level == "LOCAL_QUORUM"]
        peeks = [one for one in seen.of("EXECUTE", about="SELECT") if one.level == "SERIAL"]
        self.assertEqual(len(claims) + len(passed) + len(peeks), 400)
        self.assertEqual({(one.level, one.serial, len(one.values)) for one in claims},
                         {("QUORUM", "LOCAL_SERIAL", 2)})
        self.assertEqual({(one.level, one.serial, len(one.values)) for one in passed},
                         {("LOCAL_QUORUM", "LOCAL_SERIAL", 4)})
        self.assertEqual({len(one.values) for one in reads}, {2})  # the whole key
        self.assertEqual(len(reads), len(passed))
        self.assertLessEqual({row[0] for row in self.columns("ks_lwt.seats", "holder")},
                             {1, 2, 3, 4, 5})
        self.profile(("consistencyLevel: QUORUM", "consistencyLevel: QUORAM"))
        run = self.typed('user profile=changed.yaml "ops(claim=1)" n=9 -rate threads=1 -node NODE',
                         status=1)
        self.one_error_line(run, "query 'claim'", "QUORAM", "QUORUM")

    def test_046_two_profiles(self):
        run = self.case(46)
        names = ["buyers.insert", "get", "orders.insert"]
        self.assertEqual(run.step.types(), [*names, "total"])
        done = [run.step.last(name)["total ops"] for name in names]
        self.assertEqual(sum(done), 400)
        self.assertGreater(done[0], done[1])
        partitions = run.step.items["Total partitions"]
        self.assertLessEqual(self.client.count("ks_shop.orders"), partitions["orders.insert"])
        self.assertLessEqual(self.client.count("ks_shop.buyers"), 2 * partitions["buyers.insert"])
        self.case(46, [("profile.yaml,", "profile.yaml, ")])
        for change, words in (
                (("buyers.insert", "byers.insert"), ("byers.insert", "try 'buyers'")),
                (("profile.yaml,profile2", "profile.yaml,profile"), ("specname 'orders'",))):
            self.one_error_line(self.case(46, [change], status=1), *words)

    def test_046_without_a_name_the_table_names_the_profile(self):
        self.enter(46)
        self.profile(("specname: buyers\n", ""), source="profile2.yaml")
        run = self.typed('user profile=profile.yaml,changed.yaml "ops(ks_shop.buyers.insert=1)" '
                         "n=40 no-warmup -rate threads=2 -node NODE")
        self.total(run, 40)
        self.assertIn("ks_shop.buyers.insert", run.stdout)

    def test_048_misspelt_keys(self):
        command = 'user profile=changed.yaml "ops(insert=1)" n=10 no-warmup -rate threads=1 ' \
                  "-node NODE"
        self.enter(48)
        self.refused((self.folder / "cmd").read_text(), "profile.yaml:7:1:", "'colunmspec'",
                     "'columnspec'")
        for old, new, *words in MISSPELT:
            with self.subTest(new):
                self.profile(("colunmspec", "columnspec"), (old, new))
                self.refused(command, *words)
        self.assertEqual(self.keyspaces(), [])
        self.profile(("colunmspec", "columnspec"), ("size:", "Size:"),
                     ("insert:", "insert:\n  BatchType: UNLOGGED"))
        self.quiet(self.typed(command))
        self.assertEqual({len(row[0]) for row in self.columns("ks_typo.t", "v")}, {100})

    def test_049_anchors_and_a_key_given_twice(self):
        run, seen = self.count(49)
        self.batches(seen, "UNLOGGED", 25, 4)
        self.warned(run, "profile.yaml:23:3:", "'select'", "line 21", "last one counts")
        sizes = {tuple(map(len, row)) for row in self.columns("ks_anchor.forms", "a", "b", "c")}
        self.assertEqual(sizes, {(7, 7, 21)})

    def test_050_a_file_from_a_windows_editor(self):
        self.enter(50)
        plain = (self.folder / "profile.yaml").read_text()
        line = (self.folder / "cmd").read_text()
        lines = plain.replace("ks_win\n", "ks_win  \n", 1).splitlines()
        self.bytes("\ufeff" + "\r\n".join(lines) + "\r\n")
        self.quiet(self.typed(line))
        self.assertEqual([len(row[0]) for row in self.columns("ks_win.win_t", "v")], [9] * 10)
        for text, words in (("", ("empty",)), ("# nothing\n", ("empty",)),
                            (plain + "---\nkeyspace: x\n", ("second document",)),
                            (plain.replace("  - name: v", "\t- name: v"), (":11:", "tab"))):
            with self.subTest(words):
                self.bytes(text)
                self.refused(line, "profile.yaml", *words)

    def bytes(self, text):
        (self.folder / "profile.yaml").write_bytes(text.encode())


if __name__ == "__main__":
    story.main()
