"""Our tables are those of the original, cell by cell: the same command, the same rows.

tests/vectors/live holds whole tables as the original left them, on the same server. Those of 3.11,
and those that many requests in flight leave, are in slow_tables.py.
"""

import json

import story
from client import hex_cells

LIVE = story.VECTORS / "live"
TABLES = {"predefined-warm-up-counter": "counter1", "predefined-write": "standard1",
          "predefined-columns": "standard1", "predefined-nulls": "standard1"}


def table_name(folder):
    """The table that the profile, or the predefined command, writes."""
    profile = folder / "profile.yaml"
    if not profile.exists():
        return "live." + TABLES[folder.name]
    line = next(line for line in profile.read_text().splitlines() if line.startswith("table:"))
    return "live." + line.split()[1]


def in_order(rows):
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


class TablesStory(story.Story):
    """How a stored run is done again and compared."""
    maxDiff = 2000

    def setUp(self):
        super().setUp()
        self.client.drop("live")
        self.addCleanup(self.client.drop, "live")

    def arguments(self, folder, threads=None):
        """The stored command line, with as many threads as it says or as are given."""
        command = (folder / "command.txt").read_text().split()
        args = [self.node if word == "HOST" else word for word in command]
        args = [word.replace("profile.yaml", str(folder / "profile.yaml")) for word in args]
        if threads:
            args = [f"threads={threads}" if word.startswith("threads=") else word for word in args]
        if folder.name in TABLES:
            args += ["-schema", "keyspace=live"]
        return args

    def compare(self, folder, rows, *more, threads=None):
        """One stored run; `rows` is the file of the table that it left."""
        run = self.good(*self.arguments(folder, threads), *more)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        want = [json.loads(line) for line in (folder / rows).read_text().splitlines()]
        found = hex_cells(self.client.raw(f"SELECT * FROM {table_name(folder)}"))
        self.assertEqual(len(found), len(want), "rows")
        self.assertEqual(in_order(found), in_order(want))


def add_stories(case, rows, *more, threads=None):
    """One test method for each stored run that has such a table."""
    def story_of(folder):
        def compare(self):
            self.compare(folder, rows, *more, threads=threads)
        return compare

    for folder in sorted(LIVE.iterdir()):
        if (folder / rows).exists():
            name = "test_" + folder.name.replace("-", "_")
            setattr(case, f"{name}_with_{threads}" if threads else name, story_of(folder))


class Tables(TablesStory):
    """What 5.0.2 wrote."""


add_stories(Tables, "c4.jsonl")


class Vectors(story.Story):
    """Tables from the original's generator classes, without a run of it."""

    def lines(self, name):
        with open(story.VECTORS / name, encoding="ascii") as file:
            return [json.loads(line) for line in file]

    def test_the_default_table(self):
        self.good("write", "n=50", "no-warmup", "-rate", "threads=7", "-schema",
                  f"keyspace={self.keyspace}", "-node", self.node)
        want = [{"key": row["key"].encode().hex(), **row["values"]}
                for row in self.lines("standard1_c4.jsonl")
                if row["columns"] == 5 and row["size"] == "FIXED(34)"]
        found = hex_cells(self.client.raw(f'SELECT * FROM "{self.keyspace}".standard1'))
        self.assertEqual(len(want), 50)
        self.assertEqual(in_order(found), in_order(want))

    def test_the_users(self):
        self.good("user", f"profile={self.users()}", "n=20", "ops(insert=1)", "no-warmup",
                  "-rate", "threads=2", "-node", self.node)
        want = [{**row["pk"], **row["rows"][0]} for row in self.lines("profile_users_c4.jsonl")]
        found = hex_cells(self.client.raw(f'SELECT * FROM "{self.keyspace}".users'))
        self.assertEqual(len(want), 20)
        self.assertEqual(in_order(found), in_order(want))


if __name__ == "__main__":
    story.main()
