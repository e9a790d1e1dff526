"""Whole runs as sequences of lines: tests/vectors/output/runs.jsonl, made from the original's."""

import json
import re
import signal

import pattern
import story

RUNS = [json.loads(line) for line in
        (story.VECTORS / "output" / "runs.jsonl").read_text().splitlines()]
# Those that wait for a quarter of a minute or more (slow_order.py), or stop a node
# (slow_stalls.py).
SLOW = {"user-ramp"}
STOPS_A_NODE = {"err-server-stalls"}
FAULTS = {  # the tutorial's profile with one fault
    "badkey": ("queries:", "qeries:"),
    "notyaml": ("keyspace: perftesting\n", "keyspace: a: b\n"),
    "badcql": ("CREATE TABLE IF NOT EXISTS users (", "CREATE TABLE IF NOT EXISTS ("),
    "baddist": ("uniform(10..30)", "unifrom(10..30)"),
    "badtype": ("email       text", "email       txt"),
}


class OrderStory(story.Story):
    """How one of these runs is done and compared."""
    level = "5.0"
    rows_of = None  # level whose data dialect the rows have

    def fill(self):
        """What `needs: write-1000` asks for."""
        if OrderStory.rows_of != self.level:
            self.client.drop("keyspace1")
            self.cstress("write", "n=1000", "no-warmup", "-rate", "threads=8", "-node", self.node,
                         "-compat", f"level={self.level}")
            OrderStory.rows_of = self.level

    def profile(self, fault):
        text = (story.EXAMPLES / "users.yaml").read_text()
        if fault == "notyaml":
            text = "table: users\nkeyspace: a: b\n"
        elif fault:
            old, new = FAULTS[fault]
            self.assertIn(old, text)
            text = text.replace(old, new)
        return str(self.file(f"{fault or 'users'}.yaml", text))

    def arguments(self, run):
        text = re.sub(r"PROFILE(?:\((\w+)\))?", lambda found: self.profile(found[1]), run["args"])
        down = self.node.rsplit(".", 1)[0] + ".250"
        for word, value in [("<ADDR>", self.node), ("<DOWN>", down), ("LOG", "log.txt"),
                            ("HDR", "log.hdr"), ("GRAPH", "graph.html")]:
            text = text.replace(word, value)
        return text.split(" ")

    def check(self, run):
        needs = run.get("needs", "")
        if "write-1000" in needs:
            self.fill()
        if run["args"].startswith("user"):
            self.client.drop("perftesting")
        started = self.start(*self.arguments(run))
        self.disturb(started, needs)
        started.wait()
        self.assertEqual(started.status, run.get("exit_cstress", run["exit"]), started.report())
        wrong = pattern.matches(run.get("stdout_cstress", run["stdout"]), started.stdout)
        self.assertIsNone(wrong, f"{wrong}\n{started.report()}")
        self.check_stderr(run, started)
        if "log_file" in run:
            self.assertEqual((self.folder / "log.txt").read_text(), started.stdout)

    def disturb(self, started, needs):
        """SIGINT after the third row, for instance."""
        found = re.search(r"SIGINT after the (\w+) row", needs)
        if found:
            started.wait_for_rows(["first", "second", "third"].index(found[1]) + 1)
            started.send(signal.SIGINT)

    def check_stderr(self, run, started):
        before_the_run = run.get("stdout_cstress") == [] or run["id"].startswith("err-node-down")
        for text in run["stderr"]:
            if text.startswith("Failed to execute") or (text == story.JMX and before_the_run):
                continue
            self.assertIn(text, started.stderr, started.report())
        self.assertLessEqual(started.stderr.count(story.JMX), 1, started.report())
        self.assertNotIn("\tat ", started.stderr + started.stdout)
        if before_the_run:
            self.assertEqual(started.stdout, "", started.report())
            self.assertEqual(started.stderr.count("cstress: "), 1, started.report())


def story_of(run):
    def check(self):
        self.check(run)
    return check


def add_stories(case, wanted):
    """One test method for each run whose id is wanted."""
    for run in RUNS:
        if wanted(run["id"]):
            setattr(case, "test_" + run["id"].replace("-", "_"), story_of(run))


class Order(OrderStory):
    """The runs that a single node can do in a few seconds each."""

    def test_a_ramp_that_ends_by_its_uncertainty_says_what_it_is_worth(self):
        self.fill()
        run = self.good("read", "err<0.9", "n>1", "n<2", "no-warmup", "-rate", "threads>=2", "threads<=3", "-pop",
                        "seq=1..1000", "-log", "interval=200ms", "no-settings", "-node", self.node)
        at = run.lines.index("Thread count was not specified")
        self.assertTrue(run.lines[at + 1].startswith("WARNING: uncertainty mode (err<) results in uneven workload"))
        self.assertEqual(run.lines[at + 2:at + 5], ["", "Running with 2 threadCount",
                                                    "Running READ with 2 threads until stderr of mean < 0.9"])


add_stories(Order, lambda name: name not in SLOW | STOPS_A_NODE)

if __name__ == "__main__":
    story.main()
