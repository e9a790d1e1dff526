"""Draws user profiles and their command lines: all that is reproducible of what a profile can say.

The seed alone tells the profile, so that a failure can be repeated. What two runs of the original
itself do not repeat is never drawn: `select` below 1, `dist=` populations, shuffled contents, lists and
sets of variable size, quantized extremes, a variable `cluster` of a timeuuid, sets as keys (their hash
order goes into the seeds of what follows).

What the original cannot do is not drawn either: lists and sets of dates, null dates, sizes drawn from
inverted distributions, empty levels of a type whose encoder takes no null, and visits over a sequence
that comes round before they are done (it then waits for ever for a partition that is free).
"""

import random
import sys
from dataclasses import dataclass, field

TEXTS = ["ascii", "text", "varchar", "blob"]
NUMBERS = ["bigint", "int", "smallint", "tinyint", "varint", "decimal"]
OTHERS = ["double", "float", "boolean", "inet", "timestamp", "date", "time", "uuid", "timeuuid"]
SCALARS = TEXTS + NUMBERS + OTHERS
ELEMENTS = [name for name in SCALARS if name != "date"]
# Only values from 0 up can be taken for these: the server refuses other times of day, and the
# original's clock of a timeuuid begins in 1582.
FROM_ZERO = ("time", "timeuuid", "timestamp")
ROWS_OF_AN_OP = 60  # a batch stays below the size that the server refuses
MAX_SIZE = 24


@dataclass
class Column:
    """A column and what its columnspec says."""
    name: str
    type: str
    static: bool = False
    spec: dict = field(default_factory=dict)

    def definition(self):
        return f"{quoted(self.name)} {self.type}{' static' if self.static else ''}"


@dataclass
class Drawn:
    """A profile, with THE_KEYSPACE in the place of the keyspace's name, and the words behind `user`."""
    seed: int
    text: str
    words: list
    reads: list  # the words of a run that reads the same positions

    def in_keyspace(self, keyspace):
        return self.text.replace("THE_KEYSPACE", keyspace)


def quoted(name):
    plain = name.replace("_", "").isalnum() and name == name.lower() and not name[0].isdigit()
    return name if plain else f'"{name}"'


