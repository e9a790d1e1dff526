"""One graph page in the hands of both programs: each appends to what the other has made."""

import original
import story
from test_tutorial_graph import KEYS, stats_of

OWN = {"metrics", "test", "revision", "command", "intervals", *KEYS}


class GraphPages(original.BesideStory):
    def words(self, revision, **more):
        title = [f"title={more['title']}"] if "title" in more else []
        return ["write", "n=2000", "no-warmup", "-rate", "threads=4", "-schema", f"keyspace={self.keyspace}",
                "-graph", "file=page.html", f"revision={revision}", *title, "-node", self.node]

    def records(self):
        return {record["revision"]: record for record in stats_of(self.folder / "page.html")["stats"]}

    def check_turns(self, release):
        """Original, ours, original, ours; every record stays as its own program wrote it."""
        self.ended_well(self.original(release, *self.words("theirs1", title="first")))
        first = self.records()["theirs1"]
        run = self.good(*self.words("ours1", title="second"), "-compat", f"level={release}")
        self.assertEqual(self.records()["theirs1"], first)
        ours = self.records()["ours1"]
        self.check_ours(ours, run)
        self.ended_well(self.original(release, *self.words("theirs2", title="third")))
        kept = self.records()
        self.assertEqual(list(kept), ["theirs1", "ours1", "theirs2"])
        self.assertEqual(kept["theirs1"], first)
        # The original knows its own keys; what it keeps of ours is what it reads.
        self.assertEqual({key: kept["ours1"][key] for key in OWN}, {key: ours[key] for key in OWN})
        self.good(*self.words("ours2"), "-compat", f"level={release}")
        self.assertEqual(list(self.records()), ["theirs1", "ours1", "theirs2", "ours2"])
        self.assertEqual(self.records()["theirs2"], kept["theirs2"])

    def check_ours(self, record, run):
        self.assertTrue(OWN <= set(record), set(record))
        self.assertEqual(record["test"], "WRITE")
        self.assertEqual(len(record["intervals"]), len(run.rows()))

    def test_the_page_of_3_11(self):
        self.check_turns("3.11")

    def test_the_page_of_4_0(self):
        self.check_turns("4.0")


if __name__ == "__main__":
    story.main()
