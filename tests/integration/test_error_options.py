"""What -errors and -log do when operations fail, beyond ignoring and retrying: pauses, statements, columns."""

import story

CUSTOM = "'org.apache.cassandra.db.marshal.DynamicCompositeType(a=>org.apache.cassandra.db.marshal.BytesType)'"
PROFILE = """
keyspace: {keyspace}
keyspace_definition: |
  CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}};
table: t
table_definition: |
  CREATE TABLE t (k int PRIMARY KEY, good int, odd {custom});
columnspec:
  - name: odd
    size: fixed(3)
insert:
  partitions: fixed(1)
queries: {{}}
"""


class ErrorOptions(story.Story):
    def failing_write(self, *words):
        """One node cannot answer at TWO: every attempt fails at once."""
        return self.cstress("write", "n=2", "no-warmup", "cl=TWO", "-rate", "threads=1", "-schema",
                            f"keyspace={self.keyspace}", "-node", self.node, "-log", "no-settings", "-errors", "ignore",
                            *words)

    def test_attempts_are_repeated_after_a_pause(self):
        quick = self.failing_write("retries=2")
        self.assertLess(quick.step.total["Latency max"], 300)
        for policy, least, most in (("constant", 400, 700), ("linear", 500, 1000), ("exponential", 500, 1100)):
            run = self.failing_write("retries=2", f"delay-policy={policy}", "min-delay-ms=200", "max-delay-ms=2000")
            self.assertTrue(least <= run.step.total["Latency median"] <= most, f"{policy}\n{run.report()}")
            self.assertIn("Operation x3 on key(s) [", run.stderr)

    def test_a_failure_names_its_statement_on_request(self):
        words = ["user", f"profile={self.users()}", "n=4", "ops(insert=1)", "no-warmup", "cl=TWO", "-rate", "threads=1",
                 "-node", self.node, "-errors", "ignore", "retries=0"]
        run = self.cstress(*words)
        self.assertNotIn("statement: ", run.stderr)
        run = self.cstress(*words, "-log", "print-statements-on-error")
        self.assertRegex(run.stderr, r"Operation x1 on key\(s\) \[.*\]: Error executing: \(.*, statement: UPDATE ")

    def test_serial_levels_are_those_of_reads_and_conditions(self):
        words = ["no-warmup", "cl=SERIAL", "-rate", "threads=2", "-node", self.node]
        schema = ["-schema", f"keyspace={self.keyspace}"]
        self.good("write", "n=10", "no-warmup", "-rate", "threads=1", "-node", self.node, *schema)
        run = self.good("mixed", "n=40", *words, "-pop", "seq=1..10", *schema)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        user = ["user", f"profile={self.users()}", "n=10"]
        self.one_error_line(self.cstress(*user, "ops(insert=1)", *words, status=1), "consistency level SERIAL")
        self.good(*user, "ops(read1=1)", *words)
        text = (self.folder / "users.yaml").read_text().replace("insert:\n", "insert:\n  condition: IF email = 'x'\n", 1)
        text = text.replace("partitions: fixed(10)", "partitions: fixed(1)")
        self.assertIn("condition", text)
        self.file("conditional.yaml", text)
        run = self.good("user", "profile=conditional.yaml", "n=10", "ops(insert=1)", *words)
        self.assertIn("# of the conditional statements", run.stdout)

    def test_a_column_that_nobody_can_fill_is_left_out_on_request(self):
        profile = self.file("profile.yaml", PROFILE.format(keyspace=self.keyspace, custom=CUSTOM))
        words = ["user", f"profile={profile}", "n=5", "ops(insert=1)", "no-warmup", "-rate", "threads=1", "-node",
                 self.node]
        run = self.cstress(*words, status=1)
        self.one_error_line(run, "odd")
        run = self.good(*words, "-errors", "skip-unsupported-columns")
        self.assertEqual(run.stderr.count("has column 'odd' of unsupported type: it is left out"), 1, run.report())
        rows = self.client.run(f"SELECT * FROM {self.keyspace}.t")
        self.assertEqual(len(rows), 5)
        self.assertTrue(all(row["odd"] is None and row["good"] is not None for row in rows), rows)


if __name__ == "__main__":
    story.main()
