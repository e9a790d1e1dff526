"""Where the kit keeps things: jars in a cache, clusters in a run folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator
from pathlib import Path

from .errors import KitError

REPOSITORY = Path(__file__).resolve().parent.parent.parent
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,47}")


def cache_folder() -> Path:
    """The folder of what may be fetched again at any time."""
    own = os.environ.get("CSTRESS_CACHE")
    if own:
        return Path(own).resolve()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cstress"


def run_folder() -> Path:
    """The folder of all clusters of this checkout."""
    own = os.environ.get("CSTRESS_RUN")
    return Path(own).resolve() if own else REPOSITORY / "run"


def cluster_folder(name: str) -> Path:
    """The folder of one cluster; the name is checked since it becomes a path."""
    if not NAME.fullmatch(name):
        raise KitError(
            f"cluster name '{name}': use 1 to 48 letters, digits, '-' and '_', "
            "first a letter or a digit")
    return run_folder() / name


@contextlib.contextmanager
def locked(path: Path, busy: str | None = None) -> Iterator[None]:
    """Hold the lock file `path`; when `busy` is given, fail with it instead of waiting."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError:
            raise KitError(busy or "") from None
        yield
