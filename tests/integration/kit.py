"""Stories that stop nodes: the cluster they run on, in the hands of tools/cassandra.

CSTRESS_CLUSTER names the cluster whose addresses CSTRESS_NODES holds.
"""

import os
import subprocess

import story

TOOL = str(story.ROOT / "tools" / "cassandra")
CLUSTER = os.environ.get("CSTRESS_CLUSTER", "default")


def kit(command, *args):
    """Runs the kit on our cluster; its words are shown when it fails."""
    words = [TOOL, command, CLUSTER, *args]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def node(command, number):
    """A command about one node: kill, restart, pause, resume, decommission."""
    kit(command, "--node", str(number))


class NodesStory(story.Story):
    """A story that may kill and pause nodes: all are up again afterwards."""

    def tearDown(self):
        kit("start")
        super().tearDown()
        self.check_books()

    def on_each(self, cql, nodes=None):
        """The rows of each node's own (virtual) table: address to rows."""
        answers = {}
        for address in nodes or self.nodes:
            client = story.Client(self.nodes, only=address)
            try:
                answers[address] = client.run(cql)
            finally:
                client.close()
        return answers

    def requests(self, nodes=None):
        """Requests at each node over the connections it has, but for the Python driver's."""
        rows = self.on_each("SELECT driver_name, request_count FROM system_views.clients", nodes)
        return {address: sum(row["request_count"] for row in found
                             if "Python" not in (row["driver_name"] or ""))
                for address, found in rows.items()}
