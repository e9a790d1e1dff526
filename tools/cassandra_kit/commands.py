"""The command line of tools/cassandra."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from . import cluster as clusters
from . import growth, jars, jvm, keys, nodetool, original, places, settings, versions
from .cluster import Cluster, Layout
from .errors import Interrupted, KitError
from .node import Node
from .terminal import say, signals

DEFAULT_NAME = "default"
# Each takes about 0.45 GB.
NODES_MAX = 6
DESCRIPTION = """Start, stop and disturb a few real Cassandra nodes on loopback addresses.

The jars come from Maven once and are kept in $CSTRESS_CACHE (default ~/.cache/cstress); clusters
live in $CSTRESS_RUN (default: the folder run of this checkout). NAME tells several clusters apart;
without it 'default' is meant."""


def start(args: argparse.Namespace) -> None:
    """Make a cluster, or start again what is down of one that was made before."""
    began = time.monotonic()
    cluster = _existing(args.name)
    if cluster is None:
        cluster = _create(args)
    else:
        _check_same(cluster, args)
        down = [node for node in cluster.nodes if not node.process()]
        if not down:
            say(f"cluster '{args.name}' runs already")
        else:
            say(f"starting {len(down)} of {len(cluster.nodes)} nodes of '{args.name}' again, with "
                "the data they have")
            cluster.start_again(down)
    say(f"cluster '{args.name}' is ready ({time.monotonic() - began:.1f} s)")
    _print_env(cluster)


def _existing(name: str) -> Cluster | None:
    """The cluster to go on with; the remains of a first start that failed are removed."""
    if name not in clusters.names():
        return None
    cluster = Cluster.load(name)
    if cluster.layout.complete:
        return cluster
    cluster.wipe()
    return None


def _create(args: argparse.Namespace) -> Cluster:
    version = versions.parse(args.version or versions.DEFAULT)
    counts = args.nodes or [max(1, len(args.address))]
    heap = args.heap or jvm.default_heap(args.purpose or "tests", sum(counts))
    layout = Layout(args.name, version.text, args.purpose or "tests", heap, [], _extra(args),
                    counts=counts, racks=args.racks or 1)
    return clusters.create(layout, args.address, args.or_free)


def _extra(args: argparse.Namespace) -> dict[str, str]:
    folder = keys.folder(places.cluster_folder(args.name))
    secure = {keys.SETTING: keys.options(folder, args.client_auth)}
    return {**(settings.LOGIN if args.login else {}),
            **(secure if args.tls or args.client_auth else {}),
            **dict(map(_setting, args.set))}


def _counts(text: str) -> list[int]:
    """Nodes per data centre: "3", or "2,2" for two data centres."""
    counts = [int(part) if part.isascii() and part.isdigit() else 0 for part in text.split(",")]
    if min(counts) < 1 or sum(counts) > NODES_MAX:
        raise argparse.ArgumentTypeError(f"'{text}': expected 1 to {NODES_MAX} nodes in all, such "
                                         "as 3, or 2,2 for two data centres")
    return counts


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise KitError(f"--set '{text}': expected KEY=VALUE of cassandra.yaml")
    return key, value


def _check_same(cluster: Cluster, args: argparse.Namespace) -> None:
    """Options that an existing cluster cannot follow any more are an error, not ignored."""
    layout = cluster.layout
    differs = [
        bool(args.nodes and args.nodes != layout.counts),
        bool(args.racks and args.racks != layout.racks),
        bool(args.version and versions.parse(args.version).text != layout.version),
        bool(args.purpose and args.purpose != layout.purpose),
        bool(args.heap and args.heap != layout.heap),
        bool(args.address and not args.or_free and args.address[0] != layout.addresses[0]),
        bool((args.set or args.login or args.tls or args.client_auth) and _extra(args) != layout.extra),
    ]
    if any(differs):
        raise KitError(f"cluster '{layout.name}' is there already, with {clusters.describe(layout)}"
                       f" on {', '.join(layout.addresses)}; 'tools/cassandra wipe {layout.name}' "
                       "removes it")


def stop(args: argparse.Namespace) -> None:
    """Stop all nodes, or one of them; the data stays."""
    cluster = Cluster.load(args.name)
    nodes = [cluster.node(args.node)] if args.node else cluster.nodes
    _say_training(nodes)
    cluster.stop(nodes)
    say(f"stopped {_which(args)}")


def _say_training(nodes: list[Node]) -> None:
    if any(node.process() and node.is_training() for node in nodes):
        say("writing the class archive that makes later starts faster (once, some seconds)")


def wipe(args: argparse.Namespace) -> None:
    """Stop all nodes and remove their data; no cluster of this name is fine."""
    if args.name in clusters.names():
        cluster = Cluster.load(args.name)
        _say_training(cluster.nodes)
        cluster.wipe()
    say(f"cluster '{args.name}' is gone")


def kill(args: argparse.Namespace) -> None:
    """SIGKILL one node, as a crash would."""
    node = Cluster.load(args.name).node(args.node)
    if not node.process():
        raise KitError(f"node {args.node} of '{args.name}' is down already")
    node.kill()
    say(f"killed {_which(args)}")


def pause(args: argparse.Namespace) -> None:
    """Stop one node in its tracks: connections stay open and nothing answers."""
    _signal(args, signal.SIGSTOP, "paused")


def resume(args: argparse.Namespace) -> None:
    """Let a paused node go on."""
    _signal(args, signal.SIGCONT, "resumed")


def _signal(args: argparse.Namespace, number: signal.Signals, done: str) -> None:
    if not Cluster.load(args.name).node(args.node).send(number):
        raise KitError(f"node {args.node} of '{args.name}' is down")
    say(f"{done} {_which(args)}")


def restart(args: argparse.Namespace) -> None:
    """Stop one node if it runs, start it on its data, wait until it is ready."""
    began = time.monotonic()
    cluster = Cluster.load(args.name)
    node = cluster.node(args.node)
    cluster.stop([node])
    cluster.start_again([node])
    say(f"restarted {_which(args)} ({time.monotonic() - began:.1f} s)")


def add(args: argparse.Namespace) -> None:
    """Let one more node join the running cluster, and wait until all others know it."""
    began = time.monotonic()
    cluster = Cluster.load(args.name)
    if args.rack and not args.dc:
        raise KitError("--rack: --dc says in which data centre it is, such as dc1")
    number = growth.add(cluster, f"{args.dc}:{args.rack or 'rack1'}" if args.dc else "")
    say(f"node {number} has joined '{args.name}' ({time.monotonic() - began:.1f} s)")
    _print_env(cluster)


def decommission(args: argparse.Namespace) -> None:
    """Let one node hand over its data and leave the cluster for good."""
    began = time.monotonic()
    cluster = Cluster.load(args.name)
    growth.decommission(cluster, args.node)
    say(f"node {args.node} has left '{args.name}' ({time.monotonic() - began:.1f} s)")


def run_nodetool(args: argparse.Namespace) -> None:
    """Ask a node by the server's own nodetool, such as: nodetool x 1 status."""
    cluster = Cluster.load(args.name)
    runtime = jvm.Runtime.find(versions.parse(cluster.layout.version))
    print(nodetool.run(cluster.node(args.node), runtime, args.words), end="")


