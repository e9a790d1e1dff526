"""Runs the built program, for tests that need no server."""

import os
import pathlib
import subprocess

CSTRESS = os.environ["CSTRESS"]
TESTS = pathlib.Path(__file__).resolve().parent.parent
VECTORS = TESTS / "vectors"


def run(args, compat=None, folder=None, name=None, stdin=None):
    """The finished process; compat goes into CSTRESS_COMPAT, name stands for argv[0]."""
    env = {k: v for k, v in os.environ.items() if k != "CSTRESS_COMPAT"}
    if compat:
        env["CSTRESS_COMPAT"] = compat
    return subprocess.run([name or CSTRESS, *args], executable=CSTRESS, env=env, cwd=folder, input=stdin or "",
                          text=True, capture_output=True, timeout=60)
