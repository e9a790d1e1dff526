"""`cstress rows`: its statements of CQL load into a real server, and what is then in the table are the bytes that it
prints as JSON, and those that the command itself writes."""

import json

import story
from test_types import COLLECTIONS, KEYSPACE, LOOSE, NESTED, ORDERED, SCALARS, TYPES, columns

SETS = ("set<", "map<", "person")  # sorted by the server, inside of other values too


class Rows(story.Story):
    def profile(self, key, types, specs=()):
        """The profile of a table of these columns, the first `key` of which are its primary key."""
        names = list(types)
        definition = ", ".join(f"{name} {text}" for name, text in types.items())
        spelled = "".join(f"- {{name: '{name}', {spec}}}\n" for name, spec in specs)
        return self.file("p.yaml", KEYSPACE.format(ks=self.keyspace) + (
            f"table: t\ntable_definition: |\n  CREATE TABLE t ({definition}, PRIMARY KEY ({', '.join(names[:key])}))\n"
            f"extra_definitions: {json.dumps(TYPES)}\nqueries: {{}}\n" + (spelled and "columnspec:\n" + spelled)))

    def rows(self, profile, *more):
        run = self.cstress("rows", "user", f"profile={profile}", "ops(insert=1)", "n=5", *more)
        return run.stdout.splitlines()

    @staticmethod
    def comparable(types, row):
        """Cells as text; where the server sorts elements, the digits of the cell in an order of their own."""
        spelled = {name.strip('"').replace('""', '"'): text for name, text in types.items()}
        return json.dumps({name: "".join(sorted(cell)) if cell and any(word in spelled[name] for word in SETS) else cell
                           for name, cell in row.items()}, sort_keys=True)

    def stored(self, types):
        rows = self.client.raw(f"SELECT * FROM {self.keyspace}.t")
        return sorted(self.comparable(types, {name: None if cell is None else cell.hex() for name, cell in row.items()})
                      for row in rows)

    def check(self, key, types, specs=(), more=()):
        profile = self.profile(key, types, specs)
        want = sorted(self.comparable(types, json.loads(line)) for line in self.rows(profile, *more))
        self.good("user", f"profile={profile}", "ops(insert=1)", "n=5", "no-warmup", "-rate", "threads=1", *more,
                  "-node", self.node)
        self.assertEqual(self.stored(types), want)
        self.client.run(f"TRUNCATE {self.keyspace}.t")
        for line in self.rows(profile, *more, "-format", "cql"):
            self.assertTrue(line.endswith(";"))
            self.client.run(line)
        self.assertEqual(self.stored(types), want)
        self.client.drop(self.keyspace)

    @staticmethod
    def sized(types, size):
        """A fixed size everywhere, since any other differs from run to run; a set as key has one element, the
        order of several being nobody's rule."""
        return [(name, f"size: fixed({1 if text == 'frozen<set<text>>' else size})") for name, text in types.items()]

    def test_values_of_every_type(self):
        types = {"id": "int", **columns("s", SCALARS), **columns("c", COLLECTIONS), **columns("n", NESTED + LOOSE)}
        self.check(1, types, self.sized({name: types[name] for name in types if name[0] in "cn"}, 3))

    def test_keys_of_every_type(self):
        keys = columns("k", ORDERED + NESTED)
        self.check(len(keys), {**keys, "v": "int"}, self.sized(keys, 2))
        self.check(1 + len(keys), {"id": "int", **keys}, self.sized(keys, 2))

    def test_nulls_counters_names_and_ends_of_ranges(self):
        types = columns("c", SCALARS + NESTED + LOOSE)
        self.check(1, {"id": "int", **types}, self.sized(types, 2), ["-insert", "row-population-ratio=fixed(1)/2"])
        self.check(1, {"id": "int", "a": "counter", "b": "counter"}, [("a", "population: uniform(-100..5)")])
        self.check(2, {'"Id"': "int", '"a ""b?"': "text", '"select"': "text", '"\u00fc"': "inet"},
                   [("\u00fc", "family: 6")])
        wide = {"id": "int", "d": "date", "t": "time", "z": "timestamp", "n": "bigint", "v": "varint", "e": "decimal"}
        self.check(1, wide, [(name, "population: uniform(-1B..-1)") for name in "dnve"]
                   + [("z", "population: fixed(-9000000000000000)"), ("t", "population: fixed(86399999999999)")])
        self.check(1, {"id": "int", "a": "text", "b": "blob", "l": "frozen<list<int>>"},
                   [(name, "size: fixed(0)") for name in "abl"])


if __name__ == "__main__":
    story.main()
