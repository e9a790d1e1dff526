"""Whole runs with -compat figures=original: the very sequences of the original's releases, without its waits."""

import csv
import re

import pattern
import story
import test_order

# The compat level, and the release whose lines it has.
LEVELS = {"3.11": "3.11.5", "4.0": "4.0-alpha2", "5.0": "5.0.2"}
# Those that take seconds; slow_order_original.py has them, and the other levels.
EXITS = {row["situation"]: row for row in csv.DictReader(
    (story.VECTORS / "output" / "exit.tsv").read_text().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)}
LONG = {"uncertainty", "reporting", "duration", "throttle", "sigint", "sigint-graph", "user-ramp"}


class OriginalOrder(test_order.OrderStory):
    """How a run is compared with what the original prints."""
    level = "3.11"
    strict = False

    def compat(self):
        words = f"level={self.level} figures=original"
        return {"CSTRESS_COMPAT": words + (" strict" if self.strict else "")}

    def expected(self, run):
        """Errors before the run are told as ever; the 2 s of rest belong to `strict`, and there is one
        failure per thread at most, without its stack."""
        if "D13" in run["differences"]:
            return run.get("stdout_cstress", run["stdout"])
        return [item for item in run["stdout"] if self.strict or item != "=Sleeping 2s..."]

    def check(self, run):
        needs = run.get("needs", "")
        if "write-1000" in needs:
            self.fill()
        if run["args"].startswith("user"):
            self.client.drop("perftesting")
        started = self.start(*self.arguments(run), environment=self.compat())
        self.disturb(started, needs)
        started.wait()
        self.assertEqual(started.status, run["exit"], started.report())
        wrong = pattern.matches(self.expected(run), started.stdout, LEVELS[self.level])
        self.assertIsNone(wrong, f"{wrong}\n{started.report()}")
        self.assertNotIn("\n# ", started.stdout, started.report())
        if "D13" not in run["differences"]:
            self.check_lines_of_runs(run, started)
            self.check_exit_row(EXITS[run["id"]], started)
        if "log_file" in run:
            self.check_log_file(started)

    def check_exit_row(self, row, started):
        """The same in short, from the other table: a story that loses its line is noticed here."""
        last = started.lines[-1] if started.lines else "-"
        self.assertEqual(str(started.status), row["exit"])
        self.assertEqual(last if last in ("END", "FAILURE") else "-", row["last_word"], started.report())
        self.assertEqual("Results:" in started.lines, row["results_block"] == "yes", started.report())
        for text in row["stderr_contains"].split("; "):
            # "not collecting these stats" is the second half of the line about JMX.
            self.assertTrue(text.startswith("Failed to execute") or text == "-" or text in started.stderr,
                            f"{text}\n{started.report()}")

    def check_lines_of_runs(self, run, started):
        """The JMX line once per run and warm-up; what else stderr must say."""
        self.assertEqual(started.stderr.count(story.JMX), run["stderr"].count(story.JMX), started.report())
        for text in run["stderr"]:
            if not text.startswith("Failed to execute"):
                self.assertIn(text, started.stderr, started.report())

    def check_log_file(self, started):
        """What only stdout gets is not in the file."""
        aside = re.compile(r"Connected to |Data(ta)?center: |Created |Truncated |Improvement over ")
        kept = [line for line in re.sub(r"Insert Statement:\n.*\n", "", started.stdout).splitlines()
                if not aside.match(line)]
        self.assertEqual((self.folder / "log.txt").read_text().splitlines(), kept)


def covers(level, run):
    return LEVELS[level] in run["verified"]


def add_stories(case, wanted):
    for run in test_order.RUNS:
        if wanted(run["id"]) and covers(case.level, run):
            setattr(case, "test_" + run["id"].replace("-", "_"), test_order.story_of(run))


class Original311(OriginalOrder):
    """The runs that take less than a second each."""


add_stories(Original311, lambda name: name not in LONG | test_order.STOPS_A_NODE)

if __name__ == "__main__":
    story.main()
