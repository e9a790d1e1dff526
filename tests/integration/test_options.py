"""What options do to a live run, counted at the server: sizes, stops, rows, connections."""

import re
import signal

import story
from recording_proxy import Proxy


class OptionsStory(story.Story):
    def run_here(self, command, *words, status=0):
        """Schema and node are added behind the words."""
        return self.cstress(command, *words, "-schema", f"keyspace={self.keyspace}", "-node",
                            self.node, status=status)

    def write(self, *words, status=0):
        return self.run_here("write", "no-warmup", *words, status=status)

    def count(self, table="standard1"):
        return self.client.count(f'"{self.keyspace}".{table}')


class Options(OptionsStory):
    # ---- how long ----

    def test_as_many_intervals_as_it_takes(self):
        # Without a limit no two intervals are alike enough for the second one.
        for words, shown, least, most in ((["err<0.9", "n>3", "n<30"], "0.9", 3, 30),
                                          (["err<0.00001", "n>2", "n<4"], "1.0E-5", 4, 4)):
            with self.subTest(words=words):
                run = self.write(*words, "-rate", "threads=2", "-log", "interval=200ms")
                self.assertIn(f"Running WRITE with 2 threads until stderr of mean < {shown}",
                              run.lines)
                self.assertTrue(least <= len(run.rows()) <= most + 1, run.report())
                self.assertEqual(run.lines[-1], "END")

    # ---- what is printed ----

    def test_levels_of_the_log(self):
        failing = ["n=20", "cl=TWO", "-errors", "ignore", "retries=1", "-rate", "threads=1"]
        for level, attempts in (("minimal", False), ("normal", True), ("verbose", True)):
            with self.subTest(level=level):
                run = self.write(*failing, "-log", f"level={level}")
                self.assertEqual(run.step.total["Total errors"], 20)
                self.assertEqual("UnavailableException: " in run.stderr, attempts, run.report())
                self.assertEqual("Operation x2 on key(s) [" in run.stderr, attempts)

    def test_no_summary(self):
        run = self.write("n=20", "-rate", "threads=1", "-log", "no-summary")
        self.assertNotIn("Results:", run.stdout)
        self.assertEqual(run.lines[-1], "END")
        self.assertTrue(run.rows())

    # ---- what is read and written ----

    def test_reads_that_are_not_compared(self):
        self.write("n=20", "-rate", "threads=1")
        read = ["read", "n=20", "no-warmup", "-errors", "ignore", "retries=3"]
        other = ["-pop", "seq=1..20", "-col", "size=fixed(9)", "-rate", "threads=1"]
        run = self.run_here(*read, *other)
        self.assertEqual(run.step.total["Total errors"], 20)
        self.assertIn("Operation x0 on key(s) [", run.stderr)
        self.assertIn("Data returned was not validated", run.stderr)
        run = self.run_here(*read, "skip-read-validation", *other)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(run.step.total["Total partitions"], 20)

    def test_reads_draw_from_what_pop_says(self):
        self.write("n=30", "-rate", "threads=1")
        for pop, bad in ((["seq=1..30"], 0), (["dist=uniform(1..30)"], 0), (["seq=21..40"], 20),
                         (["dist=fixed(99)"], 40), (["seq=1..30", "no-wrap"], 0)):
            with self.subTest(pop=pop):
                run = self.run_here("read", "n=40", "no-warmup", "-errors", "ignore", "retries=0",
                                    "-pop", *pop, "-rate", "threads=2")
                self.assertEqual(run.step.total["Total errors"], bad, run.report())
                total = 30 if "no-wrap" in pop else 40
                self.assertEqual(run.step.total["Total partitions"], total - bad, run.report())

    def test_columns(self):
        forms = {"names=b,a,c size=fixed(7)": (["a", "b", "c"], {7}),
                 "n=fixed(11) size=uniform(2..3)": (
                     sorted(f"C{at}" for at in range(11)), {2, 3}),
                 "n=1 size=fixed(0)": (["C0"], {0}),
                 "super=2 comparator=UTF8Type": ([f"C{at}" for at in range(5)], {34})}
        for words, (names, sizes) in forms.items():
            with self.subTest(words=words):
                self.client.drop(self.keyspace)
                self.write("n=40", "-col", *words.split(), "-rate", "threads=2")
                rows = self.client.raw(f'SELECT * FROM "{self.keyspace}".standard1')
                self.assertEqual(sorted(set(rows[0]) - {"key"}), names)
                self.assertEqual({len(cell) for row in rows
                                  for name, cell in row.items() if name != "key"}, sizes)

    def test_a_timestamp_of_the_command_line(self):
        self.write("n=5", "-col", "timestamp=123456", "-rate", "threads=1")
        rows = self.client.run(f'SELECT writetime("C0") AS t FROM "{self.keyspace}".standard1')
        self.assertEqual([row["t"] for row in rows], [123456] * 5)

    def test_inserts(self):
        profile = self.file("p.yaml", (
            f"keyspace: {self.keyspace}\nkeyspace_definition: |\n  CREATE KEYSPACE {self.keyspace}"
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
            "table: t\ntable_definition: |\n  CREATE TABLE t (id int, pos bigint, a int, b int,"
            " PRIMARY KEY (id, pos));\n"
            "columnspec: [{name: pos, cluster: fixed(20)}]\nqueries: {}\n"))
        with Proxy(self.node) as proxy:
            def insert(n, *words):
                self.client.run(f"TRUNCATE {self.keyspace}.t")
                proxy.recorder.requests.clear()
                run = self.good("user", f"profile={profile}", "ops(insert=1)", f"n={n}",
                                "no-warmup", "-insert", *words, "-mode", "protocolVersion=4",
                                "-rate", "threads=1", "-port", f"native={proxy.port}", "-node",
                                self.node)
                self.assertEqual(run.step.total["Total errors"], 0, run.report())
                rows = self.client.run(f"SELECT id, a, b FROM {self.keyspace}.t")
                return rows, proxy.recorder.of("BATCH"), run

            self.make_table(profile)
            rows, batches, run = insert(30, "partitions=fixed(10)", "batchtype=UNLOGGED")
            self.assertEqual((len(rows), len(batches)), (600, 3))
            self.assertEqual({(batch.batch_type, len(batch.statements)) for batch in batches},
                             {("UNLOGGED", 200)})
            self.assertEqual(run.step.total["Total partitions"], 30)
            rows, batches, _ = insert(8, "visits=fixed(4)", "revisit=fixed(1)")
            self.assertEqual((len(batches), {len(batch.statements) for batch in batches}),
                             (8, {5}), batches)
            rows, batches, _ = insert(10, "select-ratio=fixed(1)/4")
            self.assertTrue(10 <= len(rows) < 110, len(rows))
            rows, _, _ = insert(5, "row-population-ratio=fixed(1)/2")
            self.assertEqual({(row["a"] is None, row["b"] is None) for row in rows},
                             {(False, True)})

    def make_table(self, profile):
        """n=0 makes the schema and nothing else."""
        run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=0", "-rate",
                           "threads=1", "-node", self.node)
        self.assertEqual(run.lines[-1], "N=0: SCHEMA CREATED, NOTHING ELSE DONE.")
        self.assertEqual(self.client.run(f"SELECT * FROM {self.keyspace}.t"), [])

    def test_a_table_is_emptied_never_or_once(self):
        for words, rows, lines in (([], 20, 0), (["truncate=never"], 20, 0),
                                   (["truncate=once"], 10, 1), (["truncate=always"], 10, 1)):
            with self.subTest(words=words):
                self.client.drop(self.keyspace)
                self.write("n=10", "-pop", "seq=1..10", "-rate", "threads=1")
                run = self.write("n=10", *words, "-pop", "seq=11..20", "-rate", "threads=1")
                self.assertEqual(self.count(), rows)
                self.assertEqual(len([line for line in run.lines
                                      if line.startswith("Truncated ")]), lines)

    # ---- connections ----

    def connections(self):
        return [row for row in self.client.run("SELECT * FROM system_views.clients")
                if "Python" not in (row["driver_name"] or "")]

    def test_connections_are_as_mode_says(self):
        for version, compression in ((3, "none"), (4, "lz4"), (5, "lz4"), (5, "none")):
            with self.subTest(version=version, compression=compression):
                run = self.start("write", "duration=30s", "no-warmup", "-rate", "threads=600",
                                 "throttle=300/s", "-log", "interval=100ms", "-mode",
                                 f"protocolVersion={version}", f"compression={compression}",
                                 "connectionsPerHost=3", "-schema", f"keyspace={self.keyspace}",
                                 "-node", self.node)
                run.wait_for_rows(2)
                found = self.connections()
                run.send(signal.SIGINT)
                run.wait(20)
                self.assertEqual({row["protocol_version"] for row in found}, {version})
                self.assertEqual({row["client_options"].get("COMPRESSION") for row in found},
                                 {"lz4" if compression == "lz4" else None})
                # One more for the control connection, one for changes of the schema.
                self.assertTrue(3 <= len(found) <= 5, found)
                self.assertTrue(all(row["driver_name"] == "cstress" for row in found))

    def test_few_requests_at_once_wait_at_home(self):
        run = self.write("n=2000", "-rate", "threads=100", "-mode", "connectionsPerHost=2",
                         "maxPending=3")
        self.assertIn("max pending requests per connection 3, max connections per host 2",
                      run.stdout)
        self.assertEqual((run.step.total["Total errors"], self.count()), (0, 2000))
        lines = [line for line in run.step.extra if "waited for room" in line]
        self.assertEqual(len(lines), 1, run.report())
        self.assertGreater(int(re.match(r"# ([\d,]+) ", lines[0])[1].replace(",", "")), 1000)

    def test_options_without_an_effect_do_no_harm(self):
        run = self.write("n=10", "-rate", "threads=1", "-jmx", "user=a", "password=Hush1", "-port",
                         "jmx=1", "thrift=2", "-reporting", "output-frequency=1s", "-sample",
                         "history=1k", "-mode", "native", "cql3", "prepared", "port=7",
                         "auth-provider=com.datastax.driver.core.PlainTextAuthProvider")
        self.assertEqual(self.count(), 10)
        self.assertNotIn("Hush1", run.stdout + run.stderr)
        self.assertEqual(run.stderr.count(story.JMX), 1, run.report())


if __name__ == "__main__":
    story.main()