def listing(_args: argparse.Namespace) -> None:
    """Show all clusters of the run folder."""
    for name in clusters.names():
        cluster = Cluster.load(name)
        states = ", ".join(f"{node.address} {node.state()}" for node in cluster.nodes)
        print(f"{name}: {clusters.describe(cluster.layout)}: {states}")


def status(args: argparse.Namespace) -> None:
    """Show each node of a cluster; fails unless all are ready."""
    cluster = Cluster.load(args.name)
    print(clusters.describe(cluster.layout))
    states = []
    for node in cluster.nodes:
        process = node.process()
        about = f", pid {process.pid}, {process.resident_mb()} MB" if process else ""
        states.append(node.state())
        seat = f" {cluster.layout.place(node.number - 1).seat}".rstrip()
        print(f"node {node.number}: {node.address}{seat} {states[-1]}{about}, log {node.log}")
    if set(states) != {"ready"}:
        raise KitError(f"not all nodes of '{args.name}' are ready")


def logs(args: argparse.Namespace) -> None:
    """Show the end of the logs."""
    cluster = Cluster.load(args.name)
    for node in [cluster.node(args.node)] if args.node else cluster.nodes:
        print(f"==> {node.log} <==")
        print(node.tail(args.lines), end="")


def env(args: argparse.Namespace) -> None:
    """Print the addresses as a line that a shell can evaluate."""
    _print_env(Cluster.load(args.name))


def fetch(args: argparse.Namespace) -> None:
    """Fetch the jars only, for a machine that will have no network later."""
    if args.stress:
        say(f"cassandra-stress {args.stress} is in {original.find(args.stress).folder}")
        return
    version = versions.parse(args.version or versions.DEFAULT)
    found = jars.class_path(version)
    say(f"{len(found)} jars of Cassandra {version.text} are in {found[0].parent}")


def stress(args: argparse.Namespace) -> None:
    """Run the original cassandra-stress, fetched when it is not there yet."""
    tool = original.find(args.release)
    os.execv(tool.java.path, tool.command(args.words))


def _print_env(cluster: Cluster) -> None:
    print(f"CSTRESS_NODES={','.join(node.address for node in cluster.nodes)}", flush=True)


