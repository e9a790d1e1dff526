"""The pure parts of the server kit: addresses, files, protocol bytes, processes."""

import argparse
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from cassandra_kit import (addresses, cluster, commands, cql, jars, jvm, keys,  # noqa: E402
                           nodetool, places, roots, settings, versions)
from cassandra_kit.errors import Interrupted, KitError  # noqa: E402
from cassandra_kit.java import Java  # noqa: E402
from cassandra_kit.process import Process  # noqa: E402
from cassandra_kit.terminal import Signals  # noqa: E402


class Versions(unittest.TestCase):
    def test_reads_releases_and_lines(self):
        for text, want in (("5.0.9", ("5.0.9", "5.0")), ("4.1", ("4.1.10", "4.1")),
                           ("6.0-alpha2", ("6.0-alpha2", "6.0"))):
            with self.subTest(text):
                version = versions.parse(text)
                self.assertEqual((version.text, version.line), want)

    def test_refuses_what_is_no_release(self):
        for text in ("", "5", "newest", "5.0.9/../x", "2.1.22"):
            with self.subTest(text), self.assertRaises(KitError):
                versions.parse(text)

    def test_only_4_on_java_17_needs_the_agent(self):
        for text, java, want in (("4.1", 17, True), ("4.0", 11, False), ("5.0", 17, False)):
            with self.subTest(text):
                self.assertEqual(versions.needs_jamm_agent(versions.parse(text), java), want)


class Addresses(unittest.TestCase):
    def test_counts_up_from_the_first(self):
        self.assertEqual(addresses.expand(["127.0.0.1"], 3),
                         ["127.0.0.1", "127.0.0.2", "127.0.0.3"])
        self.assertEqual(addresses.expand(["127.0.0.5", "127.0.0.1"], 2),
                         ["127.0.0.5", "127.0.0.1"])

    def test_refuses_what_does_not_fit(self):
        for given, count in ((["10.0.0.1"], 1), (["127.0.0.1", "127.0.0.2"], 3), (["here"], 1)):
            with self.subTest(given), self.assertRaises(KitError):
                addresses.expand(given, count)

    def test_a_reserved_address_is_taken_until_it_is_released(self):
        first, second = addresses.Reservation(), addresses.Reservation()
        self.assertTrue(first.take("127.0.250.99"))
        self.assertFalse(second.take("127.0.250.99"))
        first.release()
        self.assertTrue(second.take("127.0.250.99"))
        second.release()

    def test_skips_a_range_whose_port_is_in_use(self):
        with socket.socket() as busy, mock.patch("random.randrange", return_value=41):
            busy.bind(("127.0.42.2", addresses.CQL_PORT))
            busy.listen()
            reservation = addresses.Reservation()
            found = addresses.reserve([], 3, False, reservation)
            reservation.release()
        self.assertNotIn("127.0.42.2", found)
        self.assertEqual(len(set(found)), 3)


    def test_a_port_in_use_is_an_error_unless_others_will_do(self):
        with socket.socket() as busy:
            busy.bind(("127.0.250.98", addresses.STORAGE_PORT))
            busy.listen()
            reservation = addresses.Reservation()
            self.addCleanup(reservation.release)
            with self.assertRaisesRegex(KitError, "port 7000 is in use"):
                addresses.reserve(["127.0.250.98"], 1, False, reservation)
            reservation.release()
            self.assertNotEqual(addresses.reserve(["127.0.250.98"], 1, True, reservation),
                                ["127.0.250.98"])


