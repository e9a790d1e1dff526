"""Every type of CQL, as value, partition key, clustering column and null, cell by cell.

What the server returns is held against tests/support/rules.py, which makes the values a
second time without any code of cstress.
"""

import json
import struct

import story
import rules  # found by story

SCALARS = ["ascii", "text", "varchar", "blob", "boolean", "tinyint", "smallint", "int", "bigint",
           "varint", "decimal", "float", "double", "inet", "date", "time", "timestamp", "uuid",
           "timeuuid", "duration"]
UDTS = {"place": {"street": "text", "zip": "int", "since": "date"},
        "person": {"name": "text", "home": "frozen<place>", "mails": "frozen<set<text>>"}}
TYPES = ["CREATE TYPE place (street text, zip int, since date)",
         "CREATE TYPE person (name text, home frozen<place>, mails frozen<set<text>>)"]
# An element of a set, a key of a map or of a table: all but durations.
ORDERED = [name for name in SCALARS if name != "duration"]
NESTED = ["frozen<list<int>>", "frozen<set<text>>", "frozen<map<int, text>>",
          "frozen<tuple<int, text, boolean>>", "frozen<place>", "frozen<person>",
          "frozen<list<frozen<set<int>>>>", "frozen<map<text, frozen<list<int>>>>",
          "frozen<set<frozen<tuple<int, text>>>>", "vector<float, 3>", "vector<text, 2>",
          "vector<vector<int, 2>, 2>", "vector<frozen<place>, 2>", "vector<smallint, 3>"]
LOOSE = ["list<frozen<list<int>>>", "set<frozen<place>>", "map<int, frozen<map<int, text>>>",
         "map<text, frozen<person>>", "list<duration>", "map<uuid, duration>", "place", "person",
         "tuple<int, duration, frozen<list<text>>>", "list<vector<float, 2>>",
         "vector<duration, 2>", "vector<frozen<list<int>>, 2>"]
COLLECTIONS = [text for scalar in ORDERED for text in (
    f"list<{scalar}>", f"set<{scalar}>", f"frozen<list<{scalar}>>", f"frozen<set<{scalar}>>",
    f"map<{scalar}, {scalar}>", f"frozen<map<{scalar}, int>>")]
KEYSPACE = ("keyspace: {ks}\n"
            "keyspace_definition: |\n"
            "  CREATE KEYSPACE {ks} WITH replication = {{'class': 'SimpleStrategy',"
            " 'replication_factor': 1}};\n")
DIST = {True: "fixed({0})", False: "uniform({0}..{1})"}


def columns(front, types):
    return {f"{front}{at:02}": text for at, text in enumerate(types)}


def spell(specs):
    """Specs of rules.py as the columnspec of a profile."""
    lines = []
    for name, spec in specs.items():
        parts = [f"{key}: " + (str(value) if key == "family" else
                               DIST[value[0] == value[1]].format(*value))
                 for key, value in spec.items()]
        lines.append(f"- {{name: '{name}', {', '.join(parts)}}}\n")
    return "columnspec:\n" + "".join(lines) if lines else ""


