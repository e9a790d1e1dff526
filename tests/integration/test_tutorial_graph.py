"""The tutorial's graph page: two revisions in one file, with the numbers that were printed."""

import json
import re

import story

KEYS = ["op rate", "partition rate", "row rate", "latency mean", "latency median",
        "latency 95th percentile", "latency 99th percentile", "latency 99.9th percentile",
        "latency max", "total partitions", "total errors", "total gc count", "total gc memory",
        "total gc time", "avg gc time", "stddev gc time", "total operation time"]
STATS = re.compile(r"/\* stats start \*/\s*stats = (.*);\s*/\* stats end \*/", re.S)


def stats_of(path):
    """The JSON between the markers of a page."""
    found = STATS.search(path.read_text())
    assert found, f"no statistics in {path}"
    return json.loads(found[1])


class Graph(story.Story):
    def graph(self, revision, *more):
        return self.good("user", f"profile={self.users()}", "n=600", "ops(insert=3,read1=1)",
                         "truncate=once", "no-warmup", "cl=ONE", "-rate", "threads=8", "-graph",
                         "file=test.html", *more, f"revision={revision}", "-node", self.node)

    def test_two_revisions_stand_in_one_page(self):
        runs = [self.graph("test1", "title=first"), self.graph("test2", "title=test")]
        page = self.folder / "test.html"
        stats = stats_of(page)
        self.assertEqual(stats["title"], "test")
        self.assertEqual([record["revision"] for record in stats["stats"]], ["test1", "test2"])
        for record, run in zip(stats["stats"], runs):
            self.check_record(record, run)
        self.check_page(page.read_text())

    def check_record(self, record, run):
        self.assertEqual(record["test"], "USER")
        self.assertEqual(record["metrics"], story.output.COLUMNS)
        self.assertIn("ops(insert=3,read1=1)", record["command"])
        self.assertEqual(len(record["intervals"]), len(run.step.rows))
        for interval, row in zip(record["intervals"], run.step.rows):
            self.check_interval(interval, row)
        for label, key in zip(story.output.LABELS, KEYS):
            line = next(line for line in run.lines if line.startswith(label.ljust(26) + ": "))
            self.assertEqual(record[key], line.split(": ", 1)[1].strip())

    def check_interval(self, interval, row):
        """The page may have more decimals than the row, not other numbers."""
        self.assertIsNone(interval[0])
        for value, name, decimals in zip(interval[1:], story.output.COLUMNS[1:],
                                         story.output.DECIMALS[1:]):
            if row[name] != row[name]:  # JSON has no NaN
                self.assertIsNone(value, name)
                continue
            self.assertAlmostEqual(value, row[name], delta=0.51 * 10 ** -decimals, msg=name)

    def check_page(self, text):
        """It works without a network: nothing is loaded from elsewhere."""
        self.assertTrue(text.lstrip().lower().startswith("<!doctype html>"))
        self.assertNotRegex(text, r"(?i)(?:src|href)\s*=\s*[\"']?(?:https?:)?//")

    def test_a_page_that_cannot_be_made_is_refused_before_the_run(self):
        run = self.cstress("user", f"profile={self.users()}", "n=10", "ops(insert=1)", "-graph",
                           "file=nosuch/folder/test.html", "-node", self.node, status=1)
        self.one_error_line(run, "nosuch/folder/test.html")
        self.assertNotIn("Results:", run.lines)

    def test_a_page_of_others_is_left_alone(self):
        page = self.file("other.html", "<html>mine</html>\n")
        run = self.cstress("user", f"profile={self.users()}", "n=10", "ops(insert=1)", "-graph",
                           "file=other.html", "-node", self.node, status=1)
        self.one_error_line(run, "other.html")
        self.assertEqual(page.read_text(), "<html>mine</html>\n")


if __name__ == "__main__":
    story.main()
