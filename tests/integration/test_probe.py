"""-compat data=probe: which dialect wrote a table, as the user is told, and as reads then find it."""

import story

TABLE = """keyspace: {ks}
keyspace_definition: |
  CREATE KEYSPACE IF NOT EXISTS {ks} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}
table: {table}
table_definition: CREATE TABLE IF NOT EXISTS {table} ({columns})
columnspec: [{{name: small, population: uniform(1..3)}}]
queries:
  all: {{cql: 'SELECT * FROM {table} WHERE {key} = ?', fields: samerow}}
"""
SHAPES = {
    "keyed": ("id", "id uuid PRIMARY KEY, v text"),
    "valued": ("id", "id bigint PRIMARY KEY, u uuid"),
    "plain": ("id", "id bigint PRIMARY KEY, v text"),
    "few": ("small", "small int PRIMARY KEY, v text"),
}


class Probe(story.Story):
    def user(self, shape, *words, ops="ops(insert=1)", n=40):
        key, columns = SHAPES[shape]
        profile = self.file(f"{shape}.yaml", TABLE.format(ks=self.keyspace, table=shape, key=key, columns=columns))
        return self.good("user", f"profile={profile}", ops, f"n={n}", "no-warmup", "-rate", "threads=4",
                         "-node", self.node, *words)

    def probe(self, shape, *words):
        return self.user(shape, "-pop", "seq=1..40", "-compat", "data=probe", *words, ops="ops(all=1)", n=20)

    def told(self, run):
        lines = [line for line in run.stderr.splitlines() if "data=probe" in line]
        self.assertEqual(len(lines), 1, run.report())
        return lines[0]

    def test_finds_the_dialect_of_a_table(self):
        wanted = {("keyed", "c4"): "c4", ("keyed", "c3"): "c3", ("keyed", "c2"): "c2",
                  ("valued", "c4"): "c4", ("valued", "c3"): "c3", ("valued", "c2"): "c2",
                  ("plain", "c4"): "c4", ("plain", "c3"): "c3", ("plain", "c2"): "c3"}
        for (shape, written), found in wanted.items():
            with self.subTest(shape=shape, written=written):
                self.client.drop(self.keyspace)
                self.user(shape, "-compat", f"data={written}")
                run = self.probe(shape)
                self.assertIn(f"notice: -compat data=probe: the data are {found}: 10 of the 10 partitions",
                              self.told(run))
                self.assertEqual(run.step.total["Total partitions"], 20, run.report())

    def test_says_when_it_cannot_tell(self):
        run = self.user("plain", "-compat", "data=probe")
        self.assertIn("warning: -compat data=probe: undecided, taking c4", self.told(run))
        self.assertIn("no table", self.told(run))
        self.user("few", n=200)
        line = self.told(self.probe("few", "level=3.11"))
        self.assertIn("warning: -compat data=probe: undecided, taking c3", line)
        self.client.run(f"TRUNCATE {self.keyspace}.plain")
        self.assertIn("none of the 10 partitions", self.told(self.probe("plain")))
        self.user("plain", "-compat", "data=c3")
        self.user("plain", "-compat", "data=c4")
        self.assertIn("10 are there as c4 and 10 as c3 or c2", self.told(self.probe("plain")))

    def test_the_predefined_tables(self):
        words = ("-schema", f"keyspace={self.keyspace}", "-node", self.node, "-rate", "threads=2")
        self.good("write", "n=50", "no-warmup", *words, "-compat", "data=c3")
        run = self.good("read", "n=50", "no-warmup", "-pop", "seq=1..50", *words, "-compat", "data=probe")
        self.assertIn("the data are c3", self.told(run))
        run = self.good("read", "n=50", "no-warmup", "-pop", "dist=uniform(1..50)", *words, "-compat", "data=probe")
        self.assertIn("the data are c3", self.told(run))
        self.assertIn("Data Dialect: probe", run.stdout)


if __name__ == "__main__":
    story.main()
