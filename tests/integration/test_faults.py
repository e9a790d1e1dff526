"""Faults that no real server can be told to have, and the account of every operation.

In all of them the run neither hangs nor crashes, and what was started is what was acknowledged,
failed or is unknown. tests/README.md says where the other kinds of fault have their stories.
"""

import json
import os
import random
import signal
import socket
import struct
import threading
import time

import story
from answering_proxy import READ_ERRORS, Answer, ByKey, text
from faulty_proxy import CrowdedProxy, FaultyProxy, Half, SlowProxy
from recording_proxy import RESULT
from responder_kit import HOST, ResponderStory, free_port

ROWS, ONE_BLOB = 2, struct.pack(">ii", 1, 1) + text("ks") + text("t") + text("c") + b"\0\3"
# Sizes and counts that are not those of what follows them; all are read from the body.
LIES = {
    "two thousand million rows": struct.pack(">i", ROWS) + ONE_BLOB + struct.pack(">i", 2 ** 31 - 1),
    "a negative count of rows": struct.pack(">i", ROWS) + ONE_BLOB + struct.pack(">i", -5),
    "a negative count of columns": struct.pack(">iii", ROWS, 1, -1),
    "more columns than bytes": struct.pack(">iii", ROWS, 1, 2 ** 30),
    "a cell longer than the rest": (struct.pack(">i", ROWS) + ONE_BLOB
                                    + struct.pack(">ii", 1, 1 << 30) + b"x"),
    "a name longer than the rest": struct.pack(">iii", ROWS, 1, 1) + b"\xff\xff" + b"ks",
    "a paging state longer than the rest": struct.pack(">iiii", ROWS, 2, 1, 2 ** 31 - 1),
    "less than a kind": b"\0\0",
}


