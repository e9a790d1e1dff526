"""What the stories share: run the program, look at its output, ask the server.

Environment: CSTRESS the program, CSTRESS_NODES its cluster (one line of
`tools/cassandra env`), CSTRESS_LOGS where outputs are kept (default: a temporary
folder, removed when all went well).
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import output  # noqa: E402
from client import Client  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
EXAMPLES = ROOT / "examples"
PROGRAM = os.environ.get("CSTRESS", str(ROOT / "build" / "dev" / "cstress"))
NODES = [node for node in os.environ.get("CSTRESS_NODES", "").split(",") if node]
TIMEOUT = 120  # seconds after which a run counts as hung
MEASURED = [["write"], ["read"], ["mixed"], ["counter_write"], ["counter_read"], ["user"]]
JMX = "Failed to connect over JMX; not collecting these stats"


def wait_until(condition, what, timeout=TIMEOUT):
    """The first true value of condition(); an error that says what did not come."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout} s in vain: {what}")
        time.sleep(0.05)


@dataclass
class Book:
    """What became of the operations of a run."""
    started: int
    acknowledged: int
    failed: int
    unknown: int


BOOK = re.compile(r"# started ([\d,]+) = acknowledged ([\d,]+) \+ failed ([\d,]+)"
                  r" \+ unknown ([\d,]+)")
UNFINISHED = re.compile(r"# (\d+) requests were without an answer when the run ended")
CLASSES = re.compile(r"# failed operations by class: (.*)")


class Run:
    """One run of the program; its outputs are files, so that they may be read meanwhile."""

    def __init__(self, folder, args, number, environment=None, program=(PROGRAM,)):
        self.program = program
        self.args = [str(arg) for arg in args]
        self.folder = folder
        self.out = folder / f"{number:02}-stdout"
        self.err = folder / f"{number:02}-stderr"
        (folder / f"{number:02}-arguments").write_text("\n".join(self.args) + "\n")
        self.began = time.monotonic()
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen([*program, *self.args], stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=err, cwd=folder,
                                            env={**os.environ, **(environment or {})})
        self.status = None
        self.seconds = None

    def wait(self, timeout=TIMEOUT):
        try:
            self.status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"hung for {timeout} s\n{self.report()}") from None
        self.seconds = time.monotonic() - self.began
        return self

    def stop(self):
        """For clean-up: nothing that was started is left."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def send(self, number=signal.SIGINT):
        self.process.send_signal(number)

    @property
    def stdout(self):
        return self.out.read_text(errors="replace")

    @property
    def stderr(self):
        return self.err.read_text(errors="replace")

    @property
    def lines(self):
        return self.stdout.splitlines()

    @property
    def steps(self):
        return output.parse_steps(self.lines)

    @property
    def step(self):
        """The only step."""
        steps = self.steps
        if len(steps) != 1:
            raise AssertionError(f"{len(steps)} steps\n{self.report()}")
        return steps[0]

    def book(self):
        """Of the only step; exact, and the same as everything else that is counted there."""
        step = self.step
        find = [[match for match in map(form.match, step.extra) if match]
                for form in (BOOK, UNFINISHED, CLASSES)]
        unfinished = sum(int(match[1]) for match in find[1])
        ended = int(step.last("total")["total ops"])
        errors = int(step.total["Total errors"])
        book = Book(ended, ended, 0, 0)
        if find[0]:
            book = Book(*(int(text.replace(",", "")) for text in find[0][0].groups()))
        by_class = sum(int(text.replace(",", ""))
                       for match in find[2] for text in re.findall(r" ([\d,]*\d)", match[1]))
        facts = (("the sum", book.started, book.acknowledged + book.failed + book.unknown),
                 ("those that began", book.started, ended + unfinished),
                 ("good ones", book.acknowledged, ended - errors),
                 ("bad ones", book.failed + book.unknown, errors + unfinished),
                 ("by class", by_class, errors))
        for what, one, other in facts:
            if one != other:
                raise AssertionError(f"{what}: {one} and {other}\n{self.report()}")
        return book

    def rows(self):
        """Total rows that are complete so far."""
        text = self.stdout
        return [line for line in text[:text.rfind("\n") + 1].splitlines()
                if line.startswith("total,")]

    def wait_for_rows(self, count, timeout=TIMEOUT):
        wait_until(lambda: len(self.rows()) >= count or self.process.poll() is not None,
                   f"{count} rows of {self.args}", timeout)
        if len(self.rows()) < count:
            raise AssertionError(f"ended before row {count}\n{self.report()}")

    def errors(self):
        """Lines of stderr but for the one about JMX."""
        return [line for line in self.stderr.splitlines() if line != JMX]

    def memory_kb(self):
        """Resident memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) if found else 0

    def report(self):
        """Everything a person needs to see what went wrong."""
        name = " ".join([Path(self.program[0]).name, *self.program[1:]])
        return (f"{name} {' '.join(self.args)}\nexit {self.process.poll()}\n"
                f"--- stdout ({self.out})\n{self.stdout[-4000:]}\n"
                f"--- stderr ({self.err})\n{self.stderr[-4000:]}")


