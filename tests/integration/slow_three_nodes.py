"""Three nodes: who gets which request, and the ways to name nodes."""

from collections import Counter

import story
from kit import NodesStory
from recording_proxy import Proxy


class ThreeNodes(NodesStory):
    def args(self, *node, size="n=3000", factor=1, threads=16):
        return ["write", size, "no-warmup", "-rate", f"threads={threads}", "-schema",
                f"keyspace={self.keyspace}", f"replication(factor={factor})", "-node", *node]

    def test_each_request_goes_to_a_replica_of_its_key(self):
        """RF 1: one proxy before each node sees which keys come by."""
        proxies = {self.nodes[0]: Proxy(self.nodes[0], hide_peers=True)}
        port = proxies[self.nodes[0]].port
        for node in self.nodes[1:]:
            proxies[node] = Proxy(node, port=port, hide_peers=True)
        for proxy in proxies.values():
            self.addCleanup(proxy.close)
        self.good(*self.args(self.nodes[0]), "-mode", "protocolVersion=4", "-port",
                  f"native={port}")
        story.wait_until(self.client.sees_the_schema, "the client's view of the schema")
        right, wrong = Counter(), Counter()
        for node, proxy in proxies.items():
            for request in proxy.recorder.of("EXECUTE"):
                if len(request.values) == 6:
                    (right if node in self.replicas(request.values[-1]) else wrong)[node] += 1
        self.assertEqual(sum(right.values()) + sum(wrong.values()), 3000)
        self.assertEqual(sum(wrong.values()), 0, f"right {right}, wrong {wrong}")
        self.assertEqual(len(right), 3)

    def replicas(self, key):
        found = self.client.cluster.metadata.get_replicas(self.keyspace, key)
        return {str(host.broadcast_rpc_address or host.address) for host in found}

    def shares(self, *node, factor=3):
        """Requests at each node in a running run."""
        run = self.start(*self.args(*node, size="duration=60s", factor=factor))
        run.wait_for_rows(4)
        counts = self.requests()
        run.send()
        run.wait()
        return counts

    def test_all_nodes_get_an_equal_share(self):
        counts = self.shares(self.nodes[0])
        mean = sum(counts.values()) / 3
        for node, count in counts.items():
            self.assertLess(abs(count - mean), 0.2 * mean, f"{node}: {counts}")

    def test_a_whitelist_keeps_to_the_nodes_listed(self):
        datacenter = self.client.run("SELECT data_center FROM system.local")[0]["data_center"]
        counts = self.shares(f"datacenter={datacenter}", "whitelist", ",".join(self.nodes[:2]))
        self.assertEqual(counts[self.nodes[2]], 0, counts)
        self.assertGreater(min(counts[node] for node in self.nodes[:2]), 100, counts)

    def test_the_ways_to_name_nodes(self):
        self.file("hosts.txt", "\n".join(self.nodes) + "\n")
        for node in [",".join(self.nodes), "file=hosts.txt", self.nodes[2],
                     f"{self.nodes[1]}:9042,{self.nodes[0]}"]:
            with self.subTest(node=node):
                self.client.drop(self.keyspace)
                run = self.good(*self.args(node, size="n=300", factor=3), "-log", "no-settings")
                self.assertEqual(len([line for line in run.lines
                                      if line.startswith("Datacenter: ")]), 3, run.report())
                self.assertEqual(self.client.count(f'"{self.keyspace}".standard1', "ALL"), 300)

    def test_the_tutorial_on_three_nodes(self):
        profile = self.users(replace=[("'replication_factor': 1", "'replication_factor': 3")])
        self.good("user", f"profile={profile}", "n=2000", "ops(insert=1)", "no-warmup",
                  "cl=QUORUM", "-rate", "threads=32", "-node", ",".join(self.nodes))
        self.assertEqual(self.client.count(f'"{self.keyspace}".users', "QUORUM"), 2000)
        for view in ("users_by_first_name", "users_by_first_name2", "users_by_first_name3"):
            story.wait_until(
                lambda view=view: self.client.count(f'"{self.keyspace}".{view}', "QUORUM") == 2000,
                f"{view} has all rows")


if __name__ == "__main__":
    story.main()
