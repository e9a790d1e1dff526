"""`cstress rows`: what the inserts of a command would send, without a server. The tables of vectors/live, which the
original wrote to a real one, must come out of the printed rows when these are merged as a server does."""

import contextlib
import functools
import http.server
import json
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from collections import defaultdict
from pathlib import Path

import program

LIVE = program.VECTORS / "live"
LEVELS = {"c3": "3.11", "c4": "5.0"}
PREDEFINED = {"write": ("standard1", "blob"), "counter_write": ("counter1", "counter")}
WARM_UP = {"warm-up": 10, "predefined-warm-up-counter": 10}  # a quarter of n, before the run itself


class Table:
    """What of a table decides about merging: its key, and columns that are not simply overwritten."""

    def __init__(self, partition, clustering, types, statics):
        self.partition = partition
        self.key = partition + clustering
        self.types = types
        self.statics = statics

    @classmethod
    def read(cls, folder):
        path = folder / "profile.yaml"
        if not path.exists():
            command = (folder / "command.txt").read_text().split()[0]
            return cls(["key"], [], defaultdict(lambda: PREDEFINED[command][1], key="blob"), set())
        body = re.search(r"CREATE TABLE \w+ \((.*?)\n  \)", path.read_text(), re.S)[1]
        types, statics = {}, set()
        for name, text in re.findall(r"^\s*(\w+) ([^\n]+?),?$", body, re.M):
            types[name] = text.split(" static")[0].split(" PRIMARY")[0]
            statics |= {name} if text.endswith("static") else set()
        types.pop("PRIMARY", None)
        key = re.search(r"PRIMARY KEY ?\((.*)\)", body)
        if not key:
            return cls([re.search(r"(\w+) \w+ PRIMARY KEY", body)[1]], [], types, statics)
        parts = re.fullmatch(r"\(([^)]*)\)(.*)|(\w+)(.*)", key[1])
        first = re.findall(r"\w+", parts[1] or parts[3])
        return cls(first, re.findall(r"\w+", parts[2] or parts[4] or ""), types, statics)


def elements(cell):
    """The elements of a list or set in hex."""
    data, at, found = bytes.fromhex(cell), 4, []
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        found.append(data[at + 4:at + 4 + size].hex())
        at += 4 + size
    return found


def as_stored(table, row):
    """The server sorts the elements of a frozen set; hex in any other order than its own does as well."""
    return {name: "".join(sorted(elements(cell)))
            if cell is not None and table.types[name].startswith("frozen<set<") else cell
            for name, cell in row.items()}


class Merged:
    """The rows of a server that gets one batch per run of rows of one partition."""

    def __init__(self, table):
        self.table = table
        self.rows = {}
        self.cells = {}  # (place, column) -> (batch, value)

    def set(self, place, column, batch, value):
        """The later batch wins; within one, null does, then the larger value."""
        have = self.cells.get((place, column))
        new = (batch, value is None, value or "")
        if not have or new >= (have[0], have[1] is None, have[1] or ""):
            self.cells[place, column] = (batch, value)

    def add(self, place, column, batch, value):
        """Counters, lists and sets: to what is there already."""
        kind = self.table.types[column]
        have = self.cells.get((place, column), (0, None))[1]
        if value is None:
            value = have
        elif kind == "counter":
            value = f"{(int(value, 16) + int(have or '0', 16)) % 2 ** 64:016x}"
        else:
            value = (have or []) + elements(value)
        self.cells[place, column] = (batch, value)

    def put(self, row, batch):
        key = tuple(row[name] for name in self.table.key)
        self.rows.setdefault(key, row)
        for name in row:
            kind = self.table.types[name]
            if name in self.table.key:
                continue
            place = key[:len(self.table.partition)] if name in self.table.statics else key
            if kind == "counter" or kind.startswith(("list<", "set<")):
                self.add(place, name, batch, row[name])
            else:
                self.set(place, name, batch, row[name])

    def table_rows(self):
        """Key -> its cells; a row without any value is none, unless its table has no other columns."""
        for key, row in self.rows.items():
            names = [name for name in row if name not in self.table.key]
            places = {name: key[:len(self.table.partition)] if name in self.table.statics else key
                      for name in names}
            cells = {name: self.cells[places[name], name][1] for name in names}
            if not names or any(cell is not None for cell in cells.values()):
                yield key, cells


