"""Makes Cassandra start inside a plain chroot.

Cassandra asks Java for the free space of its folders, and Java looks for a mounted file system above
them. In a chroot to a folder that is no mount point the kernel lists none for "/", and the node refuses
to start. It starts when "/" is bound once more and entered as a mount, which only the node sees.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .errors import KitError

# Exists on every system and is never removed by us; only the node's own view of it changes.
PLACE = "/mnt"
SCRIPT = 'mount --rbind / "$0" && exec chroot "$0" "$@"'
OWN_MOUNTS = ["unshare", "--mount", "--propagation", "unchanged"]
ADVICE = ("this root directory is not a mount point (a plain chroot?), and Cassandra cannot start "
          "where Java finds no file system for '/'; bind it before you enter it: "
          "mount --bind DIR DIR && chroot DIR")


def wrapper() -> list[str]:
    """What to put before the command of a node: nothing on an ordinary system."""
    if "/" in _mount_points():
        return []
    if os.geteuid() != 0 or not shutil.which("unshare") or not Path(PLACE).is_dir():
        raise KitError(ADVICE)
    _probe()
    return [*OWN_MOUNTS, "sh", "-c", SCRIPT, PLACE]


def _probe() -> None:
    """Try the mount; where it is not allowed, or would show outside, it is not used."""
    before = _mount_points().count(PLACE)
    tried = subprocess.run([*OWN_MOUNTS, "mount", "--rbind", "/", PLACE], check=False,
                           stdin=subprocess.DEVNULL, capture_output=True)
    if _mount_points().count(PLACE) > before:
        subprocess.run(["umount", "--recursive", PLACE], check=False)
        raise KitError(ADVICE)
    if tried.returncode != 0:
        raise KitError(ADVICE)


def _mount_points() -> list[str]:
    return [line.split()[1] for line in Path("/proc/self/mounts").read_text("utf-8").splitlines()]
