"""`-mode mysql` when things go wrong: locks, deadlocks, tables of others, requests that are too large, certificates."""

import tempfile
import unittest
from pathlib import Path

import story

import mariadb_server as mariadb

KV = ("-schema", "table=kv")
WAITING = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"
PACKET = 1 << 20


@unittest.skipUnless(mariadb.is_here(), "there is no MariaDB")
class MysqlFaults(story.Story):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        keys = tempfile.TemporaryDirectory()
        cls.addClassCleanup(keys.cleanup)
        cls.keys = Path(keys.name)
        mariadb.make_keys(cls.keys)
        cls.server = mariadb.Server(f"--max-allowed-packet={PACKET}", "--innodb-lock-wait-timeout=100",
                                    f"--ssl-ca={cls.keys / 'ca.pem'}", f"--ssl-key={cls.keys / 'server.key'}",
                                    f"--ssl-cert={cls.keys / 'server.crt'}")
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        super().setUp()
        self.server.ask("DROP DATABASE IF EXISTS keyspace1")

    def mode(self, user=mariadb.USER, host="127.0.0.1"):
        return ["-mode", "mysql", f"user={user}", f"password={mariadb.PASSWORD}",
                f"port={self.server.port}", "requestTimeout=100000", "-node", host]

    def fill(self, *args):
        self.good("write", "n=200", "no-warmup", "-rate", "threads=4", *args, *self.mode())

    def write_locked(self, lock, *args):
        """A run that meets row 7 held by another, which goes on by lock() when the run waits for it."""
        run = self.start("write", "n=20", "no-warmup", *KV, "-rate", "threads=4", *args, *self.mode())
        story.wait_until(lambda: self.server.number(WAITING) or run.process.poll() is not None, "a lock")
        lock(run)
        return run.wait()

    def test_a_lock_that_is_held_too_long_is_tried_again(self):
        self.fill(*KV)
        self.server.ask("SET GLOBAL innodb_lock_wait_timeout = 1")
        self.addCleanup(self.server.ask, "SET GLOBAL innodb_lock_wait_timeout = 100")
        other = mariadb.Talk(self.server, "keyspace1")
        self.addCleanup(other.close)

        def let_go(run):
            story.wait_until(lambda: "Lock wait timeout exceeded" in run.stderr, "a time-out")
            other.say("ROLLBACK")

        other.say("BEGIN; UPDATE kv SET value = 'held' WHERE `key` = 7")
        run = self.write_locked(let_go, "-errors", "retries=100")
        self.assertEqual(run.status, 0, run.report())
        self.assertEqual(run.step.total["Total errors"], 0)
        self.assertRegex(run.stdout, r"(?m)^# \d+ attempts were retries$")
        other.say("BEGIN; UPDATE kv SET value = 'held' WHERE `key` = 7")
        run = self.write_locked(let_go, "-errors", "retries=0")
        self.assertEqual(run.status, 1, run.report())
        self.assertIn("# failed operations by class: WriteTimeoutException 1", run.lines)
        self.assertIn("(WriteTimeoutException): Lock wait timeout exceeded", run.stdout)

    def test_a_deadlock_is_counted_as_what_it_is(self):
        """The other shares row 7 and has changed much; when it wants the row for itself, the run is given up."""
        self.fill(*KV)
        for args, status, errors in ((("retries=9",), 0, 0), (("retries=0", "ignore"), 0, 1)):
            other = mariadb.Talk(self.server, "keyspace1")
            self.addCleanup(other.close)

            def want_it_alone(run, other=other):
                other.say("UPDATE kv SET value = 'mine' WHERE `key` = 7")
                story.wait_until(lambda: "Deadlock found" in run.stderr, "a deadlock")
                other.say("ROLLBACK")

            other.say("BEGIN; UPDATE kv SET value = 'x' WHERE `key` > 100")
            other.say("SELECT 1 FROM kv WHERE `key` = 7 LOCK IN SHARE MODE")
            run = self.write_locked(want_it_alone, "-errors", *args)
            self.assertEqual(run.status, status, run.report())
            self.assertEqual(run.step.total["Total errors"], errors, run.report())
            self.assertIn("DeadlockException: Deadlock found", run.stderr)
            if errors:
                self.assertIn("# failed operations by class: DeadlockException 1", run.lines)
                self.assertEqual(run.book().failed, 1)

    def test_values_up_to_the_largest_packet(self):
        for size in (17000, 70000, PACKET - 100):
            self.server.ask("DROP DATABASE IF EXISTS keyspace1")
            args = ("-col", f"size=FIXED({size})", *KV, "-rate", "threads=2")
            self.good("write", "n=4", "no-warmup", *args, *self.mode())
            self.assertEqual(self.server.ask("SELECT COUNT(*), MIN(LENGTH(value)) FROM keyspace1.kv"),
                             [["4", str(size)]])
            read = self.good("read", "n=4", "no-warmup", "-pop", "seq=1..4", *args, *self.mode())
            self.assertEqual(read.step.total["Total errors"], 0, read.report())
        run = self.cstress("write", "n=4", "no-warmup", "-col", f"size=FIXED({PACKET + 1})", *KV, "-rate",
                           "threads=2", "-errors", "retries=0", *self.mode(), status=1)
        self.assertIn(f"max_allowed_packet of {PACKET}", run.stderr)

    def test_names_in_other_scripts(self):
        args = ("-schema", "keyspace=данные", "-col", "names=größe,b")
        self.addCleanup(self.server.ask, "DROP DATABASE IF EXISTS `данные`")
        self.fill(*args)
        self.assertEqual(self.server.number("SELECT COUNT(*) FROM `данные`.standard1"
                                            " WHERE LENGTH(`größe`) = 34"), 200)
        run = self.good("read", "n=200", "no-warmup", "-pop", "seq=1..200", "-rate", "threads=4", *args,
                        *self.mode())
        self.assertEqual(run.step.total["Total errors"], 0, run.report())

    def test_tables_of_others(self):
        columns = "`key` VARBINARY(10) PRIMARY KEY"
        blobs = ", ".join(f"C{i} VARBINARY(34)" for i in range(5))
        for table, words in (("id INT PRIMARY KEY", "has no column 'C0'"),
                             (f"{columns}, {blobs.replace('C0 VARBINARY(34)', 'C0 INT')}",
                              "(InvalidQueryException): Incorrect integer value"),
                             (f"{columns}, {blobs}, more INT NOT NULL",
                              "(InvalidQueryException): Field 'more' doesn't have a default value")):
            self.server.ask("DROP DATABASE IF EXISTS keyspace1; CREATE DATABASE keyspace1;"
                            f"CREATE TABLE keyspace1.standard1 ({table})")
            run = self.cstress("write", "n=2", "no-warmup", "-rate", "threads=1", "-errors", "retries=0",
                               *self.mode(), status=1)
            self.assertIn(words, run.stderr, run.report())
        run = self.cstress("write", "n=2", *self.mode(host="nosuch.invalid"), status=1)
        self.one_error_line(run, "Unknown server host 'nosuch.invalid'")

    def test_reads_of_a_mix_are_validated(self):
        self.fill()
        self.server.ask("UPDATE keyspace1.standard1 SET C1 = REVERSE(C1)")
        run = self.good("mixed", "ratio(read=1)", "n=100", "no-warmup", "-pop", "seq=1..200", "-rate",
                        "threads=4", "-errors", "ignore", "retries=0", *self.mode())
        self.assertEqual(run.step.total["Total errors"], 100, run.report())
        self.assertIn("# differences found: other value 100", run.stdout)

    def test_encrypted_connections(self):
        """Accounts that want them, with and without a certificate of the client; stores that are refused."""
        for user, wants in (("tls", "SSL"), ("known", "X509")):
            self.server.ask(f"CREATE USER '{user}'@'%' IDENTIFIED BY '{mariadb.PASSWORD}' REQUIRE {wants};"
                            f"GRANT ALL ON *.* TO '{user}'@'%'")
        trust, other = f"truststore={self.keys / 'ca.pem'}", f"truststore={self.keys / 'other.pem'}"
        own = f"keystore={self.keys / 'client.pem'}"
        for user, words in (("tls", [trust]), ("tls", [trust, "ssl-protocol=TLSv1.2"]),
                            ("tls", [trust, "ssl-protocol=TLSv1.3"]), ("known", [trust, own])):
            run = self.good("write", "n=200", "no-warmup", "-rate", "threads=16", "-transport", *words,
                            *self.mode(user))
            self.assertEqual(run.step.total["Total errors"], 0, run.report())
        elsewhere = self.mode("tls", "localhost")
        self.good("write", "n=10", "no-warmup", "-rate", "threads=2", "-transport", trust,
                  "hostname-verification=false", *elsewhere)
        for mode, words, why in ((self.mode("tls"), [], "Access denied"),
                                 (self.mode("known"), [trust], "Access denied"),
                                 (self.mode("tls"), [other], "certificate"),
                                 (self.mode("tls"), [other, "hostname-verification=false"], "certificate"),
                                 (elsewhere, [trust], "SSL"),
                                 (self.mode("tls"), [f"truststore={self.keys / 'client.p12'}"], "no PEM file"),
                                 (self.mode("tls"), [f"truststore={self.keys / 'none'}"], "cannot read")):
            args = ["-transport", *words] if words else []
            self.one_error_line(self.cstress("write", "n=2", *args, *mode, status=1), why)


if __name__ == "__main__":
    story.main()
