"""The examples that compare: each ends in one graph page that holds all its runs."""

import json
import os
import re
import subprocess
import unittest

import story

import mariadb_server

STATS = re.compile(r"/\* stats start \*/\s*stats = (.*);\s*/\* stats end \*/", re.S)
PATIENCE = 900  # seconds for one example


class Comparisons(story.Story):
    def example(self, name, **settings):
        """What it printed, and the records of its page."""
        page = self.folder / "page.html"
        done = subprocess.run([story.EXAMPLES / name, page], cwd=self.folder, text=True,
                              env={**os.environ, "CSTRESS": story.PROGRAM, **settings},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
        (self.folder / "output").write_text(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertIn(f"the page is {page}", done.stdout.splitlines())
        return done.stdout, json.loads(STATS.search(page.read_text())[1])["stats"]

    def check_errors(self, records):
        for record in records:
            self.assertEqual(record["total errors"].split()[0], "0", record["revision"])

    def test_replication(self):
        for keyspace in ("replicas2", "replicas3"):
            self.client.drop(keyspace)
            self.addCleanup(self.client.drop, keyspace)
        _, records = self.example("replication.sh", NODES=",".join(self.nodes), N="2000")
        self.assertEqual([(one["revision"], one["test"]) for one in records],
                         [(f"RF {factor}, {level}", test) for factor in (2, 3)
                          for level, test in (("QUORUM", "WRITE"), ("QUORUM", "READ"),
                                              ("ONE", "READ"))])
        self.check_errors(records)
        self.assertEqual(self.client.count("replicas3.standard1", "QUORUM"), 2000)

    @unittest.skipUnless(mariadb_server.is_here(), "there is no MariaDB")
    def test_databases(self):
        self.client.drop("keyspace1")
        self.addCleanup(self.client.drop, "keyspace1")
        _, records = self.example("databases.sh", NODES=",".join(self.nodes), N="2000")
        self.assertEqual([(one["revision"], one["test"]) for one in records],
                         [("Cassandra", "WRITE"), ("MariaDB", "WRITE"), ("Cassandra", "READ"),
                          ("MariaDB", "READ")])
        self.check_errors(records)

    def test_growing(self):
        """On nodes of its own, fewer than where it is not a test."""
        text, records = self.example("growing.sh", COUNT="2", SECONDS_EACH="8",
                                     CSTRESS_RUN=str(self.folder / "run"))
        self.assertEqual([one["revision"] for one in records], ["2 nodes", "growing", "3 nodes"])
        self.check_errors(records)
        shares = [line for line in text.splitlines() if line.startswith("# requests per node")]
        self.assertEqual(len(shares), 3, text[-3000:])


if __name__ == "__main__":
    story.main()
