"""`validate` and the reads that compare: good tables pass, and each kind of damage that the
independent client does is named, counted and kept in the file."""

import json
import re

import story
from cassandra.query import BoundStatement

KEYSPACE = ("keyspace: {ks}\n"
            "keyspace_definition: |\n"
            "  CREATE KEYSPACE {ks} WITH replication = {{'class': 'SimpleStrategy',"
            " 'replication_factor': 1}};\n")
LIVE = story.VECTORS / "live"

# Key and columns, options of the table, columnspec, words of both runs.
TABLES = {
    "a row per partition": ("k text PRIMARY KEY, a int, b blob, c date, d timeuuid, e varint",
                            "", "[]", ()),
    "one clustering column": ("k int, c timestamp, v text, w double, PRIMARY KEY (k, c)", "",
                              "[{name: c, cluster: uniform(1..20)}]", ()),
    "one, sorted": ("k int, c blob, v text, PRIMARY KEY (k, c)", "",
                    "[{name: c, cluster: fixed(9)}]", ("-pop", "contents=sorted")),
    "two of other signs and orders": (
        "k int, j text, c blob, d uuid, v text, w inet, PRIMARY KEY ((k, j), c, d)",
        " WITH CLUSTERING ORDER BY (c DESC, d ASC)",
        "[{name: c, cluster: fixed(4)}, {name: d, cluster: uniform(1..6)}]", ()),
    "two descending": ("k int, c int, d float, v text, PRIMARY KEY (k, c, d)",
                       " WITH CLUSTERING ORDER BY (c DESC, d DESC)",
                       "[{name: c, cluster: fixed(4)}, {name: d, cluster: fixed(5)}]",
                       ("-pop", "contents=sorted")),
    "three, of which a visit writes few rows": (
        "k int, c int, d int, e int, v text, PRIMARY KEY (k, c, d, e)", "",
        "[{name: c, cluster: fixed(2)}, {name: d, cluster: fixed(3)}, {name: e, cluster: fixed(4)}]",
        ()),
    "keys only": ("k int, c text, d smallint, PRIMARY KEY (k, c, d)", "",
                  "[{name: c, cluster: fixed(3)}, {name: d, cluster: fixed(3)}]", ()),
    "static columns": ("k int, c int, s text static, v text, PRIMARY KEY (k, c)", "",
                       "[{name: c, cluster: fixed(5)}]", ()),
    "nulls": ("k int, c int, v text, w text, PRIMARY KEY (k, c)", "",
              "[{name: c, cluster: fixed(5)}]", ("-insert", "row-population-ratio=FIXED(1)/2")),
    "collections and nested types": (
        "k frozen<set<int>>, c frozen<list<text>>, l list<int>, s set<text>, m map<int, text>,"
        " t tuple<int, frozen<set<int>>>, x vector<float, 3>, y duration, PRIMARY KEY (k, c)",
        " WITH CLUSTERING ORDER BY (c DESC)",
        "[{name: k, size: fixed(3)}, {name: c, size: fixed(2), cluster: fixed(4)},"
        " {name: l, size: fixed(3)}, {name: s, size: fixed(3)}]", ()),
}


