"""The tutorial's first command as typed, without -rate: until throughput no longer grows."""

import story
import test_tutorial_ramp


class WholeRamp(test_tutorial_ramp.RampStory):
    def test_the_ramp_ends_by_itself(self):
        run = self.good("user", f"profile={self.users()}", "n=20000", "ops(insert=3,read1=1)",
                        "truncate=once", "no-warmup", "cl=ONE", "-node", self.node, timeout=1200)
        threads = [4, 8, 16, 24, 36, 54, 81, 121, 181, 271, 406, 609, 913][:len(run.steps)]
        self.assertGreaterEqual(len(threads), 4)
        self.check_steps(run, threads, 20000)


if __name__ == "__main__":
    story.main()
