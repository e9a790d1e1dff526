"""The tutorial's fixed thread counts and rates: threads=, throttle=, fixed=, a range with auto."""

import story

OPS = ["ops(insert=3,read1=1)", "no-warmup", "cl=ONE"]


class Rates(story.Story):
    def run_users(self, count, *rate):
        profile = self.users()
        run = self.good("user", f"profile={profile}", f"n={count}", *OPS, "-rate", *rate, "-node",
                        self.node)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        return run

    def test_a_hundred_threads(self):
        run = self.run_users(3000, "threads=100")
        self.assertIn("Running [insert, read1] with 100 threads for 3000 iteration", run.lines)
        self.assertEqual(run.step.types(), ["insert", "read1", "total"])

    def test_throttle_keeps_under_its_rate(self):
        run = self.run_users(2000, "threads=16", "throttle=1000/s")
        # Partitions are what is counted; the last operation may go over n by its batch.
        self.assertGreaterEqual(run.seconds, 1.9)
        self.assertLessEqual(run.step.total["Partition rate"], 1100, run.report())

    def test_fixed_keeps_its_rate(self):
        run = self.run_users(2000, "threads=16", "fixed=1000/s")
        self.assertGreaterEqual(run.seconds, 1.9)
        self.assertLessEqual(run.step.total["Partition rate"], 1100, run.report())

    def test_fixed_and_throttle_together_are_refused(self):
        run = self.cstress("user", f"profile={self.users()}", "n=10", *OPS, "-rate", "threads=4",
                           "throttle=10/s", "fixed=10/s", "-node", self.node, status=1)
        self.assertEqual(run.stdout, "")
        self.assertIn("fixed", run.stderr)

    def test_an_automatic_range_ends_at_its_upper_bound(self):
        run = self.run_users(3000, "threads>=8", "threads<=12", "auto")
        self.assertIn("Thread count was not specified", run.lines)
        self.assertIn("Running with 8 threadCount", run.lines)
        self.assertNotIn("Sleeping for 15s", run.lines)
        self.assertEqual(sorted(story.output.parse_table(run.lines)),
                         [(8, "insert"), (8, "read1"), (8, "total")])

    def test_n_counts_partitions(self):
        profile = self.users()
        run = self.good("user", f"profile={profile}", "n=200", "ops(insert=1)", "no-warmup",
                        "-rate", "threads=4", "-node", self.node)
        self.assertEqual(run.step.total["Total partitions"], 200)
        self.assertEqual(run.step.last("total")["total ops"], 20)
        self.assertEqual(self.client.count(f'"{self.keyspace}".users'), 200)


if __name__ == "__main__":
    story.main()
