"""The responder as other programs see it: our own runs and the Python driver against it."""

import os
import re
import signal

import story
from cassandra import AuthenticationFailed, InvalidRequest, Unavailable
from cassandra.cluster import NoHostAvailable
from cassandra.query import BatchStatement, SimpleStatement
from responder_kit import ResponderStory, free_port

CENTRES = ("/dc1/r1", "/dc1/r2", "/dc2/r1")


class Responder(ResponderStory):
    def ring(self, *words, places=("", "", "")):
        """A responder of three nodes; its first address."""
        port = free_port()
        self.addresses = [f"127.0.0.{number}" for number in (1, 2, 3)]
        nodes = ",".join(f"{address}:{port}{place}"
                         for address, place in zip(self.addresses, places, strict=True))
        self.server = self.start("responder", f"listen={nodes}", *words)
        story.wait_until(lambda: self.server.stdout.count("listening on") == 3
                         or self.server.process.poll() is not None, "the responder")
        return f"127.0.0.1:{port}"

    def driver(self, node, **how):
        client = story.Client(self.addresses, port=int(node.split(":")[1]), **how)
        self.addCleanup(client.close)
        return client

    def words(self, node, *more):
        return ["write", "n=20000", "no-warmup", "cl=ONE", "-rate", "threads=16", "-schema",
                "replication(factor=3)", "-node", node, *more]

    def test_takes_each_operation_once(self):
        node = self.ring()
        for mode in (("compression=lz4",), ("protocolVersion=4", "compression=snappy")):
            run = self.good(*self.words(node, "-mode", "native", "cql3", *mode))
            self.assertEqual(run.step.total["Total errors"], 0, run.report())
        profile = self.users()
        run = self.good("user", f"profile={profile}", "n=5000", "ops(insert=1)", "no-warmup",
                        "-rate", "threads=16", "-node", node)
        inserts = run.step.last("total")["total ops"]
        self.assertEqual(self.told()["statements"], 40000 + inserts)

    def test_every_operation_ends_when_it_misbehaves(self):
        node = self.ring("delay=exp(100..3000)", "errors=overloaded:0.01,write_timeout:0.005",
                         "dropped=0.0005", "stall-every=700", "stall=200")
        run = self.cstress(*self.words(node, "-errors", "ignore", "retries=0"))
        told = self.told()
        self.assertEqual(run.step.total["Total partitions"], 20000, run.report())
        self.assertEqual(run.book().started, 20000)
        self.assertGreater(told["errors"], 0)
        self.assertGreaterEqual(told["stalls"], 1)
        failed = sum(int(number.replace(",", ""))
                     for number in re.findall(r"(?:OverloadedException|WriteTimeoutException) "
                                              r"([\d,]+)", self.classes(run)))
        # Answers that a dropped connection took along are lost with it.
        self.assertLessEqual(failed, told["errors"])
        self.assertGreaterEqual(failed, told["errors"] - 16 * told["dropped"])

    def classes(self, run):
        lines = [line for line in run.lines if "failed operations by class" in line]
        self.assertEqual(len(lines), 1, run.report())
        return lines[0]

    # ---- the Python driver ----

    def test_the_python_driver_sees_a_ring(self):
        node = self.ring("tokens=4", places=CENTRES)
        metadata = self.driver(node).cluster.metadata
        self.assertEqual({(host.address, host.datacenter, host.rack) for host in metadata.all_hosts()},
                         {("127.0.0.1", "dc1", "r1"), ("127.0.0.2", "dc1", "r2"),
                          ("127.0.0.3", "dc2", "r1")})
        self.assertEqual(len(metadata.token_map.ring), 12)
        self.assertIn("standard1", metadata.keyspaces["keyspace1"].tables)

    def test_the_python_driver_reads_what_it_wrote(self):
        node = self.ring("stored=8m", "user=me", "password=secret")
        client = self.driver(node, login=("me", "secret"))
        run, session = client.run, client.session
        run("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}")
        run("CREATE TABLE k.t (a int, b text, c list<int>, s text static, PRIMARY KEY (a, b))")
        insert = session.prepare("INSERT INTO k.t (a, b, c, s) VALUES (?, ?, ?, ?)")
        for number in range(50):
            session.execute(insert, (number % 5, f"b{number}", [number, 1], f"s{number % 5}"))
        rows = list(session.execute(SimpleStatement("SELECT * FROM k.t", fetch_size=7)))
        self.assertEqual(sorted(row["b"] for row in rows), sorted(f"b{n}" for n in range(50)))
        self.assertEqual(run("SELECT count(*) FROM k.t WHERE a = 2"), [{"count": 10}])
        self.assertEqual(run("INSERT INTO k.t (a, b) VALUES (0, 'b5') IF NOT EXISTS"),
                         [{"[applied]": False, "a": 0, "b": "b5", "c": [5, 1], "s": "s0"}])
        batch = BatchStatement()
        batch.add(insert, (9, "x", None, "nine"))
        batch.add("DELETE FROM k.t WHERE a = 0")
        session.execute(batch)
        select = session.prepare("SELECT * FROM k.t WHERE a = ?")
        self.assertEqual(list(session.execute(select, (0,))), [])
        run("ALTER TABLE k.t ADD d int")
        self.assertEqual(list(session.execute(select, (9,))),
                         [{"a": 9, "b": "x", "c": None, "d": None, "s": "nine"}])
        self.assertIn("d", client.cluster.metadata.keyspaces["k"].tables["t"].columns)
        with self.assertRaisesRegex(InvalidRequest, "Undefined column name q"):
            run("SELECT q FROM k.t")

    def test_who_does_not_know_the_password_stays_outside(self):
        node = self.ring("user=me", "password=secret")
        with self.assertRaises(NoHostAvailable) as refused:
            self.driver(node, login=("me", "guess"))
        for error in refused.exception.errors.values():
            self.assertIsInstance(error, AuthenticationFailed)
            self.assertIn("me and/or password are incorrect", str(error))
        run = self.cstress(*self.words(node, "-mode", "user=me", "password=guess"), status=1)
        self.one_error_line(run, "AuthenticationException", "incorrect")
        run = self.good(*self.words(node, "-mode", "user=me", "password=secret"))
        self.assertEqual(run.book().acknowledged, 20000)

    def test_the_python_driver_follows_the_script(self):
        pipe = self.folder / "script"
        os.mkfifo(pipe)
        node = self.ring(f"script={pipe}")
        client = self.driver(node)
        metadata = client.cluster.metadata
        with open(pipe, "w", encoding="ascii") as script:
            def say(*lines):
                script.write("".join(f"{line}\n" for line in lines))
                script.flush()

            def see(condition, what):
                story.wait_until(condition, what, 30)

            say("cql CREATE TABLE keyspace1.later (a int PRIMARY KEY)")
            see(lambda: "later" in metadata.keyspaces["keyspace1"].tables, "a table of another client")
            say("leave 3")
            see(lambda: len(metadata.all_hosts()) == 2, "a node that leaves")
            say("join 3")
            see(lambda: len(metadata.all_hosts()) == 3, "a node that joins")
            say("down 2")
            see(lambda: not metadata.get_host("127.0.0.2", int(node.split(":")[1])).is_up, "a node down")
            say("up 2")
            see(lambda: metadata.get_host("127.0.0.2", int(node.split(":")[1])).is_up, "a node up")
            say("errors unavailable:1", "cql DROP TABLE keyspace1.later")
            see(lambda: "later" not in metadata.keyspaces["keyspace1"].tables, "a table dropped")
            with self.assertRaises(Unavailable):
                client.run("SELECT * FROM keyspace1.standard1")

    def test_a_node_that_flaps_and_one_that_moves_take_no_operation_along(self):
        script = self.folder / "flaps"
        script.write_text("wait 800\n" + 6 * "down 2\nwait 150\nup 2\nwait 150\nmove 3\n",
                          encoding="ascii")
        node = self.ring(f"script={script}", "tokens=4")
        run = self.good("write", "duration=5s", "no-warmup", "cl=ONE", "-rate", "threads=16",
                        "fixed=2000/s", "-schema", "replication(factor=2)", "-node", node, "-errors",
                        "ignore")
        book = run.book()
        self.assertEqual(book.started, book.acknowledged + book.failed + book.unknown, run.report())
        self.assertGreater(book.acknowledged, 9000, run.report())
        shares = next(line for line in run.lines if line.startswith("# requests per node"))
        for address in self.addresses:
            self.assertRegex(shares, rf"{address}:\d+ [1-9]", run.report())
        self.assertFalse([line for line in run.lines if " left after " in line], run.report())

    # ---- our own reads ----

    def test_our_reads_and_validation_find_what_was_written(self):
        node = self.ring("stored=64m")
        self.good(*self.words(node))
        for command in (["read"], ["mixed", "ratio(write=1,read=3)"]):
            run = self.good(*command, *self.words(node)[1:], "-pop", "seq=1..20000")
            self.assertEqual(run.book().acknowledged, 20000, run.report())
        profile = self.users()
        words = ["-rate", "threads=8", "-node", node, "-pop", "seq=1..300"]
        self.good("user", f"profile={profile}", "n=300", "ops(insert=1)", "no-warmup", *words)
        run = self.good("user", f"profile={profile}", "n=300", "ops(validate=1)", "no-warmup", *words)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(run.step.last("total")["total ops"], 300)
        # An empty server has nothing of it: the reads do look. One that keeps nothing says so.
        for words, told in ((["stored=64m"], "responder,"), ([], "responder (rows are made up, stored= keeps")):
            self.server.send(signal.SIGINT)
            self.server.wait()
            run = self.cstress("read", "n=100", "no-warmup", "cl=ONE", "-rate", "threads=4", "-node",
                               self.ring(*words), status=1)
            self.one_error_line(run, "Failed to execute stress action")
            self.assertIn(f"Connected to cluster: {told}", run.stdout)


if __name__ == "__main__":
    story.main()