class Story(unittest.TestCase):
    """A test against the cluster of CSTRESS_NODES."""
    nodes = NODES
    login = None  # of the independent client: user and password

    @classmethod
    def setUpClass(cls):
        if not cls.nodes:
            raise RuntimeError("CSTRESS_NODES is not set: start a cluster with tools/cassandra")
        cls.client = Client(cls.nodes, login=cls.login)
        cls.node = cls.nodes[0]

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def setUp(self):
        base = os.environ.get("CSTRESS_LOGS")
        if base:
            self.folder = Path(base) / self.id().split(".", 1)[-1]
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
        else:
            self.folder = Path(tempfile.mkdtemp(prefix="cstress-story-"))
            self.addCleanup(self.remove_folder)
        self.runs = []
        self.keyspace = ("s_" + self.id().rsplit(".", 1)[-1].removeprefix("test_"))[:40].lower()
        self.client.drop(self.keyspace)
        self.addCleanup(self.client.drop, self.keyspace)

    def remove_folder(self):
        """Kept when the test failed."""
        result = self._outcome.result
        bad = [test for test, _ in result.failures + result.errors if test is self]
        if not bad:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *args, environment=None, program=(PROGRAM,)):
        run = Run(self.folder, args, len(self.runs) + 1, environment, program)
        self.runs.append(run)
        self.addCleanup(run.stop)
        return run

    def cstress(self, *args, status=0, timeout=TIMEOUT, environment=None):
        """One run to its end, which must have this exit status."""
        run = self.start(*args, environment=environment).wait(timeout)
        if run.status != status:
            self.fail(f"exit {run.status}, expected {status}\n{run.report()}")
        return run

    def good(self, *args, timeout=TIMEOUT, environment=None):
        """A run that ends with END, whose every row and block parses."""
        run = self.cstress(*args, timeout=timeout, environment=environment)
        self.assertEqual(run.lines[-1], "END", run.report())
        self.assertTrue(run.steps, run.report())
        return run

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def users(self, keyspace=None, definition=True, **changes):
        """examples/users.yaml with its keyspace renamed, and texts replaced."""
        text = (EXAMPLES / "users.yaml").read_text()
        text = text.replace("perftesting", keyspace or self.keyspace)
        if not definition:
            text = re.sub(r"(?m)^keyspace_definition: \|\n(?:  .*\n)+", "", text)
        for old, new in changes.get("replace", []):
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.file("users.yaml", text)

    def one_error_line(self, run, *words):
        """One reason on stderr, at its end; a line of usage may follow it."""
        lines = [line for line in run.errors() if not line.startswith("Usage: ")]
        errors = [line for line in lines if line.startswith("cstress: ")]
        self.assertEqual(len(errors), 1, run.report())
        self.assertEqual(lines[-1], errors[0], run.report())
        for word in words:
            self.assertIn(word, errors[0], run.report())


    def check_books(self):
        """Of each run that came to its results: what it started is what became of it, exactly."""
        for run in self.runs:
            if run.process.poll() is None or run.args[:1] not in MEASURED:
                continue
            steps = run.steps
            if len(steps) == 1 and any(line.startswith("# measured for ")
                                       for line in steps[0].extra):
                run.book()


def main():
    """Runs the stories of the calling file."""
    unittest.main(verbosity=2)
