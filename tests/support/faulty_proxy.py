"""Proxies that break connections as networks and busy peers do, before any server."""

import socket
import struct
import threading
from dataclasses import dataclass

from answering_proxy import HEADER, Answer, AnsweringProxy
from recording_proxy import RESULT, Proxy

RESET_AT_ONCE = struct.pack("ii", 1, 0)


@dataclass
class Half(Answer):
    """The first bytes of an answer; then the connection is reset, or nothing comes any more."""
    body: bytes = struct.pack(">i", 1) + bytes(60)
    opcode: int = RESULT
    reset: bool = False
    bytes_sent: int = HEADER + 2


class FaultyProxy(AnsweringProxy):
    """As AnsweringProxy, and its judge may say Half."""

    def reply(self, answer, stream, client, lock):
        if not isinstance(answer, Half):
            super().reply(answer, stream, client, lock)
            return
        frame = struct.pack(">BBhBi", 0x84, 0, stream, answer.opcode, len(answer.body))
        lock.acquire()  # kept: whatever the node says, nothing follows
        client.sendall((frame + answer.body)[:answer.bytes_sent])
        if answer.reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_AT_ONCE)
            client.close()
            raise ConnectionError


class SlowProxy(Proxy):
    """Reads nothing from clients while `go` is not set, from the given number of bytes on."""

    def __init__(self, address, target, from_byte):
        self.from_byte, self.taken = from_byte, 0
        self.go, self.full = threading.Event(), threading.Event()
        super().__init__(address, target)
        # What the kernel holds for a peer that does not read must not be everything.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)

    def take(self, talk, side, data, source, target):
        if side == "client":
            self.taken += len(data)
            if self.taken > self.from_byte:
                self.full.set()
                self.go.wait()
        target.sendall(data)

    def close(self):
        self.go.set()
        super().close()


class CrowdedProxy(Proxy):
    """Takes so many connections at once and closes each one more."""

    def __init__(self, address, target, limit):
        self.limit, self.open, self.refused = limit, 0, 0
        self.lock = threading.Lock()
        super().__init__(address, target)

    def pump(self, talk, side, source, target):
        if side == "node":
            super().pump(talk, side, source, target)
            return
        with self.lock:
            crowded = self.open >= self.limit
            self.refused += crowded
            self.open += not crowded
        if crowded:
            self.shut(source, target)
            return
        super().pump(talk, side, source, target)
        with self.lock:
            self.open -= 1