class StrangeServer:
    """Says the same to whoever connects, and hangs up."""

    def __init__(self, says):
        self.says = says
        self.listener = socket.create_server((HOST, 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            with peer:
                peer.recv(4096)
                peer.sendall(self.says)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


class Faults(ResponderStory):
    def words(self, port, command="write", threads=8, mode=("protocolVersion=4",), size=None):
        return [command, size or "n=2000", "no-warmup", "cl=ONE", "-rate", f"threads={threads}",
                "-mode", "native", "cql3", *mode, "-node", f"{HOST}:{port}"]

    def ignore(self, *words):
        return ["-errors", "ignore", "retries=0", *words]

    def broken_by(self, verdicts, command="write", size=50):
        """One request at a time; the first keys get these verdicts, all others are answered."""
        port = self.serve()
        with FaultyProxy(HOST, ByKey(verdicts), target=port) as proxy:
            run = self.good(*self.words(proxy.port, command, threads=1, size=f"n={size}",
                                        mode=("protocolVersion=4", "connectionsPerHost=1",
                                              "requestTimeout=300")),
                            *self.ignore("skip-read-validation"), "-pop", "seq=1..1000")
        return run.book()

    # ---- the connection ----

    def test_a_reset_in_the_middle_of_a_frame(self):
        verdicts = [Half(reset=True, bytes_sent=sent) for sent in (1, 5, 9, 11, 72)]
        book = self.broken_by(verdicts)
        self.assertEqual((book.started, book.failed, book.unknown), (50, 0, 5))

    def test_half_a_frame_and_then_silence(self):
        book = self.broken_by([Half(bytes_sent=sent) for sent in (4, 9, 12)])
        # The connection is given up with the first time-out, not after many.
        self.assertEqual((book.started, book.failed, book.unknown), (50, 0, 3))

    def test_lengths_that_lie(self):
        verdicts = [Answer(body, RESULT) for body in LIES.values()]
        book = self.broken_by([*verdicts, READ_ERRORS["OverloadedException"]], "read")
        self.assertEqual((book.started, book.failed, book.unknown), (50, 1, len(LIES)))

    def test_frames_whose_checksums_are_wrong(self):
        port = self.serve("broken=0.001")
        for version in (5, 4):
            run = self.good(*self.words(port, mode=(f"protocolVersion={version}",
                                                    "requestTimeout=300"), size="n=3000"),
                            *self.ignore())
            self.assertEqual(run.book().started, 3000)
        self.assertGreater(self.told()["broken"], 0)

    def large(self, proxy, threads, *words):
        """Requests of 400 kB, more than sockets hold."""
        return [*self.words(proxy.port, threads=threads, size=words[0],
                            mode=("protocolVersion=4", "connectionsPerHost=1",
                                  "requestTimeout=1500")), "-col", "size=fixed(80000)", *words[1:]]

    def test_a_peer_that_stops_reading_for_a_while(self):
        port = self.serve()
        with SlowProxy(HOST, port, 4 << 20) as proxy:
            run = self.start(*self.large(proxy, 40, "n=150"))
            story.wait_until(proxy.full.is_set, "a full send buffer")
            time.sleep(0.8)  # the fault itself, not a wait for a condition
            proxy.go.set()
            run.wait(30)
        self.assertEqual((run.status, run.lines[-1]), (0, "END"), run.report())
        self.assertEqual(run.book().acknowledged, 150)
        self.assertGreater(run.step.total["Latency max"], 700)
        self.assertEqual(self.told()["statements"], 150)

    def test_a_peer_that_never_reads_again(self):
        port = self.serve()
        with SlowProxy(HOST, port, 4 << 20) as proxy:
            run = self.cstress(*self.large(proxy, 40, "duration=3s", *self.ignore()), timeout=30)
        book = run.book()
        self.assertGreaterEqual(book.unknown + book.failed, 40, run.report())

    def test_refused_and_unreachable(self):
        port, closed = self.serve(), free_port()
        for bad in (f"{HOST}:{closed}", "240.0.0.1"):
            run = self.cstress("write", "n=10", "-node", bad, status=1, timeout=30)
            self.one_error_line(run, bad.split(":")[0])
            run = self.good("write", "n=100", "no-warmup", "-rate", "threads=2", "-node",
                            f"{bad},{HOST}:{port}", timeout=30)
            self.assertEqual(run.book().acknowledged, 100)

    def test_a_node_whose_queue_of_connections_is_full(self):
        with socket.create_server((HOST, 0), backlog=0) as deaf:
            address = deaf.getsockname()
            waiting = []
            for _ in range(4):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex(address)
                waiting.append(one)
            run = self.cstress("write", "n=10", "-node", f"{HOST}:{address[1]}", status=1,
                               timeout=30)
            for one in waiting:
                one.close()
        self.one_error_line(run, HOST)

    def test_a_peer_of_another_trade(self):
        """Who listens at a wrong port is named, and for TLS the option of the name we are called by."""
        write, sbk, stress = (["write", "n=10", "-node"], ["-class", "cassandra", "-writers", "1",
                              "-size", "10", "-records", "10", "-node"], ["-n", "10", "-d"])
        alert = b"\x15\x03\x03\0\x02\x02\x46"
        for words, link, says, told in (
                (write, "cstress", b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak CQL but HTTP"),
                (write, "cstress", b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak CQL but SSH"),
                (write, "cstress", b"\x1b[31m220 mail\r\n", "its first bytes are '\\x1b[31m220 mail"),
                (write, "cstress", alert, "give -transport truststore="),
                (sbk, "sbk", alert, "give -ssl"),
                (stress, "stress", alert, "give --truststore")):
            with self.subTest(says=says, link=link), StrangeServer(says) as server:
                name = self.folder / link
                if not name.exists():
                    name.symlink_to(os.path.abspath(story.PROGRAM))
                port = ["-port", str(server.port)] if link == "sbk" else []
                port = ["-p", str(server.port)] if link == "stress" else port
                node = HOST if port else f"{HOST}:{server.port}"
                run = self.start(*words, node, *port, program=(str(name),)).wait(30)
                self.assertEqual(run.status, 1, run.report())
                self.assertIn(told, run.stderr, run.report())
                self.assertNotIn("\x1b", run.stderr)

    def test_statements_that_are_forgotten(self):
        """They are prepared again; by a server that never learns each fails, and no loop is run."""
        profile = self.users()  # ten rows a batch
        one_row = [("fixed(10)", "fixed(1)")]
        for rows, replace in (("batches", []), ("single rows", one_row)):
            with self.subTest(rows=rows):
                profile = self.users(replace=replace)
                words = ["user", f"profile={profile}", "n=500", "ops(insert=1)", "no-warmup", "-rate",
                         "threads=4", "-errors", "ignore", "retries=20", "-node"]
                port = self.serve("errors=unprepared:0.5")
                run = self.good(*words, f"{HOST}:{port}")
                self.assertEqual(run.step.total["Total errors"], 0, run.report())
                self.assertGreater(self.told()["errors"], 5)
                port = self.serve("errors=unprepared:1")
                run = self.cstress(*words, f"{HOST}:{port}", timeout=60)
                book = run.book()
                self.assertEqual((book.acknowledged, book.failed), (0, book.started), run.report())
                self.assertIn("UnpreparedException", run.stdout)

    def test_a_limit_of_connections(self):
        port = self.serve()
        for mode in (("protocolVersion=4",), ("protocolVersion=4", "connectionsPerHost=8")):
            with CrowdedProxy(HOST, port, 3) as proxy:
                run = self.cstress(*self.words(proxy.port, threads=512, mode=mode,
                                               size="n=20000"), *self.ignore(), timeout=30)
                self.assertEqual(run.book().acknowledged, 20000, run.report())

    # ---- the server ----

    def test_all_nodes_gone_and_back(self):
        port = self.serve()
        run = self.start("write", "duration=8s", "no-warmup", "cl=ONE", "-rate", "threads=16",
                         "throttle=2000/s", *self.ignore(), "-log", "interval=200ms", "-node",
                         f"{HOST}:{port}")
        run.wait_for_rows(3)
        self.server.send(signal.SIGKILL)
        self.server.wait()
        # Nothing may have been in flight: requests then wait for a node to come back.
        self.serve(port=port)
        run.wait(30)
        self.assertEqual((run.status, run.lines[-1]), (0, "END"), run.report())
        book = run.book()
        self.assertLessEqual(book.failed + book.unknown, 16)
        self.assertGreater(book.acknowledged, 2000, run.report())
        self.assertEqual(run.step.last("total")["errors"], 0, "all is well again")

    def test_many_connections_are_lost_and_come_back(self):
        port = self.serve()
        run = self.start("write", "duration=300s", "no-warmup", "cl=ONE", "-rate", "threads=600",
                         "throttle=3000/s", "-mode", "native", "cql3", "protocolVersion=4",
                         "connectionsPerHost=300", *self.ignore("failures=f.jsonl"), "-log",
                         "interval=200ms", "-node", f"{HOST}:{port}")
        run.wait_for_rows(2)
        self.server.send(signal.SIGKILL)
        self.server.wait()
        self.serve(port=port)
        run.wait_for_rows(len(run.rows()) + 5)
        run.send()
        run.wait(30)
        book = run.book()
        self.assertEqual(run.step.last("total")["errors"], 0, "all is well again")
        self.assertGreater(book.acknowledged, 1000, run.report())
        named = [json.loads(line) for line in (self.folder / "f.jsonl").read_text().splitlines()]
        self.assertEqual(len(named), book.failed + book.unknown, run.report())
        self.assertEqual(sum(line["outcome"] == "failed" for line in named), book.failed)
        self.assertEqual(self.told()["connections"], 301)

    def test_nothing_is_dropped_when_the_server_stalls(self):
        port = self.serve("stall-every=900", "stall=400")
        run = self.good("write", "n=4000", "no-warmup", "cl=ONE", "-rate", "threads=16",
                        "fixed=2000/s", "poisson", "-node", f"{HOST}:{port}")
        self.assertIn("  Arrivals: poisson", run.lines)
        self.assertEqual((run.book().acknowledged, self.told()["statements"]), (4000, 4000))
        figures = {line.split(" ")[1]: line for line in run.step.extra if " time (" in line}
        for name in ("service", "response"):
            longest = float(figures[name].rsplit(" ", 2)[1])
            self.assertTrue(380 < longest, run.report())
        # What was due in a stall and could not even begin is late, not left out.
        late = next(line for line in run.step.extra if "began more than 1 ms late" in line)
        count = int(late.split(" ")[1].replace(",", ""))
        self.assertTrue(400 < count < 4000, late)
        self.assertEqual(late.split(" ")[3], "4,000")

    def test_an_older_server(self):
        """The newest version that both speak; a typed one is never left."""
        for newest in (3, 4):
            port = self.serve(f"protocolVersion={newest}")
            run = self.good("write", "n=100", "no-warmup", "-rate", "threads=2", "-node",
                            f"{HOST}:{port}")
            self.assertEqual((run.book().acknowledged, self.told()["statements"]), (100, 100))
            port = self.serve(f"protocolVersion={newest}")
            run = self.cstress("write", "n=100", "-mode", "native", "cql3", "protocolVersion=5",
                               "-node", f"{HOST}:{port}", status=1)
            self.one_error_line(run, "supported versions are")

    # ---- ourselves ----

    def test_a_signal_at_any_moment(self):
        port = self.serve("delay=uniform(50..3000)")
        delays = random.Random(6)
        acknowledged = started = 0
        for _ in range(30):
            run = self.start(*self.words(port, threads=20, size="n=10M"))
            time.sleep(delays.uniform(0, 0.35))  # the moment is what is tested
            run.send(signal.SIGINT)
            began = time.monotonic()
            run.wait(10)
            self.assertLess(time.monotonic() - began, 3, run.report())
            self.assertIn(run.status, (130, -signal.SIGINT), run.report())
            if run.steps and run.step.total:
                self.assertEqual(run.lines[-2:], ["Incomplete: interrupted", ""], run.report())
                book = run.book()
                acknowledged += book.acknowledged
                started += book.started
        self.assertGreater(acknowledged, 0)
        received = self.told()["statements"]
        self.assertTrue(acknowledged <= received <= started + 30 * 20,
                        f"{acknowledged} {received} {started}")

    def test_a_disk_that_is_full(self):
        port = self.serve()
        # A limit of the size of files does to a page what a full disk does.
        limit = ["/usr/bin/env", "--ignore-signal=XFSZ", "prlimit", f"--fsize={1 << 16}"]
        for option, limits, reason, runs in (
                (("-log", "file=/dev/full"), [], "No space left on device", True),
                (("-log", "hdrfile=/dev/full"), [], "No space left on device", False),
                (("-graph", "file=g.html"), limit, "File too large", True)):
            with self.subTest(option=option):
                run = self.start(*self.words(port), *option,
                                 program=(*limits, story.PROGRAM)).wait(30)
                self.assertEqual(run.status, 1, run.report())
                self.one_error_line(run, option[1].split("=")[1], reason)
                # What is measured is not lost with the copy of it.
                if runs:
                    self.assertEqual(run.book().acknowledged, 2000)


if __name__ == "__main__":
    story.main()
