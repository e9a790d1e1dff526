"""What takes its time: durations, ramps, and every form of a schema, read at the server."""

import signal

import story
from test_options import OptionsStory

COMPACTIONS = ["SizeTieredCompactionStrategy", "LeveledCompactionStrategy",
               "TimeWindowCompactionStrategy", "UnifiedCompactionStrategy",
               "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy"]
COMPRESSIONS = ["LZ4Compressor", "SnappyCompressor", "DeflateCompressor", "ZstdCompressor",
                "org.apache.cassandra.io.compress.LZ4Compressor"]


class SlowOptions(OptionsStory):
    def schema(self, of, *columns):
        rows = self.client.run(f"SELECT {', '.join(columns)} FROM system_schema.{of} WHERE"
                               " keyspace_name = %s", values=(self.keyspace,))
        return [[dict(row[name]) if hasattr(row[name], "items") else row[name]
                 for name in columns] for row in rows]

    def test_durations_in_all_units(self):
        for size, words in (("2s", "2 seconds"), ("1m", "1 minutes"), ("3h", "3 hours"),
                            ("1d", "1 days")):
            with self.subTest(size=size):
                run = self.start("write", f"duration={size}", "no-warmup", "-rate", "threads=2",
                                 "throttle=100/s", "-log", "interval=100ms", "-schema",
                                 f"keyspace={self.keyspace}", "-node", self.node)
                run.wait_for_rows(2)
                self.assertIn(f"Running WRITE with 2 threads {words}", run.lines)
                if not size.endswith("s"):
                    run.send(signal.SIGINT)
                run.wait(10)
                self.assertEqual(run.status, 0 if size.endswith("s") else 130, run.report())
                self.assertGreater(run.seconds, 2 if size.endswith("s") else 0)

    # ---- ramps ----

    def test_ramps_empty_their_table_as_truncate_says(self):
        """Three steps that write, and one line of it for each time."""
        for truncate, times in (("never", 0), ("once", 1), ("always", 3)):
            with self.subTest(truncate=truncate):
                self.client.drop(self.keyspace)
                self.write("n=10", "-pop", "seq=1001..1010", "-rate", "threads=1")
                run = self.write("n=30", f"truncate={truncate}", "-pop", "seq=1..30", "-rate",
                                 "threads>=1", "threads<=4")
                self.assertEqual([line for line in run.lines if line.startswith("Running with")],
                                 [f"Running with {count} threadCount" for count in (1, 2, 4)])
                self.assertEqual(run.lines.count("Sleeping for 15s"), 2)
                self.assertEqual(len([line for line in run.lines
                                      if line.startswith("Truncated ")]), times)
                self.assertEqual(self.count(), 40 if truncate == "never" else 30)
                self.assertEqual([step.total["Total partitions"] for step in run.steps], [30] * 3)
                self.assertEqual(sorted(story.output.parse_table(run.lines)),
                                 [(count, kind) for count in (1, 2, 4)
                                  for kind in ("WRITE", "total")])

    def test_an_automatic_ramp_of_reads_ends_when_nothing_is_gained(self):
        self.write("n=50", "-rate", "threads=1")
        run = self.run_here("read", "n=50", "no-warmup", "-pop", "seq=1..50", "-rate", "auto",
                            "threads>=4", "threads<=1000")
        self.assertNotIn("Sleeping for 15s", run.lines)
        self.assertEqual(run.lines[-1], "END")
        steps = [line for line in run.lines if line.startswith("Running with")]
        self.assertEqual(steps[:4], [f"Running with {count} threadCount"
                                     for count in (4, 8, 16, 24)])
        self.assertTrue(4 <= len(steps) <= 14, steps)

    # ---- the schema ----

    def make(self, *words, status=0):
        self.client.drop(self.keyspace)
        return self.cstress("write", "n=0", "-schema", f"keyspace={self.keyspace}", *words,
                            "-node", self.node, status=status)

    def test_replication(self):
        center = self.client.run("SELECT data_center FROM system.local")[0]["data_center"]
        simple, network = (f"org.apache.cassandra.locator.{name}Strategy"
                           for name in ("Simple", "NetworkTopology"))
        for words, want in (
                ([], {"class": simple, "replication_factor": "1"}),
                (["replication(factor=3)"], {"class": simple, "replication_factor": "3"}),
                (["replication(strategy=SimpleStrategy,factor=2)"],
                 {"class": simple, "replication_factor": "2"}),
                ([f"replication(strategy={simple})"],
                 {"class": simple, "replication_factor": "1"}),
                ([f"replication(strategy=NetworkTopologyStrategy,{center}=2)"],
                 {"class": network, center: "2"}),
                (["replication(strategy=NetworkTopologyStrategy,factor=3)"],
                 {"class": network, center: "3"}),
                ([f"replication(strategy={network},{center}=1)"], {"class": network, center: "1"})):
            with self.subTest(words=words):
                self.make(*words)
                self.assertEqual(self.schema("keyspaces", "replication"), [[want]])

    def test_compaction_and_compression(self):
        tables = {"standard1", "counter1"}
        for compaction, compression in zip(COMPACTIONS, COMPRESSIONS):
            with self.subTest(compaction=compaction, compression=compression):
                self.make(f"compaction(strategy={compaction},min_sstable_size=50)"
                          if "SizeTiered" in compaction else f"compaction(strategy={compaction})",
                          f"compression={compression}")
                found = self.schema("tables", "table_name", "compaction", "compression")
                self.assertEqual({row[0] for row in found}, tables)
                for _, compacted, compressed in found:
                    self.assertEqual(compacted["class"].rpartition(".")[2],
                                     compaction.rpartition(".")[2])
                    self.assertEqual(compacted.get("min_sstable_size"),
                                     "50" if "SizeTiered" in compaction else None)
                    self.assertEqual(compressed["class"].rpartition(".")[2],
                                     compression.rpartition(".")[2])

    def test_what_the_server_does_not_know_is_refused_in_its_words(self):
        for words in (["compression=NoSuchCompressor"],
                      ["compaction(strategy=LeveledCompactionStrategy,no_such=1)"],
                      ["compaction(strategy=DateTieredCompactionStrategy)"],
                      ["replication(strategy=NetworkTopologyStrategy,nosuchcenter=1)"]):
            with self.subTest(words=words):
                run = self.make(*words, status=1)
                self.one_error_line(run, "creating ", f"keyspace {self.keyspace}")

    def test_compact_storage(self):
        for definition, rows in (("(id int PRIMARY KEY, v text) WITH COMPACT STORAGE", 10),
                                 ("(id int, pos int, PRIMARY KEY (id, pos))"
                                  " WITH COMPACT STORAGE", 10),
                                 ("(id int, pos int, v text, PRIMARY KEY (id, pos))"
                                  " WITH COMPACT STORAGE AND compression = {'enabled': false}",
                                  10)):
            with self.subTest(definition=definition):
                self.client.drop(self.keyspace)
                profile = self.file("p.yaml", (
                    f"keyspace: {self.keyspace}\nkeyspace_definition: |\n  CREATE KEYSPACE"
                    f" {self.keyspace} WITH replication = {{'class': 'SimpleStrategy',"
                    f" 'replication_factor': 1}};\ntable: t\ntable_definition: |\n  CREATE TABLE t"
                    f" {definition};\nqueries:\n  one: {{cql: SELECT * FROM t WHERE id = ?,"
                    " fields: samerow}\n"))
                for ops in ("ops(insert=1)", "ops(one=1)"):
                    run = self.good("user", f"profile={profile}", ops, "n=10", "no-warmup",
                                    "-pop", "seq=1..10", "-rate", "threads=1", "-node", self.node)
                    self.assertEqual(run.step.total["Total partitions"], 10, run.report())
                self.assertEqual(self.client.count(f"{self.keyspace}.t"), rows)


if __name__ == "__main__":
    story.main()
