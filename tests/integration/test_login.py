"""A server that asks who is there, lets not everybody do everything, and guards its limits.

The cluster is one with --login and two guardrails: see fixtures.cmake.
"""

import story

USER = "worker"
PASSWORD = "Hush-1 = x"


class Login(story.Story):
    login = ("cassandra", "cassandra")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client.run(f"CREATE ROLE IF NOT EXISTS {USER} WITH LOGIN = true AND PASSWORD ="
                       f" '{PASSWORD}'")

    def setUp(self):
        super().setUp()
        self.client.run(f"CREATE KEYSPACE {self.keyspace} WITH replication = "
                        "{'class': 'SimpleStrategy', 'replication_factor': 1}")

    def allow(self, *permissions):
        self.addCleanup(self.client.run, f"REVOKE ALL ON KEYSPACE {self.keyspace} FROM {USER}")
        for permission in permissions:
            self.client.run(f"GRANT {permission} ON KEYSPACE {self.keyspace} TO {USER}")

    def write(self, *words, status=0, environment=None, command="write"):
        run = self.cstress(command, "n=20", "no-warmup", "-rate", "threads=2", "-pop",
                           "seq=1..20", "-schema", f"keyspace={self.keyspace}", "-node", self.node,
                           *words, status=status, environment=environment)
        self.assertNotIn(PASSWORD, run.stdout + run.stderr)
        return run

    def as_worker(self, *words, **how):
        return self.write("-mode", f"user={USER}", f"password={PASSWORD}", *words, **how)

    def credentials(self, password=PASSWORD):
        path = self.file(f"{len(password)}.properties",
                         f"# who\ncql.username = {USER}\ncql.password: {password}\n")
        path.chmod(0o600)
        return path

    def check_rows(self):
        self.assertEqual(self.client.count(f"{self.keyspace}.standard1"), 20)

    def test_each_way_to_say_who(self):
        self.client.run(f"GRANT CREATE ON ALL KEYSPACES TO {USER}")
        self.addCleanup(self.client.run, f"REVOKE CREATE ON ALL KEYSPACES FROM {USER}")
        self.allow("ALL")
        self.as_worker()
        self.check_rows()
        for words, environment in (
                (["-credentials-file", self.credentials()], None),
                ([], {"CSTRESS_CQL_USERNAME": USER, "CSTRESS_CQL_PASSWORD": PASSWORD}),
                (["-credentials-file", self.credentials("wrong"), "-mode", f"user={USER}",
                  f"password={PASSWORD}"], None)):
            self.client.run(f"TRUNCATE {self.keyspace}.standard1")
            self.write(*words, environment=environment)
            self.check_rows()

    def test_who_is_not_known_is_told_so(self):
        for words in (["-mode", "user=nobody", "password=Guess1"],
                      ["-mode", f"user={USER}", "password=Guess1"],
                      ["-credentials-file", self.credentials("Guess1")]):
            run = self.write(*words, status=1)
            self.one_error_line(run, "AuthenticationException", self.node, "incorrect")
            self.assertNotIn("Guess1", run.stdout + run.stderr)
            self.assertLess(run.seconds, 5)
        self.one_error_line(self.write(status=1), "AuthenticationException", "user=", "password=")

    def test_what_is_not_allowed_fails_operation_by_operation(self):
        self.client.run(f"CREATE TABLE {self.keyspace}.standard1 (key blob PRIMARY KEY, \"C0\" "
                        "blob, \"C1\" blob, \"C2\" blob, \"C3\" blob, \"C4\" blob)")
        self.one_error_line(self.as_worker(status=1), "UNAUTHORIZED", USER)
        self.allow("SELECT")
        profile = self.file("p.yaml", (
            f"keyspace: {self.keyspace}\ntable: standard1\nqueries: {{}}\n"))
        run = self.cstress(
            "user", f"profile={profile}", "ops(insert=1)", "n=20", "no-warmup", "-errors", "ignore",
            "retries=1", "-rate", "threads=2", "-node", self.node, "-mode", f"user={USER}",
            f"password={PASSWORD}")
        self.assertIn("# failed operations by class: UnauthorizedException 20", run.step.extra)
        self.assertIn("Error executing: (UnauthorizedException): User worker has no MODIFY",
                      run.stderr)

    def test_a_permission_taken_away_ends_the_run(self):
        self.client.run(f"CREATE TABLE {self.keyspace}.t (id int PRIMARY KEY, v int)")
        self.allow("SELECT", "MODIFY")
        profile = self.file("p.yaml", f"keyspace: {self.keyspace}\ntable: t\nqueries: {{}}\n")
        run = self.start("user", f"profile={profile}", "ops(insert=1)", "duration=60s",
                         "no-warmup", "-rate", "threads=2", "throttle=200/s", "-log",
                         "interval=200ms", "-node", self.node, "-mode", f"user={USER}",
                         f"password={PASSWORD}")
        run.wait_for_rows(2)
        self.client.run(f"REVOKE MODIFY ON KEYSPACE {self.keyspace} FROM {USER}")
        run.wait(40)
        self.assertEqual((run.status, run.lines[-1]), (1, "FAILURE"), run.report())
        self.one_error_line(run, "UnauthorizedException", "Operation x10")

    def guarded(self, definition, spec, *words):
        """Inserts by the worker, whom guardrails hold (they let a superuser pass)."""
        self.client.run(f"CREATE TABLE {self.keyspace}.t {definition}")
        self.allow("SELECT", "MODIFY")
        profile = self.file("p.yaml", (f"keyspace: {self.keyspace}\ntable: t\ncolumnspec: {spec}\n"
                                       "queries: {}\n"))
        run = self.cstress("user", f"profile={profile}", "ops(insert=1)", "n=5", "no-warmup",
                           "-errors", "ignore", "retries=1", "-rate", "threads=1", "-node",
                           self.node, "-mode", f"user={USER}", f"password={PASSWORD}")
        self.assertIn("# failed operations by class: InvalidQueryException 5", run.step.extra)
        for word in words:
            self.assertIn(word, run.stderr, run.report())

    def test_a_value_above_the_guardrail(self):
        self.guarded("(id int PRIMARY KEY, v text)", "[{name: v, size: fixed(2000)}]",
                     "Guardrail column_value_size violated")

    def test_a_collection_above_the_guardrail(self):
        self.guarded("(id int PRIMARY KEY, v frozen<list<int>>)", "[{name: v, size: fixed(11)}]",
                     "Guardrail items_per_collection violated")


if __name__ == "__main__":
    story.main()
