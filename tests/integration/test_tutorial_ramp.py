"""The tutorial's first command: thread counts rise, one block for each, a table at the end."""

import story

KINDS = ["insert", "read1"]
WORK = ["n=2000", "ops(insert=3,read1=1)", "truncate=once", "no-warmup", "cl=ONE"]


class RampStory(story.Story):
    """How a ramp is checked."""

    def check_steps(self, run, threads, n):
        lines = run.lines
        self.assertIn("Thread count was not specified", lines, run.report())
        self.assertEqual([line for line in lines if line.endswith("threadCount")
                          and line.startswith("Running")],
                         [f"Running with {count} threadCount" for count in threads])
        self.assertEqual(len(run.steps), len(threads), run.report())
        self.assertEqual(lines.count("Sleeping for 15s"), len(threads) - 1, run.report())
        for count in threads[:-1]:
            self.assertRegex(run.stdout, rf"(?m)^Improvement over {count} threadCount: -?\d+%$")
        table = story.output.parse_table(lines)
        self.assertEqual(sorted(table), sorted((count, kind) for count in threads
                                               for kind in [*KINDS, "total"]))
        for count, step in zip(threads, run.steps):
            self.check_step(step, {kind: table[count, kind] for kind in [*KINDS, "total"]}, n)

    def check_step(self, step, table, count):
        """Rows, block and table tell one story."""
        self.assertEqual(sorted(step.items["Op rate"]), KINDS)
        self.assertEqual(sum(step.items["Total partitions"].values()),
                         step.total["Total partitions"])
        self.assertEqual(step.total["Total errors"], 0)
        for kind in step.types():
            self.assertEqual(step.last(kind)["total ops"], table[kind]["total ops"])
        self.assertEqual(table["insert"]["total ops"] + table["read1"]["total ops"],
                         table["total"]["total ops"])
        # A read takes one of n, an insert ten, the last one what is left.
        self.assertEqual(step.items["Total partitions"]["insert"] + table["read1"]["total ops"],
                         count)

    def check_views(self, written):
        name = f'"{self.keyspace}"'
        users = {row["username"]: row for row in self.client.raw(f"SELECT * FROM {name}.users")}
        self.assertGreater(len(users), 0)
        self.assertLessEqual(len(users), written)
        for view in ("users_by_first_name", "users_by_first_name2", "users_by_first_name3"):
            rows = story.wait_until(
                lambda view=view: self.full_view(f"{name}.{view}", len(users)), f"{view} is full")
            self.assertEqual({row["username"]: row for row in rows}, users)

    def full_view(self, view, count):
        rows = self.client.raw(f"SELECT * FROM {view}")
        return rows if len(rows) >= count else None


class Ramp(RampStory):
    def test_a_ramp_prints_a_block_for_each_step_and_a_table(self):
        profile = self.users()
        run = self.good("user", f"profile={profile}", *WORK, "-rate", "threads>=4", "threads<=8",
                        "-node", self.node)
        self.check_steps(run, [4, 8], 2000)
        # Of the second step at least: everything in the table was acknowledged.
        written = sum(step.items["Total partitions"]["insert"] for step in run.steps)
        self.check_views(written)


if __name__ == "__main__":
    story.main()
