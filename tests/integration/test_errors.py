"""What cannot work ends before it begins: one line, exit 1, nothing else."""

import story


class Errors(story.Story):
    def refuse(self, *args, words=(), stdout=""):
        run = self.cstress(*args, "-node", self.node, status=1)
        self.one_error_line(run, *words)
        if stdout is not None:
            self.assertEqual(run.stdout, stdout, run.report())
        self.assertNotIn(story.JMX, run.stderr)
        return run

    def user(self, profile, ops="ops(insert=1)", **options):
        return self.refuse("user", f"profile={profile}", "n=10", ops, "no-warmup", "-rate",
                           "threads=2", "-log", "no-settings", **options)

    def test_a_missing_keyspace_is_named_with_its_create_statement(self):
        run = self.user(self.users(definition=False), stdout=None,
                        words=[self.keyspace, "CREATE KEYSPACE"])
        self.assertTrue(all(line.startswith(("Connected to cluster", "Datacenter"))
                            for line in run.lines), run.report())

    def test_the_statement_shown_makes_the_profile_work(self):
        profile = self.users(definition=False)
        run = self.user(profile, stdout=None)
        statement = "CREATE KEYSPACE" + run.stderr.split("CREATE KEYSPACE", 1)[1]
        self.client.run(statement[:statement.rindex("}") + 1])
        self.good("user", f"profile={profile}", "n=10", "ops(insert=1)", "no-warmup", "-rate",
                  "threads=2", "-node", self.node)
        self.assertEqual(self.client.count(f'"{self.keyspace}".users'), 10)

    def test_a_missing_table_is_named(self):
        self.client.run(f"CREATE KEYSPACE {self.keyspace} WITH replication = "
                        "{'class': 'SimpleStrategy', 'replication_factor': 1}")
        profile = self.file("p.yaml", f"keyspace: {self.keyspace}\ntable: items\nqueries: {{}}\n")
        self.user(profile, stdout=None, words=["Unable to find table", f"{self.keyspace}.items"])

    def test_a_typo_in_the_profile_is_placed(self):
        profile = self.users(replace=[("\ncolumnspec:", "\ncolunmspec:")])
        number = profile.read_text().splitlines().index("colunmspec:") + 1
        self.user(profile, words=[f"users.yaml:{number}:1:", "colunmspec", "columnspec"])
        self.assertFalse(self.client.run("SELECT * FROM system_schema.keyspaces WHERE "
                                         "keyspace_name = %s", values=(self.keyspace,)))

    def test_an_unknown_op_is_named_before_connecting(self):
        self.user(self.users(), "ops(insert=1,raed1=1)", words=["raed1", "read1"])

    def test_an_unknown_column_in_a_query(self):
        profile = self.users(replace=[("WHERE username = ?", "WHERE usernam = ?")])
        run = self.user(profile, "ops(insert=1,read1=1)", stdout=None, words=["read1", "usernam"])
        self.assertNotIn("Results:", run.lines)

    def test_a_definition_that_the_server_refuses(self):
        profile = self.users(replace=[("startdate   date", "startdate   dat")])
        self.user(profile, stdout=None, words=["dat"])

    def test_an_unknown_host(self):
        run = self.cstress("write", "n=10", "-log", "no-settings", "-node", "nosuch.invalid",
                           status=1)
        self.one_error_line(run, "nosuch.invalid")
        self.assertEqual(run.stdout, "")

    def test_a_port_where_nobody_listens(self):
        run = self.refuse("write", "n=10", "-log", "no-settings", "-port", "native=1",
                          words=["NoHostAvailableException", f"{self.node}:1"])
        self.assertLess(run.seconds, 20)

    def test_a_misspelt_word_of_the_command_line(self):
        run = self.cstress("write", "n=10", "cl=QUROUM", "-node", self.node, status=1)
        self.assertEqual(run.stdout, "")
        self.assertIn("QUROUM", run.stderr)
        self.assertLessEqual(len(run.stderr.splitlines()), 2)


if __name__ == "__main__":
    story.main()
