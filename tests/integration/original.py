"""The original cassandra-stress beside ours: releases, how to start one, what they leave."""

import json

import story
from client import hex_cells

TOOL = story.ROOT / "tools" / "cassandra"
# The release of each dialect of the data, and the level at which cstress is it.
RELEASES = {"3.11": "3.11", "4.0": "4.0"}
AT_ONCE = 5  # originals that run at a time: most of a run is its pauses
LONG = 120  # seconds; a busy machine takes its time to start a JVM


def level(release):
    """The words that make cstress write the data of a release."""
    return ["-compat", f"level={RELEASES[release]}"]


class BesideStory(story.Story):
    """A story that runs both programs on one server."""
    maxDiff = 3000

    def original(self, release, *args):
        """Starts the original; the caller waits for it."""
        return self.start(*args, program=(str(TOOL), "stress", release))

    def ended_well(self, run):
        """Waits for an original; it must end with END and without errors."""
        run.wait(LONG)
        self.assertEqual(run.status, 0, run.report())
        self.assertEqual(run.lines[-1], "END", run.report())
        self.no_errors(run)
        return run

    def no_errors(self, run):
        self.assertEqual(run.steps[-1].total["Total errors"], 0, run.report())

    def in_turns(self, jobs):
        """Runs of the original, a few at a time, each when it has ended; a job is (release, words)."""
        runs = []
        for job, (release, words) in enumerate(jobs):
            runs.append(self.original(release, *words))
            if job >= AT_ONCE - 1:
                runs[job - AT_ONCE + 1].wait(LONG)
        for run in runs:
            run.wait(LONG)
        return runs

    def cells(self, keyspace, table):
        """The whole table as sorted lines, each cell the bytes that crossed the wire."""
        rows = hex_cells(self.client.raw(f'SELECT * FROM "{keyspace}"."{table}"'))
        return sorted(json.dumps(row, sort_keys=True) for row in rows)

    def same_cells(self, ours, theirs, table, about):
        """Both keyspaces hold the same rows of this table, and some."""
        found, want = self.cells(ours, table), self.cells(theirs, table)
        self.assertTrue(want, f"{about}: the original wrote nothing")
        self.assertEqual(found, want, about)
