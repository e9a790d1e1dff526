"""Three clients on one new keyspace at the same moment, as typed by the container hosts."""

import story

KEYSPACE = "TestKEYSPACE01"
RATES = [["threads=4"], ["threads=4"], ["threads>=72", "threads<=72"]]


class ThreeClients(story.Story):
    """How the rounds are done; the stories say on how many nodes and how often."""
    factor = 1
    size = 2000  # rows of each client

    def setUp(self):
        super().setUp()
        self.addCleanup(self.client.drop, KEYSPACE)
        self.client.drop(KEYSPACE)

    def begin(self, number):
        first = number * self.size + 1
        return self.start(
            "write", f"n={self.size}", "cl=quorum", "-mode", "native", "cql3", "-rate", *RATES[number],
            "-schema", f"keyspace={KEYSPACE}", f"replication(factor={self.factor})", "-pop",
            f"seq={first}..{first + self.size - 1}", "-log", f"file={self.folder}/run_{number}.log",
            "-node", ",".join(self.nodes))

    def rounds(self, count):
        for number in range(count):
            with self.subTest(round=number + 1):
                self.client.drop(KEYSPACE)
                for run in [self.begin(0), self.begin(1), self.begin(2)]:
                    run.wait()
                    self.assertEqual(run.status, 0, run.report())
                    self.assertEqual(run.lines[-1], "END", run.report())
                rows = self.client.count(f'"{KEYSPACE}".standard1', "QUORUM")
                self.assertEqual(rows, 3 * self.size)

    def check_output(self):
        run = self.begin(0).wait()
        self.assertEqual(run.status, 0, run.report())
        lines = run.lines
        self.assertEqual(lines[0], "*" * 20 + " Stress Settings " + "*" * 20)
        self.assertIn(f"  Keyspace: {KEYSPACE}", lines)
        self.assertIn(f"Warming up WRITE with {self.size // 4 * len(self.nodes)} iterations...", lines)
        self.assertEqual(run.step.total["Total partitions"], self.size)
        self.assertEqual((self.folder / "run_0.log").read_text(), run.stdout)


class ContainerHosts(ThreeClients):
    def test_all_rows_are_there_round_after_round(self):
        self.rounds(3)

    def test_the_output_is_what_they_look_at(self):
        self.check_output()


if __name__ == "__main__":
    story.main()
