"""Command lines as users typed them (tests/cases, 001 to 026): counts, words, refusals.

Those that take their time stand in slow_cases.py.
"""

import cases
import story

TABLE = "keyspace1.standard1"
NOWHERE = "-node 127.9.9.9"  # refused before anybody is asked

# What is refused before connecting, and words of the reason.
REFUSED = [
    *((f"write {value} -rate threads=1", value, "10k") for value in
      ("n=1.5M", "n=1,000", "n=1_000", "n=1g", "n=", "n==5", "n=-1")),
    ("write n=1 -pop seq=1-10 -rate threads=1", "seq=1-10", "1..10k"),
    ("write n=1 -pop seq=-5..5 -rate threads=1", "seq=-5..5"),
    ("write n=1 -pop seq=10 -rate threads=1", "seq=10", "first..last"),
    ("write n=1 -pop 'seq=1 .. 10' -rate threads=1", "seq=1", "first..last"),
    ("write n=1 -rate threads=10 throttle=100/s fixed=100/s", "both fixed and throttle"),
    ("write n=1 -rate throttle=100/s", "threads="),
    ("write n=1 -rate threads=10 auto", "auto"),
    ("write duration=3 -rate threads=4", "duration=3", "30m"),
    ("write duration=1h30m -rate threads=4", "duration=1h30m", "30m"),
    ("write duration=0.5m -rate threads=4", "duration=0.5m", "30m"),
    ("write duration=1hour -rate threads=4", "duration=1hour", "30m"),
    ("write n=100 duration=3s -rate threads=4", "n=", "duration="),
    ("write duration=3s 'err<0.05' -rate threads=4", "duration=", "err<"),
    ("write n=10 n=20 -rate threads=1", "n=", "twice"),
    ("write n=10 cl=one cl=all -rate threads=1", "cl=", "twice"),
    ("write n=10 -rate threads=1 threads=2", "threads=", "twice"),
    ("mixed 'ratio(read=1,read=2)' n=10 -rate threads=1", "read=", "twice"),
    ("write n=1 -nodes 127.0.0.1", "-nodes", "-node"),
    ("write n=1 --node 127.0.0.1", "--node"),
    ("write n=1 -host 127.0.0.1", "-host"),
    ("write n=1 -mode native cql3 cl=QUORUM", "cl=QUORUM", "before the first group"),
    ("read n=10 -rate 'threads>=9' 'threads<=8'", "threads>=", "threads<="),
    ("write 'err<2' -rate threads=4", "err<2", "0.05"),
    ("write 'err<5%' -rate threads=4", "err<5%", "0.05"),
    ("write 'err<.05' -rate threads=4", "err<.05", "0.05"),
    ("write n=10 'n>3' -rate threads=4", "n=", "n>"),
    ("write n=1 -col names=a,b 'n=fixed(2)' -rate threads=1", "names=", "n="),
    ("write n=1 -col 'n=uniform(1..5)' -rate threads=1", "fixed"),
    ("write n=1 -pop 'dist=uniform(1-5)' -rate threads=4", "uniform(1-5)"),
    ("write n=1 -pop 'dist=gaussian(1..1000,1,2,3)' -rate threads=4", "4 arguments"),
    ("write n=1 -pop 'uniform(1..10)' -rate threads=4", "uniform(1..10)"),
    ("write n=1 -pop 'dist=uniform(1..10)' seq=1..10 -rate threads=4", "dist=", "seq="),
    ("write n=1 -log interval=0 -rate threads=1", "interval=0"),
    ("write n=1 -log interval=1m -rate threads=1", "interval=1m"),
    ("write n=1 -log interval=1h -rate threads=1", "interval=1h"),
    ("write n=1 -log run.log -rate threads=1", "run.log"),
    ("write n=1 -log file=/nowhere/run.log -rate threads=1", "/nowhere/run.log"),
]


