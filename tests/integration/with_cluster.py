"""The glue between ctest and the server kit.

    with_cluster.py start NAME NODES [OPTION...]
                                        a new cluster, whatever an earlier run left behind;
                                        options as those of tools/cassandra start
    with_cluster.py stop NAME NODES     its logs to CSTRESS_LOGS, then remove it
    with_cluster.py run NAME SCRIPT     the script, with the cluster in its environment
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

KIT = Path(__file__).resolve().parents[2] / "tools" / "cassandra"


def kit(*args):
    """What a command of the kit prints; its own messages go through to ctest."""
    done = subprocess.run([KIT, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout


def start(name, nodes, *options):
    kit("wipe", name)
    kit("start", name, "--nodes", nodes, *options)


def stop(name, _nodes, *_options):
    for log in (Path(os.environ["CSTRESS_RUN"]) / name).glob("node*/system.log"):
        shutil.copy(log, Path(os.environ["CSTRESS_LOGS"]) / f"cluster-{name}-{log.parent.name}.log")
    kit("wipe", name)


def run(name, script):
    key, _, nodes = kit("env", name).strip().partition("=")
    assert key == "CSTRESS_NODES"
    os.environ.update({"CSTRESS_NODES": nodes, "CSTRESS_CLUSTER": name})
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-B", script])


if __name__ == "__main__":
    {"start": start, "stop": stop, "run": run}[sys.argv[1]](*sys.argv[2:])
