"""The tutorial's ways to name nodes, on one node; and its help pages."""

import story

WORK = ["n=20", "no-warmup", "-rate", "threads=2"]


class Nodes(story.Story):
    def write(self, *node, status=0):
        return self.cstress("write", *WORK, "-schema", f"keyspace={self.keyspace}", "-node", *node,
                            status=status)

    def check_rows(self):
        self.assertEqual(self.client.count(f'"{self.keyspace}".standard1'), 20)

    def datacenter(self):
        return self.client.run("SELECT data_center FROM system.local")[0]["data_center"]

    def test_one_address(self):
        self.write(self.node)
        self.check_rows()

    def test_an_address_with_its_port(self):
        self.write(f"{self.node}:9042")
        self.check_rows()

    def test_a_list_in_which_one_is_down(self):
        down = self.node.rsplit(".", 1)[0] + ".250"
        run = self.write(f"{down},{self.node}")
        self.assertIn(down, run.stderr)
        self.check_rows()

    def test_a_list_in_a_file(self):
        self.file("hosts.txt", f"# all of them\n\n  {self.node}  \n")
        self.write("file=hosts.txt")
        self.check_rows()

    def test_a_datacenter_with_a_whitelist(self):
        self.write(f"datacenter={self.datacenter()}", "whitelist", self.node)
        self.check_rows()

    def test_an_unknown_datacenter_names_those_there_are(self):
        run = self.write("datacenter=nosuch", self.node, status=1)
        self.one_error_line(run, "nosuch", self.datacenter())

    def test_a_missing_file_is_named(self):
        run = self.write("file=nosuch.txt", status=1)
        self.assertIn("nosuch.txt", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_help(self):
        for words, want in [(("help",), "Usage"), (("help", "user"), "ops("),
                            (("help", "-node"), "whitelist"), (("help", "-rate"), "throttle")]:
            run = self.cstress(*words)
            self.assertIn("Usage", run.stdout)
            self.assertIn(want, run.stdout)
            self.assertEqual(run.stderr, "")


if __name__ == "__main__":
    story.main()
