"""The same command with the original and with cstress on one server: the same cells, and each
program accepts what the other wrote.

Half of the profiles are drawn afresh in each run. By hand:

    slow_differential.py --seed 4711       the profile of one seed, with both releases
    slow_differential.py --count 50        so many drawn profiles instead of the usual few
"""

import argparse
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import original
import random_profiles
import story

COUNT = 5
GIVEN = argparse.Namespace(seed=None, count=COUNT)

# Profiles of people and of ours that every release takes, and how they are run. Where several
# requests are in flight no cell depends on the order of their answers.
PROFILES = {
    "examples/users.yaml": "ops(insert=1) n=100 no-warmup -rate threads=1",
    "examples/counters.yaml": "ops(insert=1) n=60 -rate threads=1",
    "examples/sensors.yaml": "ops(insert=1) n=30 no-warmup -rate threads=4",
    "tests/cases/030-key-only-table/profile.yaml":
        "ops(insert=1) n=50 no-warmup -rate threads=4",
    "tests/cases/031-many-clustering-columns/profile.yaml":
        "ops(insert=1) n=50 no-warmup -insert visits=FIXED(3) revisit=UNIFORM(1..1B) -rate threads=1",
    "tests/cases/040-quoted-column-names/profile.yaml":
        "ops(insert=1) n=100 no-warmup -pop seq=1001..1080 -rate threads=4",
}

# What write and read are told about the predefined table.
TABLES = {
    "plain": ([], []),
    "names": (["keysize=30"], ["-col", "names=beta,Alpha,gamma", "size=UNIFORM(1..20)"]),
    "twelve": ([], ["-col", "n=FIXED(12)", "size=GAUSSIAN(1..60)"]),
    "nulls": ([], ["-insert", "row-population-ratio=FIXED(1)/2"]),
}


@dataclass
class Pair:
    """One profile under two names: for the original and for cstress."""
    about: str
    table: str
    words: list
    theirs: str  # keyspaces
    ours: str
    their_file: object
    our_file: object
    reads: tuple = ()


class Profiles(original.BesideStory):
    def pair(self, release, name, text, words, reads=()):
        """Writes the profile twice, with THE_KEYSPACE replaced."""
        made = []
        for who in ("o", "c"):
            keyspace = f"{who}_{release.replace('.', '')}_{name}"
            self.client.drop(keyspace)
            self.addCleanup(self.client.drop, keyspace)
            made.append((keyspace, self.file(f"{keyspace}.yaml",
                                             text.replace("THE_KEYSPACE", keyspace))))
        table = re.search(r"(?m)^table: (\w+)", text)[1]
        (theirs, their_file), (ours, our_file) = made
        return Pair(f"release {release}, profile {name}", table, words, theirs, ours, their_file,
                    our_file, reads)

    def compare(self, release, pairs):
        """Both programs write; returns the pairs whose tables are the same."""
        runs = self.in_turns([(release, ["user", f"profile={pair.their_file}", *pair.words, "-node",
                                         self.node]) for pair in pairs])
        same = []
        for run, pair in zip(runs, pairs):
            with self.subTest(pair.about):
                self.ended_well(run)
                run = self.good("user", f"profile={pair.our_file}", *pair.words,
                                *original.level(release), "-node", self.node)
                self.no_errors(run)
                self.same_cells(pair.ours, pair.theirs, pair.table, f"{pair.about}\n{run.report()}")
                same.append(pair)
        return same

    def drawn(self, release):
        """Pairs from fresh seeds, each of which alone repeats its profile."""
        fresh = random.SystemRandom()
        seeds = [GIVEN.seed] if GIVEN.seed is not None else [
            fresh.randrange(10**9) for _ in range(GIVEN.count)]
        print(f"release {release}, drawn from --seed", *seeds, file=sys.stderr, flush=True)
        profiles = map(random_profiles.draw, seeds)
        return [self.pair(release, f"seed_{one.seed}", one.text, one.words, one.reads)
                for one in profiles]

    def cross_read(self, release, pairs):
        """Each program reads what the other wrote, and finds as many partitions."""
        def read(pair, file):
            return ["user", f"profile={file}", *pair.reads, "-node", self.node]

        runs = self.in_turns([(release, read(pair, pair.our_file)) for pair in pairs])
        for run, pair in zip(runs, pairs):
            with self.subTest("read of " + pair.about):
                self.ended_well(run)
                mine = self.good(*read(pair, pair.their_file), *original.level(release))
                self.no_errors(mine)
                found, want = (one.step.total["Total partitions"] for one in (mine, run))
                self.assertGreater(want, 0, run.report())
                self.assertEqual(found, want, mine.report() + run.report())

    def test_random_profiles_of_3_11(self):
        same = self.compare("3.11", self.drawn("3.11"))
        self.cross_read("3.11", same[:2])

    def test_random_profiles_of_4_0(self):
        same = self.compare("4.0", self.drawn("4.0"))
        self.cross_read("4.0", same[:1])

    def given(self, release):
        """Pairs of PROFILES."""
        for file, words in PROFILES.items():
            text = (story.ROOT / file).read_text()
            keyspace = re.search(r"(?m)^keyspace: (\w+)", text)[1]
            path = Path(file)
            name = path.parent.name if path.stem == "profile" else path.stem
            yield self.pair(release, name.replace("-", "_")[:30],
                            text.replace(keyspace, "THE_KEYSPACE"), words.split())

    def test_given_profiles_of_3_11(self):
        self.compare("3.11", list(self.given("3.11")))

    def test_given_profiles_of_4_0(self):
        self.compare("4.0", list(self.given("4.0")))


