"""Runs Maven, which alone knows where packages come from."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .errors import KitError
from .places import cache_folder

FETCH_LIMIT_S = 900


def run(what: str, words: list[str], folder: Path) -> str:
    """Let Maven do this in a folder; an error says that `what` could not be fetched.

    Returns what Maven said, for a caller that does not find what it asked for.
    """
    maven = shutil.which("mvn")
    if not maven:
        raise KitError(f"{what}: not in {cache_folder()}, and 'mvn', which fetches it, is not "
                       "installed; tools/install-deps installs it")
    try:
        done = subprocess.run([maven, "-q", "-B", "-Dstyle.color=never", *words], cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=FETCH_LIMIT_S,
                              check=False)
    except subprocess.TimeoutExpired:
        raise KitError(f"Maven did not finish within {FETCH_LIMIT_S} s") from None
    if done.returncode != 0:
        raise failure(what, done.stdout)
    return done.stdout


def failure(what: str, output: str) -> KitError:
    """The error to raise when Maven has not brought what it should have."""
    return KitError(
        f"Maven could not fetch {what}: is there a network, and does the version exist? What was "
        f"once fetched is kept in {cache_folder()} and needs no network. Maven said:\n"
        f"{_first_error(output)}")


def _first_error(output: str) -> str:
    lines = [line for line in output.splitlines() if "ERROR" in line] or output.splitlines()
    return "\n".join(f"  {line}" for line in lines[:4])