class Settings(unittest.TestCase):
    def yaml(self, version, **extra):
        layout = cluster.Layout("x", version, "tests", "1g", ["127.0.0.1", "127.0.0.2", "127.0.0.3"])
        layout.spread()
        text = settings.yaml(versions.parse(version), "tests", "name", layout.place(1),
                             Path("/run/x"), extra)
        return text.splitlines()

    def test_spreads_the_ring(self):
        self.assertEqual(settings.tokens([3]),
                         [-9223372036854775808, -3074457345618258603, 3074457345618258602])

    def test_each_data_centre_is_spread_over_the_ring(self):
        self.assertEqual(settings.tokens([2, 1]), [-2 ** 63, 0, -2 ** 63 + 100])
        self.assertEqual(settings.seats([3, 1], 2),
                         ["dc1:rack1", "dc1:rack2", "dc1:rack1", "dc2:rack1"])
        self.assertEqual(settings.rackdc("dc2:rack1"), "dc=dc2\nrack=rack1\n")

    def test_a_new_node_halves_the_largest_range(self):
        for taken, want in (([-2 ** 63, 0], -2 ** 62), ([-2 ** 63, -2 ** 62, 0], 2 ** 62),
                            ([2 ** 62], -2 ** 62), ([-2 ** 62, 2 ** 62], 0)):
            with self.subTest(taken):
                self.assertEqual(settings.token_between(taken), want)

    def test_a_node_that_joins_takes_its_data_from_the_first_ones(self):
        layout = cluster.Layout("x", "5.0.9", "tests", "1g", ["127.0.0.1", "127.0.0.2"], racks=2)
        layout.spread()
        layout.addresses.append("127.0.0.3")
        layout.tokens.append(5)
        layout.seats.append("dc1:rack2")
        layout.gone.append(1)
        lines = settings.yaml(versions.parse("5.0"), "tests", "name", layout.place(2), Path("/x"),
                              {}).splitlines()
        for line in ("auto_bootstrap: true", "initial_token: '5'", "listen_address: 127.0.0.3",
                     "endpoint_snitch: GossipingPropertyFileSnitch",
                     "      - seeds: '127.0.0.2'"):
            self.assertIn(line, lines)

    def test_lifts_the_limits_and_allows_views(self):
        lines = self.yaml("5.0")
        self.assertIn("native_transport_max_request_data_in_flight_per_ip: 1024MiB", lines)
        self.assertIn("materialized_views_enabled: true", lines)
        self.assertIn("listen_address: 127.0.0.2", lines)
        self.assertIn("initial_token: '-3074457345618258603'", lines)
        self.assertIn("      - seeds: '127.0.0.1,127.0.0.2,127.0.0.3'", lines)

    def test_speaks_the_old_names_to_old_releases(self):
        lines = self.yaml("4.0")
        self.assertIn("native_transport_max_concurrent_requests_in_bytes: 1073741824", lines)
        self.assertIn("enable_materialized_views: true", lines)
        self.assertIn("commitlog_segment_size_in_mb: 16", lines)
        self.assertIn("write_request_timeout_in_ms: 10000", lines)

    def test_what_was_asked_for_wins(self):
        lines = self.yaml("5.0", write_request_timeout="2s")
        self.assertEqual([line for line in lines if line.startswith("write_request_timeout")],
                         ["write_request_timeout: 2s"])


class Keys(unittest.TestCase):
    def test_a_node_with_tls_still_takes_plain_connections(self):
        for client_auth, want in ((False, "require_client_auth: false"),
                                  (True, "require_client_auth: true")):
            text = keys.options(Path("/it's/tls"), client_auth)
            self.assertIn("optional: true", text)
            self.assertIn(want, text)
            self.assertIn("keystore: '/it''s/tls/node.p12'", text)


class Command(unittest.TestCase):
    def runtime(self, version, java, archive="/nowhere/x.jsa"):
        return jvm.Runtime(versions.parse(version), Java("/usr/bin/java", "", java),
                           [Path("/c/a.jar"), Path("/c/jamm-0.3.2.jar")], Path(archive), [])

    def test_never_runs_unsafe(self):
        # A killed node must find its schema again.
        for purpose in ("tests", "load"):
            command = self.runtime("5.0", 17).command(purpose, "384m", Path("/run/x"), [])
            self.assertFalse([word for word in command if "unsafesystem" in word])

    def test_benchmarks_compile_fully(self):
        command = self.runtime("5.0", 17).command("load", "1g", Path("/run/x"), [])
        self.assertIn("-Xms1g", command)
        self.assertNotIn("-XX:TieredStopAtLevel=1", command)

    def test_an_archive_is_used_made_or_left_alone(self):
        with tempfile.NamedTemporaryFile() as archive:
            there = self.runtime("5.0", 17, archive.name)
            self.assertIn("-Xshare:auto", there.archive_flags("tests", Path("/d"), True))
        missing = self.runtime("5.0", 17)
        self.assertEqual(missing.archive_flags("tests", Path("/d"), True),
                         ["-XX:ArchiveClassesAtExit=/d"])
        for runtime, purpose, may_train in ((missing, "tests", False), (missing, "load", True),
                                            (self.runtime("5.0", 11), "tests", True),
                                            (self.runtime("4.1", 17), "tests", True)):
            self.assertEqual(runtime.archive_flags(purpose, Path("/d"), may_train), [])

    def test_3_11_needs_one_more_artifact(self):
        self.assertIn("cassandra-thrift", jars.pom(versions.parse("3.11")))
        self.assertNotIn("cassandra-thrift", jars.pom(versions.parse("5.0")))


class Growth(unittest.TestCase):
    def test_reads_nodes_per_data_centre(self):
        for text, want in (("1", [1]), ("3", [3]), ("2,2", [2, 2])):
            self.assertEqual(commands._counts(text), want)
        for text in ("", "0", "2,", "-1", "4,3", "two", "1.5"):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                commands._counts(text)

    def test_a_node_that_has_left_is_no_node(self):
        layout = cluster.Layout("x", "5.0.9", "tests", "1g", ["127.0.0.1", "127.0.0.2"], gone=[1])
        left = cluster.Cluster(layout)
        self.assertEqual([node.number for node in left.nodes], [2])
        with self.assertRaisesRegex(KitError, "node 1: the nodes of cluster 'x' are 2"):
            left.node(1)

    def test_asks_java_in_its_own_words(self):
        self.assertEqual(nodetool.request("a b"), b"1\0jcmd\0a b\0\0\0")