class Predefined(original.BesideStory):
    """The tables of write and counter_write, and the commands that read them."""

    def keyspaces(self, release, name):
        both = [f"{who}_{release.replace('.', '')}_{name}" for who in ("o", "c")]
        for keyspace in both:
            self.client.drop(keyspace)
            self.addCleanup(self.client.drop, keyspace)
        return both

    def words(self, command, keyspace, options=()):
        return [*command, *options, "-rate", "threads=3", "-schema", f"keyspace={keyspace}",
                "-node", self.node]

    def ours(self, release, *words):
        run = self.good(*words, *original.level(release))
        self.no_errors(run)

    def theirs(self, jobs):
        for run in self.in_turns(jobs):
            with self.subTest(run.args):
                self.ended_well(run)

    def check(self, release, names):
        """Both write each table and then read the other's, row for row and mixed with writes."""
        spaces = {name: self.keyspaces(release, name) for name in names}
        self.theirs([(release, self.words(["write", "n=90", *TABLES[name][0]], spaces[name][0],
                                          TABLES[name][1])) for name in names])
        for name, (theirs, ours) in spaces.items():
            more, options = TABLES[name]
            self.ours(release, *self.words(["write", "n=90", *more], ours, options))
            self.same_cells(ours, theirs, "standard1", name)
            self.ours(release, *self.words(["read", "n=150", *more], theirs,
                                           [*options, "-pop", "seq=1..90"]))
            self.ours(release, *self.words(["mixed", "ratio(write=1,read=2)", "n=90", "no-warmup",
                                            *more], theirs, options))
        first = names[0]
        self.theirs([(release, self.words(["read", "n=90", "no-warmup", *TABLES[name][0]],
                                          spaces[name][1],
                                          [*TABLES[name][1], "-pop", "seq=1..90"]))
                     for name in names] +
                    [(release, self.words(["mixed", "ratio(write=1,read=2)", "n=90", "no-warmup",
                                           *TABLES[first][0]], spaces[first][1],
                                          TABLES[first][1]))])
        self.same_cells(spaces[first][1], spaces[first][0], "standard1", "after mixed")

    def test_tables_of_3_11(self):
        self.check("3.11", list(TABLES))

    def test_tables_of_4_0(self):
        self.check("4.0", ["plain", "names"])

    def test_counters(self):
        """No dialect differs in what it adds, only in the keys."""
        for release in original.RELEASES:
            theirs, ours = self.keyspaces(release, "counters")
            write = ["counter_write", "n=42", "add=FIXED(3)"]
            options = ["-col", "n=FIXED(2)"]
            self.theirs([(release, self.words(write, theirs, options))])
            self.ours(release, *self.words(write, ours, options))
            self.same_cells(ours, theirs, "counter1", release)
            read = ["counter_read", "n=42", "no-warmup"]
            options += ["-pop", "seq=1..42"]
            self.theirs([(release, self.words(read, ours, options))])
            self.ours(release, *self.words(read, theirs, options))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, help="only the profile drawn from this seed")
    parser.add_argument("--count", type=int, default=COUNT, help="drawn profiles of a release")
    GIVEN, rest = parser.parse_known_args()
    sys.argv[1:] = rest or (["Profiles.test_random_profiles_of_3_11",
                             "Profiles.test_random_profiles_of_4_0"] if GIVEN.seed is not None
                            else [])
    story.main()
