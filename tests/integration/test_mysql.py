"""`-mode mysql` on a MariaDB of the story's own, and the same table in Cassandra beside it."""

import json
import re
import signal
import unittest

import story

import mariadb_server as mariadb

STATS = re.compile(r"/\* stats start \*/\s*stats = (.*);\s*/\* stats end \*/", re.S)
KV = ("-schema", "table=kv")
SIZE = ("-col", "size=FIXED(500)")


@unittest.skipUnless(mariadb.is_here(), "there is no MariaDB")
class Mysql(story.Story):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = mariadb.Server()
        cls.addClassCleanup(cls.server.close)
        cls.mode = ["-mode", "mysql", f"user={mariadb.USER}", f"password={mariadb.PASSWORD}",
                    f"port={cls.server.port}", "-node", "127.0.0.1"]

    def setUp(self):
        super().setUp()
        self.server.ask("DROP DATABASE IF EXISTS keyspace1")

    def mysql(self, *args, **more):
        return self.good(*args, *self.mode, **more)

    def check_errors(self, run, count=0):
        self.assertEqual(run.step.total["Total errors"], count, run.report())

    def connections(self):
        """How many there have been since the server came up."""
        return self.server.number("SELECT variable_value FROM information_schema.global_status "
                                  "WHERE variable_name = 'Connections'")

    def test_standard_rows_are_written_and_read(self):
        before = self.connections()
        run = self.mysql("write", "n=4000", "no-warmup", "-rate", "threads=64")
        self.check_errors(run)
        self.assertIn("Connected to MariaDB ", run.stdout)
        self.assertIn("\n# measured on MariaDB ", run.stdout)
        self.assertNotIn(mariadb.PASSWORD, run.stdout + run.stderr)
        after = self.connections()
        # 64 of the run, one for the tables, one or two of the client that asks.
        self.assertGreaterEqual(after - before, 65)
        self.assertLessEqual(after - before, 67)
        self.assertEqual(self.server.ask(
            "SELECT COUNT(*), COUNT(DISTINCT `key`), MIN(LENGTH(C0)), MAX(LENGTH(C4)), "
            "MIN(LENGTH(`key`)) FROM keyspace1.standard1"), [["4000", "4000", "34", "34", "10"]])
        for more in ([], ["-col", "slice"]):
            self.check_errors(self.mysql("read", "n=4000", "no-warmup", "-pop", "seq=1..4000",
                                         "-rate", "threads=64", *more))
        self.check_errors(self.mysql("mixed", "n=2000", "no-warmup", "-pop", "seq=1..4000", "-rate",
                                     "threads=8", "-loops", "count=2"))
        self.check_truncated()

    def check_truncated(self):
        self.mysql("write", "n=10", "no-warmup", "truncate=once", "-rate", "threads=2")
        self.assertEqual(self.server.number("SELECT COUNT(*) FROM keyspace1.standard1"), 10)

    def test_both_databases_hold_the_same_rows(self):
        self.client.drop("keyspace1")
        self.addCleanup(self.client.drop, "keyspace1")
        page = f"file={self.folder / 'both.html'}"
        cassandra = ["-mode", "native", "cql3", "-node", self.node]
        for name, where in (("Cassandra", cassandra), ("MariaDB", self.mode)):
            for command in (["write"], ["read", "-pop", "seq=1..3000"]):
                run = self.good(command[0], "n=3000", "no-warmup", *KV, *SIZE, "-rate", "threads=16",
                                *command[1:], "-graph", page, f"revision={name}", *where)
                self.check_errors(run)
        want = {row["key"]: row["value"] for row in
                self.client.run("SELECT key, value FROM keyspace1.kv")}
        found = {int(key): bytes.fromhex(value).decode() for key, value in
                 self.server.ask("SELECT `key`, HEX(value) FROM keyspace1.kv")}
        self.assertEqual(sorted(want), list(range(1, 3001)))
        self.assertEqual(found, want)
        records = json.loads(STATS.search((self.folder / "both.html").read_text())[1])["stats"]
        self.assertEqual([(one["revision"], one["test"]) for one in records],
                         [("Cassandra", "WRITE"), ("Cassandra", "READ"), ("MariaDB", "WRITE"),
                          ("MariaDB", "READ")])
        self.assertNotIn(mariadb.PASSWORD, (self.folder / "both.html").read_text())
        self.check_differences()

    def check_differences(self):
        self.server.ask("UPDATE keyspace1.kv SET value = CONCAT('x', SUBSTR(value, 2)) "
                        "WHERE `key` = 7; DELETE FROM keyspace1.kv WHERE `key` = 8")
        run = self.mysql("read", "n=10", "no-warmup", *KV, *SIZE, "-pop", "seq=1..10", "-rate",
                         "threads=1", "-errors", "ignore", "retries=0")
        self.check_errors(run, 2)
        self.assertIn("# differences found: missing row 1, other value 1", run.stdout)

    def test_counters_add_up(self):
        for _ in range(2):
            self.check_errors(self.mysql("counter_write", "n=300", "no-warmup", "add=fixed(3)",
                                         "-rate", "threads=4"))
        self.check_errors(self.mysql("counter_read", "n=300", "no-warmup", "-pop", "seq=1..300",
                                     "-rate", "threads=4"))
        self.assertEqual(self.server.ask("SELECT COUNT(*), MIN(C0), SUM(C4) FROM keyspace1.counter1"),
                         [["300", "6", "1800"]])

    def test_a_socket_a_rate_and_a_ramp(self):
        where = ["-mode", "mysql", f"user={mariadb.USER}", f"password={mariadb.PASSWORD}",
                 f"socket={self.server.socket}"]
        self.check_errors(self.good("write", "n=500", "no-warmup", "-rate", "threads=4", *where))
        paced = self.good("read", "n=500", "no-warmup", "-pop", "seq=1..500", "-rate", "threads=4",
                          "fixed=1000/s", *where)
        self.assertGreater(paced.seconds, 0.45)
        self.assertIn("# response time", paced.stdout)
        ramp = self.good("read", "n=500", "no-warmup", "-pop", "seq=1..500", "-rate", "threads>=4",
                         "threads<=8", *where)
        self.assertEqual(len(ramp.steps), 2)
        self.assertIn("Improvement over 4 threadCount", ramp.stdout)

    def test_it_says_why_it_cannot(self):
        wrong = [word.replace(mariadb.PASSWORD, "wrong") for word in self.mode]
        for words, args in ((("Access denied", "1045"), ["write", "n=1", *wrong]),
                            (("127.0.0.1:1", "connect"),
                             ["write", "n=1", *(w if not w.startswith("port=") else "port=1"
                                                for w in self.mode)]),
                            (("table keyspace1.standard1 does not exist",),
                             ["read", "n=1", *self.mode]),
                            (("300 connections are needed", "Too many connections"),
                             ["write", "n=1000", "no-warmup", "-rate", "threads=300", *self.mode])):
            self.one_error_line(self.cstress(*args, status=1), *words)
        self.mysql("write", "n=10", "no-warmup", "-rate", "threads=2")
        long = self.cstress("write", "n=10", "no-warmup", "-col", "size=FIXED(90)", "-rate",
                            "threads=1", "-errors", "retries=0", *self.mode, status=1)
        self.assertIn("(InvalidQueryException): Data too long", long.stdout)

    def test_a_crash_loses_nothing_that_was_answered(self):
        run = self.start("write", "duration=60s", "no-warmup", "-rate", "threads=8", "-pop",
                         "seq=1..100000000", "-errors", "ignore", *self.mode)
        run.wait_for_rows(1)
        self.server.kill()
        story.wait_until(lambda: "NoHostAvailableException" in run.stdout + run.stderr, "refused")
        self.server.start()
        rows = len(run.rows())
        run.wait_for_rows(rows + 2)
        run.send()
        run.wait()
        classes = re.search(r"# failed operations by class: (.*)", run.stdout)
        self.assertIn("NoHostAvailableException", classes[1] if classes else "", run.report())
        # A write without an answer may have been done.
        book = run.book()
        self.assertGreater(book.unknown, 0, run.report())
        found = self.server.number("SELECT COUNT(*) FROM keyspace1.standard1")
        self.assertGreaterEqual(found, book.acknowledged)
        self.assertLessEqual(found, book.acknowledged + book.unknown)

    def test_a_server_that_hangs_is_timed_out(self):
        run = self.start("write", "duration=60s", "no-warmup", "-rate", "threads=4", "-errors",
                         "ignore", *self.mode[:-2], "requestTimeout=200", *self.mode[-2:])
        run.wait_for_rows(1)
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            story.wait_until(lambda: "OperationTimedOutException" in run.stdout + run.stderr,
                             "a time-out")
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        run.wait_for_rows(len(run.rows()) + 2)
        run.send()
        run.wait()
        self.assertIn("Results:", run.lines)

    def test_hosts_share_the_connections(self):
        """Two names of one server, and a host that is down."""
        hosts = f"127.0.0.1,localhost:{self.server.port}"
        run = self.good("write", "n=1000", "no-warmup", "-rate", "threads=8", *self.mode[:-1], hosts)
        self.check_errors(run)
        shares = re.search(r"# requests per node.*", run.stdout)[0]
        self.assertIn(f"127.0.0.1:{self.server.port}", shares)
        self.assertIn(f"localhost:{self.server.port}", shares)
        run = self.good("write", "n=1000", "no-warmup", "-rate", "threads=8", *self.mode[:-1],
                        "127.0.0.1:1,127.0.0.1")
        self.check_errors(run)
        self.assertIn("notice: 127.0.0.1:1: Can't connect", run.stderr)

    def test_a_crash_ends_a_run_that_ignores_nothing(self):
        run = self.start("write", "duration=60s", "no-warmup", "-rate", "threads=8", *self.mode)
        run.wait_for_rows(1)
        self.server.kill()
        self.addCleanup(self.server.start)
        run.wait()
        self.assertEqual(run.status, 1, run.report())
        self.assertIn("FAILURE", run.lines)
        self.assertIn("Operation x10 on key(s)", run.stdout)


if __name__ == "__main__":
    story.main()
