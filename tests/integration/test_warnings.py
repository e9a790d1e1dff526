"""Warnings of the server are told, each once, and never as a flood."""

import story


class Warnings(story.Story):
    def test_batches_of_ten_draw_warnings_that_are_folded(self):
        # 1500 characters more in each of ten rows: every batch is over the limit.
        profile = self.users(replace=[("gaussian(100...500)", "fixed(1500)")])
        run = self.good("user", f"profile={profile}", "n=1000", "ops(insert=1)", "no-warmup",
                        "-rate", "threads=8", "-node", self.node)
        self.assertEqual(run.step.last("total")["total ops"], 100)
        lines = run.errors()
        warned = [line for line in lines if "Batch" in line]
        self.assertGreaterEqual(len(warned), 1, run.report())
        self.assertEqual(len(warned), len(set(warned)), run.report())
        # At most ten of a kind in a second, and a line that counts the rest.
        self.assertLessEqual(len(lines), 12 * (run.seconds + 2), run.report())

    def test_all_warnings_are_counted(self):
        profile = self.users(replace=[("gaussian(100...500)", "fixed(1500)")])
        run = self.good("user", f"profile={profile}", "n=1000", "ops(insert=1)", "no-warmup",
                        "-rate", "threads=8", "-node", self.node)
        self.assertIn("# 100 warnings came from the servers", run.step.extra, run.report())

    def test_errors_of_attempts_are_folded(self):
        run = self.cstress("write", "n=3000", "no-warmup", "cl=TWO", "-errors", "ignore",
                           "retries=0", "-rate", "threads=4", "-schema",
                           f"keyspace={self.keyspace}", "-node", self.node)
        self.assertEqual(run.step.total["Total errors"], 3000)
        told = [line for line in run.errors() if "UnavailableException" in line]
        self.assertGreaterEqual(len(told), 1)
        self.assertLessEqual(len(run.errors()), 40 * (run.seconds + 2), run.report())
        self.assertRegex(run.stderr, r"and [\d,]+ more")


if __name__ == "__main__":
    story.main()
