"""The program as `cmake --install` leaves it, under each of its names, against the responder."""

import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BUILD = os.environ["CSTRESS_BUILD"]
CMAKE = os.environ["CSTRESS_CMAKE"]
HOST = "127.0.0.1"


def free_port():
    with socket.socket() as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


class Install(unittest.TestCase):
    def setUp(self):
        root = tempfile.TemporaryDirectory()
        self.addCleanup(root.cleanup)
        self.root = pathlib.Path(root.name)
        self.bin = self.root / "usr" / "bin"
        self.man = self.root / "usr" / "share" / "man" / "man1"

    def install(self, *words):
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", "/usr", *words], check=True, capture_output=True,
                       env={**os.environ, "DESTDIR": str(self.root)})

    def run_name(self, name, *args, status=0):
        done = subprocess.run([self.bin / name, *args], capture_output=True, text=True, timeout=60, cwd=self.root,
                              check=False)
        self.assertEqual(done.returncode, status, f"{name} {args}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def serve(self):
        """The responder out of the installed folder; its port."""
        port = free_port()
        server = subprocess.Popen([self.bin / "cstress", "responder", f"listen={HOST}:{port}"], cwd=self.root,
                                  stdout=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.send_signal, signal.SIGINT)
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection((HOST, port)).close()
                return port
            except ConnectionRefusedError:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)

    def test_names_that_no_other_program_has_are_installed(self):
        self.install()
        self.assertEqual(sorted(path.name for path in self.bin.iterdir()), ["cassandra-stress", "cstress", "sbk"])
        self.assertEqual(sorted(path.name for path in self.man.iterdir()),
                         ["cassandra-stress.1", "cstress.1", "sbk.1"])
        for path in (*self.bin.iterdir(), *self.man.iterdir()):
            self.assertTrue(path.is_file(), path)  # no link leads nowhere, or out of the folder
            self.assertIn(self.root, path.resolve().parents)
        self.assertIn("SBK Version", self.run_name("sbk", "-version"))
        self.assertIn("cstress", self.run_name("cassandra-stress", "version"))

    def test_each_name_runs_as_that_program(self):
        self.install()
        self.install("--component", "old_names")
        self.assertTrue((self.bin / "stress.py").is_symlink())
        port = str(self.serve())
        lines = self.run_name("stress", "-d", HOST, "-p", port, "-n", "200", "-t", "4").splitlines()
        self.assertIn("total,interval_op_rate,interval_key_rate,avg_latency,elapsed_time", lines)
        self.assertEqual((lines[-2].split(",")[0], lines[-1]), ("200", "END"))
        lines = self.run_name("stress.py", "--nodes", HOST, "--port", port, "--num-keys=100").splitlines()
        self.assertEqual(lines[-2].split(",")[0], "100")
        lines = self.run_name("sbk", "-class", "cassandra", "-node", HOST, "-port", port, "-writers", "2", "-size",
                              "10", "-records", "100").splitlines()
        self.assertTrue(any(line.startswith("Total : Cassandra Writing        100 records,") for line in lines), lines)
        lines = self.run_name("cassandra-stress", "write", "n=100", "no-warmup", "-rate", "threads=4", "-node", HOST,
                              "-port", f"native={port}").splitlines()
        self.assertEqual(lines[-1], "END")
        for name, ask, words in (("stress", "--help", "Usage: ./bin/stress [options]"),
                                 ("stress.py", "-h", "--num-keys=NUM-KEYS"), ("sbk", "-help", "usage: sbk -out"),
                                 ("cassandra-stress", "help", "---Commands---")):
            self.assertIn(words, self.run_name(name, ask), name)


if __name__ == "__main__":
    unittest.main()
