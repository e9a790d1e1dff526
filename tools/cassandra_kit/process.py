"""Processes that outlive the command that started them, known again by pid and start time."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import asdict, dataclass
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Process:
    """A pid alone may have been given to another process since; these three may not."""

    pid: int
    start_ticks: int
    boot: str

    @staticmethod
    def of(pid: int) -> Process:
        """The process that has this pid now."""
        fields = _stat(pid)
        return Process(pid, int(fields[19]) if fields else -1, BOOT_ID.read_text("ascii").strip())

    @staticmethod
    def load(path: Path) -> Process | None:
        """The process a file names; None when there is no such file."""
        try:
            return Process(**json.loads(path.read_text("utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def save(self, path: Path) -> None:
        """Write the file that load() reads."""
        path.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")

    def state(self) -> str | None:
        """The state letter of the kernel, or None when the process is gone."""
        fields = _stat(self.pid)
        if not fields or int(fields[19]) != self.start_ticks or fields[0] in ("Z", "X"):
            return None
        if BOOT_ID.read_text("ascii").strip() != self.boot:
            return None
        return fields[0]

    def is_running(self) -> bool:
        """True while it exists; a zombie counts as gone."""
        return self.state() is not None

    def signal(self, number: signal.Signals) -> bool:
        """Send a signal to this process and to no other; False when it is gone."""
        if not self.is_running():
            return False
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return False
        return True

    def wait_gone(self, limit_s: float) -> bool:
        """Wait until it is gone; False when it still runs after limit_s."""
        deadline = time.monotonic() + limit_s
        while self.is_running():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def resident_mb(self) -> int:
        """Resident memory in MB, 0 when gone."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on; the name before may hold blanks."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()
