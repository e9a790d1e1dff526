"""The predefined commands with their defaults and the options of the seeds' commands."""

import json

import story
from client import hex_cells


def vector_rows():
    """The first fifty rows of the default table: key to row."""
    rows = {}
    with open(story.VECTORS / "standard1_c4.jsonl", encoding="ascii") as file:
        for line in file:
            row = json.loads(line)
            if row["columns"] == 5 and row["size"] == "FIXED(34)":
                rows[row["position"]] = row["key"].encode().hex()
    return rows


class Commands(story.Story):
    def setUp(self):
        super().setUp()
        self.table = f'"{self.keyspace}".standard1'
        self.counters = f'"{self.keyspace}".counter1'

    def run_here(self, *args, keyspace=None):
        return self.good(*args, "-schema", f"keyspace={keyspace or self.keyspace}", "-node",
                         self.node)

    def keys(self):
        return {row["key"] for row in hex_cells(self.client.raw(f"SELECT key FROM {self.table}"))}

    def counts(self):
        """The counters of all rows, as lists in order of the columns."""
        rows = self.client.run(f"SELECT * FROM {self.counters}")
        return [[row[name] for name in sorted(row) if name != "key"] for row in rows]

    def test_write_without_anything_else(self):
        self.client.drop("keyspace1")
        self.addCleanup(self.client.drop, "keyspace1")
        run = self.good("write", "n=2000", "-node", self.node)
        self.assertIn("Running WRITE with 200 threads for 2000 iteration", run.lines)
        self.assertIn("Warming up WRITE with 500 iterations...", run.lines)
        self.assertEqual(run.step.total["Total partitions"], 2000)
        self.assertEqual(self.client.count("keyspace1.standard1"), 2000)
        self.assertTrue(self.client.has_table("keyspace1", "counter1"))

    def test_read_finds_what_write_wrote(self):
        self.run_here("write", "n=400", "no-warmup", "-rate", "threads=4")
        run = self.run_here("read", "n=400", "-rate", "threads=4", "-pop", "seq=1..400")
        self.assertIn("Warming up READ with 100 iterations...", run.lines)
        self.assertEqual(run.step.items["Total partitions"], {"READ": 400})
        self.assertEqual(run.step.total["Total errors"], 0)

    def test_read_does_not_take_other_rows_for_its_own(self):
        self.run_here("write", "n=20", "no-warmup", "-rate", "threads=4")
        key = self.client.run(f"SELECT key FROM {self.table} LIMIT 1")[0]["key"]
        self.client.run(f'UPDATE {self.table} SET "C2" = 0x00 WHERE key = 0x{key.hex()}')
        run = self.cstress("read", "n=20", "no-warmup", "-rate", "threads=1", "-pop", "seq=1..20",
                           "-schema", f"keyspace={self.keyspace}", "-node", self.node, status=1)
        self.assertEqual(run.lines[-1], "FAILURE")
        self.assertIn(f"Operation x0 on key(s) [{key.hex()}]", run.stdout)

    def test_mixed_makes_what_is_missing_and_keeps_its_ratio(self):
        run = self.run_here("mixed", "ratio(write=1,read=3)", "n=2000", "no-warmup", "-errors",
                            "skip-read-validation", "-rate", "threads=4")
        counts = {kind: run.step.last(kind)["total ops"] for kind in ("READ", "WRITE")}
        self.assertEqual(sum(counts.values()), 2000)
        # Three to one; six standard deviations are 116.
        self.assertLess(abs(counts["WRITE"] - 500), 120)

    def test_counter_write_adds_one_to_each_of_five(self):
        self.run_here("counter_write", "n=100", "no-warmup", "-rate", "threads=4")
        self.assertEqual(self.counts(), [[1] * 5] * 100)
        self.run_here("counter_write", "n=100", "no-warmup", "add=fixed(3)", "-rate", "threads=4")
        self.assertEqual(self.counts(), [[4] * 5] * 100)

    def test_counter_read(self):
        self.run_here("counter_write", "n=100", "no-warmup", "-rate", "threads=4")
        run = self.run_here("counter_read", "n=100", "no-warmup", "-rate", "threads=4", "-pop",
                            "seq=1..100")
        self.assertEqual(run.step.items["Total partitions"], {"COUNTER_READ": 100})

    def test_a_sequence_is_written_and_nothing_else(self):
        self.run_here("write", "n=20", "no-warmup", "-pop", "seq=11..30", "-rate", "threads=3")
        known = vector_rows()
        self.assertEqual(self.keys(), {known[position] for position in range(11, 31)})

    def test_a_distribution_stays_in_its_range(self):
        self.run_here("write", "n=300", "no-warmup", "-pop", "dist=uniform(1..50)", "-rate",
                      "threads=3")
        keys = self.keys()
        self.assertLessEqual(keys, set(vector_rows().values()))
        # 300 draws from 50 miss more than a tenth of them once in a million runs.
        self.assertGreater(len(keys), 44)

    def test_truncate_once_empties_only_its_own_table(self):
        self.run_here("write", "n=30", "no-warmup", "-rate", "threads=2")
        self.run_here("counter_write", "n=30", "no-warmup", "-rate", "threads=2")
        run = self.run_here("write", "n=10", "no-warmup", "truncate=once", "-pop", "seq=101..110",
                            "-rate", "threads=2")
        self.assertTrue(any(line.startswith(f"Truncated {self.keyspace}.standard1.")
                            for line in run.lines), run.report())
        self.assertEqual(self.client.count(self.table), 10)
        self.assertEqual(self.client.count(self.counters), 30)

    def test_a_warm_up_writes_but_does_not_count(self):
        run = self.run_here("write", "n=40", "-rate", "threads=2", "-pop", "seq=1..200")
        self.assertIn("Warming up WRITE with 10 iterations...", run.lines)
        self.assertEqual(run.step.total["Total partitions"], 40)

    def test_schema_options_reach_the_server(self):
        self.good("write", "n=10", "no-warmup", "-rate", "threads=2", "-schema",
                  f"keyspace={self.keyspace}",
                  f"replication(strategy=NetworkTopologyStrategy,{self.datacenter()}=1)",
                  "compaction(strategy=LeveledCompactionStrategy,sstable_size_in_mb=10)",
                  "compression=LZ4Compressor", "-node", self.node)
        keyspace = self.client.run("SELECT replication FROM system_schema.keyspaces WHERE"
                                   " keyspace_name = %s", values=(self.keyspace,))[0]["replication"]
        self.assertEqual(dict(keyspace),
                         {"class": "org.apache.cassandra.locator.NetworkTopologyStrategy",
                          self.datacenter(): "1"})
        table = self.client.run("SELECT compaction, compression FROM system_schema.tables WHERE"
                                " keyspace_name = %s AND table_name = 'standard1'",
                                values=(self.keyspace,))[0]
        self.assertIn("LeveledCompactionStrategy", table["compaction"]["class"])
        self.assertEqual(table["compaction"]["sstable_size_in_mb"], "10")
        self.assertIn("LZ4Compressor", table["compression"]["class"])

    def datacenter(self):
        return self.client.run("SELECT data_center FROM system.local")[0]["data_center"]

    def test_the_default_table_is_not_compressed(self):
        self.run_here("write", "n=10", "no-warmup", "-rate", "threads=2")
        table = self.client.run("SELECT compression FROM system_schema.tables WHERE keyspace_name ="
                                " %s AND table_name = 'standard1'", values=(self.keyspace,))[0]
        self.assertEqual(dict(table["compression"]), {"enabled": "false"})

    def test_schema_beside_user_is_refused(self):
        run = self.cstress("user", f"profile={self.users()}", "n=10", "ops(insert=1)", "-schema",
                           "keyspace=k", "-node", self.node, status=1)
        self.assertEqual(run.stdout, "")
        self.assertIn("-schema", run.stderr)

    def test_the_log_file_is_stdout_and_nothing_of_before(self):
        log = self.file("run.log", "old line\n")
        run = self.run_here("write", "n=50", "-rate", "threads=2", "-log", "file=run.log")
        self.assertEqual(log.read_text(), run.stdout)

    def test_without_settings_the_first_line_is_the_connection(self):
        run = self.run_here("write", "n=50", "no-warmup", "-rate", "threads=2", "-log",
                            "no-settings")
        self.assertTrue(run.lines[0].startswith("Connected to cluster: "), run.report())

    def test_both_protocol_versions_do_the_same(self):
        for version in (4, 5):
            with self.subTest(version=version):
                keyspace = f"{self.keyspace[:40]}_{version}"
                self.client.drop(keyspace)
                self.addCleanup(self.client.drop, keyspace)
                self.run_here("write", "n=300", "no-warmup", "-mode", "native", "cql3",
                              f"protocolVersion={version}", "-rate", "threads=20",
                              keyspace=keyspace)
                self.run_here("read", "n=300", "no-warmup", "-mode", "native", "cql3",
                              f"protocolVersion={version}", "-rate", "threads=20", "-pop",
                              "seq=1..300", keyspace=keyspace)
                self.assertEqual(self.client.count(f'"{keyspace}".standard1'), 300)


if __name__ == "__main__":
    story.main()
