"""A proxy between cstress and a node that writes down what is asked, and how.

It forwards bytes as they come and decodes a copy: frames of protocol 3 and 4, and
the uncompressed segments of protocol 5. Nothing is changed, with one exception:
with `hide_peers` the table system.peers_v2 is answered as unknown, so that a client
takes its peers from system.peers and their port from the one it connected to - that
is how several proxies on one port stand before several nodes.
"""

import socket
import struct
import threading
import time
from dataclasses import dataclass, field

QUERY, PREPARE, EXECUTE, BATCH = 0x07, 0x09, 0x0A, 0x0D
ERROR, READY, AUTHENTICATE, RESULT = 0x00, 0x02, 0x03, 0x08
NAMES = {0x01: "STARTUP", 0x05: "OPTIONS", QUERY: "QUERY", PREPARE: "PREPARE",
         EXECUTE: "EXECUTE", 0x0B: "REGISTER", BATCH: "BATCH", 0x0F: "AUTH_RESPONSE"}
LEVELS = ["ANY", "ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL",
          "LOCAL_SERIAL", "LOCAL_ONE"]
VALUES, PAGE_SIZE, PAGING_STATE = 0x01, 0x04, 0x08
SERIAL, TIMESTAMP, NAMED = 0x10, 0x20, 0x40
PREPARED_KIND = 4


@dataclass
class Request:
    """What one frame asked for."""
    kind: str
    version: int
    text: str = None  # of a query; of an execute: the text that was prepared
    level: str = None
    serial: str = None
    timestamp: int = None
    page_size: int = None
    values: list = field(default_factory=list)
    batch_type: str = None
    statements: list = field(default_factory=list)  # texts of a batch
    connection: int = 0
    at: float = 0  # time.monotonic() when it came by


class Cut(Exception):
    """A frame that is shorter than it says."""


