"""Readers as people have them find the same in the outputs of the original and of cstress."""

import original
import readers
import story

N = 3000


class Readers(original.BesideStory):
    def words(self, keyspace, who):
        self.client.drop(keyspace)
        self.addCleanup(self.client.drop, keyspace)
        more = ["-rate", "threads=4", "-schema", f"keyspace={keyspace}", "-log", f"file={who}.log",
                f"hdrfile={who}.hdr", "-graph", f"file={who}.html", "revision=one", "-node", self.node]
        return ["mixed", "ratio(write=1,read=1)", f"n={N}", "no-warmup", "cl=ONE", *more]

    def fill(self, keyspace, *level):
        self.cstress("write", f"n={N}", "no-warmup", "-rate", "threads=8", "-schema", f"keyspace={keyspace}",
                     "-node", self.node, *level)

    def outputs(self, release):
        """Runs of the original, of ours at its level, and of ours by default, with their names."""
        level = original.level(release)
        words = {who: self.words(f"r_{who}", who) for who in ("theirs", "ours", "default")}
        self.fill("r_theirs", *level)
        self.fill("r_ours", *level)
        self.fill("r_default")
        return {"theirs": self.ended_well(self.original(release, *words["theirs"])),
                "ours": self.good(*words["ours"], *level), "default": self.good(*words["default"])}

    def check(self, who, run):
        """Each reader finds what the others find; returns the labels and the kinds, which all must have."""
        text = run.stdout
        labels, block = readers.by_label(text), readers.last_twenty(text)
        self.assertEqual([label.lower() for label, _ in block], list(labels), run.report())
        self.assertEqual(len(block), 17)
        self.assertEqual(labels["total partitions"], str(N))
        for label, value in block[:11]:
            self.assertRegex(value, r"^[\d,.]+ ((op|pk|row)/s|ms)?\s*\[READ: [^\]]*WRITE: [^\]]*\]$", label)
        rates = readers.rates_of_kinds(text)
        self.assertEqual(sorted(rates), ["READ", "WRITE"])
        self.check_rows(who, run, text)
        counts = readers.hdr_counts((self.folder / f"{who}.hdr").read_text())
        self.assertEqual(sorted(counts), ["READ-st", "WRITE-st"])
        self.assertEqual(sum(counts.values()), N)
        self.assertFalse(readers.errors_in(text))
        return list(labels), sorted(rates)

    def check_rows(self, who, run, text):
        rows = readers.table(text)
        total = [row for row in rows if row["type"] == "total"]
        log = self.folder / f"{who}.log"
        for path in (run.out, log):
            counted = readers.awk_total(path)
            self.assertEqual([str(ops) for ops, _ in counted], [row["total ops"] for row in total])
            self.assertEqual(counted[-1], (N, 0), run.report())
        record, = readers.graph((self.folder / f"{who}.html").read_text())
        self.assertEqual([int(line[1]) for line in record["intervals"]], [int(row["total ops"]) for row in rows])
        self.assertEqual(record["op rate"], readers.last_twenty(text)[0][1])

    def test_outputs_of_3_11(self):
        found = {who: self.check(who, run) for who, run in self.outputs("3.11").items()}
        self.assertEqual(found["ours"], found["theirs"])
        self.assertEqual(found["default"], found["theirs"])


if __name__ == "__main__":
    story.main()
