"""One node: its folder, its process and its signals."""

from __future__ import annotations

import signal
import subprocess
from collections import deque
from pathlib import Path

from . import cql, jvm
from .errors import KitError
from .jvm import Runtime
from .process import Process
from .terminal import signals

STOP_LIMIT_S = 60


class Node:
    """A node of a cluster, counted from 1 as people do."""

    def __init__(self, number: int, address: str, folder: Path) -> None:
        self.number = number
        self.address = address
        self.folder = folder
        self.log = folder / "system.log"
        self._rackdc = folder / "cassandra-rackdc.properties"
        self._pid_file = folder / "process.json"
        self._dump = folder / "classes.jsa"
        self._archive_name = folder / "classes.target"

    def process(self) -> Process | None:
        """The running process of this node, if any."""
        process = Process.load(self._pid_file)
        return process if process and process.is_running() else None

    def state(self) -> str:
        """One word: down, paused, starting (running without an answer yet) or ready."""
        process = self.process()
        state = process.state() if process else None
        if state is None:
            return "down"
        if state in ("T", "t"):
            return "paused"
        return "ready" if cql.answers_options(self.address) else "starting"

    def write_files(self, yaml: str, logback: str, rackdc: str) -> None:
        """Lay out the folder of a new node; `rackdc` is empty where racks do not matter."""
        (self.folder / "tmp").mkdir(parents=True, exist_ok=True)
        (self.folder / "cassandra.yaml").write_text(yaml, encoding="utf-8")
        (self.folder / "logback.xml").write_text(logback, encoding="utf-8")
        if rackdc:
            self._rackdc.write_text(rackdc, encoding="utf-8")

    def launch(self, runtime: Runtime, purpose: str, heap: str) -> None:
        """Start the process; from here on the pid file tells how to find it again."""
        # One node of a cluster is enough to write the class archive.
        flags = runtime.archive_flags(purpose, self._dump, may_train=self.number == 1)
        if any("ArchiveClassesAtExit" in flag for flag in flags):
            self._archive_name.write_text(str(runtime.archive), encoding="utf-8")
        # What nodetool is told to connect to, should it be asked for later.
        flags.append(f"-Djava.rmi.server.hostname={self.address}")
        if self._rackdc.is_file():
            flags.append(f"-Dcassandra-rackdc.properties={self._rackdc.as_uri()}")
        command = runtime.command(purpose, heap, self.folder, flags)
        with open(self.log, "ab") as log, signals.hold():
            # A session of its own: Ctrl-C in the terminal ends our command, not the server.
            started = subprocess.Popen(
                command, env=runtime.environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)
            Process.of(started.pid).save(self._pid_file)

    def terminate(self) -> None:
        """Ask it to end; a paused process is woken, since it could not hear otherwise."""
        self.send(signal.SIGTERM)
        self.send(signal.SIGCONT)

    def await_end(self) -> None:
        """Wait for a process that was asked to end, and kill it when it does not."""
        process = self.process()
        if process and not process.wait_gone(STOP_LIMIT_S):
            self.kill()
            return
        self._pid_file.unlink(missing_ok=True)
        if self.is_training() and self._dump.is_file():
            jvm.adopt_archive(self._dump, Path(self._archive_name.read_text("utf-8")))
        self._forget_training()

    def kill(self) -> None:
        """SIGKILL, as a crash; what the process was writing is not used."""
        process = self.process()
        if process:
            process.signal(signal.SIGKILL)
            process.wait_gone(STOP_LIMIT_S)
        self._pid_file.unlink(missing_ok=True)
        self._forget_training()

    def send(self, number: signal.Signals) -> bool:
        """Send a signal; False when the node is down."""
        process = self.process()
        return bool(process and process.signal(number))

    def is_training(self) -> bool:
        """True while its process will write a class archive at its end."""
        return self._archive_name.is_file()

    def tail(self, lines: int) -> str:
        """The last lines of the log."""
        try:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                return "".join(deque(log, lines))
        except FileNotFoundError:
            return ""

    def fail(self, what: str) -> KitError:
        """An error about this node with the end of its log."""
        return KitError(f"node {self.number} ({self.address}) {what}; the end of {self.log}:\n"
                        f"{self.tail(20)}")

    def _forget_training(self) -> None:
        self._dump.unlink(missing_ok=True)
        self._archive_name.unlink(missing_ok=True)
