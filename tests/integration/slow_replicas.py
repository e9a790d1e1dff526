"""The replicas that a difference names are those that the server reads: by the traces of reads at
level ALL for some keys, by the Python driver's own ring for all."""

import json

import story
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from kit import NodesStory

KEYS = {
    "int": "k int PRIMARY KEY",
    "text": "k text PRIMARY KEY",
    "composite": "k int, j text, PRIMARY KEY ((k, j))",
}
REPLICATION = {
    "simple 2": "'SimpleStrategy', 'replication_factor': 2",
    "simple 3": "'SimpleStrategy', 'replication_factor': 3",
    "by data centre": "'NetworkTopologyStrategy', '{centre}': 2",
}


class Replicas(NodesStory):
    def findings(self, columns, replication, *node):
        """`validate` of an empty table: each of 40 keys is a finding."""
        profile = self.file("p.yaml", f"keyspace: {self.keyspace}\nkeyspace_definition: |\n  CREATE"
                            f" KEYSPACE {self.keyspace} WITH replication = {{'class': {replication}}}"
                            f"\ntable: t\ntable_definition: CREATE TABLE t ({columns})\n"
                            "queries: {}\n")
        self.cstress("user", f"profile={profile}", "ops(validate=1)", "n=40", "no-warmup", "cl=ONE",
                     "-pop", "seq=1..40", "-rate", "threads=2", "-errors", "ignore",
                     "differences=d.jsonl", "-node", *(node or (self.nodes[0],)))
        lines = (self.folder / "d.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def traced(self, where):
        """The nodes that execute a read at level ALL."""
        statement = SimpleStatement(f"SELECT * FROM {self.keyspace}.t WHERE {where}",
                                    consistency_level=ConsistencyLevel.ALL)
        future = self.client.session.execute_async(statement, trace=True)
        future.result()
        trace = future.get_query_trace(story.TIMEOUT)
        return {f"{event.source}:9042" for event in trace.events
                if "Executing single-partition query on t" in event.description}

    def by_driver(self, token):
        ring = self.client.cluster.metadata.token_map
        found = ring.get_replicas(self.keyspace, ring.token_class(token))
        return {f"{host.broadcast_rpc_address or host.address}:9042" for host in found}

    def check(self, findings):
        self.assertEqual({d["difference"] for d in findings}, {"missing row"})
        self.assertEqual(len(findings), 40)
        story.wait_until(self.client.sees_the_schema, "the client's view of the schema")
        for d in findings:
            self.assertEqual(set(d["replicas"]), self.by_driver(d["token"]), d)
            self.assertEqual(d["consistency"], "ONE")
        for d in findings[:3]:
            where = " AND ".join(f"{name} = {value}" for name, value in d["partition"].items())
            self.assertEqual(set(d["replicas"]), self.traced(where), d)

    def test_they_are_those_of_the_server(self):
        centre = self.client.run("SELECT data_center FROM system.local")[0]["data_center"]
        for name, columns in KEYS.items():
            for strategy, replication in REPLICATION.items():
                with self.subTest(key=name, strategy=strategy):
                    self.client.drop(self.keyspace)
                    found = self.findings(columns, replication.replace("{centre}", centre))
                    self.check(found)
                    for d in found:
                        self.assertIn(d["coordinator"], d["replicas"])

    def test_those_that_must_not_be_asked_are_named_too(self):
        found = self.findings(KEYS["int"], REPLICATION["simple 2"], "whitelist", self.nodes[1])
        self.check(found)
        self.assertEqual({d["coordinator"] for d in found}, {f"{self.nodes[1]}:9042"})


if __name__ == "__main__":
    story.main()