class Types(story.Story):
    def user(self, keys, clustering, values, specs=None, more=(), rows=8):
        """Writes a table of these columns; its rows as bytes, and the run."""
        every = {**keys, **clustering, **values}
        key = f"(({', '.join(keys)})" + "".join(f", {name}" for name in clustering) + ")"
        definition = ", ".join(f"{name} {text}" for name, text in every.items())
        profile = self.file("p.yaml", KEYSPACE.format(ks=self.keyspace) + (
            f"table: t\ntable_definition: CREATE TABLE t ({definition}, PRIMARY KEY {key})\n"
            f"extra_definitions: {json.dumps(TYPES)}\nqueries: {{}}\n{spell(specs or {})}"))
        run = self.good("user", f"profile={profile}", "ops(insert=1)", f"n={rows}", "no-warmup",
                        "-rate", "threads=2", *more, "-node", self.node)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        return self.client.raw(f"SELECT * FROM {self.keyspace}.t")

    def check(self, keys, clustering, values, specs=None, rows=8):
        """Each row that the rules make is there, and no other."""
        found = self.user(keys, clustering, values, specs, rows=rows)
        cells = rules.Cells(UDTS)
        first = list(keys)[0]
        trees = {name: rules.parse_type(text)
                 for name, text in {**keys, **clustering, **values}.items()}

        def shape(row):
            return {name: cells.take(trees[name], data) for name, data in row.items()}

        def sort(list_of_rows):
            return sorted((shape(row) for row in list_of_rows), key=lambda row: row[first])

        want = [rules.row(at + 1, keys, clustering, values, specs, UDTS) for at in range(rows)]
        self.assertEqual(len(found), rows)
        for one, other in zip(sort(found), sort(want)):
            for name, cell in other.items():
                self.assertEqual(one[name], cell, f"{name} {trees[name]}")

    def test_values_of_every_type(self):
        plain = columns("s", SCALARS)
        lists = columns("c", COLLECTIONS)
        other = columns("n", NESTED + LOOSE)
        # Only a fixed size makes lists and sets of scalars the same each time.
        specs = {name: {"size": (3, 3)} for name in (*lists, *other)}
        self.check({"id": "int"}, {}, {**plain, **lists, **other}, specs)

    @staticmethod
    def key_specs(columns_):
        """Sizes; the seed that a set of several elements leaves behind is nobody's rule."""
        return {name: {"size": (1, 1) if text == "frozen<set<text>>" else (2, 2)}
                for name, text in columns_.items()}

    def test_partition_keys_of_every_type(self):
        keys = columns("k", ORDERED + NESTED)
        self.check(keys, {}, {"v": "int"}, self.key_specs(keys))

    def test_clustering_columns_of_every_type(self):
        clustering = columns("k", ORDERED + NESTED)
        self.check({"id": "int"}, clustering, {"v": "int"}, self.key_specs(clustering))

    def test_nulls_of_every_type(self):
        types = columns("c", SCALARS + NESTED + LOOSE)
        half = len(types) // 2
        for row in self.user({"id": "int"}, {}, types,
                             more=["-insert", "row-population-ratio=fixed(1)/2"]):
            filled = [row[name] is not None for name in sorted(types)]
            self.assertEqual(filled, [at < half for at in range(len(types))])

    def test_the_whole_range_of_numbers_and_times(self):
        bits = {"tinyint": 8, "smallint": 16, "int": 32, "date": 32, "bigint": 62, "varint": 62,
                "decimal": 62, "timestamp": 62}
        values = columns("c", [*bits, "time"])
        specs = {name: {"population": (-2 ** (bits[text] - 1), 2 ** (bits[text] - 1) - 1)}
                 for name, text in values.items() if text in bits}
        specs[list(values)[-1]] = {"population": (0, 86_399_999_999_999)}
        self.check({"id": "int"}, {}, values, specs, rows=40)
        ends = {"lo": {"population": (-2 ** 31,) * 2}, "hi": {"population": (2 ** 31 - 1,) * 2}}
        self.client.drop(self.keyspace)
        rows = self.user({"id": "int"}, {}, {"lo": "date", "hi": "date"}, ends, rows=1)
        self.assertEqual([rows[0]["lo"], rows[0]["hi"]], [bytes(4), b"\xff" * 4])

    def test_addresses_of_both_families(self):
        values = {"four": "inet", "six": "inet", "l": "list<inet>", "u": "frozen<map<int, inet>>"}
        specs = {"four": {"family": 4}, "six": {"family": 6},
                 "l": {"family": 6, "size": (2, 2)}, "u[v]": {"family": 6}}
        self.check({"id": "int"}, {"key": "inet"}, values, {**specs, "key": {"family": 6}})
        for row in self.client.run(f"SELECT * FROM {self.keyspace}.t"):
            self.assertRegex(row["four"], r"^\d+\.\d+\.\d+\.\d+$")
            for address in (row["six"], row["key"], *row["l"], *row["u"].values()):
                self.assertRegex(address, r"^2001:db8::")

    def test_size_and_population_mean_what_they_say(self):
        values = {"a": "text", "b": "blob", "l": "list<text>", "m": "map<int, text>", "i": "int",
                  "p": "place", "d": "double", "e": "text"}
        specs = {"a": {"size": (40, 40)}, "b": {"size": (1, 3)}, "l": {"size": (5, 5)},
                 "m": {"size": (4, 4)}, "m[v]": {"size": (9, 9)}, "i": {"population": (1, 3)},
                 "p.street": {"size": (20, 20)}, "p.zip": {"population": (7, 7)},
                 "d": {"population": (-2, 2)}, "e": {"size": (0, 0)}}
        self.check({"id": "int"}, {}, values, specs, rows=60)
        rows = self.client.run(f"SELECT * FROM {self.keyspace}.t")
        self.assertEqual({len(row["a"]) for row in rows}, {40})
        self.assertEqual({len(row["b"]) for row in rows}, {1, 2, 3})
        self.assertEqual({(len(row["l"]), *map(len, row["l"])) for row in rows}, {(5,) * 6})
        self.assertEqual({(len(row["m"]), *map(len, row["m"].values())) for row in rows},
                         {(4, 9, 9, 9, 9)})
        self.assertEqual({row["i"] for row in rows}, {1, 2, 3})
        self.assertEqual({(len(row["p"].street), row["p"].zip) for row in rows}, {(20, 7)})
        self.assertTrue(all(-2 <= row["d"] <= 2 for row in rows))
        self.assertEqual({row["e"] for row in rows}, {""})

    def test_the_driver_and_the_server_read_them_as_we_do(self):
        types = {"d": "duration", "v": "vector<float, 2>", "w": "vector<text, 2>", "i": "inet",
                 "n": "varint", "t": "date", "u": "place", "z": "timeuuid"}
        rows = self.user({"id": "int"}, {}, types, rows=4)
        raw = {struct.unpack(">i", row["id"])[0]: row for row in rows}
        names = ", ".join([f"{name}" for name in types if name not in "vw"]
                          + ["toJson(v) AS v", "toJson(w) AS w"])
        for row in self.client.run(f"SELECT id, {names} FROM {self.keyspace}.t"):
            cells = raw[row["id"]]
            self.assertEqual(struct.pack(">ff", *json.loads(row["v"])), cells["v"])
            self.assertEqual(b"".join(bytes([len(text)]) + text.encode()
                                      for text in json.loads(row["w"])), cells["w"])
            self.assertEqual(row["i"], ".".join(map(str, cells["i"])))
            self.assertEqual(row["n"], int.from_bytes(cells["n"], "big", signed=True))
            self.assertEqual(row["t"].days_from_epoch,
                             struct.unpack(">I", cells["t"])[0] - 2 ** 31)
            self.assertEqual(row["d"].months, (cells["d"][0] >> 1))
            self.assertEqual(row["z"].bytes, cells["z"])
            self.assertEqual(row["u"].street.encode(), rules.Cells.split(cells["u"])[0])

    def test_a_type_written_in_java_is_refused(self):
        name = "org.apache.cassandra.db.marshal.LexicalUUIDType"
        self.client.run(f"CREATE KEYSPACE {self.keyspace} WITH replication = "
                        "{'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.client.run(f"CREATE TABLE {self.keyspace}.t (id int PRIMARY KEY, v '{name}')")
        profile = self.file("p.yaml", f"keyspace: {self.keyspace}\ntable: t\nqueries: {{}}\n")
        run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=1", "no-warmup",
                           "-log", "no-settings", "-node", self.node, status=1)
        self.one_error_line(run, f"'{self.keyspace}.t'", "'v'", name)

    def test_what_the_server_forbids_comes_from_the_server(self):
        for at, column in enumerate(["duration", "list<int>", "counter"]):
            profile = self.file(f"p{at}.yaml", KEYSPACE.format(ks=self.keyspace) + (
                f"table: t\ntable_definition: CREATE TABLE t (id {column} PRIMARY KEY, v int)\n"
                "queries: {}\n"))
            run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=1", "no-warmup",
                               "-log", "no-settings", "-node", self.node, status=1)
            self.one_error_line(run, "table_definition", "id")


if __name__ == "__main__":
    story.main()
