"""The responder as other programs see it: our own runs and the Python driver against it."""

import re
import signal
import socket

import story


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Responder(story.Story):
    def serve(self, *words):
        """A responder of three nodes; its first address."""
        port = free_port()
        nodes = ",".join(f"127.0.0.{number}:{port}" for number in (1, 2, 3))
        self.server = self.start("responder", f"listen={nodes}", *words)
        story.wait_until(lambda: self.server.stdout.count("listening on") == 3
                         or self.server.process.poll() is not None, "the responder")
        return f"127.0.0.1:{port}"

    def end(self):
        """What it tells when it is stopped: words to numbers."""
        self.server.send(signal.SIGINT)
        self.server.wait()
        self.assertEqual(self.server.status, 0, self.server.report())
        return {name: int(number)
                for number, name in re.findall(r"(\d+) (\w+)", self.server.stdout)}

    def words(self, node, *more):
        return ["write", "n=20000", "no-warmup", "cl=ONE", "-rate", "threads=16", "-schema",
                "replication(factor=3)", "-node", node, *more]

    def test_takes_each_operation_once(self):
        node = self.serve()
        for mode in (("compression=lz4",), ("protocolVersion=4", "compression=snappy")):
            run = self.good(*self.words(node, "-mode", "native", "cql3", *mode))
            self.assertEqual(run.step.total["Total errors"], 0, run.report())
        profile = self.users()
        run = self.good("user", f"profile={profile}", "n=5000", "ops(insert=1)", "no-warmup",
                        "-rate", "threads=16", "-node", node)
        inserts = run.step.last("total")["total ops"]
        self.assertEqual(self.end()["statements"], 40000 + inserts)

    def test_the_python_driver_finds_its_way(self):
        host, port = self.serve().split(":")
        client = story.Client([host, "127.0.0.2", "127.0.0.3"], port=int(port))
        self.addCleanup(client.close)
        metadata = client.cluster.metadata
        self.assertEqual({node.address for node in metadata.all_hosts()},
                         {"127.0.0.1", "127.0.0.2", "127.0.0.3"})
        self.assertIn("standard1", metadata.keyspaces["keyspace1"].tables)
        insert = client.session.prepare('INSERT INTO keyspace1.standard1 (key, "C0") VALUES (?, ?)')
        client.session.execute(insert, (b"k", b"v"))
        self.assertEqual(self.end()["statements"], 1)

    def test_every_operation_ends_when_it_misbehaves(self):
        node = self.serve("delay=exp(100..3000)", "errors=overloaded:0.01,write_timeout:0.005",
                          "dropped=0.0005", "stall-every=700", "stall=200")
        run = self.cstress(*self.words(node, "-errors", "ignore", "retries=0"))
        told = self.end()
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


if __name__ == "__main__":
    story.main()
