"""Scripts as people had them: shell and awk over the rows of the old stress, an expression over SBK's lines, a
reader of the Prometheus page. What they find must be what the run did."""

import re
import subprocess
import time
import urllib.request

import story

# Rows of numbers under the header, as plotted from 2010 on: the last total, the greatest rate, the mean latency in ms.
AWK = r"""
BEGIN { FS = "," }
$1 == "total" { for (i = 1; i <= NF; i++) column[$i] = i; next }
/^[0-9]+,/ {
    total = $column["total"]
    if ($column["interval_op_rate"] > rate) rate = $column["interval_op_rate"]
    sum += $column["avg_latency"]; rows++; elapsed = $column["elapsed_time"]
}
END { printf "%d %d %.6f %d %d\n", total, rate, 1000 * sum / rows, rows, elapsed }
"""
CUT = "grep -E '^[0-9]+,' | tail -1 | cut -d, -f1"
RATE = "awk -F, '/^[0-9]+,/ { n = $1; s = $NF } END { print (s ? n / s : n) }'"

# Throughput and percentiles out of SBK's lines, of any release.
SBK = re.compile(r"(?P<total>Total ?:? ?)?Cassandra (?P<action>\w+).*?(?P<records>\d+) records,"
                 r" +(?P<rate>[\d.]+) records/sec, +(?P<mb>[\d.]+) MB/sec, +(?P<avg>[\d.]+) (?P<unit>ms|mcs|ns) avg latency")
PERCENTILE = re.compile(r"(\d+) (?:ms|mcs|ns) ([\d.]+)th")

# The text format 0.0.4 of Prometheus.
SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\} (\S+)')
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')


def pipe(text, *commands):
    """What a pipeline of the shell makes of a text."""
    return subprocess.run(["sh", "-c", " | ".join(commands)], input=text, capture_output=True, text=True,
                          check=True).stdout.strip()


def scrape(text):
    """Name to (labels, value), as a Prometheus server reads the page; every family is declared before its sample."""
    found, kinds, last = {}, {}, None
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            kinds[name], last = kind, name
        elif not line.startswith("#"):
            match = SAMPLE.fullmatch(line)
            assert match, line
            assert match[1] == last, line
            assert match[1].endswith("_total") == (kinds[last] == "counter"), line
            found[match[1]] = dict(LABEL.findall(match[2])), float(match[3])
    return found


class OldScripts(story.Story):
    def setUp(self):
        super().setUp()
        self.client.drop("keyspace1")
        self.addCleanup(self.client.drop, "keyspace1")

    def test_rows_of_the_old_stress_in_awk(self):
        run = self.cstress("stress", "-d", self.node, "-n", 3000, "-t", 4, "-th", 1500, "-i", 1)
        total, rate, latency, rows, elapsed = pipe(run.stdout, f"awk '{AWK}'").split()
        self.assertEqual((total, pipe(run.stdout, CUT)), ("3000", "3000"))
        self.assertTrue(1000 <= int(rate) <= 3000, run.report())
        self.assertGreater(float(latency), 0)
        self.assertGreaterEqual(int(rows), 2)
        self.assertGreaterEqual(int(elapsed), 1)
        self.assertTrue(1000 <= float(pipe(run.stdout, RATE)) <= 3000, run.report())
        for layout in ("2010-01", "0.7"):
            run = self.cstress("stress", "-d", self.node, "-o", "READ", "-n", 3000, "-t", 4, "--layout", layout)
            self.assertEqual(pipe(run.stdout, f"awk '{AWK}'").split()[0], "3000")

    def test_lines_of_sbk_by_an_expression(self):
        for release in ("0.85", "0.88-pre", "0.88", "0.91", "2.0", "7.0", "10.6"):
            run = self.cstress("sbk", "-class", "cassandra", "-node", self.node, "-keyspace", self.keyspace,
                               "-writers", 2, "-size", 100, "-records", 500, "-time", "mcs", "-format", release)
            found = [match for match in map(SBK.search, run.lines) if match]
            self.assertEqual([bool(one["total"]) for one in found], [False, True], f"{release}\n{run.report()}")
            for one in found:
                self.assertEqual((one["action"], one["records"], one["unit"]), ("Writing", "500", "mcs"))
                values = [int(value) for value, _ in PERCENTILE.findall(one.string)]
                self.assertEqual(values, sorted(values))
                self.assertGreater(len(values), 6)
                self.assertTrue(values[0] <= float(one["avg"]) <= values[-1], one.string)

    def test_the_page_as_prometheus_reads_it(self):
        run = self.start("sbk", "-class", "cassandra", "-node", self.node, "-keyspace", self.keyspace, "-writers", 2,
                         "-size", 100, "-seconds", 60, "-out", "PrometheusLogger", "-context", "19719/metrics")
        story.wait_until(lambda: "PrometheusLogger Started" in run.stdout, "the page")
        name, before = "SBK_Writing_Records_total", 0
        end = time.monotonic() + story.TIMEOUT
        while not before:
            self.assertLess(time.monotonic(), end)
            with urllib.request.urlopen("http://127.0.0.1:19719/metrics") as answer:
                page = scrape(answer.read().decode())
            self.assertEqual(page[name][0], {"action": "Writing", "class": "Cassandra", "component": "sbk"})
            before = page[name][1]
            time.sleep(0.05)
        self.assertEqual(page["SBK_Writers"][1], 2)
        self.assertGreater(page["SBK_Writing_ns_99_9"][1], 0)
        run.send()
        run.wait()
        self.assertGreaterEqual(self.client.count(f"{self.keyspace}.temp"), before)


if __name__ == "__main__":
    story.main()