class CommandLines(cases.CaseStory):
    def test_refusals(self):
        for line, *words in REFUSED:
            with self.subTest(line=line):
                self.refused(f"{line} {NOWHERE}", *words)
        with self.subTest("the command comes first"):
            self.refused("-node NODE write n=10", "no command specified")

    def test_001_where_the_shell_cuts_makes_no_difference(self):
        run, seen = self.recorded(1)
        self.total(run, 2000)
        self.assertNotIn("Warming up", run.stdout)
        sent = seen.of("EXECUTE", about="standard1")
        self.assertEqual((len(sent), {one.level for one in sent}), (2000, {"ONE"}))

    def test_002_a_ratio_in_two_arguments(self):
        self.typed("write n=1k -pop seq=1..1k -rate threads=8 -node NODE")
        run = self.case(2)
        self.total(run, 4000)
        self.assertEqual(run.step.types(), ["READ", "WRITE", "total"])
        self.assertAlmostEqual(run.step.items["Total partitions"]["WRITE"], 3000, delta=350)

    def test_002_on_an_empty_server_the_schema_is_made_and_a_read_fails(self):
        run = self.case(2, status=1)
        self.assertIn("Created keyspaces.", run.stdout)
        self.one_error_line(run, "Data returned was not validated")
        self.assertEqual(run.lines[-1], "FAILURE")

    def test_003_replicas_of_one_data_centre_only(self):
        _, seen = self.recorded(3)
        ddl = seen.of("QUERY", about="CREATE KEYSPACE")[0].text
        self.assertIn('"bench_dc"', ddl)
        self.assertIn("NetworkTopologyStrategy'", ddl)
        self.assertRegex(ddl, r"'[\w]+'\s*:\s*'3'")
        self.assertNotIn("replication_factor", ddl)
        made = self.client.run("SELECT compaction FROM system_schema.tables WHERE keyspace_name = "
                               "'bench_dc' AND table_name = 'standard1'")[0]["compaction"]
        self.assertTrue(made["class"].endswith("LeveledCompactionStrategy"), made)
        self.assertEqual(made["sstable_size_in_mb"], "64")

    def test_003_without_a_data_centre_there_is_a_factor(self):
        for number, words in (("2", '"replication(strategy=NetworkTopologyStrategy,factor=2)"'),
                              ("1", "keyspace=keyspace1")):
            with self.subTest(words), cases.Proxy(self.node) as proxy:
                self.typed(f"write n=0 -schema {words} -port native={proxy.port} -node NODE")
                ddl = proxy.recorder.of("QUERY", about="CREATE KEYSPACE")[0].text
                self.assertRegex(ddl, rf"'replication_factor'\s*:\s*'{number}'")

    def test_004_option_words_in_any_case_values_as_typed(self):
        run, seen = self.recorded(4)
        self.total(run, 1000)
        self.assertEqual(self.keyspaces(), ["BenchRun"])
        self.assertEqual(self.client.count('"BenchRun".standard1'), 1000)
        self.assertEqual({one.level for one in seen.of("EXECUTE")}, {"QUORUM"})
        ddl = seen.of("QUERY", about="CREATE KEYSPACE")[0].text
        self.assertEqual(ddl.count("replication_factor"), 1)

    def test_006_a_suffix_belongs_to_its_number(self):
        self.total(self.case(6), 500)
        for dots in ("..", "..."):
            self.total(self.typed(f"read n=500 no-warmup -pop seq=20{dots}519 -rate threads=4 "
                                  "-node NODE"), 500)

    def test_006_a_range_of_one_key(self):
        self.total(self.typed("write n=50 no-warmup -pop seq=7..7 -rate threads=4 -node NODE"), 50)
        self.assertEqual(self.client.count(TABLE), 1)

    def test_011_the_warm_up_counts_the_nodes_as_typed(self):
        run, seen = self.recorded(11, change=[("n=40k", "n=800")])
        self.assertIn("Warming up WRITE with 400 iterations...", run.lines)
        self.total(run, 800)
        self.assertEqual(len(seen.of("EXECUTE", about="standard1")), 1200)
        run = self.typed("mixed n=800 -pop seq=1..800 -rate threads=8 -node NODE")
        self.assertEqual([line for line in run.lines if line.startswith("Warming")],
                         ["Warming up READ with 200 iterations...",
                          "Warming up WRITE with 200 iterations..."])
        self.assertNotIn("Warming", self.typed("write n=3 -rate threads=1 -node NODE").stdout)

    def test_012_nothing_but_the_schema(self):
        for _ in range(2):
            run = self.case(12)
            self.assertEqual(run.lines[-1], "N=0: SCHEMA CREATED, NOTHING ELSE DONE.")
            self.assertNotIn("Warming", run.stdout)
        self.typed("counter_write n=0 -node NODE")
        self.assertTrue(self.client.has_table("keyspace1", "counter1"))
        self.assertEqual(self.client.count("only_schema.standard1"), 0)

    def test_014_a_group_given_twice_sends_nothing(self):
        self.enter(14)
        self.refused((self.folder / "cmd").read_text(), "-schema", "twice")
        self.assertEqual(self.keyspaces(), [])
        self.total(self.typed('write n=10 no-warmup -schema keyspace=ks_a "replication(factor=1)" '
                              "-rate threads=1 -node NODE"), 10)
        self.warned(self.typed("write n=10 no-warmup no-warmup -rate threads=1 -node NODE"),
                    "no-warmup", "twice")

    def test_015_the_word_user_left_out(self):
        self.warned(self.case(15), "command is missing", "user")
        self.assertEqual(self.client.count("ks_min.t_min"), 10)
        self.refused('user profile=profile.yaml "ops(insert=1)" n=1 -schema keyspace=a -node NODE',
                     "-schema", "profile")

    def test_018_two_words_in_one_argument(self):
        run, seen = self.recorded(18)
        self.total(run, 100)
        self.assertEqual({len(row[0]) for row in self.columns(TABLE, "C0")}, {1024})
        self.assertEqual({one.text.split(".")[1] for one in seen.of("PREPARE")},
                         {'"standard1" SET "C0" = ? WHERE KEY=?'})

    def test_018_a_plain_number_is_a_fixed_one(self):
        self.typed('write n=10 no-warmup -col "n=2" "size=FIXED(1k)" -rate threads=2 -node NODE')
        self.assertEqual({tuple(map(len, row)) for row in self.columns(TABLE, "C0", "C1")},
                         {(1000, 1000)})

    def test_019_values_depend_on_the_name_of_the_column(self):
        self.total(self.case(19), 100)
        read = "read n=100 no-warmup -col n=FIXED({}) size=FIXED({}) -pop seq=1..100 " \
               "-rate threads=2 -node NODE"
        for count in (12, 5):
            self.total(self.typed(self.shell(read.format(count, 16))), 100)
        run = self.typed(self.shell(read.format(12, 17)), status=1)
        self.one_error_line(run, "Data returned was not validated")
        self.assertEqual(run.lines[-1], "FAILURE")

    @staticmethod
    def shell(line):
        return line.replace("(", r"\(").replace(")", r"\)")

    def test_021_keys_that_were_never_written(self):
        run = self.typed("read n=5 no-warmup -rate threads=1 -node NODE", status=1)
        self.one_error_line(run, TABLE, "write")
        self.typed("write n=1 no-warmup -rate threads=1 -node NODE")
        run = self.case(21)
        self.assertEqual((run.step.total["Total errors"], run.step.last("total")["total ops"]),
                         (0, 2000))
        run = self.case(21, [("-errors skip-read-validation", "")], status=1)
        self.assertRegex(run.stderr, r"Operation x0 on key\(s\) \[([0-9a-f]{2})+\]: Data returned")
        self.assertEqual((run.lines[-1], len(run.steps)), ("FAILURE", 1))
        run = self.case(21, [("skip-read-validation", "ignore")])
        self.assertGreater(run.step.items["Total errors"]["READ"], 500)

    def test_024_modes_of_all_releases(self):
        typed = "prepared protocolVersion=4 user=bench password=pw1"
        for mode in (typed, "cql3 native user=bench password=pw1", "NATIVE CQL3 unprepared",
                     "native cql3 protocolVersion=3 maxPending=4096 connectionsPerHost=16 "
                     "compression=lz4", "native cql3 port=9043"):
            with self.subTest(mode):
                run = self.case(24, [(typed, mode)])
                self.total(run, 10)
                self.assertNotIn("pw1", run.stdout + run.stderr)
                self.assertEqual("Password: *suppressed*" in run.stdout, "password=" in mode)
        self.warned(run, "port=", "-port native=")

    def test_024_unprepared_rows_are_plain_queries(self):
        _, seen = self.recorded(24, change=[
            ("prepared protocolVersion=4 user=bench password=pw1", "native cql3 unprepared")])
        self.assertEqual(len(seen.of("QUERY", about="UPDATE")), 10)
        self.assertEqual(seen.of("EXECUTE", "PREPARE", about="standard1"), [])

    def test_025_lists_of_hosts(self):
        self.total(self.case(25), 10)
        centre = self.words("DC=")[0].rstrip("=")
        for hosts in ("NODE,", "whitelist NODE", f"NODE whitelist datacenter={centre}",
                      "loadbalance=dc-aware NODE", "NODE,127.9.9.9"):
            with self.subTest(hosts):
                self.total(self.case(25, [("NODE, NODE", hosts)]), 10)
        self.refused("write n=10 -rate threads=1 -node NODE 127.0.0.9",
                     "separate several by commas")

    def test_026_secrets_are_not_shown(self):
        self.enter(26)
        run = self.cstress(*self.words((self.folder / "cmd").read_text()), status=1)
        self.one_error_line(run)
        run = self.typed("write n=10 no-warmup -transport -mode user=a password=Hush1 -graph "
                         "file=out.html title=tls -log file=run.log -rate threads=1 -node NODE")
        for one in self.runs:
            self.assertNotIn("Hush1", one.stdout + one.stderr)
        for name in ("out.html", "run.log"):
            self.assertNotIn("Hush1", (self.folder / name).read_text())


if __name__ == "__main__":
    story.main()
