"""Every kind of error a server can answer with, counted, told and retried as -errors says.

A proxy before the real server answers in its place; what is acknowledged is counted there.
"""

import json
import re
import signal
from collections import Counter

import story
from answering_proxy import (BROKEN, HANG_UP, READ_ERRORS, SWALLOW, WRITE_ERRORS, AnsweringProxy,
                             ByKey, error)
from recording_proxy import QUERY

PLAIN = ["-mode", "protocolVersion=4", "connectionsPerHost=1"]
COUNTED = re.compile(r"# failed operations by class: (.*)")
TOLD = re.compile(r"Operation x(\d+) on key\(s\) \[[0-9A-Fa-f]+\]: Error executing: \((\w+)\): ")


class ErrorKinds(story.Story):
    def tearDown(self):
        super().tearDown()
        self.check_books()

    def through(self, judge, command, *words, status=0, count=None, rate=(), mode=()):
        """A run on a proxy with this judge, one request at a time, in the order of the keys."""
        with AnsweringProxy(self.node, judge) as proxy:
            run = self.cstress(command, f"n={count or len(judge.verdicts) + 5}", "no-warmup",
                               "cl=ONE", "-pop", "seq=1..100", "-rate", "threads=1", *rate,
                               "-schema", f"keyspace={self.keyspace}", *PLAIN, *mode, "-port",
                               f"native={proxy.port}", "-node", self.node, *words, status=status)
        self.assertEqual(run.lines[-1], "FAILURE" if status else "END", run.report())
        run.book()
        return run

    def write(self, *words, **how):
        """Through a proxy that makes the schema, too."""
        return self.through(words[0], "write", *words[1:], **how)

    def rows(self):
        return self.client.count(f'"{self.keyspace}".standard1')

    @staticmethod
    def by_class(run):
        lines = [COUNTED.fullmatch(line) for line in run.step.extra]
        found = [line[1] for line in lines if line]
        return dict((name, int(count)) for name, count in
                    (item.split(" ") for item in found[0].split(", "))) if found else {}

    def check_kinds(self, run, errors, tries, good):
        """One failed operation of each kind, counted and told once for each attempt."""
        names = [name.strip() for name in errors]
        self.assertEqual(run.step.total["Total errors"], len(names), run.report())
        self.assertEqual(self.by_class(run), {name: names.count(name) for name in names})
        told = [match.groups() for match in map(TOLD.match, run.errors()) if match]
        self.assertEqual(told, [(str(tries), name) for name in names], run.report())
        attempts = [line for line in run.errors() if re.match(r"\w+(Exception|Error): ", line)]
        self.assertEqual(len(attempts), tries * len(names), run.report())
        self.assertIn(f"# {(tries - 1) * len(names)} attempts were retries", run.step.extra)
        self.assertTrue([line for line in run.step.extra if line.startswith(
            f"# without the {len(names)} failed operations: {good} operations, ")], run.report())

    def test_each_kind_of_a_write(self):
        run = self.write(ByKey(WRITE_ERRORS.values()), "-errors", "ignore", "retries=2")
        self.check_kinds(run, WRITE_ERRORS, 3, 5)
        self.assertEqual(self.rows(), 5)
        self.assertEqual(run.step.total["Total partitions"], len(WRITE_ERRORS) + 5)
        # What a server says is shown, but does nothing to a terminal.
        self.assertIn(r"no viable alternative\n\x1b[31m", run.stderr)

    def test_each_kind_of_a_read(self):
        self.write(ByKey([]), count=20)
        run = self.through(ByKey(READ_ERRORS.values()), "read", "-errors", "ignore", "retries=1")
        self.check_kinds(run, READ_ERRORS, 2, 5)
        self.assertEqual(run.step.total["Total partitions"], 5)

    def test_a_file_names_each_that_failed_and_no_other(self):
        run = self.write(ByKey(WRITE_ERRORS.values()), "-errors", "ignore", "retries=0",
                         "failures=f.jsonl")
        lines = [json.loads(line) for line in (self.folder / "f.jsonl").read_text().splitlines()]
        self.assertEqual(Counter(line["class"] for line in lines), self.by_class(run))
        book, became = run.book(), Counter(line["outcome"] for line in lines)
        self.assertEqual((became["failed"], became["unknown"]), (book.failed, book.unknown))
        rows = self.client.raw(f'SELECT key FROM "{self.keyspace}".standard1')
        keys = {row["key"].hex() for row in rows} | {line["keys"][0] for line in lines}
        self.assertEqual(len(keys), book.started, "each once, here or there")

    def test_what_goes_away_after_some_tries_is_no_error(self):
        run = self.write(ByKey(WRITE_ERRORS.values(), times=9))
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(self.rows(), len(WRITE_ERRORS) + 5)
        # Each time a statement is unknown it is prepared and sent again, which is no retry.
        retries = 9 * (len(WRITE_ERRORS) - 1) + 4
        self.assertIn(f"# {retries} attempts were retries", run.step.extra, run.report())

    def test_the_first_failure_ends_the_run(self):
        run = self.write(ByKey([None, None, WRITE_ERRORS["OverloadedException"]]), status=1)
        self.assertEqual(run.step.total["Total partitions"], 3)
        self.assertEqual(self.rows(), 2)
        told = [line for line in run.lines if line.startswith("java.io.IOException: ")]
        self.assertEqual(len(told), 1, run.report())
        self.assertRegex(told[0], r"Operation x10 on key\(s\) \[[0-9A-Fa-f]+\]: Error executing: "
                         r"\(OverloadedException\): too much")
        self.assertEqual(run.stderr.count("\nOverloadedException: too much"), 10, run.report())
        self.one_error_line(run, "Failed to execute stress action", "OverloadedException")
        self.assertTrue([line for line in run.lines if line.startswith("Incomplete: ")])

    def test_the_time_of_a_failure_is_kept_apart(self):
        slow = error(0x1100, "slow", WRITE_ERRORS["WriteTimeoutException"].body[4 + 2 + 8:],
                     after_s=0.7)
        run = self.write(ByKey([slow]), "-errors", "ignore", "retries=0")
        self.assertGreater(run.step.total["Latency max"], 690)
        line = next(line for line in run.step.extra if line.startswith("# without the 1 failed"))
        self.assertLess(float(re.search(r"max ([\d.]+) ms", line)[1]), 600, line)

    def test_an_answer_that_comes_too_late_is_no_answer_to_another(self):
        late = error(0x1001, "late", after_s=0.8)
        run = self.write(ByKey([late]), "-errors", "ignore", "retries=0", count=12,
                         mode=["requestTimeout=200"], rate=["throttle=8/s"])
        self.assertEqual(self.by_class(run), {"OperationTimedOutException": 1}, run.report())
        self.assertIn("# 1 answers came after their time-out", run.step.extra, run.report())
        self.assertEqual(self.rows(), 11)

    def test_a_broken_answer_costs_the_connection_and_no_more(self):
        run = self.write(ByKey(BROKEN.values()), "-errors", "ignore", "retries=0")
        counts = self.by_class(run)
        self.assertEqual(sum(counts.values()), len(BROKEN), run.report())
        self.assertLessEqual(set(counts), {"ProtocolError", "TransportException"})
        self.assertEqual(self.rows(), 5)

    def test_a_lost_connection_is_opened_again(self):
        run = self.write(ByKey([HANG_UP] * 3, times=1))
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(self.rows(), 8)
        self.assertEqual(run.stderr.count("\nTransportException: "), 3, run.report())

    def test_a_storm_of_errors_is_told_in_few_lines(self):
        judge = ByKey([WRITE_ERRORS["OverloadedException"]] * 100)
        run = self.write(judge, "-errors", "ignore", "retries=19", count=100)
        told = [line for line in run.errors() if line.startswith("OverloadedException: too much")]
        more = [re.match(r"… and ([\d,]+) more: (\w+)", line) for line in run.errors()]
        folded = [int(match[1].replace(",", "")) for match in more
                  if match and match[2] == "OverloadedException"]
        self.assertEqual(len(told) + sum(folded), 2000, run.report())
        self.assertLessEqual(len(told), 10 * (run.seconds + 1), run.report())

    def hung(self, *words, size="n=10"):
        """A run whose third operation gets no answer; started, not awaited."""
        proxy = AnsweringProxy(self.node, ByKey([None, None, SWALLOW]))
        self.addCleanup(proxy.close)
        run = self.start("write", size, "no-warmup", "-pop", "seq=1..100", "-rate", "threads=1",
                         "-log", "interval=100ms", "-schema", f"keyspace={self.keyspace}", *PLAIN,
                         "-port", f"native={proxy.port}", "-node", self.node, *words)
        story.wait_until(lambda: len(proxy.recorder.of("EXECUTE")) >= 3 or
                         run.process.poll() is not None, "the request that is not answered")
        return run

    def test_no_answer_is_not_waited_for_after_a_signal(self):
        run = self.hung()
        run.send(signal.SIGINT)
        began = story.time.monotonic()
        run.wait(30)
        self.assertLess(story.time.monotonic() - began, 1.5)
        self.assertEqual(run.status, 130, run.report())
        self.assertIn("Incomplete: interrupted", run.lines)
        self.assertEqual(run.step.total["Total partitions"], 2)
        self.assertTrue([line for line in run.step.extra if line.startswith(
            "# 1 requests were without an answer")], run.report())

    def interrupt_at(self, verb, *words):
        """Ctrl-C while a statement of this verb gets no answer."""
        def judge(request):
            return SWALLOW if request.text.startswith(verb) else None

        with AnsweringProxy(self.node, judge, judged=(QUERY,)) as proxy:
            run = self.start("write", "n=10", "no-warmup", *words, "-rate", "threads=1",
                             "-schema", f"keyspace={self.keyspace}", *PLAIN, "-port",
                             f"native={proxy.port}", "-node", self.node)
            story.wait_until(lambda: proxy.recorder.of("QUERY", about=verb) or
                             run.process.poll() is not None, f"a {verb}")
            run.send(signal.SIGINT)
            began = story.time.monotonic()
            run.wait(30)
        self.assertLess(story.time.monotonic() - began, 1, run.report())
        self.assertEqual(run.errors(), [], run.report())
        self.assertIn("Connected to cluster", run.stdout)
        return run

    def test_a_signal_while_a_table_is_emptied(self):
        run = self.interrupt_at("TRUNCATE", "truncate=once")
        self.assertEqual(run.status, 130, run.report())
        self.assertEqual(run.lines[-2:], ["Incomplete: interrupted", ""], run.report())

    def test_a_signal_while_the_schema_is_made(self):
        run = self.interrupt_at("CREATE TABLE")
        self.assertIn(run.status, (130, -signal.SIGINT), run.report())

    def test_endless_retries_end_with_a_signal(self):
        with AnsweringProxy(self.node, ByKey([WRITE_ERRORS["OverloadedException"]])) as proxy:
            run = self.start("write", "n=10", "no-warmup", "-errors", "retries=2000000000",
                             "-rate", "threads=1", "-schema", f"keyspace={self.keyspace}", *PLAIN,
                             "-port", f"native={proxy.port}", "-node", self.node)
            story.wait_until(lambda: len(proxy.recorder.of("EXECUTE")) > 50, "many tries")
            run.send(signal.SIGINT)
            run.wait(10)
        self.assertEqual(run.status, 130, run.report())

    def test_endless_retries_end_with_the_duration(self):
        with AnsweringProxy(self.node, ByKey([WRITE_ERRORS["OverloadedException"]])) as proxy:
            run = self.cstress("write", "duration=1s", "no-warmup", "-errors",
                               "retries=2000000000", "-rate", "threads=1", "-schema",
                               f"keyspace={self.keyspace}", *PLAIN, "-port",
                               f"native={proxy.port}", "-node", self.node, status=1)
        self.assertLess(run.seconds, 8)
        self.assertEqual(run.step.total["Total errors"], 1, run.report())


if __name__ == "__main__":
    story.main()
