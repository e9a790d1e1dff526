"""Shards as ScyllaDB has them, played by the responder: requests go to the shard of their partition, whatever becomes of
the port that lets the client choose it."""

import re
import socket
import subprocess

import story
from responder_kit import HOST, ResponderStory, free_port

ROWS = 20000
SHARDS = 4
LINE = re.compile(r"# requests to the shard of their partition: ([\d,]+) of ([\d,]+) \(([\d.]+)%\)")


class Shards(ResponderStory):
    def ring(self, *words, hosts=(HOST,)):
        port = free_port()
        nodes = ",".join(f"{host}:{port}" for host in hosts)
        self.server = self.start("responder", f"listen={nodes}", *words)
        story.wait_until(lambda: self.server.stdout.count("listening on") == len(hosts)
                         or self.server.process.poll() is not None, "the responder")
        return f"{hosts[0]}:{port}"

    def write(self, node, *mode):
        mode = ("-mode", *mode) if mode else ()
        return self.good("write", f"n={ROWS}", "no-warmup", "cl=ONE", "-rate", "threads=16",
                         "-node", node, *mode)

    def shares(self, run):
        """Right and known of the report's line; None without one."""
        found = [LINE.match(line) for line in run.lines if LINE.match(line)]
        return tuple(int(found[0][i].replace(",", "")) for i in (1, 2)) if found else None

    def all_right(self, run):
        self.assertEqual(self.shares(run), (ROWS, ROWS), run.report())
        told = self.told()
        self.assertEqual((told["right"], told["wrong"]), (ROWS, 0), self.server.report())
        return told

    def test_each_request_reaches_the_shard_of_its_partition(self):
        node = self.ring(f"shards={SHARDS}", f"shard-aware-port={free_port()}",
                         hosts=("127.0.0.1", "127.0.0.2", "127.0.0.3"))
        told = self.all_right(self.write(node))
        # The shards of three nodes, and those who ask what it offers, look at the cluster and define the tables.
        self.assertLessEqual(told["connections"], 3 * SHARDS + 3)

    def test_its_port_for_tls(self):
        keys = self.folder / "keys.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", "/CN=responder", "-addext",
                        "subjectAltName=IP:127.0.0.1,IP:127.0.0.2", "-keyout", "key.pem", "-out", "cert.pem"],
                       cwd=self.folder, check=True, capture_output=True)
        keys.write_text(self.folder.joinpath("key.pem").read_text() + self.folder.joinpath("cert.pem").read_text())
        for port in (f"shard-aware-port={free_port()}", f"shard-aware-port={free_port()}/refused"):
            node = self.ring(f"shards={SHARDS}", port, f"keystore={keys}", hosts=("127.0.0.1", "127.0.0.2"))
            run = self.good("write", f"n={ROWS}", "no-warmup", "cl=ONE", "-rate", "threads=16", "-node", node,
                            "-transport", f"truststore={self.folder / 'cert.pem'}")
            told = self.all_right(run)
            if "/refused" not in port:
                self.assertLessEqual(told["connections"], 2 * SHARDS + 3)

    def test_without_its_port_chance_finds_the_shards(self):
        for port in ((), (f"shard-aware-port={free_port()}/refused",),
                     (f"shard-aware-port={free_port()}/shifted",)):
            node = self.ring(f"shards={SHARDS}", *port)
            self.all_right(self.write(node, "native", "cql3"))

    def test_connections_are_spread_over_shards(self):
        node = self.ring(f"shards={SHARDS}", f"shard-aware-port={free_port()}")
        told = self.all_right(self.write(node, "connectionsPerHost=8"))
        self.assertGreaterEqual(told["connections"], 8 + 1)
        self.assertLessEqual(told["connections"], 8 + 3)

    def test_it_can_be_switched_off(self):
        node = self.ring(f"shards={SHARDS}", f"shard-aware-port={free_port()}")
        run = self.write(node, "noShards")
        self.assertIsNone(self.shares(run), run.report())
        self.assertGreater(self.told()["wrong"], 0)

    def test_a_server_without_shards_is_not_asked_again(self):
        node = self.ring()
        run = self.write(node)
        self.assertIsNone(self.shares(run), run.report())
        self.assertNotIn("wrong", self.told())

    def test_addresses_of_version_6(self):
        try:
            with socket.socket(socket.AF_INET6) as s:
                s.bind(("::1", 0))
        except OSError:
            self.skipTest("this machine has no ::1")
        node = self.ring(f"shards={SHARDS}", f"shard-aware-port={free_port()}", hosts=("[::1]",))
        self.all_right(self.write(node))


if __name__ == "__main__":
    story.main()
