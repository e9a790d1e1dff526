"""One of three nodes is killed: the load that it had is shared by those that are left."""

import story
from kit import NodesStory, kit, node


class Survivors(NodesStory):
    def test_the_rest_share_evenly(self):
        run = self.start("write", "n=100M", "cl=ONE", "no-warmup", "-rate", "threads=16",
                         "throttle=1500/s", "-schema", f"keyspace={self.keyspace}",
                         "replication(factor=3)", "-node", ",".join(self.nodes))
        run.wait_for_rows(3)
        node("kill", 2)
        self.addCleanup(kit, "start")
        alive = [self.nodes[0], self.nodes[2]]
        before = self.requests(alive)
        story.wait_until(lambda: sum(self.requests(alive).values()) > sum(before.values()) + 4000,
                         "some thousand requests at the nodes that are left")
        news = [count - before[address] for address, count in self.requests(alive).items()]
        run.send()
        run.wait(30)
        self.assertLess(max(news) - min(news), 0.2 * sum(news) / 2, f"{news}\n{run.report()}")
        self.assertEqual(run.book().failed, 0, run.report())


if __name__ == "__main__":
    story.main()
