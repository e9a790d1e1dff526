"""Stories without a real server: the responder in its place."""

import re
import signal
import socket

import story

HOST = "127.0.0.1"


def free_port():
    with socket.socket() as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


class NoClient:
    """There is nothing to look at behind a server that stores nothing."""

    def drop(self, keyspace):
        pass

    def close(self):
        pass


class ResponderStory(story.Story):
    """A story whose server is the responder; it tells at its end what it has received."""

    @classmethod
    def setUpClass(cls):
        cls.client = NoClient()

    def tearDown(self):
        super().tearDown()
        self.check_books()

    def serve(self, *words, port=None):
        """A responder of one node; its port."""
        port = port or free_port()
        self.server = self.start("responder", f"listen={HOST}:{port}", *words)
        story.wait_until(lambda: "listening on" in self.server.stdout
                         or self.server.process.poll() is not None, "the responder")
        return port

    def told(self):
        """Ends the responder; words to numbers."""
        self.server.send(signal.SIGINT)
        self.server.wait()
        self.assertEqual(self.server.status, 0, self.server.report())
        return {name: int(number)
                for number, name in re.findall(r"(\d+) (\w+)", self.server.stdout)}
