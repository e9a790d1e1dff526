"""A tiny client for the native protocol v4: is the server there, and how many peers does it know?

It is not the client of the tests: those read data back with an independent driver.
"""

from __future__ import annotations

import socket
import struct
from types import TracebackType

from .addresses import CQL_PORT

# Opcodes, native protocol v4, section 2.4.
ERROR = 0x00
STARTUP = 0x01
READY = 0x02
AUTHENTICATE = 0x03
OPTIONS = 0x05
SUPPORTED = 0x06
QUERY = 0x07
RESULT = 0x08
AUTH_RESPONSE = 0x0F
AUTH_SUCCESS = 0x10

REQUEST_V4 = 0x04
CONSISTENCY_ONE = 0x0001
RESULT_ROWS = 0x0002
FLAG_GLOBAL_TABLE = 0x0001
ANSWER_LIMIT = 16 * 1024 * 1024
# What a new server with log-in knows: its superuser.
USER = PASSWORD = "cassandra"


class ProtocolError(Exception):
    """The server answered, but not as expected."""


class Connection:
    """One connection; requests are sent and answered one after the other."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._socket = socket.create_connection((address, CQL_PORT), timeout_s)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._socket.close()

    def ask(self, opcode: int, body: bytes, expected: int) -> bytes:
        """Send one request and return the body of its answer."""
        answered, answer = self._exchange(opcode, body)
        if answered != expected:
            raise ProtocolError(f"opcode {answered} instead of {expected}: {answer[:200]!r}")
        return answer

    def start(self) -> None:
        """Open the conversation, with the superuser's name where the server wants one."""
        options = _string("CQL_VERSION") + _string("3.0.0")
        answered, answer = self._exchange(STARTUP, struct.pack(">H", 1) + options)
        if answered == AUTHENTICATE:
            token = f"\0{USER}\0{PASSWORD}".encode("ascii")
            self.ask(AUTH_RESPONSE, struct.pack(">I", len(token)) + token, AUTH_SUCCESS)
        elif answered != READY:
            raise ProtocolError(f"opcode {answered} instead of {READY}: {answer[:200]!r}")

    def _exchange(self, opcode: int, body: bytes) -> tuple[int, bytes]:
        self._socket.sendall(struct.pack(">BBhBI", REQUEST_V4, 0, 0, opcode, len(body)) + body)
        header = self._read(9)
        size = struct.unpack(">I", header[5:])[0]
        if size > ANSWER_LIMIT:
            raise ProtocolError(f"answer of {size} bytes")
        return header[4], self._read(size)

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise ProtocolError("connection closed by the server")
            data += part
        return data


def answers_options(address: str) -> bool:
    """True when a CQL server answers at the address: the sign that a node is ready."""
    try:
        with Connection(address, 5) as connection:
            connection.ask(OPTIONS, b"", SUPPORTED)
        return True
    except (OSError, ProtocolError):
        return False


def count_peers(address: str, table: str) -> int:
    """How many other nodes this node tells its clients about."""
    statement = f"SELECT peer FROM system.{table}".encode("ascii")
    query = struct.pack(">I", len(statement)) + statement + struct.pack(">HB", CONSISTENCY_ONE, 0)
    with Connection(address, 10) as connection:
        connection.start()
        return row_count(connection.ask(QUERY, query, RESULT))


def row_count(body: bytes) -> int:
    """The number of rows in a RESULT of the kind Rows with one column of a plain type."""
    kind, flags, columns = struct.unpack_from(">III", body)
    if kind != RESULT_ROWS or columns != 1 or not flags & FLAG_GLOBAL_TABLE:
        raise ProtocolError(f"result of kind {kind} with flags {flags} and {columns} columns")
    at = 12
    for _ in ("keyspace", "table", "column"):
        at += 2 + struct.unpack_from(">H", body, at)[0]
    at += 2  # the type of the column
    return int(struct.unpack_from(">I", body, at)[0])


def _string(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")
