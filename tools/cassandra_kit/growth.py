"""Nodes that join a running cluster, and nodes that leave one for good."""

from __future__ import annotations

import ipaddress
import shutil

from . import addresses as choice
from . import keys, nodetool, settings, versions
from .cluster import Cluster
from .errors import KitError
from .jvm import Runtime


def add(cluster: Cluster, seat: str) -> int:
    """Let one more node join and wait until all know it; its number."""
    layout = cluster.layout
    _check_can_grow(cluster, seat)
    reservation = choice.Reservation()
    address = str(ipaddress.IPv4Address(layout.addresses[-1]) + 1)
    runtime = Runtime.find(versions.parse(layout.version))
    try:
        choice.reserve([address], 1, False, reservation)
        layout.tokens.append(_token(cluster, seat))
        layout.addresses.append(address)
        if layout.seats:
            layout.seats.append(seat or layout.seats[0])
        return _start_last(cluster, runtime)
    finally:
        reservation.release()


def _start_last(cluster: Cluster, runtime: Runtime) -> int:
    node = cluster.make_node(len(cluster.layout.addresses))
    cluster.nodes.append(node)
    cluster.save()
    try:
        cluster.start_nodes([node], runtime)
    except BaseException:
        _forget_last(cluster)
        raise
    return node.number


def _check_can_grow(cluster: Cluster, seat: str) -> None:
    layout = cluster.layout
    down = [node.number for node in cluster.nodes if node.state() != "ready"]
    if down:
        raise KitError(f"node {down[0]} of '{layout.name}' is not ready: a node joins only a whole "
                       "cluster")
    if seat and not layout.seats:
        raise KitError(f"cluster '{layout.name}' has no data centres or racks to choose from: it "
                       "was started without --racks, and --nodes had one number")
    if keys.SETTING in layout.extra:
        raise KitError(f"cluster '{layout.name}' has keys for the nodes of its first start only")


def _token(cluster: Cluster, seat: str) -> int:
    """In the middle of the largest range of its data centre, apart from all other tokens."""
    layout = cluster.layout
    wanted = (seat or (layout.seats or [""])[0]).partition(":")[0]
    indexes = [node.number - 1 for node in cluster.nodes]
    near = [layout.tokens[index] for index in indexes
            if not layout.seats or layout.seats[index].partition(":")[0] == wanted]
    if not near:
        raise KitError(f"cluster '{layout.name}' has no data centre {wanted}: it has "
                       f"{', '.join(sorted({seat.partition(':')[0] for seat in layout.seats}))}")
    token = settings.token_between(near)
    while token in layout.tokens:
        token += 1
    return token


def _forget_last(cluster: Cluster) -> None:
    """As if the node had never been asked to join."""
    layout = cluster.layout
    folder = cluster.nodes.pop().folder
    layout.addresses.pop()
    layout.tokens.pop()
    if layout.seats:
        layout.seats.pop()
    cluster.save()
    shutil.rmtree(folder, ignore_errors=True)


def decommission(cluster: Cluster, number: int) -> None:
    """Let a node hand its data to the others, leave the ring, and end."""
    node = cluster.node(number)
    version = versions.parse(cluster.layout.version)
    # Some tables of the server's own want three copies, which two nodes cannot hold.
    force = [] if version.is_before(4, 0) else ["--force"]
    nodetool.run(node, Runtime.find(version), ["decommission", *force])
    cluster.layout.gone.append(number)
    cluster.save()
    cluster.stop([node])
