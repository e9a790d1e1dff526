"""Whole runs with -compat figures=original: the other levels, the long runs, and `strict` with its waits."""

import story
import test_order
import test_order_original as base


class Original311(base.OriginalOrder):
    """The long runs in the layout of 3.11."""


class Original40(base.OriginalOrder):
    """The layout of 4.0."""
    level = "4.0"


class Original50(base.OriginalOrder):
    """The layout of 5.0."""
    level = "5.0"


class Strict50(base.OriginalOrder):
    """With the original's waits."""
    level = "5.0"
    strict = True

    def test_a_failed_run_lasts_as_long_as_its_duration(self):
        run = self.cstress("write", "duration=5s", "no-warmup", "cl=TWO", "-rate", "threads=2", "-errors", "retries=0",
                           "-log", "no-settings", "-node", self.node, environment=self.compat(), status=1)
        self.assertGreaterEqual(run.seconds, 5, run.report())
        self.assertEqual(run.lines[-1], "FAILURE", run.report())


NEVER = test_order.STOPS_A_NODE
base.add_stories(Original311, lambda name: name in base.LONG)
base.add_stories(Original40, lambda name: name not in NEVER)
base.add_stories(Original50, lambda name: name not in NEVER)
base.add_stories(Strict50, lambda name: name in {"write-1000", "read", "mixed", "user-fixed", "user-ramp", "write-n0"})

if __name__ == "__main__":
    story.main()
