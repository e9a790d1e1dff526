"""Command lines and profiles of tests/cases that take their time: paced, timed, or many."""

import cases
import story

TABLE = "keyspace1.standard1"


class SlowCases(cases.CaseStory):
    def test_005_a_count_with_a_suffix(self):
        self.total(self.case(5), 20000)
        rows = self.columns(TABLE, "C0")
        self.assertEqual((len(rows), {len(row[0]) for row in rows}), (20000, {1}))

    def test_007_a_count_without_rate_is_one_round(self):
        run = self.case(7)
        self.assertIn("Running WRITE with 200 threads for 2000 iteration", run.stdout)
        self.total(run, 2000)
        run = self.typed("read n=100 no-warmup -pop seq=1..100 -node NODE")
        self.assertIn("Thread count was not specified", run.stdout)
        self.warned(run, "several runs follow", "threads=N")
        self.assertGreaterEqual(len(run.steps), 4)

    def test_008_a_throttle_without_its_unit_holds(self):
        run = self.case(8)
        self.assertEqual(run.step.total["Total partitions"], 500)
        self.assertAlmostEqual(run.step.total["Op rate"], 100, delta=5)
        run = self.case(8, [("throttle=100", "limit=100/s"), ("n=500", "n=100")])
        self.warned(run, "limit=", "throttle=")
        self.assertAlmostEqual(run.step.total["Op rate"], 100, delta=6)

    def test_009_the_histogram_log_has_what_the_rate_makes_known(self):
        for change, tags in (([], ["WRITE-rt", "WRITE-st", "WRITE-wt"]),
                             ([(" fixed=200/s", ""), ("600", "60")], ["WRITE-st"])):
            self.case(9, change)
            lines = (self.folder / "w.hdr").read_text().splitlines()
            self.assertEqual(sorted({line.split(",")[0][4:] for line in lines[5:]}), tags)
            self.assertTrue(lines[4].startswith('"StartTimestamp"'), lines[4])

    def test_010_n_and_throttle_count_partitions(self):
        run, seen = self.recorded(10)
        self.total(run, 1005)
        self.assertEqual(self.client.count("ks_batches.parcels"), 1005)
        self.assertEqual(sorted(len(one.statements) for one in seen.of("BATCH")), [5] + [10] * 100)
        self.assertEqual({one.batch_type for one in seen.of("BATCH")}, {"UNLOGGED"})
        self.assertAlmostEqual(run.step.total["Partition rate"], 200, delta=10)
        self.assertAlmostEqual(run.step.total["Op rate"], 20, delta=2)
        _, seen = self.recorded(10, change=[("n=1005", "n=11"), (" throttle=200/s", "")])
        self.assertEqual((len(seen.of("BATCH")), len(seen.of("EXECUTE"))), (1, 1))

    def test_013_a_duration_ends_by_itself(self):
        run = self.case(13)
        self.assertAlmostEqual(run.step.total["Total operation time"], 3, delta=0.5)
        self.assertLess(run.seconds, 6)

    def test_016_a_range_of_threads(self):
        self.typed("write n=1k no-warmup -rate threads=4 -node NODE")
        run = self.case(16)
        self.assertEqual([line for line in run.lines if line.startswith("Running with")],
                         [f"Running with {count} threadCount" for count in (2, 4, 8)])
        self.assertEqual([step.total["Total partitions"] for step in run.steps], [1000] * 3)
        self.assertEqual(sorted(story.output.parse_table(run.lines)),
                         [(count, kind) for count in (2, 4, 8) for kind in ("READ", "total")])
        self.assertEqual(run.lines.count("END"), 1)

    def test_017_until_the_error_is_small(self):
        run = self.case(17)
        self.assertIn("Running WRITE with 4 threads until stderr of mean < 0.05", run.lines)
        self.assertTrue(3 <= len(run.rows()) <= 9, run.report())

    def test_020_keys_of_a_bell_curve(self):
        self.total(self.case(20), 5000)
        self.assertTrue(200 < self.client.count(TABLE) < 400)

    def test_020_the_names_of_the_bell_curve(self):
        for dist in ("gaussian(1..1000,5)", "NORM(1..1M)", "GAUSS(1..1M)", "normal(1..1000)"):
            self.total(self.typed(f"write n=50 no-warmup -pop 'dist={dist}' -rate threads=4 "
                                  "-node NODE"), 50)

    def test_023_rows_each_half_second_and_two_files(self):
        run = self.case(23)
        self.assertTrue(4 <= len(run.rows()) <= 6, run.report())
        self.assertEqual((self.folder / "run.log").read_text(), run.stdout)
        self.assertIn("Tag=WRITE-st,", (self.folder / "run.hdr").read_text())

    def test_028_a_short_range_of_counters_wraps(self):
        self.total(self.case(28), 3000)
        names = [f"C{i}" for i in range(5)]
        self.assertEqual(self.columns("keyspace1.counter1", *names), [(3,) * 5] * 1000)
        self.total(self.case(28, [("seq=1..1000", "seq=1..1000 no-wrap")]), 1000)
        self.total(self.case(28, [("counter_write", "write")]), 3000)

    def test_032_readings_by_day(self):
        run = self.case(32)
        self.assertEqual(run.step.types(), ["insert", "latest", "total"])
        last = {kind: run.step.last(kind)["total ops"] for kind in run.step.types()}
        self.assertEqual((last["total"], run.step.total["Total errors"]), (2000, 0))
        self.assertTrue(80 < last["insert"] < 360, last)
        self.assertLessEqual(run.step.items["Total partitions"]["latest"], last["latest"])
        years = {row[0].year for row in self.columns("ks_sensors.readings", "at")}
        self.assertTrue(1970 <= min(years) and max(years) <= 2020, years)

    def test_033_a_view_and_indexes(self):
        run, seen = self.recorded(33)
        self.assertEqual(run.step.total["Total errors"], 0)
        self.assertEqual(run.step.types(), ["by_colour", "by_tag", "insert", "total"])
        order = [one.text.split()[:3] for one in seen.of("QUERY", about="CREATE")]
        self.assertEqual([words[1] for words in order],
                         ["KEYSPACE", "TABLE", "MATERIALIZED", "INDEX", "CUSTOM"])
        self.assertGreater(self.client.count("ks_view.cars_by_colour"), 0)

    def test_047_queries_that_bind_nothing(self):
        run = self.case(47)
        done = {name: run.step.last(name) for name in run.step.types()}
        self.assertEqual((done["total"]["total ops"], run.step.total["Total errors"]), (200, 0))
        self.assertEqual(run.step.items["Total partitions"]["count_all"],
                         done["count_all"]["total ops"])


if __name__ == "__main__":
    story.main()
