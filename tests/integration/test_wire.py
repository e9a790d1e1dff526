"""What crosses the wire: consistency levels, timestamps, batches, statement texts."""

import json
import re

import story
from recording_proxy import Proxy

BUSY = ("EXECUTE", "BATCH")


class Wire(story.Story):
    def setUp(self):
        super().setUp()
        self.proxy = Proxy(self.node)
        self.addCleanup(self.proxy.close)
        self.seen = self.proxy.recorder

    def through(self, *args, mode=("protocolVersion=4",), status=0):
        """A run that reaches the node through the proxy."""
        return self.cstress(*args, "-rate", "threads=2", "-mode", "native", "cql3", *mode, "-port",
                            f"native={self.proxy.port}", "-node", self.node, status=status)

    def write(self, *args, **options):
        return self.through("write", "n=20", "no-warmup", *args, "-schema",
                            f"keyspace={self.keyspace}", **options)

    def levels(self, *kinds):
        return {request.level for request in self.seen.of(*(kinds or BUSY), about="standard1")}

    def test_the_level_is_local_one_by_default(self):
        self.write()
        self.assertEqual(self.levels(), {"LOCAL_ONE"})
        self.assertEqual(len(self.seen.of("EXECUTE", about="standard1")), 20)

    def test_the_level_typed_is_the_level_sent(self):
        for level in ("ONE", "QUORUM", "LOCAL_QUORUM", "EACH_QUORUM", "ALL", "ANY"):
            with self.subTest(level=level):
                self.seen.requests.clear()
                self.write(f"cl={level.lower()}")
                self.assertEqual(self.levels(), {level})

    def test_the_level_of_reads(self):
        self.write()
        self.seen.requests.clear()
        self.through("read", "n=20", "no-warmup", "cl=quorum", "-pop", "seq=1..20", "-schema",
                     f"keyspace={self.keyspace}")
        self.assertEqual(self.levels(), {"QUORUM"})

    def test_protocol_5_carries_the_same(self):
        self.write("cl=two", mode=("protocolVersion=5",), status=1)
        sent = self.seen.of("EXECUTE", about="standard1")
        self.assertEqual({request.version for request in sent}, {5})
        self.assertEqual({request.level for request in sent}, {"TWO"})

    def test_every_write_has_the_clients_timestamp(self):
        self.write()
        sent = self.seen.of("EXECUTE", about="standard1")
        self.assertTrue(all(request.timestamp for request in sent))

    def test_batches_of_ten_have_one_level_and_one_timestamp(self):
        self.through("user", f"profile={self.users()}", "n=100", "ops(insert=1)", "no-warmup",
                     "cl=ONE")
        batches = self.seen.of("BATCH")
        self.assertEqual(len(batches), 10)
        for batch in batches:
            self.assertEqual(batch.batch_type, "LOGGED")
            self.assertEqual(len(batch.statements), 10)
            self.assertEqual(batch.level, "ONE")
            self.assertIsNotNone(batch.timestamp)
            self.assertEqual([len(values) for values in batch.values], [8] * 10)

    def test_a_batch_type_of_the_command_line_is_sent(self):
        self.through("user", f"profile={self.users()}", "n=20", "ops(insert=1)", "no-warmup",
                     "-insert", "batchtype=unlogged")
        self.assertEqual({batch.batch_type for batch in self.seen.of("BATCH")}, {"UNLOGGED"})

    def test_a_single_row_is_no_batch(self):
        profile = self.users(replace=[("fixed(10)", "fixed(1)")])
        self.through("user", f"profile={profile}", "n=20", "ops(insert=1)", "no-warmup")
        self.assertEqual(self.seen.of("BATCH"), [])
        self.assertEqual(len(self.seen.of("EXECUTE", about="UPDATE")), 20)

    def test_a_query_keeps_its_own_level(self):
        profile = self.users(replace=[("fields: samerow",
                                       "fields: samerow\n    consistencyLevel: Quorum")])
        # One draw per operation, so that runs without either kind do not occur: below 1 in 10^11.
        self.through("user", f"profile={profile}", "n=200", "ops(insert=1,read1=3)", "no-warmup",
                     "cl=ONE", "clustering=fixed(1)")
        reads = self.seen.of("EXECUTE", about="SELECT")
        self.assertTrue(reads)
        self.assertEqual({read.level for read in reads}, {"QUORUM"})
        self.assertEqual({batch.level for batch in self.seen.of("BATCH")}, {"ONE"})

    def test_a_null_deletes_in_every_version(self):
        """As in the original nothing is left unset: version 3 could not even say so."""
        profile = self.file("nulls.yaml", (
            f"keyspace: {self.keyspace}\nkeyspace_definition: |\n  CREATE KEYSPACE {self.keyspace} WITH "
            "replication = {'class': 'SimpleStrategy', 'replication_factor': 1}\ntable: t\n"
            "table_definition: CREATE TABLE t (id int PRIMARY KEY, v text, w text)\nqueries: {}\n"))
        words = ("user", f"profile={profile}", "n=20", "ops(insert=1)", "no-warmup", "-pop", "seq=1..20")
        for version in (3, 4, 5):
            with self.subTest(version=version):
                for more, there in (((), True), (("-insert", "row-population-ratio=fixed(1)/2"), False)):
                    self.seen.requests.clear()
                    self.through(*words, *more, mode=(f"protocolVersion={version}",))
                    sent = self.seen.of("EXECUTE", about="UPDATE")
                    self.assertEqual([request.values.count(None) for request in sent], 20 * [int(not there)])
                    rows = self.client.run(f"SELECT v, w FROM {self.keyspace}.t")
                    self.assertEqual([row["w"] is not None for row in rows], 20 * [there])
                    self.assertTrue(all(row["v"] for row in rows))

    def test_unprepared_sends_text(self):
        self.write(mode=("protocolVersion=4", "unprepared"))
        self.assertEqual(self.seen.of("EXECUTE", about="standard1"), [])
        sent = [request for request in self.seen.of("QUERY", about="UPDATE")]
        self.assertEqual(len(sent), 20)
        self.assertEqual({request.level for request in sent}, {"LOCAL_ONE"})

    def test_few_connections_carry_many_requests(self):
        self.cstress("write", "n=2000", "no-warmup", "-rate", "threads=100", "-schema",
                     f"keyspace={self.keyspace}", "-port", f"native={self.proxy.port}", "-node",
                     self.node)
        self.assertLessEqual(self.proxy.connections, 9, "one to ask, at most 8 for requests")

    def test_the_first_request_comes_soon(self):
        """Told, not judged: a busy machine may take any time."""
        self.write()
        self.seen.requests.clear()
        run = self.write()
        first = self.seen.of("EXECUTE", about="standard1")[0]
        print(f"first request {1000 * (first.at - run.began):.0f} ms after the start", flush=True)


