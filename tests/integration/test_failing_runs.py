"""A table that changes or goes away under a run, and requests that the server refuses."""

import re

import story


class FailingRuns(story.Story):
    def tearDown(self):
        super().tearDown()
        self.check_books()

    def profile(self, spec="[]", verb="SELECT"):
        return self.file("p.yaml", (
            f"keyspace: {self.keyspace}\nkeyspace_definition: |\n  CREATE KEYSPACE {self.keyspace}"
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n"
            "table: t\ntable_definition: CREATE TABLE t (id int PRIMARY KEY, a text, b text)\n"
            f"columnspec: {spec}\nqueries:\n"
            "  all_columns: {cql: SELECT * FROM t WHERE id = ?, fields: samerow}\n"
            f"  one_column: {{cql: {verb} a FROM t WHERE id = ?, fields: samerow}}\n"))

    def under_way(self, *words, ops="ops(insert=1,all_columns=1)"):
        """A run of many short intervals that has begun."""
        run = self.start("user", f"profile={self.profile()}", ops, "duration=60s", "no-warmup",
                         "-pop", "seq=1..1000", "-rate", "threads=4", "throttle=400/s", "-log",
                         "interval=100ms", *words, "-node", self.node)
        run.wait_for_rows(3)
        return run

    @staticmethod
    def by_class(run):
        """Failed operations of all classes together."""
        line = next(line for line in run.step.extra if line.startswith("# failed operations by"))
        return sum(int(count.replace(",", "")) for count in re.findall(r" ([\d,]*\d)", line))

    def check_failed(self, run, kinds):
        """It ended with an error of one of these kinds, after all tries."""
        run.wait(30)
        self.assertEqual((run.status, run.lines[-1]), (1, "FAILURE"), run.report())
        self.assertRegex(run.stdout, rf"java.io.IOException: Operation x10 on key\(s\) \[[^]]*\]: "
                         rf"Error executing: \({kinds}\): ")
        self.one_error_line(run, "Failed to execute stress action", "Operation x10 on key(s)")
        self.assertTrue(1 <= run.step.total["Total errors"] <= 4, run.report())
        self.assertEqual(self.by_class(run), run.step.total["Total errors"])
        run.book()

    def test_a_table_that_is_dropped(self):
        run = self.under_way()
        self.client.run(f"DROP TABLE {self.keyspace}.t")
        # For a moment the server itself stumbles over statements of the table.
        self.check_failed(run, "InvalidQueryException|ServerError")

    def test_a_column_that_is_dropped(self):
        run = self.under_way(ops="ops(insert=1)")
        self.client.run(f"ALTER TABLE {self.keyspace}.t DROP b")
        self.check_failed(run, "InvalidQueryException")

    def test_a_column_more_is_no_event(self):
        for version in (3, 4, 5):
            with self.subTest(version=version):
                self.client.drop(self.keyspace)
                run = self.under_way("-mode", f"protocolVersion={version}")
                for at in range(3):
                    self.client.run(f"ALTER TABLE {self.keyspace}.t ADD c{at} text")
                    run.wait_for_rows(len(run.rows()) + 2)
                run.send()
                run.wait(10)
                self.assertEqual(run.status, 130, run.report())
                self.assertEqual(run.step.total["Total errors"], 0, run.report())
                self.assertEqual(run.errors(), [], run.report())

    def test_a_table_that_is_made_anew_is_used_again(self):
        """Its statements have other ids then, or the server knows none of them."""
        run = self.under_way("-errors", "ignore", "retries=0")
        self.client.run(f"DROP TABLE {self.keyspace}.t")
        run.wait_for_rows(len(run.rows()) + 2)
        self.client.run(f"CREATE TABLE {self.keyspace}.t (id int PRIMARY KEY, a text, b text)")
        story.wait_until(lambda: self.client.run(f"SELECT id FROM {self.keyspace}.t"), "a row", 20)
        run.send()
        run.wait(10)
        self.assertEqual(run.status, 130, run.report())
        failed = run.step.total["Total errors"]
        self.assertTrue(0 < failed < run.step.last("total")["total ops"], run.report())
        self.assertEqual(self.by_class(run), failed)

    def test_a_batch_above_the_servers_limit(self):
        # It looks at the size of batches over several partitions only.
        profile = self.profile(spec="[{name: a, size: fixed(1000)}]")
        run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=300", "no-warmup",
                           "-insert", "partitions=fixed(60)", "-errors", "ignore", "retries=1",
                           "-rate", "threads=1", "-node", self.node)
        self.assertIn("# failed operations by class: InvalidQueryException 5", run.step.extra)
        self.assertIn("Error executing: (InvalidQueryException): Batch too large", run.stderr)
        self.assertEqual(self.client.run(f"SELECT id FROM {self.keyspace}.t"), [])

    def test_a_query_that_is_no_cql(self):
        profile = self.profile(verb="SELEC")
        run = self.cstress("user", f"profile={profile}", "ops(one_column=1)", "n=5", "no-warmup",
                           "-rate", "threads=1", "-node", self.node, status=1)
        self.one_error_line(run, "one_column", "SELEC")


if __name__ == "__main__":
    story.main()
