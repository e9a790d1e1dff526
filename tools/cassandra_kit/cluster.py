"""A named cluster of a few nodes, kept in a folder of its own."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import addresses as choice
from . import cql, keys, places, settings, versions
from .errors import KitError
from .jvm import Runtime
from .node import Node
from .terminal import say, signals

START_LIMIT_S = 600
START_LIMIT_PER_NODE_S = 30
POLL_S = 0.1


@dataclass
class Layout:
    """What was asked for when the cluster was made; a later start repeats it."""

    name: str
    version: str
    purpose: str
    heap: str
    addresses: list[str]
    extra: dict[str, str] = field(default_factory=dict)
    # False until the cluster was ready once: a first start that failed leaves nothing to keep.
    complete: bool = False
    # Nodes per data centre at the first start; those that came later are not counted.
    counts: list[int] = field(default_factory=list)
    racks: int = 1
    # By node, as settings.Place; no seats when there is one data centre without racks.
    seats: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    # Numbers of the nodes that have left for good.
    gone: list[int] = field(default_factory=list)

    def spread(self) -> None:
        """Give the first nodes their tokens and seats."""
        self.counts = self.counts or [len(self.addresses)]
        self.tokens = settings.tokens(self.counts)
        if len(self.counts) > 1 or self.racks > 1:
            self.seats = settings.seats(self.counts, self.racks)

    def place(self, index: int) -> settings.Place:
        """Where the node of this index, counted from 0, stands."""
        first = sum(self.counts)
        seeds = [address for number, address in enumerate(self.addresses[:first], 1)
                 if number not in self.gone]
        return settings.Place(self.addresses[index], self.tokens[index], seeds,
                              self.seats[index] if self.seats else "", index >= first)


class Cluster:
    """All that is done with one cluster; callers hold its lock() where they change it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.folder = places.cluster_folder(layout.name)
        if not layout.tokens:
            layout.spread()
        self.nodes = [self.make_node(number) for number in range(1, len(layout.addresses) + 1)
                      if number not in layout.gone]

    def make_node(self, number: int) -> Node:
        """The node of this number, which has an address already."""
        return Node(number, self.layout.addresses[number - 1], self.folder / f"node{number}")

    @staticmethod
    def load(name: str) -> Cluster:
        """The cluster of this name, or an error that names the others."""
        path = _layout_path(name)
        try:
            return Cluster(Layout(**json.loads(path.read_text("utf-8"))))
        except FileNotFoundError:
            known = ", ".join(names()) or "none"
            raise KitError(f"there is no cluster '{name}' in {places.run_folder()} "
                           f"(there: {known}); 'tools/cassandra start {name}' makes one") from None
        except (ValueError, TypeError) as error:
            raise KitError(f"{path}: {error}; remove its folder") from None

    def save(self) -> None:
        """Remember the layout; written beside and renamed, so that it is never half there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = _layout_path(self.layout.name)
        partial = path.with_suffix(".new")
        partial.write_text(json.dumps(asdict(self.layout), indent=2) + "\n", encoding="utf-8")
        partial.replace(path)

    def node(self, number: int) -> Node:
        """A node by its number from 1."""
        for node in self.nodes:
            if node.number == number:
                return node
        known = ", ".join(str(node.number) for node in self.nodes)
        raise KitError(f"node {number}: the nodes of cluster '{self.layout.name}' are {known}")

    def start_nodes(self, nodes: list[Node], runtime: Runtime) -> None:
        """Start these nodes at the same time and wait until the cluster is ready."""
        started: list[Node] = []
        try:
            for node in nodes:
                self._write_files(node, runtime.version)
                started.append(node)
                node.launch(runtime, self.layout.purpose, self.layout.heap)
            self._await_ready(started, runtime.version)
        except BaseException:
            # A second Ctrl-C does not keep us from cleaning up after the first.
            with signals.hold():
                for node in started:
                    node.kill()
            raise

    def start_again(self, nodes: list[Node]) -> None:
        """Start nodes on the data they have."""
        self.start_nodes(nodes, Runtime.find(versions.parse(self.layout.version)))

    def _write_files(self, node: Node, version: versions.Version) -> None:
        layout = self.layout
        place = layout.place(node.number - 1)
        text = settings.yaml(version, layout.purpose, layout.name, place, node.folder,
                             layout.extra)
        node.write_files(text, settings.LOGBACK, settings.rackdc(place.seat) if place.seat else "")

    def _await_ready(self, started: list[Node], version: versions.Version) -> None:
        """First each port, then what the nodes know of each other."""
        deadline = time.monotonic() + START_LIMIT_S + START_LIMIT_PER_NODE_S * len(self.nodes)
        waiting = list(started)
        while waiting:
            waiting = [node for node in waiting if not _is_up(node, deadline)]
            time.sleep(POLL_S)
        table = "peers" if version.is_before(4, 0) else "peers_v2"
        for node in self.nodes:
            # A node that was killed or paused on purpose has no say.
            if node in started or node.state() == "ready":
                self._await_peers(node, table, deadline)

    def _await_peers(self, node: Node, table: str, deadline: float) -> None:
        wanted = len(self.nodes) - 1
        while True:
            try:
                found = cql.count_peers(node.address, table)
            except (OSError, cql.ProtocolError) as error:
                found = -1
                if not node.process():
                    raise node.fail(f"ended after it was ready ({error})") from None
            if found >= wanted:
                return
            if time.monotonic() > deadline:
                raise node.fail(f"knows {max(found, 0)} of {wanted} other nodes")
            time.sleep(POLL_S)

    def stop(self, nodes: list[Node], at_once: bool = False) -> None:
        """Stop nodes together; `at_once` by SIGKILL, as nothing of them is to be kept.

        A node that is to leave a class archive is always asked, or it would never be written.
        """
        gently = [node for node in nodes if not at_once or node.is_training()]
        for node in gently:
            node.terminate()
        for node in nodes:
            if node not in gently:
                node.kill()
        for node in gently:
            node.await_end()

    def wipe(self) -> None:
        """Stop all nodes and remove the folder."""
        self.stop(self.nodes, at_once=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def create(layout: Layout, given: list[str], or_free: bool) -> Cluster:
    """Choose addresses, make the folder, start all nodes."""
    runtime = Runtime.find(versions.parse(layout.version))
    reservation = choice.Reservation()
    try:
        layout.addresses = choice.reserve(given, sum(layout.counts), or_free, reservation)
        cluster = Cluster(layout)
        cluster.save()
        if keys.SETTING in layout.extra:
            keys.make(keys.folder(cluster.folder), layout.addresses, runtime.java)
        say(f"starting {describe(layout)} on {', '.join(layout.addresses)} ({cluster.folder})")
        cluster.start_nodes(cluster.nodes, runtime)
    finally:
        reservation.release()
    cluster.layout.complete = True
    cluster.save()
    return cluster


def describe(layout: Layout) -> str:
    """Such as: 3 nodes of Cassandra 5.0.9, heap 384m, for tests."""
    count = len(layout.addresses) - len(layout.gone)
    centres = f" in {len(layout.counts)} data centres" if len(layout.counts) > 1 else ""
    return (f"{count} node{'s' if count > 1 else ''}{centres} of Cassandra {layout.version}, heap "
            f"{layout.heap}, for {layout.purpose}")


def names() -> list[str]:
    """All clusters of the run folder."""
    return sorted(path.parent.name for path in places.run_folder().glob("*/cluster.json"))


def lock_path(name: str) -> Path:
    """The file that commands hold while they change this cluster."""
    return places.run_folder() / ".locks" / places.cluster_folder(name).name


def _layout_path(name: str) -> Path:
    return places.cluster_folder(name) / "cluster.json"


def _is_up(node: Node, deadline: float) -> bool:
    if not node.process():
        raise node.fail("ended before it was ready")
    if cql.answers_options(node.address):
        return True
    if time.monotonic() > deadline:
        raise node.fail("was not ready in time")
    return False