class Drawing:
    """One profile in the making."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.counters = self.chance(0.12)
        self.names = iter(self.random.sample(
            [f"{word}{number}" for word in ("a", "name", "Value", "c_", "Mixed Case", "k.", "x")
             for number in range(8)], 40))

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    def between(self, low, high):
        return self.random.randint(low, high)

    def population(self, column):
        """A distribution of values."""
        low = self.pick([0, 1, 1, 100]) if column.type in FROM_ZERO else self.pick(
            [-1000000, -300, -5, 0, 1, 1, 1000])
        width = self.pick([1, 3, 17, 1000, 1000000, 10**11])
        if column.type == "time":
            width = min(width, 10**13)
        high = low + width
        shapes = [f"uniform({low}..{high})", f"gaussian({low}..{high})", f"fixed({low})",
                  f"gaussian({low}..{high},{self.between(2, 5)})",
                  f"extreme({low}..{high},{self.pick(['0.5', '1', '2.5'])})"]
        if width > 1:
            shapes += [f"exp({low}..{high})", f"~exp({low}..{high})"]
        if column.type not in FROM_ZERO:  # a sequence seeded below zero runs below its range
            shapes.append(f"seq({low}..{high})")
        return self.pick(shapes)

    def size(self, low):
        high = self.between(low + 1, MAX_SIZE)
        return self.pick([f"fixed({high})", f"uniform({low}..{high})", f"gaussian({low}..{high})",
                          f"exp({low}..{high})" if high - low > 1 else f"fixed({high})"])

    def describe(self, column, smallest_size):
        """Gives a column its spec, or leaves it to the defaults."""
        if self.chance(0.5):
            column.spec["population"] = self.population(column)
        if "<" in column.type:
            column.spec["size"] = f"fixed({self.between(1, 5)})"
        elif column.type in TEXTS and self.chance(0.6):
            column.spec["size"] = self.size(smallest_size)
        return column

    def partition_key(self):
        """One to three columns; a lone key must not be empty."""
        columns = []
        for _ in range(self.pick([1, 1, 2, 3])):
            kind = self.pick(SCALARS)
            if self.chance(0.1):
                kind = f"frozen<list<{self.pick(ELEMENTS)}>>"
            columns.append(self.describe(Column(next(self.names), kind), 1))
        return columns

    def clustering(self, budget):
        """No to three columns that make at most `budget` rows in a partition, and that number."""
        columns, rows = [], 1
        for _ in range(self.pick([0, 1, 1, 2, 2, 3, 3])):
            kind = self.pick(SCALARS)
            if self.chance(0.06):
                kind = f"frozen<list<{self.pick(ELEMENTS)}>>"
            column = self.describe(Column(next(self.names), kind), 0)
            most = max(1, min(6, budget // rows))
            high = self.between(1, most)
            column.spec["cluster"] = self.cluster(kind, high)
            rows *= high
            columns.append(column)
        if len(columns) == 1 and columns[0].type == "int" and self.chance(0.5):
            columns[0].spec["cluster"] = f"uniform(0..{max(2, rows)})"
        return columns, max(rows, 2)

    def cluster(self, kind, high):
        if kind == "timeuuid" or high == 1:
            return f"fixed({high})"
        low = self.between(1, high - 1)
        return self.pick([f"fixed({high})", f"uniform({low}..{high})", f"gaussian({low}..{high})"])

    def value(self, may_be_static):
        kind = "counter" if self.counters else self.pick(SCALARS)
        if not self.counters and self.chance(0.25):
            kind = f"{self.pick(['list', 'set'])}<{self.pick(ELEMENTS)}>"
            kind = f"frozen<{kind}>" if self.chance(0.4) else kind
        column = Column(next(self.names), kind, may_be_static and self.chance(0.2))
        return self.describe(column, 0)

    def draw(self):
        keys = self.partition_key()
        partitions = self.pick([1, 1, 1, 2, 4])
        clustering, rows = self.clustering(ROWS_OF_AN_OP // partitions)
        few = 1 if self.counters else 0
        values = [self.value(bool(clustering)) for _ in range(self.between(few, 6))]
        if all(column.static for column in values):
            for column in values:  # a table needs nothing else, but its rows would be hard to tell
                column.static = False
        insert = self.insert(partitions, rows)
        words, reads = self.command(keys + clustering, values, partitions)
        return Drawn(self.seed, self.profile(keys, clustering, values, insert), words, reads)

    def insert(self, partitions, rows):
        settings = {"partitions": f"fixed({partitions})"}
        if self.counters:
            settings["batchtype"] = "COUNTER"
        elif self.chance(0.6):
            settings["batchtype"] = self.pick(["LOGGED", "UNLOGGED"])
        if self.chance(0.3):
            settings["select"] = "fixed(1)/1"
        return settings

    def command(self, keys, values, partitions):
        n = self.between(5, 60)
        words = ["ops(insert=1)", f"n={n}"]
        if not self.chance(0.15):
            words.append("no-warmup")
        more = self.insert_options(values)
        visits = any(word.startswith("visits") for word in more)
        first, last, contents = self.positions(n, partitions, comes_round=not visits)
        if contents or (first, last) != (1, n):
            words += ["-pop", f"seq={first}..{last}", *contents]
        words += ["-insert", *more] if more else []
        # A static column keeps what came last, and a visited partition where it was left: with
        # several requests in flight that is the order of the answers.
        alone = visits or any(column.static for column in values)
        words += ["-rate", f"threads={1 if alone or self.chance(0.7) else 4}"]
        reads = ["ops(whole=1)", f"n={last - first + 1}", "no-warmup", "-pop",
                 f"seq={first}..{last}", *contents, "-rate", "threads=1"]
        # The size of the pool of revisits has a say in the seeds since 4.0.
        revisit = [word for word in more if word.startswith("revisit")]
        return words, reads + (["-insert", *revisit] if revisit else [])

    def positions(self, n, partitions, comes_round):
        """First and last position and the order of rows; some sequences are used up before n."""
        if self.chance(0.5):
            return 1, n, []
        width = max(partitions, n // 2) if comes_round and self.chance(0.3) else n
        first = self.pick([1, 1, 5, 1000000])
        return first, first + width - 1, ["contents=sorted"] if self.chance(0.5) else []

    def insert_options(self, values):
        more = []
        dates = any(column.type == "date" for column in values)
        if len(values) > 1 and not self.counters and not dates and self.chance(0.25):
            # The first column is never null: a row of nulls alone is no row.
            least = -(-10 // len(values))
            more.append(f"row-population-ratio=FIXED({self.between(least, 9)})/10")
        if self.chance(0.2):
            # The pool is so large that no run comes back to a partition by chance.
            more += [f"visits=FIXED({self.between(2, 6)})", "revisit=UNIFORM(1..1B)"]
        elif self.chance(0.15):
            more.append(f"revisit=UNIFORM(1..{self.pick(['2000', '1B', '100K'])})")
        return more

    def profile(self, keys, clustering, values, insert):
        columns = self.random.sample(keys + clustering + values, len(keys + clustering + values))
        key = ", ".join(quoted(column.name) for column in keys)
        primary = ", ".join([f"({key})", *(quoted(column.name) for column in clustering)])
        lines = [column.definition() for column in columns] + [f"PRIMARY KEY ({primary})"]
        table = "CREATE TABLE t (\n    " + ",\n    ".join(lines) + "\n  )"
        if clustering and self.chance(0.3):
            orders = ", ".join(f"{quoted(column.name)} {self.pick(['ASC', 'DESC'])}"
                               for column in clustering)
            table += f" WITH CLUSTERING ORDER BY ({orders})"
        where = " AND ".join(f"{quoted(column.name)} = ?" for column in keys)
        return "\n".join([
            f"# drawn from seed {self.seed}", "keyspace: THE_KEYSPACE", "keyspace_definition: |",
            "  CREATE KEYSPACE THE_KEYSPACE WITH replication = {'class': 'SimpleStrategy',"
            " 'replication_factor': 1};", "table: t", "table_definition: |", f"  {table};",
            *specs(columns), "insert:", *(f"  {name}: {text}" for name, text in insert.items()),
            "queries:", "  whole:", f"    cql: SELECT * FROM t WHERE {where}",
            "    fields: samerow", ""])


def specs(columns):
    described = [column for column in columns if column.spec]
    lines = ["columnspec:"] if described else []
    for column in described:
        lines.append(f"  - name: {column.name}")
        lines += [f"    {name}: {text}" for name, text in column.spec.items()]
    return lines


def draw(seed):
    """The profile of a seed."""
    return Drawing(seed).draw()


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        one = draw(int(argument))
        print(one.text + "# " + " ".join(one.words))