def as_found(table, row):
    """A stored row: its key, and its cells as Merged has them; elements of a set in any order."""
    cells = {}
    for name, cell in row.items():
        kind = table.types[name]
        loose = cell is not None and kind.startswith(("list<", "set<"))
        if name not in table.key:
            cells[name] = elements(cell) if loose else cell
    return tuple(row[name] for name in table.key), cells


def sort_sets(table, cells):
    return {name: sorted(set(cell)) if table.types[name].startswith("set<") and cell is not None else cell
            for name, cell in cells.items()}


def rows_of(command, folder, *more):
    done = program.run(["rows", *command, *more], folder=folder)
    if done.returncode:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


class LiveTables(unittest.TestCase):
    def merge(self, folder, table, level):
        command = (folder / "command.txt").read_text().split()
        command = command[:command.index("-node")]
        merged, before, batch = Merged(table), None, 0
        rows = rows_of(command, folder, "-compat", f"level={level}")
        if folder.name in WARM_UP:
            size = command.index("n=42")
            first = [*command[:size], f"n={WARM_UP[folder.name]}", *command[size + 1:], "-pop", "seq=1..42"]
            rows = rows_of(first, folder, "-compat", f"level={level}") + rows
        for row in rows:
            self.assertEqual(list(row), table.key + sorted(set(row) - set(table.key)))
            partition = [row[name] for name in table.partition]
            batch += partition != before
            before = partition
            merged.put(as_stored(table, row), batch)
        return merged

    def test_every_table_that_the_original_wrote(self):
        for folder in sorted(LIVE.iterdir()):
            table = Table.read(folder)
            for dialect, level in LEVELS.items():
                path = folder / f"{dialect}.jsonl"
                if not path.exists():
                    continue
                with self.subTest(folder.name, dialect=dialect), open(path, encoding="utf-8") as lines:
                    want = dict(as_found(table, as_stored(table, json.loads(line))) for line in lines)
                    got = dict(self.merge(folder, table, level).table_rows())
                    self.assertEqual(sorted(want), sorted(got))
                    for key, cells in want.items():
                        self.assertEqual(sort_sets(table, cells), sort_sets(table, got[key]))


PROFILE = """
keyspace: Ks
keyspace_definition: CREATE KEYSPACE "Ks" WITH replication = {}
table: t
table_definition: |
  CREATE TABLE IF NOT EXISTS "Ks".T ("Id?" int, day date, s text static, "a""b" text, n inet, p frozen<"Place">,
    l list<int>, PRIMARY KEY (("Id?"), day),) WITH CLUSTERING ORDER BY (day DESC) AND comment = 'a; b';
extra_definitions:
  - CREATE TYPE IF NOT EXISTS "Place" (street text, hosts set<inet>,)
  - CREATE INDEX ON "Ks".t (n)
columnspec:
  - {name: day, cluster: fixed(2), population: uniform(1..20K)}
  - {name: l, size: fixed(2)}
  - {name: p.hosts, size: fixed(1)}
  - {name: s, size: fixed(0)}
queries:
  one: {cql: 'SELECT * FROM t WHERE "Id?" = ?'}
"""
SIMPLE = """
keyspace: ks
table: t
table_definition: CREATE TABLE t (id int PRIMARY KEY, v int)
queries: {one: {cql: SELECT * FROM t}}
"""