class Places(unittest.TestCase):
    def test_a_cluster_name_is_no_path(self):
        for name in ("", "..", "a/b", ".locks", "-x", "a" * 49):
            with self.subTest(name), self.assertRaises(KitError):
                places.cluster_folder(name)

    def test_the_environment_moves_both_folders(self):
        with mock.patch.dict(os.environ, {"CSTRESS_RUN": "/r", "CSTRESS_CACHE": "/c"}):
            self.assertEqual(places.cluster_folder("one"), Path("/r/one"))
            self.assertEqual(places.cache_folder(), Path("/c"))


class Roots(unittest.TestCase):
    def wrapper(self, mounts, user=0):
        """The wrapper where these lists of mount points are seen, one after the other."""
        with mock.patch.object(roots, "_mount_points", side_effect=mounts), \
                mock.patch("os.geteuid", return_value=user), \
                mock.patch("subprocess.run", return_value=mock.Mock(returncode=0)) as run:
            return roots.wrapper(), [call.args[0][0] for call in run.call_args_list]

    def test_an_ordinary_system_needs_none(self):
        self.assertEqual(self.wrapper([["/proc", "/"]]), ([], []))

    def test_a_plain_chroot_is_bound_once_more(self):
        wrapper, _ = self.wrapper([["/proc"]] * 3)
        self.assertEqual(wrapper[:2], ["unshare", "--mount"])

    def test_a_mount_that_shows_outside_is_taken_back(self):
        with self.assertRaisesRegex(KitError, "not a mount point"):
            self.wrapper([["/proc"], ["/proc"], ["/proc", roots.PLACE]])

    def test_others_than_root_are_told(self):
        with self.assertRaisesRegex(KitError, "mount --bind"):
            self.wrapper([["/proc"]], user=1000)


class Protocol(unittest.TestCase):
    @staticmethod
    def rows(count, kind=2, flags=1, columns=1):
        names = b"".join(struct.pack(">H", len(name)) + name
                         for name in (b"system", b"peers_v2", b"peer"))
        return struct.pack(">III", kind, flags, columns) + names + struct.pack(">HI", 0x10, count)

    def test_counts_rows(self):
        self.assertEqual(cql.row_count(self.rows(2)), 2)
        self.assertEqual(cql.row_count(self.rows(0)), 0)

    def test_refuses_other_results(self):
        for body in (self.rows(2, kind=1), self.rows(2, flags=0), self.rows(2, columns=2)):
            with self.assertRaises(cql.ProtocolError):
                cql.row_count(body)

    def start_against(self, *answers):
        """start() before a server that gives these answers (opcode, body); what it was asked."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        client = socket.create_connection(listener.getsockname())
        server = listener.accept()[0]
        self.addCleanup(server.close)
        for opcode, body in answers:
            server.sendall(struct.pack(">BBhBI", 0x84, 0, 0, opcode, len(body)) + body)
        connection = cql.Connection.__new__(cql.Connection)
        connection._socket = client
        with connection:
            connection.start()
        return server.recv(1 << 16)

    def test_logs_in_where_it_is_asked_to(self):
        self.assertNotIn(b"cassandra", self.start_against((cql.READY, b"")))
        asked = self.start_against((cql.AUTHENTICATE, struct.pack(">H", 1) + b"P"),
                                   (cql.AUTH_SUCCESS, struct.pack(">i", -1)))
        self.assertTrue(asked.endswith(struct.pack(">I", 20) + b"\0cassandra\0cassandra"))
        for answers in ([(cql.ERROR, b"no")], [(cql.AUTHENTICATE, b""), (cql.ERROR, b"no")]):
            with self.assertRaises(cql.ProtocolError):
                self.start_against(*answers)

    def test_nothing_listens_means_not_ready(self):
        self.assertFalse(cql.answers_options("127.0.251.77"))


class Processes(unittest.TestCase):
    def setUp(self):
        self.child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        self.addCleanup(self.end)

    def end(self):
        self.child.kill()
        self.child.wait()

    def test_finds_it_again_by_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "process.json"
            Process.of(self.child.pid).save(path)
            self.assertTrue(Process.load(path).is_running())
            path.write_text("{")
            self.assertIsNone(Process.load(path))

    def test_another_process_of_the_same_pid_is_left_alone(self):
        own = Process.of(self.child.pid)
        for other in (Process(own.pid, own.start_ticks + 1, own.boot),
                      Process(own.pid, own.start_ticks, "another boot")):
            self.assertFalse(other.signal(signal.SIGKILL))
        self.assertTrue(own.is_running())

    def test_a_zombie_is_gone(self):
        own = Process.of(self.child.pid)
        self.assertTrue(own.signal(signal.SIGKILL))
        self.assertTrue(own.wait_gone(20))


class Held(unittest.TestCase):
    def test_a_signal_waits_for_the_end_of_what_is_held(self):
        signals = Signals()
        steps = []
        with self.assertRaises(Interrupted):
            with signals.hold():
                signals._arrived(signal.SIGINT, None)
                steps.append("whole")
        self.assertEqual(steps, ["whole"])


if __name__ == "__main__":
    unittest.main()
