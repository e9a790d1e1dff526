"""sbk against a real server: the lines people type, and what the table holds then.

Result lines are read by the layouts of tests/vectors/output/sbk, counted rows by the Python driver.
"""

import csv
import re
import signal
import urllib.error
import urllib.request

import story
from cassandra import InvalidRequest
from sbk_runs import pattern, table

LETTERS = re.compile(r"[A-Z]+\Z")


class Sbk(story.Story):
    def sbk(self, *args, status=0, **more):
        """One run under the name of sbk."""
        link = self.folder / "sbk"
        if not link.exists():
            link.symlink_to(story.PROGRAM)
        run = self.start("-class", "cassandra", "-node", self.node, *args,
                         program=(str(link),), **more).wait()
        if run.status != status:
            self.fail(f"exit {run.status}, expected {status}\n{run.report()}")
        return run

    def own(self, *args, **more):
        """The same on the keyspace of this story."""
        return self.sbk("-keyspace", self.keyspace, *args, **more)

    def results(self, run, version="0.88-pre", unit="ms", total="Total : "):
        """Fields of the windows, and of the total, which is the last."""
        layout = pattern(version, unit)
        found = []
        for line in run.lines:
            match = layout.match(line.removeprefix(total)) if version != "10.6" else layout.match(line)
            if match:
                fields = {name: text.strip() for name, text in match.groupdict().items()}
                fields["total"] = line.startswith(total) or fields["driver"].startswith("Total")
                found.append(fields)
        self.assertTrue(found and found[-1]["total"], run.report())
        self.assertEqual(sum(fields["total"] for fields in found), 1, run.report())
        return found[:-1], found[-1]

    def rows(self):
        return self.client.run(f"SELECT id, data FROM {self.keyspace}.temp")

    def test_sbk_writes_and_reads(self):
        """The two lines of the mail, shorter; then by records, from four workers."""
        run = self.own("-writers", 1, "-size", 100, "-seconds", 2)
        _, total = self.results(run)
        rows = self.rows()
        self.assertEqual(len(rows), int(total["records"]), run.report())
        self.assertGreater(len(rows), 10)
        self.assertEqual(len({row["data"] for row in rows}), 1)
        self.assertEqual(len(rows[0]["data"]), 100)
        self.assertRegex(rows[0]["data"], LETTERS)
        self.assertTrue(all(row["id"].version == 4 for row in rows))
        run = self.own("-readers", 1, "-size", 100, "-seconds", 60)
        _, total = self.results(run)
        self.assertEqual(int(total["records"]), len(rows), run.report())
        self.assertIn("INFO Reader 0 exited with EOF", run.stdout)
        self.assertIn("reads by key; -scan reads as SBK does", run.stderr)
        self.assertLess(run.seconds, 50)

        run = self.own("-writers", 4, "-size", 30, "-records", 1003, "-format", "10.6")
        _, total = self.results(run, "10.6")
        self.assertEqual(total["records"], "1003")
        self.assertEqual(total["max_writers"], "4")
        for worker, records in enumerate((251, 251, 251, 250)):
            self.assertIn(f"INFO Writer {worker} started , records: {records}", run.stdout)
        self.assertIn("INFO SBK Benchmark Shutdown: completed successfully in -records 1003 mode",
                      run.lines[-1])
        rows = self.rows()
        self.assertEqual(len(rows), 1003)
        self.assertEqual(len({row["data"] for row in rows}), 4)

        for kind, records in ((("-text",), 1003), (("-pagesize", 100), 1003), (("-scan",), 3 * 1003)):
            run = self.own("-readers", 3, "-size", 1, "-time", "mcs", *kind)
            _, total = self.results(run, unit="mcs")
            self.assertEqual(int(total["records"]), records, run.report())
            self.assertRegex(run.stderr, r"(?m)^# the client ")

    def test_sbk_pace_text_and_schema(self):
        """-records per second, -throughput, statements as text, what -recreate drops."""
        self.own("-writers", 1, "-size", 10, "-records", 7, "-text", "-table", "other", "-rf", 1,
                 "-rs", "NetworkTopologyStrategy")
        run = self.own("-writers", 2, "-size", 100, "-seconds", 2, "-records", 100)
        _, total = self.results(run)
        self.assertTrue(150 <= int(total["records"]) <= 204, run.report())
        self.assertEqual(len(self.rows()), int(total["records"]))
        self.assertEqual(self.client.count(f"{self.keyspace}.other"), 7)
        run = self.own("-writers", 1, "-size", 1024, "-seconds", 1, "-throughput", 0.1,
                       "-recreate", "false", "-time", "ns")
        _, more = self.results(run, unit="ns")
        self.assertTrue(70 <= int(more["records"]) <= 104, run.report())
        self.assertEqual(len(self.rows()), int(total["records"]) + int(more["records"]))

        self.client.drop("sbk")
        self.sbk("-writers", 1, "-size", 10, "-records", 3, "-table", "other")
        self.sbk("-writers", 1, "-size", 10, "-records", 5)
        self.assertFalse(self.client.has_table("sbk", "other"))
        self.assertEqual(self.client.count("sbk.temp"), 5)
        run = self.sbk("-readers", 1, "-size", 10, "-table", "none", "-seconds", 5)
        windows, total = self.results(run)
        self.assertEqual((windows, total["records"]), ([], "0"))
        self.client.drop("sbk")

    def test_sbk_loggers(self):
        """A CSV file as sbk-charts reads it, the page while the run goes on, the longer layouts."""
        link = self.folder / "sbk"
        link.symlink_to(story.PROGRAM)
        run = self.start("-class", "cassandra", "-node", self.node, "-keyspace", self.keyspace,
                         "-writers", 2, "-size", 100, "-seconds", 7, "-time", "mcs", "-wq", "true",
                         "-out", "PrometheusLogger", "-context", "19718/metrics", "-csvfile", "a.csv",
                         "-format", "10.6", program=(str(link),))
        story.wait_until(lambda: "PrometheusLogger Started" in run.stdout, "the page")
        first = self.page()
        names = [row["name"].replace("<action>", "Writing") for row in table("metrics.tsv")]
        self.assertEqual(list(first), names)
        self.assertEqual(first["SBK_Writing_Records_total"], 0)
        with self.assertRaises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen("http://127.0.0.1:19718/other")
        self.assertEqual(raised.exception.code, 404)
        raised.exception.close()
        story.wait_until(lambda: self.page()["SBK_Writing_Records_total"] > 0, "a window")
        page = self.page()
        run.wait()
        self.assertEqual(run.status, 0, run.report())
        windows, total = self.results(run, "10.6", "mcs")
        self.assertEqual(page["SBK_Writing_Records_total"], int(windows[0]["records"]))
        self.assertEqual(page["SBK_Writing_ns_99"], 1000 * int(windows[0]["p99"]))
        with open(self.folder / "a.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), [row["column"] for row in table("csv-columns.tsv")])
        self.assertEqual([row["Type"] for row in rows], ["Regular"] * len(windows) + ["Total"])
        for row, line in zip(rows, [*windows, total]):
            for column in table("csv-columns.tsv"):
                if column["field"] not in ("-", "") and "pending" not in column["field"]:
                    self.assertEqual(row[column["column"]].strip(),
                                     line[column["field"].replace(".", "_")], column["column"])
        self.assertEqual(int(total["records"]), len(self.rows()))

    def page(self):
        """Name of each family to its number."""
        with urllib.request.urlopen("http://127.0.0.1:19718/metrics") as answer:
            lines = answer.read().decode().splitlines()
        return {line.split("{")[0]: float(line.split()[-1]) for line in lines if line[0] != "#"}

    def test_sbk_failures(self):
        """Statements, nodes and names that are wrong; the exit statuses of exit.tsv; a signal."""
        self.client.run(f"CREATE KEYSPACE {self.keyspace} WITH replication ="
                        " {'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.client.run(f"CREATE TABLE {self.keyspace}.temp (id int PRIMARY KEY, v int)")
        for kind in ((), ("-text",)):
            run = self.own("-writers", 2, "-size", 100, "-seconds", 5, "-recreate", "false", *kind,
                           status=1)
            reason = f"InvalidQueryException: Undefined column name data in table {self.keyspace}.temp"
            self.assertIn(f"WARN SBK Benchmark Shutdown: exited due to internal exception: {reason}",
                          run.stdout)
            self.assertTrue(run.stderr.startswith("java.util.concurrent.ExecutionException: "
                                                  "com.datastax.oss.driver.api.core.servererrors."
                                                  + reason), run.report())
            self.assertEqual(self.results(run)[1]["records"], "0")
        run = self.own("-writers", 1, "-size", 100, "-records", 10, "-table", "9x", status=1)
        self.assertTrue(run.stderr.startswith('Exception in thread "main" com.datastax.oss.driver.'
                                              "api.core.servererrors.SyntaxError: line 1:"),
                        run.report())
        self.sbk("-writers", 1, "-size", 100, "-port", 9, status=1)

        run = self.start("sbk", "-class", "cassandra", "-node", self.node, "-keyspace", self.keyspace,
                         "-table", "t", "-writers", 2, "-size", 100)
        story.wait_until(lambda: self.some_rows("t"), "a row")
        run.send(signal.SIGINT)
        run.wait()
        self.assertEqual(run.status, 130, run.report())
        self.assertIn("\n\n", run.stdout)
        self.assertIn("INFO SBK: Shutdown signal received", run.stdout)
        self.assertEqual(int(self.results(run)[1]["records"]), self.client.count(f"{self.keyspace}.t"))

    def some_rows(self, name):
        """Rows of a table that may not be there yet."""
        try:
            return self.client.run(f"SELECT id FROM {self.keyspace}.{name} LIMIT 1")
        except InvalidRequest:
            return []


if __name__ == "__main__":
    story.main()