@contextlib.contextmanager
def far(folder):
    """The URL of a web server that has the files of the folder."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class Rows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def profile(self, text, name="p.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return f"profile={name}"

    def good(self, *args, compat=None):
        done = program.run(["rows", *args], folder=self.folder, compat=compat)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def lines(self, *args):
        return self.good(*args).stdout.splitlines()

    def refused(self, *args):
        done = program.run(["rows", *args], folder=self.folder)
        self.assertEqual(done.returncode, 1, done.stdout[:1000])
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if not line.startswith(("notice", "warning"))]
        self.assertEqual(len(lines), 1, done.stderr)
        return lines[0]

    def test_a_json_row_has_the_key_first(self):
        line = self.lines("user", self.profile(PROFILE), "ops(insert=1)", "n=1")[0]
        row = json.loads(line)
        self.assertEqual(list(row), ["Id?", "day", 'a"b', "l", "n", "p", "s"])
        self.assertEqual(row["s"], "")
        self.assertEqual(line, json.dumps(row, separators=(",", ":")))

    def test_a_cql_row_is_the_statement_with_its_values(self):
        lines = self.lines("user", self.profile(PROFILE), "ops(insert=1)", "n=2", "-format", "cql")
        text = r"(?:blobAsText\(0x[0-9a-f]*\)|'(?:[^'\0-\x1f\x7f]|'')*')"
        address = r"'\d+\.\d+\.\d+\.\d+'"
        form = (r'UPDATE "Ks"\.t SET "a""b" = {0},l = l \+ \[-?\d+, -?\d+\],n = {1},'
                r"p = \{{street: {0}, hosts: \{{{1}\}}\}},s = '' WHERE \"Id\?\" = -?\d+"
                r" AND day = '\d{{4}}-\d\d-\d\d';").format(text, address)
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertRegex(line, f"^{form}$")

    def test_a_condition_belongs_to_the_statement(self):
        text = SIMPLE + "insert:\n  condition: |\n    IF v =\n      null\n"
        for more in ((), ("-compat", "figures=original")):
            line = self.lines("user", self.profile(text), "ops(insert=1)", "n=1", "-format", "cql", *more)[0]
            self.assertRegex(line, r"^UPDATE ks\.t SET v = -?\d+ WHERE id = -?\d+ IF v = +null;$")

    def test_the_predefined_commands(self):
        self.assertEqual(list(json.loads(self.lines("write", "n=1")[0])), ["key", "C0", "C1", "C2", "C3", "C4"])
        self.assertRegex(self.lines("-format", "CQL", "write", "n=1", "-col", "n=FIXED(1)", "timestamp=7")[0],
                         '^UPDATE keyspace1."standard1" USING TIMESTAMP 7 SET "C0" = 0x[0-9a-f]{68} WHERE KEY=0x')
        row = json.loads(self.lines("counter_write", "n=1", "add=FIXED(-3)")[0])
        self.assertEqual(set(row.values()) - {row["key"]}, {"fffffffffffffffd"})
        self.assertIn(' SET "C0"="C0"+-3,', self.lines("counter_write", "n=1", "add=FIXED(-3)", "-format", "cql")[0])
        self.assertEqual(self.lines("write", "n=0"), [])

    def test_rows_of_several_batches_are_all_there(self):
        text = ("keyspace: ks\ntable: t\ntable_definition: |\n  CREATE TABLE t (p int, c bigint, v int,\n"
                "    PRIMARY KEY (p, c))\ncolumnspec:\n  - {name: c, cluster: fixed(70000)}\n"
                "insert: {batchtype: UNLOGGED}\nqueries: {}\n")
        rows = [json.loads(line) for line in self.lines("user", self.profile(text), "ops(insert=1)", "n=2")]
        self.assertEqual(len({(row["p"], row["c"]) for row in rows}), 2 * 70000)

    def test_all_but_inserts_is_left_out(self):
        done = self.good("mixed", "ratio(read=9,write=1)", "n=20")
        self.assertEqual(len(done.stdout.splitlines()), 20)
        self.assertRegex(done.stderr, "notice: rows: left out of ratio.*READ")
        done = self.good("user", self.profile(SIMPLE), "ops(insert=1,one=5)", "n=20")
        self.assertEqual(len(done.stdout.splitlines()), 20)
        self.assertRegex(done.stderr, "notice: rows: left out of ops.*one")

    def test_one_of_several_profiles(self):
        self.profile(SIMPLE, "a.yaml")
        self.profile("keyspace: other\ntable: u\nspecname: second\n"
                     "table_definition: CREATE TABLE u (k int PRIMARY KEY)\nqueries: {}\n", "b.yaml")
        self.profile("keyspace: x\ntable: x\nqueries: {}\n", "c.yaml")
        both = "profile=a.yaml,b.yaml,c.yaml"
        self.assertEqual(list(json.loads(self.lines("user", both, "ops(insert=1)", "n=1")[0])), ["id", "v"])
        line = self.lines("user", both, "ops(second.insert=1)", "n=1", "-format", "cql")[0]
        self.assertRegex(line, r"^INSERT INTO other\.u \(k\) values\(-?\d+\);$")
        self.assertEqual(self.refused("user", both, "ops(x.x.insert=1)", "n=1"),
                         "cstress: rows needs table_definition in c.yaml")

    def test_a_profile_behind_a_url(self):
        text = self.folder / "far.yaml"
        text.write_text(SIMPLE)
        with far(self.folder) as url:
            self.assertEqual(self.lines("user", f"profile={url}/far.yaml", "ops(insert=1)", "n=5"),
                             self.lines("user", f"profile={text}", "ops(insert=1)", "n=5"))
            done = program.run(["rows", "user", f"profile={url}/none.yaml", "ops(insert=1)", "n=5"])
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, rf"{url}/none.yaml: cannot fetch the profile: curl: .*404")

    def test_addresses_of_either_family(self):
        spec = "columnspec: [{name: n, family: 6}, {name: 'm[v].b', family: 6}]\n"
        table = SIMPLE.replace("v int)", "n inet, m map<int, frozen<place>>, o list<inet>)") + (
            "extra_definitions: ['CREATE TYPE place (a inet, b inet)']\n")
        old = json.loads(self.lines("user", self.profile(table), "ops(insert=1)", "n=1")[0])
        new = json.loads(self.lines("user", self.profile(table + spec), "ops(insert=1)", "n=1")[0])
        self.assertRegex(new["n"], "^20010db8000000000000[0-9a-f]{12}$")
        self.assertEqual(new["n"][-8:], old["n"])
        self.assertEqual(len(new["m"]) - len(old["m"]), 24 * int(old["m"][:8], 16))
        self.assertEqual(len(new["o"]), 8 + 16 * int(new["o"][:8], 16))

    def test_specs_that_are_about_nothing(self):
        table = SIMPLE.replace("v int)", "m map<text, frozen<tuple<int, text>>>, l list<text>)")
        cases = {"'m[v].2'": "no part of column 'm'.*nearest part 'm\\[v\\].[01]'", "'l[]'": "no part of column 'l'",
                 "M": "no column of ks.t.*nearest column 'm'", "'\"id\"'": "no column of ks.t.*nearest column 'id'"}
        for name, words in cases.items():
            text = table + f"columnspec: [{{name: {name}, size: fixed(1)}}]\n"
            done = self.good("user", self.profile(text), "ops(insert=1)", "n=1")
            self.assertRegex(done.stderr, f"^warning: p.yaml:6:14: columnspec .* matches {words}")
        text = table + "columnspec: [{name: m, family: 6}]\n"
        self.assertRegex(self.good("user", self.profile(text), "ops(insert=1)", "n=1").stderr, "family has no effect")
        text = table + "columnspec: [{name: id, cluster: fixed(2), size: fixed(3)}, {name: m, size: fixed(2)}]\n"
        lines = self.good("user", self.profile(text), "ops(insert=1)", "n=1").stderr.splitlines()
        self.assertEqual(lines, [f"warning: p.yaml:6:14: columnspec 'id': {words}" for words in (
            "cluster has no effect: no clustering column", "size has no effect: no text, blob or collection")])

    def test_what_is_refused_in_one_line(self):
        user = ("ops(insert=1)", "n=1")
        table = "keyspace: ks\ntable: t\nqueries: {}\ntable_definition: CREATE TABLE t (id int PRIMARY KEY, v %s)\n"
        cases = [
            ((), "no command, expected write, counter_write, mixed or user"),
            (("read", "n=1"), "'read' writes no rows"),
            (("print", "dist=fixed(1)"), "'print' writes no rows"),
            (("write",), "expected n="),
            (("write", "err<0.1"), "expected n="),
            (("mixed", "ratio(read=1)", "n=1"), "no write and no counter_write"),
            (("write", "n=1", "-compat", "data=probe"), "data=probe looks into a table"),
            (("write", "n=1", "-format", "cq"), "unknown format, try 'cql', expected json or cql, near 'cq'"),
            (("-format", "xml", "write", "n=1"), "unknown format, expected json or cql, near 'xml'"),
            (("-format", "cql", "write", "n=1", "-format", "cql"), "-format: given twice"),
            (("write", "n=1", "-format"), "-format: format is missing"),
            (("write", "n=1", "-rat", "threads=1"), "unknown group, try '-rate'"),
            (("user", self.profile(SIMPLE), "ops(one=1)", "n=1"), "no insert, so there are no rows"),
            (("user", "profile=p.yaml", "ops(insert=1,two=1)", "n=1"), "ops: .*two"),
            (("user", self.profile("keyspace: a\ntable: b\nqueries: {}\n", "q.yaml"), *user),
             "rows needs table_definition in q.yaml"),
            (("user", self.profile(table % "'a.b.C'", "j.yaml"), *user), "'v'.*'a.b.C'"),
            (("user", self.profile(table % "plase", "u.yaml"), *user),
             "u.yaml:4:19: table_definition: 1:39: .*'plase'.*CREATE TYPE belongs in extra_definitions$"),
            (("user", self.profile(table % "plase" + "extra_definitions: [CREATE TYPE place (a int)]", "n.yaml"),
              *user), "; try 'place'$"),
            (("user", self.profile(table % "int" + "extra_definitions: [CREATE TYPE place (a)]", "e.yaml"), *user),
             "e.yaml:5:21: extra_definitions, item 1: 1:21: found '\\)', expected a type$"),
            (("user", self.profile(table % "int" + "columnspec: [{name: v, family: six}]", "f.yaml"), *user),
             "f.yaml:5:32: column 'v': family: found 'six', expected 4 or 6"),
        ]
        for args, words in cases:
            with self.subTest(args):
                self.assertRegex(self.refused(*args), "^cstress: .*" + words)
        done = program.run(["write", "n=1", "-format", "cql"])
        self.assertIn("belongs to the command rows", done.stderr)

    def test_check_reads_it_and_refuses_the_same(self):
        done = program.run(["check", "rows", "user", self.profile(SIMPLE), "ops(insert=1)", "n=1"], folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("******************** Stress Settings"))
        for args in (["read", "n=1"], ["user", self.profile("keyspace: a\ntable: b\nqueries: {}\n"), "ops(insert=1)",
                                       "n=1"]):
            done = program.run(["check", "rows", *args], folder=self.folder)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr.splitlines()[-1], self.refused(*args))

    def test_the_dialects(self):
        text = SIMPLE.replace("v int", "u uuid, b boolean")
        rows = {data: [json.loads(line) for line in self.lines("user", self.profile(text), "ops(insert=1)", "n=9",
                                                               "-compat", f"data={data}")]
                for data in ("c4", "c3", "c2")}
        self.assertEqual({row["b"] for row in rows["c3"]}, {"01"})
        self.assertEqual({row["b"] for row in rows["c4"]}, {"00", "01"})
        self.assertTrue(all(row["u"][:16] == row["u"][16:] for row in rows["c3"]))
        self.assertFalse(any(row["u"][:16] == row["u"][16:] for row in rows["c2"]))

    def test_the_rows_end_whole(self):
        """A signal, a reader that is gone, a full disk."""
        with open(self.folder / "out", "wb+") as out:
            process = subprocess.Popen([program.CSTRESS, "rows", "write", "n=1b"], stdout=out, stderr=subprocess.PIPE)
            while not out.seek(0, 2):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.communicate(timeout=60)[1], b"")
            self.assertEqual(process.returncode, 130)
            out.seek(-3, 2)
            self.assertEqual(out.read(), b'"}\n')
        for target, words in ((open("/dev/full", "wb"), b"No space left"), (None, b"Broken pipe")):
            process = subprocess.Popen([program.CSTRESS, "rows", "write", "n=1b"], stderr=subprocess.PIPE,
                                       stdout=target or subprocess.PIPE)
            if target:
                target.close()
            else:
                process.stdout.close()
            error = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(60), 1)
            self.assertEqual(error.count(b"\n"), 1)
            self.assertIn(words, error)


if __name__ == "__main__":
    unittest.main()
