"""A proxy that answers some requests itself: what a real node cannot be told to say.

`judge(request)` is asked about each request of protocol 4 (no compression) and says
what becomes of it: None lets it through to the node, an `Answer` is sent back in the
place of the node's, SWALLOW never answers, and HANG_UP closes the connection.
"""

import struct
import threading
import time
from dataclasses import dataclass

from recording_proxy import BATCH, ERROR, EXECUTE, RESULT, Body, Proxy

SWALLOW, HANG_UP = object(), object()
HEADER = 9
LEVEL_ONE = 1


@dataclass
class Answer:
    """A frame; `raw` in the place of all, `cut` to send so many of its bytes and hang up."""
    body: bytes = b""
    opcode: int = ERROR
    stream: int = None  # another than that of the request
    after_s: float = 0
    raw: bytes = None
    cut: int = None


def text(words):
    return struct.pack(">H", len(words)) + words.encode()


def error(code, message, more=b"", **how):
    """An ERROR; more: the fields behind its message."""
    return Answer(struct.pack(">i", code) + text(message) + more, **how)


# Native protocol 4, section 9: name in the reports of the original, and the answer.
COUNTS = struct.pack(">Hii", LEVEL_ONE, 1, 2)
WRITE_ERRORS = {
    "UnavailableException": error(0x1000, "not enough replicas", COUNTS),
    "WriteTimeoutException": error(0x1100, "too late", COUNTS + text("SIMPLE")),
    "WriteFailureException": error(0x1500, "failed", COUNTS + struct.pack(">i", 1)
                                   + text("SIMPLE")),
    "OverloadedException": error(0x1001, "too much"),
    "BootstrappingException": error(0x1002, "not yet"),
    "InvalidQueryException": error(0x2200, "no such thing"),
    "SyntaxError": error(0x2000, "line 1:7 no viable alternative\n\x1b[31m"),
    "UnauthorizedException": error(0x2100, "not you"),
    "UnpreparedException": error(0x2500, "who is that", struct.pack(">H", 16) + bytes(16)),
    "FunctionExecutionException": error(0x1400, "boom", text("ks") + text("f")
                                        + struct.pack(">H", 0)),
    "ServerError": error(0x0000, "java.lang.NullPointerException"),
    "ServerError ": error(0x1003, "truncating"),
    "ServerError  ": error(0x7777, "of a later release"),
}
READ_ERRORS = {
    "ReadTimeoutException": error(0x1200, "too late", COUNTS + b"\0"),
    "ReadFailureException": error(0x1300, "failed", COUNTS + struct.pack(">i", 1) + b"\0"),
    "UnavailableException": error(0x1000, "not enough replicas", COUNTS),
    "OverloadedException": error(0x1001, "too much"),
}
# What no server may say: each costs the connection.
BROKEN = {
    "a result of no kind": Answer(struct.pack(">i", 99), RESULT),
    "a result that ends too early": Answer(struct.pack(">iii", 2, 1, 5), RESULT),
    "an error that ends too early": Answer(struct.pack(">iH", 0x1100, 5), ERROR),
    "another kind of answer": Answer(b"", 0x02),
    "an unknown kind of answer": Answer(b"", 0x6F),
    "an answer to nobody": Answer(struct.pack(">i", 1), RESULT, stream=32000),
    "no frame at all": Answer(raw=b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "a frame of two gigabytes": Answer(raw=struct.pack(">BBhBi", 0x84, 0, 0, RESULT, 2 ** 31 - 1)),
    "half a frame": Answer(struct.pack(">i", 1), RESULT, cut=HEADER + 2),
    "a protocol error": error(0x000A, "what was that"),
}


class AnsweringProxy(Proxy):
    """As Proxy, frame by frame; `judged`: the opcodes of what the judge is asked about."""

    def __init__(self, address, judge, target=9042, port=0, judged=(EXECUTE, BATCH)):
        self.judge, self.judged = judge, judged
        self.locks, self.rests = {}, {}
        super().__init__(address, target, port, hide_peers=False)

    def take(self, talk, side, data, source, target):
        """Frame by frame; the rest waits for more."""
        lock = self.locks.setdefault(talk.number, threading.Lock())
        handle = self.from_client if side == "client" else self.from_node
        buffer = self.rests.pop((talk.number, side), b"") + data
        while len(buffer) >= HEADER:
            size = HEADER + struct.unpack(">i", buffer[5:HEADER])[0]
            if len(buffer) < size:
                break
            handle(talk, buffer[:size], source, target, lock)
            buffer = buffer[size:]
        self.rests[talk.number, side] = buffer

    @staticmethod
    def from_node(talk, frame, _source, target, lock):
        talk.feed("node", frame)
        with lock:
            target.sendall(frame)

    def from_client(self, talk, frame, source, target, lock):
        version, _, stream, opcode, _ = struct.unpack(">BBhBi", frame[:HEADER])
        request = talk.request(version, stream, opcode, Body(frame[HEADER:]))
        request.connection, request.at = talk.number, time.monotonic()
        self.recorder.add(request)
        verdict = self.judge(request) if opcode in self.judged else None
        if verdict is None:
            target.sendall(frame)
        elif verdict is HANG_UP:
            raise ConnectionError
        elif verdict is not SWALLOW and verdict.after_s:
            threading.Timer(verdict.after_s, self.reply_late,
                            (verdict, stream, source, lock)).start()
        elif verdict is not SWALLOW:
            self.reply(verdict, stream, source, lock)

    def reply_late(self, *how):
        try:
            self.reply(*how)
        except OSError:
            pass  # nobody waited so long

    @staticmethod
    def reply(answer, stream, client, lock):
        frame = answer.raw
        if frame is None:
            to = stream if answer.stream is None else answer.stream
            frame = struct.pack(">BBhBi", 0x84, 0, to, answer.opcode,
                                len(answer.body)) + answer.body
        with lock:
            client.sendall(frame if answer.cut is None else frame[:answer.cut])
        if answer.cut is not None:
            raise ConnectionError


class ByKey:
    """A judge: the k-th new key among the requests gets the k-th verdict, each time it comes."""

    def __init__(self, verdicts, times=None):
        """times: how often a key is answered so before it goes through; None: always."""
        self.verdicts, self.times = list(verdicts), times
        self.keys, self.count = [], {}

    def __call__(self, request):
        key = request.values[-1] if request.values else None
        key = key[-1] if isinstance(key, list) else key
        if key not in self.count:
            self.keys.append(key)
            self.count[key] = 0
        at = self.keys.index(key)
        if at >= len(self.verdicts):
            return None
        self.count[key] += 1
        if self.times is not None and self.count[key] > self.times:
            return None
        return self.verdicts[at]
