"""The real runs of SBK that take no time: the same words, the same lines."""

import story
from sbk_runs import Runs, is_both, runs, takes_time

# What was there before, for runs that read; the others make their own table.
FILLED = {"readers-records": ("-size", 100, "-records", 3000),
          "readers-other-size": ("-size", 1000, "-records", 1000),
          "readers-1": ("-size", 100, "-records", 6000), "readers-4": ("-size", 100, "-records", 6000),
          "time-mcs-readers": ("-size", 100, "-records", 6000), "wire-read": ("-size", 100, "-records", 7000)}


class QuickRuns(Runs):
    def test_replayed_runs(self):
        """Counted and refused ones, and readers that come to the end of the data."""
        replayed = 0
        for row in runs().values():
            if is_both(row) or takes_time(row) or row["id"] == "writers-other-columns":
                continue
            if row["id"] in ("readers-keyspace-missing", "readers-table-missing"):
                self.client.drop("sbk")
            elif FILLED.get(row["id"]):
                self.fill(*FILLED[row["id"]])
            self.replay(row)
            replayed += 1
        self.assertGreater(replayed, 40)

    def test_replayed_runs_that_are_refused_here(self):
        """Both kinds of workers: one line, nothing on stdout."""
        for row in filter(is_both, runs().values()):
            run = self.begin(row).wait()
            self.assertEqual((run.status, run.stdout), (1, ""), row["id"])
            self.assertIn("-writers together with -readers is refused", run.stderr)

    def test_replayed_run_on_other_columns(self):
        row = runs()["writers-other-columns"]
        self.addCleanup(self.client.drop, "sbk3")
        self.client.run("CREATE KEYSPACE sbk3 WITH replication ="
                        " {'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.client.run("CREATE TABLE sbk3.temp (id int PRIMARY KEY, v int)")
        self.replay(row)

    def test_recreate_drops_what_was_there(self):
        self.fill("-size", 10, "-records", 3, "-table", "other")
        self.replay(runs()["recreate-drops-all"])
        self.assertFalse(self.client.has_table("sbk", "other"))
        self.assertEqual(self.client.count("sbk.t2"), 10)


if __name__ == "__main__":
    story.main()