class Validate(story.Story):
    def profile(self, columns, options="", spec="[]", more=""):
        return self.file("p.yaml", KEYSPACE.format(ks=self.keyspace)
                         + f"table: t\ntable_definition: CREATE TABLE t ({columns}){options}\n"
                         f"columnspec: {spec}\nqueries: {{}}\n{more}")

    def user(self, ops, n, *words, status=0, threads=4, last=10):
        """A run over the same few partitions as all others."""
        words = list(words)
        if "-pop" in words:
            words.insert(words.index("-pop") + 1, f"seq=1..{last}")
        else:
            words += ["-pop", f"seq=1..{last}"]
        return self.cstress("user", f"profile={self.folder / 'p.yaml'}", f"ops({ops})", f"n={n}",
                            "no-warmup", "-rate", f"threads={threads}", *words, "-node", self.node,
                            status=status)

    def accepted(self, run, kind):
        self.assertEqual(run.lines[-1], "END", run.report())
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(run.errors(), [], run.report())
        self.assertGreater(run.step.items["Row rate"][kind], 0, run.report())

    def findings(self, name="d.jsonl"):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def test_good_tables_pass(self):
        for name, (columns, options, spec, words) in TABLES.items():
            with self.subTest(name):
                self.client.drop(self.keyspace)
                self.profile(columns, options, spec)
                self.user("insert=1", 10, *words)
                self.accepted(self.user("validate=1", 100, *words), "validate")

    def test_a_partition_of_several_pages(self):
        self.profile("k int, c int, v int, PRIMARY KEY (k, c)", " WITH CLUSTERING ORDER BY (c DESC)",
                     "[{name: c, cluster: fixed(12000)}]")
        self.user("insert=1", 1, "-insert", "batchtype=UNLOGGED", "-pop", "contents=sorted")
        self.accepted(self.user("validate=1", 10, "-pop", "contents=sorted", threads=2, last=1),
                      "validate")
        table = f"{self.keyspace}.t"
        row = self.client.run(f"SELECT * FROM {table}")[11000]
        self.client.run(f"DELETE FROM {table} WHERE k = {row['k']} AND c = {row['c']}")
        run = self.user("validate=1", 12, "-errors", "ignore", "differences=d.jsonl", last=1)
        self.assertGreater(len(self.findings()), 0, run.report())
        self.assertEqual({(d["difference"], d["row"]["c"]) for d in self.findings()},
                         {("missing row", str(row["c"]))}, run.report())

    def test_each_damage_is_named(self):
        self.profile("k int, c int, v text, w text, PRIMARY KEY (k, c)", "",
                     "[{name: c, cluster: fixed(5)}, {name: w, size: fixed(200)}]")
        self.user("insert=1", 10)
        table = f"{self.keyspace}.t"
        keys = sorted({row["k"] for row in self.client.run(f"SELECT k FROM {table}")})
        rows = [self.client.run(f"SELECT * FROM {table} WHERE k = {key}")[2] for key in keys[:4]]
        place = [f"WHERE k = {row['k']} AND c = {row['c']}" for row in rows]
        for cql in (f"UPDATE {table} SET v = 'damaged' {place[0]}",
                    f"UPDATE {table} SET w = null {place[1]}", f"DELETE FROM {table} {place[2]}",
                    f"INSERT INTO {table} (k, c, v) VALUES ({rows[3]['k']}, -5, 'new')"):
            self.client.run(cql)
        run = self.user("validate=1", 200, "-errors", "ignore", "differences=d.jsonl")
        wanted = {("other value", rows[0]["k"], rows[0]["c"], "v"),
                  ("null instead of a value", rows[1]["k"], rows[1]["c"], "w"),
                  ("missing row", rows[2]["k"], rows[2]["c"], None),
                  ("row too many", rows[3]["k"], -5, None)}
        found = self.findings()
        self.assertEqual({(d["difference"], int(d["partition"]["k"]), int(d["row"]["c"]),
                           d.get("column")) for d in found}, wanted, run.report())
        for d in found:
            self.assertEqual((d["keyspace"], d["table"], d["consistency"], d["operation"]),
                             (self.keyspace, "t", "LOCAL_ONE", "validate"))
            self.assertEqual((d["coordinator"], d["replicas"]),
                             (f"{self.node}:9042", [f"{self.node}:9042"]))
        damaged = next(d for d in found if d["difference"] == "other value")
        self.assertEqual((damaged["found"], damaged["found_bytes"], damaged["type"]),
                         ("'damaged'", 7, "text"))
        self.check_counts(run, found)
        self.check_words(run, rows)
        self.check_that_the_run_ends()

    def check_counts(self, run, found):
        """Operations as the original counts them; findings apart."""
        errors = run.step.total["Total errors"]
        self.assertIn("Operation x0 on key(s) [", run.stderr)
        self.assertGreater(errors, 0)
        self.assertLessEqual(errors, len(found))
        self.assertIn(f"# failed operations by class: not validated {errors:,.0f}", run.lines)
        line = next(line for line in run.lines if line.startswith("# differences found: "))
        self.assertEqual(sum(int(number.replace(",", ""))
                             for number in re.findall(r"[\d,]*\d", line)), len(found), line)

    def check_words(self, run, rows):
        """What stderr says to people: at most ten a second, long values cut."""
        lines = [line for line in run.stderr.splitlines() if line.startswith("difference (")]
        self.assertGreater(len(lines), 0)
        self.assertLessEqual(len(lines), 10 * (run.seconds + 2))
        for line in lines:
            self.assertIn(f" in {self.keyspace}.t, partition k = ", line)
            self.assertTrue(line.endswith(f"; validate at LOCAL_ONE, coordinator {self.node}:9042,"
                                          f" replicas {self.node}:9042"), line)
            self.assertLess(len(line), 500)
        self.assertNotIn(rows[1]["w"], run.stderr)

    def check_that_the_run_ends(self):
        """Without -errors ignore the first finding is the end of the run."""
        run = self.user("validate=1", 200, status=1, threads=1)
        self.assertEqual(run.lines[-1], "FAILURE", run.report())
        self.assertEqual(len([line for line in run.lines if re.fullmatch(
            r"java\.io\.IOException: Operation x0 on key\(s\) \[-?\d+\]: Data returned was not"
            r" validated", line)]), 1, run.report())
        self.assertEqual(len(re.findall(r"(?m)^difference \(", run.stderr)), 1, run.report())

    def standard(self, command, *words, status=0):
        return self.cstress(*command, "no-warmup", "-rate", "threads=2", "-schema",
                            f"keyspace={self.keyspace}", *words, "-node", self.node, status=status)

    def test_reads_of_the_predefined_tables_explain(self):
        self.standard(["write", "n=20"])
        table = f'"{self.keyspace}".standard1'
        keys = [row["key"].hex() for row in self.client.run(f"SELECT key FROM {table}")]
        self.client.run(f'UPDATE {table} SET "C1" = 0xcafe WHERE key = 0x{keys[0]}')
        self.client.run(f'UPDATE {table} SET "C3" = null WHERE key = 0x{keys[1]}')
        self.client.run(f"DELETE FROM {table} WHERE key = 0x{keys[2]}")
        wanted = {("other value", "C1", f"0x{keys[0]}"),
                  ("null instead of a value", "C3", f"0x{keys[1]}"),
                  ("missing row", None, f"0x{keys[2]}")}
        for more in ([], ["-mode", "native", "cql3", "unprepared"]):
            run = self.standard(["read", "n=20"], "-errors", "ignore", "differences=d.jsonl", "-pop",
                                "seq=1..20", *more)
            self.assertEqual(run.step.total["Total errors"], 3, run.report())
            self.assertIn("# failed operations by class: not validated 3", run.lines)
            self.assertIn("# differences found: missing row 1, null instead of a value 1,"
                          " other value 1", run.lines)
            self.assertEqual({(d["difference"], d.get("column"), d["partition"]["key"])
                              for d in self.findings()}, wanted, run.report())
            self.assertEqual({tuple(d["replicas"]) for d in self.findings()},
                             {(f"{self.node}:9042",)})
        run = self.standard(["read", "n=20"], "-errors", "skip-read-validation",
                            "differences=d.jsonl", "-pop", "seq=1..20")
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(self.findings(), [])

    def test_a_counter_that_is_not_there(self):
        self.standard(["counter_write", "n=5"])
        run = self.standard(["counter_read", "n=6"], "-errors", "ignore", "differences=d.jsonl",
                            "-pop", "seq=1..6")
        self.assertEqual(run.step.total["Total errors"], 1, run.report())
        self.assertEqual([d["difference"] for d in self.findings()], ["missing row"])

    def test_a_file_that_cannot_be_written_is_refused(self):
        for command in (["read", "n=1"], ["check", "read", "n=1"]):
            run = self.cstress(*command, "-errors", "differences=/nosuch/d", "-node", self.node,
                               status=1)
            self.one_error_line(run, "/nosuch/d")

    def load(self, folder, dialect, table):
        """A table that the original wrote, put there by the independent client as bytes."""
        for line in (LIVE / folder / f"{dialect}.jsonl").read_text().splitlines():
            cells = {name: cell for name, cell in json.loads(line).items() if cell is not None}
            names = ", ".join(f'"{name}"' for name in cells)
            marks = ", ".join("?" * len(cells))
            prepared = self.client.session.prepare(
                f"INSERT INTO {table} ({names}) VALUES ({marks})")
            bound = BoundStatement(prepared)
            bound.values = [bytes.fromhex(cell) for cell in cells.values()]
            self.client.session.execute(bound)

    def test_tables_of_the_original_are_accepted(self):
        for dialect in ("c3", "c4"):
            for folder in ("clustering-one", "static-columns"):
                with self.subTest(dialect=dialect, folder=folder):
                    self.client.drop("live")
                    self.addCleanup(self.client.drop, "live")
                    profile = LIVE / folder / "profile.yaml"
                    n = re.search(r"n=(\d+)", (LIVE / folder / "command.txt").read_text())[1]
                    self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=0", "-node",
                                 self.node)
                    self.load(folder, dialect, "live.t")
                    run = self.cstress("user", f"profile={profile}", "ops(validate=1)", "n=200",
                                       "no-warmup", "-rate", "threads=4", "-pop", f"seq=1..{n}",
                                       "-compat", f"data={dialect}", "-node", self.node)
                    self.accepted(run, "validate")
            with self.subTest(dialect=dialect, folder="predefined-write"):
                self.client.drop(self.keyspace)
                self.standard(["write", "n=0"])
                self.load("predefined-write", dialect, f'"{self.keyspace}".standard1')
                run = self.standard(["read", "n=100"], "-pop", "seq=1..100", "-compat",
                                    f"data={dialect}")
                self.accepted(run, "READ")


if __name__ == "__main__":
    story.main()
