"""Command lines and profiles as users wrote them: the folders of tests/cases.

A folder holds `cmd`, what is typed behind the program's name in a POSIX shell, and the
profiles that it names. NODE in a command stands for the node, DC for its data centre.
What is right stands in the tables of the stories that run them.
"""

import shlex
import shutil

import story
from recording_proxy import Proxy

CASES = story.ROOT / "tests" / "cases"
OWN = ("system",)  # what the server's own keyspaces begin with


class CaseStory(story.Story):
    """Each test begins without any keyspace of ours."""

    def setUp(self):
        super().setUp()
        self.drop_all()
        self.addCleanup(self.drop_all)

    def drop_all(self):
        for keyspace in self.keyspaces():
            self.client.drop(keyspace)

    def keyspaces(self):
        rows = self.client.run("SELECT keyspace_name FROM system_schema.keyspaces")
        return sorted(row["keyspace_name"] for row in rows
                      if not row["keyspace_name"].startswith(OWN))

    def enter(self, number):
        """Copies the case's files to where the program will run."""
        folder = next(CASES.glob(f"{number:03}-*"))
        for path in folder.iterdir():
            shutil.copy(path, self.folder / path.name)

    def words(self, line):
        centre = self.client.run("SELECT data_center FROM system.local")[0]["data_center"]
        return [word.replace("NODE", self.node).replace("DC=", f"{centre}=")
                for word in shlex.split(line)]

    def typed(self, line, status=0, more=()):
        """Runs a line as typed in the case's folder; a good one ends with END."""
        run = self.cstress(*self.words(line), *more, status=status)
        if status == 0 and "n=0" not in line:
            self.assertEqual(run.lines[-1], "END", run.report())
        return run

    def case(self, number, change=(), more=(), status=0):
        """Runs the case's command with texts of it replaced."""
        self.enter(number)
        line = (self.folder / "cmd").read_text().strip()
        for old, new in change:
            self.assertIn(old, line)
            line = line.replace(old, new)
        return self.typed(line, status, more)

    def recorded(self, number, **options):
        """The same through a proxy: the run and what went over the wire."""
        with Proxy(self.node) as proxy:
            run = self.case(number, more=("-port", f"native={proxy.port}"), **options)
        return run, proxy.recorder

    def refused(self, line, *words):
        """Exit 1 and one line with these words, before anything is printed or sent."""
        run = self.cstress(*self.words(line), status=1)
        self.one_error_line(run, *words)
        self.assertEqual(run.stdout, "", run.report())

    def profile(self, *pairs, name="changed.yaml", source="profile.yaml"):
        """The case's profile with texts replaced, under another name."""
        text = (self.folder / source).read_text()
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.file(name, text)

    def total(self, run, partitions, errors=0):
        self.assertEqual(run.step.total["Total partitions"], partitions, run.report())
        self.assertEqual(run.step.total["Total errors"], errors, run.report())

    def columns(self, table, *names):
        """Some columns of all rows, as tuples."""
        listed = ", ".join(f'"{name}"' for name in names)
        return [tuple(row[name] for name in names)
                for row in self.client.run(f"SELECT {listed} FROM {table}")]

    def warned(self, run, *words):
        """One line of stderr has all these words."""
        found = [line for line in run.errors() if all(word in line for word in words)]
        self.assertEqual(len(found), 1, run.report())
        self.assertRegex(found[0], "^(warning|notice): ", run.report())

    def quiet(self, run):
        """Nothing on stderr but what is noted of the distribution of partitions."""
        lines = [line for line in run.errors() if "partitions are drawn from" not in line]
        self.assertEqual(lines, [], run.report())