class Body:
    """Reads the notations of the native protocol."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Cut
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, form):
        return struct.unpack(">" + form, self.take(struct.calcsize(">" + form)))[0]

    def long_string(self):
        return self.take(self.number("i")).decode(errors="replace")

    def short_bytes(self):
        return self.take(self.number("H"))

    def value(self):
        size = self.number("i")
        return self.take(size) if size >= 0 else None

    def values(self, named):
        found = []
        for _ in range(self.number("H")):
            if named:
                self.short_bytes()
            found.append(self.value())
        return found


class Conversation:
    """One connection: the bytes of both directions, and what they mean."""

    def __init__(self, recorder, number):
        self.recorder, self.number = recorder, number
        self.prepares = {}  # stream to text
        self.framed = False  # protocol 5 after its STARTUP
        self.buffers = {"client": b"", "node": b""}
        self.payloads = {"client": b"", "node": b""}

    def feed(self, side, data):
        """Decodes what is complete."""
        self.buffers[side] += data
        while True:
            if self.framed:
                self.unpack_segments(side)
                name = "payloads"
            else:
                name = "buffers"
            frame = self.cut_frame(getattr(self, name), side)
            if frame is None:
                return
            self.frame(side, *frame)

    def unpack_segments(self, side):
        """Moves whole segments to the payload: header 3 + CRC 3, payload, CRC 4."""
        while len(self.buffers[side]) >= 6:
            buffer = self.buffers[side]
            size = int.from_bytes(buffer[:3], "little") & 0x1FFFF
            if len(buffer) < 6 + size + 4:
                return
            self.payloads[side] += buffer[6:6 + size]
            self.buffers[side] = buffer[6 + size + 4:]

    @staticmethod
    def cut_frame(buffers, side):
        data = buffers[side]
        if len(data) < 9:
            return None
        version, flags, stream, opcode, size = struct.unpack(">BBhBi", data[:9])
        if len(data) < 9 + size:
            return None
        buffers[side] = data[9 + size:]
        return version & 0x7F, flags, stream, opcode, data[9:9 + size]

    def frame(self, side, version, flags, stream, opcode, body):
        if side == "node":
            self.answer(version, flags, stream, opcode, body)
            return
        try:
            request = self.request(version, stream, opcode, Body(body))
        except Cut:
            request = Request("UNREADABLE", version)
        request.connection, request.at = self.number, time.monotonic()
        self.recorder.add(request)

    def answer(self, version, flags, stream, opcode, body):
        if opcode in (READY, AUTHENTICATE) and version >= 5 and not self.framed:
            self.framed = True
            self.payloads = {"client": b"", "node": b""}
        text = self.prepares.pop(stream, None)
        if opcode == RESULT and text is not None:
            reader = Body(body)
            if flags & 0x08:  # warnings stand in front
                for _ in range(reader.number("H")):
                    reader.short_bytes()
            if reader.number("i") == PREPARED_KIND:
                self.recorder.prepared[reader.short_bytes()] = text

    def request(self, version, stream, opcode, body):
        request = Request(NAMES.get(opcode, hex(opcode)), version)
        if opcode == QUERY:
            request.text = body.long_string()
            self.parameters(request, body, version)
        elif opcode == PREPARE:
            request.text = body.long_string()
            self.prepares[stream] = request.text
        elif opcode == EXECUTE:
            request.text = self.recorder.prepared.get(body.short_bytes())
            if version >= 5:
                body.short_bytes()  # id of the result metadata
            self.parameters(request, body, version)
        elif opcode == BATCH:
            self.batch(request, body, version)
        return request

    @staticmethod
    def parameters(request, body, version):
        request.level = LEVELS[body.number("H")]
        flags = body.number("I" if version >= 5 else "B")
        if flags & VALUES:
            request.values = body.values(flags & NAMED)
        if flags & PAGE_SIZE:
            request.page_size = body.number("i")
        if flags & PAGING_STATE:
            body.value()
        if flags & SERIAL:
            request.serial = LEVELS[body.number("H")]
        if flags & TIMESTAMP:
            request.timestamp = body.number("q")

    def batch(self, request, body, version):
        request.batch_type = ["LOGGED", "UNLOGGED", "COUNTER"][body.number("B")]
        for _ in range(body.number("H")):
            if body.number("B"):
                request.statements.append(self.recorder.prepared.get(body.short_bytes()))
            else:
                request.statements.append(body.long_string())
            request.values.append(body.values(False))
        request.level = LEVELS[body.number("H")]
        flags = body.number("I" if version >= 5 else "B")
        if flags & SERIAL:
            request.serial = LEVELS[body.number("H")]
        if flags & TIMESTAMP:
            request.timestamp = body.number("q")


class Recorder:
    """Everything that went through one or more proxies."""

    def __init__(self):
        self.lock = threading.Lock()
        self.requests = []
        self.prepared = {}  # id to text; ids are hashes, the same on all nodes

    def add(self, request):
        with self.lock:
            self.requests.append(request)

    def of(self, *kinds, about=""):
        """Requests of these kinds whose text, or a statement of it, contains `about`."""
        with self.lock:
            return [request for request in self.requests if request.kind in kinds and about in
                    (request.text or "") + " ".join(filter(None, request.statements))]


class Proxy:
    """Listens on address:port and forwards to address:target until closed."""

    def __init__(self, address, target=9042, port=0, hide_peers=False):
        self.address, self.target, self.hide_peers = address, target, hide_peers
        self.recorder = Recorder()
        self.sockets = []
        self.listener = socket.create_server((address, port))
        self.port = self.listener.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for one in [self.listener, *self.sockets]:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # closed by its peer already
            one.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                node = socket.create_connection((self.address, self.target))
            except OSError:
                return
            self.connections += 1
            self.sockets += [client, node]
            talk = Conversation(self.recorder, self.connections)
            for side, source, target in (("client", client, node), ("node", node, client)):
                threading.Thread(target=self.pump, args=(talk, side, source, target),
                                 daemon=True).start()

    def pump(self, talk, side, source, target):
        """One direction of a connection until either end goes: the loop of all proxies."""
        try:
            while data := source.recv(1 << 16):
                self.take(talk, side, data, source, target)
        except OSError:
            pass  # one of them went away: so does the other
        self.shut(source, target)

    def take(self, talk, side, data, source, target):
        """What becomes of bytes from the source; an OSError ends the connection."""
        if side == "client" and self.hide_peers and b"peers_v2" in data:
            source.sendall(refusal(data))
            return
        talk.feed(side, data)
        target.sendall(data)

    @staticmethod
    def shut(*ends):
        for one in ends:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed


def refusal(frame):
    """ERROR Invalid for the one request in these bytes (protocol 4)."""
    text = b"unconfigured table peers_v2"
    body = struct.pack(">iH", 0x2200, len(text)) + text
    version, _, stream = struct.unpack(">BBh", frame[:4])
    return struct.pack(">BBhBi", version | 0x80, 0, stream, ERROR, len(body)) + body
