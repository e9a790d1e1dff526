"""Runs the server's own nodetool, from the jars that the node runs from.

A node listens for it only once it was asked to: the Java machine takes that order through its
attach socket. So a start costs nothing for those who never need nodetool.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

from .errors import KitError
from .jvm import Runtime
from .node import Node
from .process import Process
from .versions import module_flags

PORT = 7199
ATTACH_LIMIT_S = 60
# A decommission streams all data of the node; the rest is a matter of seconds.
COMMAND_LIMIT_S = 600
POLL_S = 0.05
MAIN_CLASS = "org.apache.cassandra.tools.NodeTool"
# It writes its log to stdout, where its answer is.
QUIET = """<configuration>
  <root level="OFF"/>
</configuration>
"""


def run(node: Node, runtime: Runtime, words: list[str]) -> str:
    """What nodetool says to these words; its failure is an error with what it said."""
    process, state = node.process(), node.state()
    # One that was told to serve no clients answers nothing but nodetool.
    listens = state in ("ready", "starting") and _is_listening(node.address)
    if not process or not (state == "ready" or listens):
        raise KitError(f"node {node.number} ({node.address}) is {state}: nodetool cannot ask it")
    if not listens:
        _listen(node, process)
    done = subprocess.run(_command(node, runtime, words), env=runtime.environment(),
                          cwd=node.folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=COMMAND_LIMIT_S, check=False)
    if done.returncode:
        raise KitError(f"nodetool {' '.join(words)} on node {node.number}: "
                       f"{(done.stdout + done.stderr).strip()}")
    return done.stdout


def _command(node: Node, runtime: Runtime, words: list[str]) -> list[str]:
    logback = node.folder / "nodetool-logback.xml"
    logback.write_text(QUIET, encoding="utf-8")
    # It keeps a history below user.home.
    return [runtime.java.path, *module_flags(runtime.version, runtime.java.major),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData",
            f"-Duser.home={node.folder / 'tmp'}", f"-Djava.io.tmpdir={node.folder / 'tmp'}",
            f"-Dlogback.configurationFile={logback}",
            MAIN_CLASS, "-h", node.address, "-p", str(PORT), *words]


def _is_listening(address: str) -> bool:
    try:
        socket.create_connection((address, PORT), timeout=5).close()
    except OSError:
        return False
    return True


def _listen(node: Node, process: Process) -> None:
    """Start the node's management agent, on the node's own address."""
    options = {"host": node.address, "port": PORT, "rmi.port": PORT, "authenticate": "false",
               "ssl": "false"}
    order = " ".join(f"jmxremote.{key}={value}" for key, value in options.items())
    answer = attach(process.pid, node.folder, f"ManagementAgent.start {order}")
    if not answer.startswith("0\n"):
        raise node.fail(f"does not listen for nodetool: {answer.strip()}")


def attach(pid: int, folder: Path, order: str) -> str:
    """Give a Java process, whose working folder this is, an order of jcmd; its answer begins
    with a line that is 0 when all went well."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(str(_attach_socket(pid, folder)))
        channel.sendall(request(order))
        parts = []
        while part := channel.recv(65536):
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")


def request(order: str) -> bytes:
    """Version 1 of the protocol: its number, the command, always three arguments."""
    return b"".join(word.encode("utf-8") + b"\0" for word in ("1", "jcmd", order, "", ""))


def _attach_socket(pid: int, folder: Path) -> Path:
    """The socket, which the process opens when it finds a certain file at a SIGQUIT."""
    # The folder for temporary files as the process sees it, which may not be as we do.
    path = Path("/proc", str(pid), "root", "tmp", f".java_pid{pid}")
    if path.exists():
        return path
    wish = folder / f".attach_pid{pid}"
    wish.touch()
    try:
        os.kill(pid, signal.SIGQUIT)
        deadline = time.monotonic() + ATTACH_LIMIT_S
        while not path.exists():
            if time.monotonic() > deadline:
                raise KitError(f"process {pid} did not open {path}")
            time.sleep(POLL_S)
    finally:
        wish.unlink(missing_ok=True)
    return path
