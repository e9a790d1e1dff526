"""The strict grammar of the original's output against the original and cstress, on the same server with
the same command lines: the same dump, the same kinds of lines in the same order."""

import re

import grammar
import original
import output
import story

ROWS = 600  # what the reads find

# Command lines; KS stands for the keyspace that is written, FULL for the one that is read, FILE for a
# profile. Those that end in a failure stand apart.
LINES = {
    "write": "write n=400 -rate threads=2 -schema keyspace=KS",
    "columns": "write n=100 no-warmup -col n=FIXED(3) size=UNIFORM(1..9) -rate threads=2 -schema keyspace=KS",
    "read": "read n=400 -rate threads=2 -pop seq=1..600 -schema keyspace=FULL",
    "counters": "counter_write n=200 -rate threads=2 -schema keyspace=KS",
    "fixed": "write n=500 no-warmup -rate threads=2 fixed=1000/s -schema keyspace=KS",
    "nothing": "write n=0 -schema keyspace=KS",
    "ignored": "write n=40 no-warmup cl=TWO -errors ignore retries=0 -rate threads=2 -schema keyspace=KS",
    "ramp": "read n=300 no-warmup -rate threads>=4 threads<=8 -pop seq=1..600 -schema keyspace=FULL",
    "user": "user profile=FILE ops(insert=1) n=100 -log no-settings -rate threads=2",
    "profile": "user profile=FILE ops(insert=2,read1=1) n=100 no-warmup -rate threads=2",
}
# How many partitions its reads find is a matter of chance.
BY_CHANCE = {"profile"}
FAILING = {
    "absent": "read n=50 no-warmup -rate threads=1 -pop seq=5000..5050 -schema keyspace=FULL",
}


class Grammar(original.BesideStory):
    """Both programs, in two forms of ours: as by default, and with the original's figures."""

    def words(self, line, keyspace):
        self.client.drop(keyspace)
        self.addCleanup(self.client.drop, keyspace)
        profile = self.file(f"{keyspace}.yaml", (story.EXAMPLES / "users.yaml").read_text().replace(
            "perftesting", keyspace))
        for name, value in [("KS", keyspace), ("FULL", self.keyspace), ("FILE", str(profile))]:
            line = line.replace(f"={name}", f"={value}")
        return [*line.split(), "-node", self.node]

    def fill(self, release):
        self.client.drop(self.keyspace)
        self.good("write", f"n={ROWS}", "no-warmup", "-rate", "threads=8", "-schema",
                  f"keyspace={self.keyspace}", "-node", self.node, *original.level(release))

    def read(self, run, release, keyspace):
        """What the grammar makes of an output, with the keyspace's name taken out."""
        try:
            return grammar.read(run.stdout.replace(keyspace, "KS"), release)
        except output.OutputError as error:
            self.fail(f"{error}\n{run.report()}")

    def check_all(self, release, lines, status=0):
        self.fill(release)
        runs = self.in_turns([(release, self.words(line, f"o_{name}")) for name, line in lines.items()])
        for run, (name, line) in zip(runs, lines.items()):
            with self.subTest(name):
                self.assertEqual(run.status, status, run.report())
                theirs = self.read(run, release, f"o_{name}")
                self.check(release, (name, line), theirs, status)

    def check(self, release, named, theirs, status):
        """Ours in both forms beside what the original printed."""
        name, line = named
        for more, wanted in (((), by_default), (("figures=original",), with_figures)):
            run = self.cstress(*self.words(line, f"c_{name}"), *original.level(release), *more, status=status)
            ours = self.read(run, release, f"c_{name}")
            self.assertEqual(together(ours.kinds), wanted(theirs.kinds), run.report())
            own = {section: lines for section, lines in ours.dump.items() if section != grammar.OWN_SECTION}
            self.assertEqual(own, theirs.dump, run.report())
            if not status and name not in BY_CHANCE:
                self.assertEqual(list(map(shape, ours.steps)), list(map(shape, theirs.steps)), run.report())

    def test_lines_of_3_11(self):
        self.check_all("3.11", LINES)

    def test_failures_of_3_11(self):
        self.check_all("3.11", FAILING, status=1)

    def test_lines_of_4_0(self):
        self.check_all("4.0", {name: LINES[name] for name in ("write", "user", "profile")})


def shape(step):
    """What a step says whatever the time it took: the kinds of its rows and of its block."""
    return (step.types(), {label: list(items or ()) for label, items in step.items.items()},
            step.total["Total partitions"], step.total["Total errors"])


def together(kinds):
    """Rows and failed operations of a step in one, for their order is that of time."""
    text = " ".join(grammar.squeeze(kinds)) + " "
    text = re.sub(r"header ((?:failed blank (?:stack )?|row )+)",
                  lambda found: "header " + " ".join(sorted(set(found[1].split()) & {"failed", "row"})) + " ", text)
    return text.split()


def with_figures(kinds):
    """As the original's, but for the 2 s of rest."""
    return together([kind for kind in kinds if kind != "rest"])


def by_default(kinds):
    """Besides: connected and prepared before anything runs, extra lines before each block; and a run
    that failed has the block of what was measured."""
    kept = with_figures(kinds)
    connect = [kind for kind in ("connected", "node") if kind in kept]
    prepare = [kind for kind in ("insert", "statement") if kind in kept]
    kept = [kind for kind in kept if kind not in connect + prepare]
    schema = kept.count("created")
    kept = connect + kept[:schema] + prepare + kept[schema:]
    if kept[-1] == "failure":
        kept[-1:] = ["blank", "blank", "results", "line", "blank", "incomplete", "blank", "failure"]
    return " ".join(kept).replace("blank blank results", "extra blank blank results").split()


if __name__ == "__main__":
    story.main()
