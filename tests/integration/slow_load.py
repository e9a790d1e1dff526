"""Ten million operations in the memory of the first: against a server that costs nothing, so that it takes
seconds. The same on a real Cassandra, with fewer rows, is in test_load.py."""

import os
import pathlib
import random
import socket
import subprocess
import time

import story
import test_load


def free_address():
    """A loopback address on which nobody listens at the CQL port."""
    for _ in range(100):
        address = f"127.{random.randint(1, 250)}.{random.randint(1, 250)}.{random.randint(1, 250)}"
        with socket.socket() as probe:
            try:
                probe.bind((address, 9042))
                return address
            except OSError:
                continue
    raise RuntimeError("no free loopback address")


def answers(address):
    with socket.socket() as probe:
        return probe.connect_ex((address, 9042)) == 0


class TenMillion(test_load.LoadStory):
    def setUp(self):
        super().setUp()
        program = pathlib.Path(os.environ["CSTRESS"]).parent / "bench" / "nullserver"
        self.node = free_address()
        self.server = subprocess.Popen([program, "-a", self.node], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        while not answers(self.node):
            self.assertIsNone(self.server.poll(), "the null server ended")
            time.sleep(0.02)

    def test_memory_does_not_grow_in_ten_million(self):
        self.check_memory("10M", 600)


if __name__ == "__main__":
    story.main()
