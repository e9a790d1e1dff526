"""The HDR log as the Java library's own tool reads it, against what the report of the same run says."""

import re

import jars
import story

PERCENTILES = {"Latency median": 0.5, "Latency 95th percentile": 0.95, "Latency 99th percentile": 0.99,
               "Latency 99.9th percentile": 0.999}


class HdrLog(story.Story):
    def summary(self, log, tag):
        """Percentile (0 to 1) to ms, count, largest and mean of all lines with this tag."""
        out = jars.processor("-i", log, "-tag", tag, "-o", self.folder / tag)
        self.assertNotIn("Exception", out)
        text = (self.folder / f"{tag}.hgrm").read_text()
        points = [(float(found[2]), float(found[1]))
                  for found in re.finditer(r"^ *([\d.]+) +([01]\.\d+) +\d+ ", text, re.M)]
        largest, count = re.search(r"#\[Max += +([\d.]+), Total count += +(\d+)\]", text).groups()
        mean = re.search(r"#\[Mean += +([\d.]+)", text)[1]
        return points, int(count), float(largest), float(mean)

    def check_tag(self, log, tag, step, kind):
        """A single kind has rows of the total only, but its own item in each list of the block."""
        points, count, largest, mean = self.summary(log, tag)
        rows = [row for row in step.rows if row["type"] == kind] or step.rows
        self.assertEqual(count, int(rows[-1]["total ops"]))
        shown = {label: step.items[label][kind] for label in (*PERCENTILES, "Latency max", "Latency mean")}
        self.assertAlmostEqual(largest, shown["Latency max"], delta=0.051)
        self.assertAlmostEqual(mean, shown["Latency mean"], delta=0.051)
        for label, percentile in PERCENTILES.items():
            # The tool's table has a point at or just before and just after each percentile.
            below = max((ms for p, ms in points if p <= percentile), default=0)
            above = min((ms for p, ms in points if p >= percentile), default=largest)
            self.assertTrue(below - 0.051 <= shown[label] <= above + 0.051,
                            f"{tag} {label}: {shown[label]} is not within {below} and {above}")

    def test_service_times_of_each_kind_are_those_of_the_report(self):
        self.cstress("write", "n=2000", "no-warmup", "-rate", "threads=8", "-schema", f"keyspace={self.keyspace}",
                     "-node", self.node)
        run = self.good("mixed", "ratio(write=1,read=3)", "n=4000", "-pop", "dist=uniform(1..2000)", "-rate",
                        "threads=8", "-log", "hdrfile=run.hdr", "interval=250ms", "-schema",
                        f"keyspace={self.keyspace}", "-node", self.node)
        log = self.folder / "run.hdr"
        listed = set(jars.processor("-i", log, "-listtags").split())
        self.assertTrue({"READ-st", "WRITE-st"} <= listed, listed)
        self.assertFalse({"READ-rt", "WRITE-wt"} & listed, listed)
        for kind in ("READ", "WRITE"):
            self.check_tag(log, f"{kind}-st", run.step, kind)

    def test_a_fixed_rate_reports_the_response_times(self):
        run = self.good("write", "n=600", "no-warmup", "-rate", "threads=4", "fixed=1000/s", "-log",
                        "hdrfile=fixed.hdr", "-schema", f"keyspace={self.keyspace}", "-node", self.node)
        log = self.folder / "fixed.hdr"
        listed = set(jars.processor("-i", log, "-listtags").split())
        self.assertTrue({"WRITE-st", "WRITE-rt", "WRITE-wt"} <= listed, listed)
        self.check_tag(log, "WRITE-rt", run.step, "WRITE")


if __name__ == "__main__":
    story.main()