def _which(args: argparse.Namespace) -> str:
    node = getattr(args, "node", None)
    return f"node {node} of '{args.name}'" if node else f"cluster '{args.name}'"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tools/cassandra", description=DESCRIPTION,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_start(_add(commands, "start", start))
    _add_node(_add(commands, "stop", stop), required=False)
    _add(commands, "wipe", wipe)
    for name, run in (("kill", kill), ("pause", pause), ("resume", resume), ("restart", restart)):
        _add_node(_add(commands, name, run), required=True)
    added = _add(commands, "add", add)
    added.add_argument("--dc", metavar="DC", help="the data centre it joins, such as dc2")
    added.add_argument("--rack", metavar="RACK", help="the rack it stands in, default rack1")
    _add_node(_add(commands, "decommission", decommission), required=True)
    tool = _add(commands, "nodetool", run_nodetool, named=False)
    # In this order, so that all that follows is nodetool's own.
    tool.add_argument("name", metavar="NAME", help="the cluster")
    tool.add_argument("node", type=int, metavar="K", help="the node, counted from 1")
    tool.add_argument("words", metavar="...", nargs=argparse.REMAINDER,
                      help="the command line of nodetool")
    _add(commands, "status", status)
    _add(commands, "env", env)
    shown = _add(commands, "logs", logs)
    _add_node(shown, required=False)
    shown.add_argument("--lines", type=int, default=40, metavar="N", help="default 40")
    _add(commands, "list", listing, named=False)
    fetched = _add(commands, "fetch", fetch, named=False)
    fetched.add_argument("--version", metavar="V")
    fetched.add_argument("--stress", metavar="RELEASE", choices=original.RELEASES,
                         help="the original cassandra-stress instead of a server: "
                         f"{' or '.join(original.RELEASES)}")
    ran = _add(commands, "stress", stress, named=False)
    ran.add_argument("release", metavar="RELEASE", choices=original.RELEASES,
                     help=" or ".join(original.RELEASES))
    ran.add_argument("words", metavar="...", nargs=argparse.REMAINDER,
                     help="the command line of cassandra-stress")
    return parser


def _add(commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str,
         run: Callable[[argparse.Namespace], None], named: bool = True) -> argparse.ArgumentParser:
    doc = run.__doc__ or ""
    added = commands.add_parser(name, help=doc, description=doc)
    added.set_defaults(run=run, command=name, name=None, option_name=None)
    if named:
        added.add_argument("name", nargs="?", metavar="NAME", help="the cluster (default: default)")
        added.add_argument("--name", dest="option_name", metavar="NAME", help="the same")
    return added


def _add_node(parser: argparse.ArgumentParser, required: bool) -> None:
    parser.add_argument("--node", type=int, metavar="K", required=required,
                        help="the node, counted from 1")


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nodes", type=_counts, metavar="N[,N]",
                        help="default 1; 2,2 for two data centres, dc1 and dc2, of two nodes each")
    parser.add_argument("--racks", type=int, choices=(1, 2, 3), metavar="N",
                        help="racks in each data centre, rack1 and so on, default 1")
    parser.add_argument("--version", metavar="V",
                        help=f"a release or a line such as 4.1 (default {versions.DEFAULT})")
    parser.add_argument("--address", nargs="+", default=[], metavar="IP",
                        help="one address for each node, or the first to count up from, such as "
                        "127.0.0.1 (default: a free range 127.0.x.1 and up)")
    parser.add_argument("--or-free", action="store_true",
                        help="take a free range when the addresses of --address are in use")
    parser.add_argument("--for", dest="purpose", choices=("tests", "load"),
                        help="tests (default): light, soon ready; load: as fast as a server is")
    parser.add_argument("--heap", metavar="SIZE", help="largest heap of each node, such as 512m")
    parser.add_argument("--login", action="store_true",
                        help="clients have to log in; the superuser is cassandra, password "
                        "cassandra")
    parser.add_argument("--tls", action="store_true",
                        help="encrypted connections, too; keys and stores for clients are in the "
                        f"folder tls of the cluster, their password is {keys.PASSWORD}")
    parser.add_argument("--client-auth", action="store_true",
                        help="the same, and an encrypted client must show a certificate")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="one more line of cassandra.yaml; may be repeated")


def _lock(args: argparse.Namespace) -> AbstractContextManager[object] | None:
    """Commands that change a cluster do so one after the other."""
    reads = ("list", "status", "env", "logs", "fetch", "stress", "nodetool")
    return None if args.command in reads else places.locked(clusters.lock_path(args.name))


def _run(args: argparse.Namespace) -> None:
    lock = _lock(args)
    if lock is None:
        args.run(args)
        return
    with lock:
        args.run(args)


def main() -> int:
    """Run one command; the exit status is 0, 1 for an error, 130 when interrupted."""
    args = _parser().parse_args()
    args.name = args.option_name or args.name or DEFAULT_NAME
    signals.install()
    try:
        _run(args)
    except KitError as error:
        say(f"tools/cassandra: {error}")
        return 1
    except Interrupted:
        say("tools/cassandra: interrupted; what was being started is stopped")
        return 130
    except BrokenPipeError:
        # The reader, such as `head`, has gone; nothing more to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        say(f"tools/cassandra: {error} (CSTRESS_RUN and CSTRESS_CACHE name other folders)")
        return 1
    return 0
