"""Chooses loopback addresses that no other server and no other start is using."""

from __future__ import annotations

import errno
import ipaddress
import random
import socket

from .errors import KitError

CQL_PORT = 9042
STORAGE_PORT = 7000


class Reservation:
    """Addresses that no other start takes while this object lives.

    A node binds its ports only seconds after its address was chosen. Until then an abstract
    socket marks the address; the kernel gives it back even when the process is killed.
    """

    def __init__(self) -> None:
        self._marks: list[socket.socket] = []

    def take(self, address: str) -> bool:
        """Reserve one address; False when somebody else has reserved it."""
        mark = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            mark.bind(f"\0cstress-kit-{address}")
        except OSError as error:
            mark.close()
            if error.errno == errno.EADDRINUSE:
                return False
            raise
        self._marks.append(mark)
        return True

    def release(self) -> None:
        """Give all addresses back."""
        for mark in self._marks:
            mark.close()
        self._marks.clear()


def expand(given: list[str], count: int) -> list[str]:
    """The addresses of `count` nodes: all of them given, or the first to count up from."""
    try:
        first = [ipaddress.IPv4Address(text) for text in given]
    except ValueError as error:
        raise KitError(f"address: {error}") from None
    if len(first) not in (1, count):
        raise KitError(f"{len(given)} addresses for {count} nodes: give one for each node, or only "
                       "the first")
    wanted = first if len(first) == count else [first[0] + step for step in range(count)]
    for address in wanted:
        if not address.is_loopback:
            raise KitError(f"address {address}: the kit uses loopback addresses only, 127.x.y.z")
    return [str(address) for address in wanted]


def reserve(given: list[str], count: int, or_free: bool, reservation: Reservation) -> list[str]:
    """Reserve the given addresses; with none given, or when they may be others, a free range."""
    if not given:
        return _find_range(count, reservation)
    addresses = expand(given, count)
    obstacle = next(filter(None, (_obstacle(address, reservation) for address in addresses)), None)
    if not obstacle:
        return addresses
    if not or_free:
        raise KitError(f"{obstacle}; leave --address out to get a free range")
    reservation.release()
    return _find_range(count, reservation)


def _obstacle(address: str, reservation: Reservation) -> str | None:
    """Why a node cannot have this address, or None; then it is reserved."""
    if not reservation.take(address):
        return f"address {address}: another start of the kit is using it right now"
    port = _port_in_use(address)
    return f"address {address}: port {port} is in use" if port else None


def _find_range(count: int, reservation: Reservation) -> list[str]:
    """127.0.x.1 and up for the first free x, from a random one on."""
    start = random.randrange(254)
    for step in range(254):
        block = 1 + (start + step) % 254
        addresses = [f"127.0.{block}.{host}" for host in range(1, count + 1)]
        if (all(map(reservation.take, addresses))
                and not any(map(_port_in_use, addresses))):
            return addresses
        reservation.release()
    raise KitError(f"port {STORAGE_PORT} or {CQL_PORT} is in use on each of 127.0.1.0 to "
                   "127.0.254.0: does something listen on all addresses?")


def _port_in_use(address: str) -> int | None:
    """The first port of a node that cannot be bound, if any."""
    for port in (STORAGE_PORT, CQL_PORT):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            # As Java does: a connection in TIME_WAIT is no obstacle.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                return port
    return None
