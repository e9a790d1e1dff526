"""A MariaDB of the test's own: a folder, a free port of loopback, a socket; the server of Debian.

    with Server(folder) as server: ... server.port, server.socket, server.ask("SELECT 1")

As root it runs as root, else as the user: nothing of the system's own MariaDB is touched.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

USER, PASSWORD = "stress", "open sesame"
TIMEOUT = 60


def is_here():
    """Whether the server and its client are installed."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return all(shutil.which(name, path=path)
               for name in ("mariadbd", "mariadb-install-db", "mariadb"))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def make_keys(folder):
    """An authority, a server at 127.0.0.1 and a client, and an authority that nobody trusts, as PEM files."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    for name in ("ca", "other"):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out",
                f"{name}.pem", "-days", "3", "-subj", f"/CN={name}")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    for name in ("server", "client"):
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-CAcreateserial", "-days", "3", "-out", f"{name}.crt", "-extfile", "names")
        (folder / f"{name}.pem").write_text((folder / f"{name}.crt").read_text()
                                            + (folder / f"{name}.key").read_text())
    openssl("pkcs12", "-export", "-in", "client.crt", "-inkey", "client.key", "-out", "client.p12",
            "-passout", "pass:secret")


class Talk:
    """A client that keeps its transaction open: statement by statement."""

    def __init__(self, server, database):
        self.process = subprocess.Popen(
            ["mariadb", "--no-defaults", "-uroot", f"-S{server.socket}", "-N", "-B", "--unbuffered",
             database], env=server.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, bufsize=1)

    def say(self, sql):
        """Returns when the server has answered."""
        self.process.stdin.write(f"{sql}; SELECT 'said';\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line == "said\n":
                return
        raise RuntimeError(f"the client has ended: {sql}")

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(TIMEOUT)
        self.process.stdout.close()


class Server:
    """Started by the constructor, ready when it returns."""

    def __init__(self, *options):
        self.folder = Path(tempfile.mkdtemp(prefix="cstress-mariadb-"))
        self.socket = self.folder / "socket"
        self.port = free_port()
        self.options = options
        self.log = self.folder / "log"
        self.environment = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
        self.process = None
        owner = pwd.getpwuid(os.getuid()).pw_name
        self.common = ["--no-defaults", f"--user={owner}", f"--datadir={self.folder / 'data'}"]
        self.run("mariadb-install-db", *self.common, "--skip-test-db",
                 "--auth-root-authentication-method=normal")
        self.start()
        self.ask(f"CREATE USER '{USER}'@'%' IDENTIFIED BY '{PASSWORD}';"
                 f"GRANT ALL ON *.* TO '{USER}'@'%'")

    def run(self, *args):
        done = subprocess.run(args, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(args)}: {done.stdout}")
        return done.stdout

    def start(self):
        """On the data that is there."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["mariadbd", *self.common, f"--socket={self.socket}", f"--port={self.port}",
                 "--bind-address=127.0.0.1", f"--pid-file={self.folder / 'pid'}",
                 "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=64M",
                 "--skip-log-bin", *self.options],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + TIMEOUT
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"mariadbd does not come up:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.05)

    def is_ready(self):
        return subprocess.run(["mariadb", "--no-defaults", "-uroot", f"-S{self.socket}",
                               "-e", "SELECT 1"],
                              env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def ask(self, sql):
        """Rows as lists of texts, by the client of the command line."""
        text = self.run("mariadb", "--no-defaults", "-uroot", f"-S{self.socket}", "-N", "-B", "-e", sql)
        return [line.split("\t") for line in text.splitlines()]

    def number(self, sql):
        return int(self.ask(sql)[0][0])

    def kill(self):
        """As a crash would."""
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