class Statements(story.Story):
    """Prepared texts as the server has them, against those of the original."""

    def wanted(self, start):
        """Texts that 5.0.2 prepared for a command that begins so, and its arguments."""
        texts = {}
        lines = (story.VECTORS / "statements.tsv").read_text().splitlines()
        for line in lines[1:]:
            version, command, kind, _, _, text, *_ = line.split("\t")
            if version == "5.0.2" and kind == "prepare" and command.startswith(start):
                texts.setdefault(command, set()).add(json.loads(text))
        self.assertTrue(texts, start)
        return texts

    def prepared(self, keyspace):
        """Texts of our keyspace, without the keyspace."""
        rows = self.client.run("SELECT query_string FROM system.prepared_statements")
        qualifier = re.compile(rf'"?{keyspace}"?\.')
        return {qualifier.sub("", row["query_string"]) for row in rows
                if qualifier.search(row["query_string"])}

    def compare(self, start):
        for number, (command, texts) in enumerate(self.wanted(start).items()):
            with self.subTest(command=command):
                keyspace = f"{self.keyspace[:36]}_{number}"
                self.client.drop(keyspace)
                self.addCleanup(self.client.drop, keyspace)
                self.run_command(command, keyspace)
                found = self.prepared(keyspace)
                self.assertLessEqual(texts, found | self.loosely(texts, found))

    @staticmethod
    def loosely(texts, found):
        """Texts of ours that differ only where a name is quoted or not."""
        bare = {text.replace('"', ""): text for text in texts}
        return {bare[text.replace('"', "")] for text in found if text.replace('"', "") in bare}

    def run_command(self, command, keyspace):
        words = [word.replace("keyspace=ks", f"keyspace={keyspace}").replace("datacenter1",
                                                                            self.datacenter())
                 for word in command.split(" ")]
        words = [self.profile(word, keyspace) if word.startswith("profile=") else word
                 for word in words]
        if words[0] in ("read", "counter_read", "mixed"):  # they ask for rows that are there
            kind = "counter_write" if words[0] == "counter_read" else "write"
            self.cstress(kind, "n=6", "no-warmup", "-rate", "threads=1", "-schema",
                         f"keyspace={keyspace}", "-node", self.node)
        self.cstress(*words, "-node", self.node)

    def datacenter(self):
        return self.client.run("SELECT data_center FROM system.local")[0]["data_center"]

    def profile(self, word, keyspace):
        name = word.split("=")[1]
        text = (story.VECTORS / name).read_text()
        text = re.sub(r"(?m)^keyspace: ks$", f"keyspace: {keyspace}", text)
        text = text.replace("CREATE KEYSPACE ks ", f"CREATE KEYSPACE {keyspace} ")
        return "profile=" + str(self.file(name, text))

    def test_write(self):
        self.compare("write ")

    def test_read(self):
        self.compare("read ")

    def test_mixed(self):
        self.compare("mixed ")

    def test_counters(self):
        self.compare("counter_")

    def test_profile_with_plain_names(self):
        self.compare("user profile=statements-plain.yaml ops(insert")

    def test_profile_with_a_counter(self):
        self.compare("user profile=statements-counter.yaml")

    def test_profile_of_keys_only(self):
        self.compare("user profile=statements-key-only.yaml")

    def test_profile_with_a_condition(self):
        self.compare("user profile=statements-condition.yaml")

    def test_profile_with_capitals(self):
        self.compare("user profile=statements-mixed-case.yaml ops(insert")


if __name__ == "__main__":
    story.main()
