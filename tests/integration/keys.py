"""Stories with TLS: the stores that tools/cassandra has made for the cluster."""

import os
import socket
import threading
from pathlib import Path

import kit
import story

RUN = Path(os.environ.get("CSTRESS_RUN", story.ROOT / "run"))
PASSWORD = "cstress"


class TlsStory(story.Story):
    """A story against a cluster that was started with --tls or --client-auth."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.keys = RUN / kit.CLUSTER / "tls"
        if not (cls.keys / "ca.pem").exists():
            raise RuntimeError(f"{cls.keys} has no keys: start the cluster with --tls")

    def words(self, *transport, node=None):
        """A short run with these -transport options; %s is the folder of the keys."""
        words = [word.replace("%s", str(self.keys)) for word in transport]
        return ["write", "n=50", "no-warmup", "cl=ONE", "-rate", "threads=4", "-schema",
                f"keyspace={self.keyspace}", "-node", node or self.node, "-transport", *words]

    def refused(self, text, *transport, node=None):
        """One line with these words, and nothing was done."""
        run = self.cstress(*self.words(*transport, node=node), status=1)
        self.one_error_line(run, text)
        self.assertNotIn("Running", run.stdout, run.report())

    def sessions(self):
        """What the server says of our connections."""
        return [row for row in self.client.run("SELECT * FROM system_views.clients")
                if row["driver_name"] == "cstress"]


class Forwarder:
    """A port that leads to a node; of 127.0.0.1, an address that no certificate names."""

    def __init__(self, node, port=9042, host="127.0.0.1"):
        self.target = (node, port)
        self.listener = socket.create_server((host, 0))
        self.port = self.listener.getsockname()[1]
        self.pairs = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()
        self.cut()

    def cut(self):
        """Ends all connections that there are; new ones go through."""
        pairs, self.pairs = self.pairs, []
        for ends in pairs:
            for end in ends:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # it has ended by itself

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            self.pairs.append((client, server))
            for ends in ((client, server), (server, client)):
                threading.Thread(target=_copy, args=ends, daemon=True).start()


def _copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        source.close()
        target.close()
