"""What goes to which stream, with which exit status: refusals, help, version, print, check, and the names that the
program may have."""

import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

import program

CLI = program.VECTORS / "cli"
COMMANDS = ["read", "write", "mixed", "counter_write", "counter_read", "user", "help", "print", "version", "legacy",
            "stress"]
ALIASES = ["insert", "counterwrite", "counter_add", "counteradd", "counterread", "counter_get", "counterget"]
# The order of the original's general help, per layout.
GROUPS = {
    "3.11": "-pop -insert -col -rate -mode -errors -schema -node -log -transport -port -sendto -graph -tokenrange",
    "4.0": "-pop -insert -col -rate -mode -errors -schema -node -log -transport -port -sendto -graph -tokenrange",
    "4.1": "-pop -insert -col -rate -mode -errors -schema -node -log -transport -port -graph -tokenrange",
    "5.0": "-pop -insert -col -rate -mode -errors -schema -node -log -transport -port -jmx -graph -tokenrange "
           "-credentials-file -reporting",
}
# Value at 10, 50, 90, 99 and 100 percent.
QUANTILES = {
    "gaussian(1..10)": [3, 5, 7, 8, 10], "uniform(1..100)": [11, 51, 91, 100, 100],
    "exp(1..1000)": [31, 201, 667, 1000, 1000], "extreme(1..1000,2)": [175, 448, 816, 1000, 1000],
    "gaussian(1..1M)": [286408, 500000, 713592, 887724, 1000000], "fixed(7)": [7, 7, 7, 7, 7],
}
OTHER_DISTRIBUTIONS = ["~exp(1..1000)", "weibull(1..1000,2)", "qextreme(1..1000,2,4)", "gauss(1..10,5)",
                       "norm(1..100,50,10)", "seq(1..10)"]


class Manners(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cstress-manners-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *args, status=0, **more):
        done = program.run(args, **{"folder": self.folder, **more})
        self.assertEqual(done.returncode, status, f"{args}\n{done.stdout}\n{done.stderr}")
        return done

    def text_only(self, *args, **more):
        """What is asked for stands on stdout, and nothing on stderr."""
        done = self.run_it(*args, **more)
        self.assertEqual(done.stderr, "", args)
        self.assertTrue(done.stdout, args)
        return done.stdout

    def refused(self, *args, status=1, **more):
        """One reason on stderr and at most a line of usage; nothing on stdout."""
        done = self.run_it(*args, status=status, **more)
        self.assertEqual(done.stdout, "", args)
        lines = [line for line in done.stderr.splitlines() if not line.startswith(("notice: ", "warning: "))]
        self.assertTrue(lines and lines[0].startswith("cstress: "), done.stderr)
        self.assertLessEqual(len(lines), 2, done.stderr)
        self.assertTrue(all(line.startswith("Usage: ") for line in lines[1:]), done.stderr)
        return done.stderr

    # ---- help ----

    def test_general_help_has_the_order_of_the_original(self):
        for level, groups in GROUPS.items():
            lines = self.text_only("help", compat=f"level={level}").splitlines()
            names = [line.split()[0] for line in lines if " : " in line]
            self.assertEqual(lines[2:4], ["", "---Commands---"])
            self.assertEqual([name for name in names if name in COMMANDS], COMMANDS)
            shown = [name for name in names if name.startswith("-")]
            self.assertEqual(shown[:len(groups.split())], groups.split(), level)
            self.assertTrue(all(line[20:23] == " : " for line in lines if " : " in line))
            self.assertTrue(lines[0] and lines[-1])

    def test_each_topic_has_its_help(self):
        groups = [group for group in GROUPS["5.0"].split()] + ["-sendto", "-compat", "-loops"]
        for topic in [*COMMANDS[:6], "print", *ALIASES, *groups, *(group[1:] for group in groups), "-user", "legacy",
                      "check", "rows", "compaction-stress", "version", "help"]:
            text = self.text_only("help", topic)
            self.assertTrue(text.startswith("\nUsage: "), f"{topic}: {text[:80]!r}")
            for line in text.splitlines():
                self.assertFalse("null" in line.split(), line)

    def test_the_other_ways_to_ask_for_help(self):
        self.assertEqual(self.text_only("-?"), self.text_only("help"))
        self.assertEqual(self.text_only("--help"), self.text_only("help"))
        self.assertEqual(self.text_only("write", "-?"), self.text_only("help", "write"))
        self.refused("help", "write", "read")
        self.refused("help", "wirte")
        self.refused("write", "n=1", "-?")
        self.refused("print", "dist=fixed(1)", "more")
        for args in (["help", "rate"], ["help", "-user"], ["--help"]):
            self.run_it(*args, compat="strict", status=1)

    def test_version_names_the_level_and_itself(self):
        for level in GROUPS:
            lines = self.text_only("version", compat=f"level={level}").splitlines()
            self.assertEqual(lines[0], f"Version: {level}")
            self.assertRegex(lines[1], r"^cstress \d")
        self.text_only("version", "x")
        self.text_only("--version")

    def test_print_shows_each_distribution(self):
        for dist, wanted in QUANTILES.items():
            lines = self.text_only("print", f"dist={dist}").splitlines()
            self.assertEqual(lines[0], "% of samples    Range       % of total")
            self.assertEqual([line.split()[0] for line in lines[1:]],
                             [f"{p}.0" for p in (*range(10, 100, 10), 95, 99, 100)])
            values = [int(line[16:28]) for line in lines[1:]]
            self.assertEqual([values[i] for i in (0, 4, 8, 10, 11)], wanted, dist)
            self.assertTrue(all(len(line) == 40 for line in lines[1:]), lines)
        for dist in OTHER_DISTRIBUTIONS:
            self.assertEqual(len(self.text_only("print", f"dist={dist}").splitlines()), 13)

    # ---- refusals ----

    def test_a_refusal_is_one_reason_on_stderr(self):
        self.assertIn("try 'write'", self.refused("wirte"))
        self.refused()
        self.refused("")
        self.refused("write", "n=1", "-nosuch")
        self.refused("user", "profile=nosuch.yaml", "ops(insert=1)", "n=1")
        self.assertIn("near 'n=fixed(0)'", self.refused("write", "n=1", "-col", "n=fixed(0)"))
        self.assertNotIn("notice", self.refused("write", "n=1", "-col", "comparator=LongType"))

    def test_a_full_disk_under_what_was_asked_for(self):
        for args in (["help"], ["version"], ["print", "dist=fixed(7)"], ["sbk", "-help"], ["sbk", "-version"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([program.CSTRESS, *args], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1, args)
            self.assertRegex(done.stderr, rb"cannot write (to )?standard output", args)

    def test_strict_refuses_as_the_original_reason_first_then_help_on_stdout(self):
        general = self.text_only("help", compat="strict")
        for args in (["wirte"], ["write", "n=1x"], ["write", "n=1", "-nosuch"], ["write", "cl=MANY"]):
            done = self.run_it(*args, compat="strict", status=1)
            self.assertEqual(done.stderr, "", args)
            reason, rest = done.stdout.split("\n", 1)
            self.assertTrue(reason, args)
            self.assertEqual(rest, general, args)

    def test_each_name_of_the_program_has_its_manners(self):
        self.assertEqual(self.text_only("help", name="cassandra-stress"), self.text_only("help"))
        self.assertIn("no daemon", self.refused("start", name="cassandra-stressd"))
        self.assertIn("-g", self.text_only(name="compaction-stress"))
        self.refused("write", name="compaction-stress", status=6)
        self.assertIn("storage engine", self.refused("compaction-stress", "compact", "-p", str(CLI / "cli-profile.yaml"),
                                                     "-d", ".", status=2))

    # ---- check ----

    def test_check_prints_the_dump_and_touches_nothing(self):
        done = self.run_it("check", "write", "n=10", "-log", "file=run.log", "hdrfile=run.hdr", "no-settings",
                           "-graph", "file=page.html", "-errors", "differences=found.txt", "-node", "192.0.2.1",
                           "-rate", "threads=1")
        self.assertTrue(done.stdout.startswith("******************** Stress Settings"))
        self.assertTrue(done.stdout.endswith("\n\n"))
        self.assertEqual(done.stderr, "")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(self.text_only("check", "print", "dist=fixed(1)"), self.text_only("print", "dist=fixed(1)"))
        self.assertEqual(self.text_only("check", "help", "-rate"), self.text_only("help", "-rate"))
        self.assertEqual(self.text_only("check", "version"), self.text_only("version"))
        self.assertIn("  Type: write\n", self.run_it("check", "legacy", "-n", "5").stdout)

    def test_check_reads_the_definitions_of_a_profile(self):
        head = "keyspace: ks\ntable: t\nqueries: {}\ncolumnspec: [{name: u, size: fixed(1)}]\ntable_definition: |\n"
        for table, status, words in (
                ("  CREATE TABLE t (v text,\n    order int PRIMARY KEY)\n", 1, "p.yaml:7:5: .*reserved word 'order'"),
                ("  CREATE TABLE t (k int PRIMARY KEY, v lodging)\n", 0, "^warning: p.yaml:6:40: .*'lodging'.*CREATE TYPE"),
                ("  CREATE TABLE t (k int PRIMARY KEY, v text)\n", 0, "^warning: p.yaml:4:14: columnspec 'u' matches no")):
            (self.folder / "p.yaml").write_text(head + table)
            done = self.run_it("check", "user", "profile=p.yaml", "ops(insert=1)", "n=1", "-rate", "threads=1",
                               status=status)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertRegex(done.stderr, words)
        query = "  CREATE TABLE t (k int PRIMARY KEY, u text)\n"
        (self.folder / "q.yaml").write_text(head.replace("{}", "{q: {cql: SELECT v FROM t WHERE k = ?}}") + query)
        done = self.run_it("check", "user", "profile=q.yaml", "ops(q=1)", "n=1", "-rate", "threads=1", "-pop", "seq=1..9")
        self.assertEqual(done.stderr, "warning: q.yaml:3:11: query 'q': 'v' is no column of ks.t\n")
        for more in (["-compat", "data=probe"], ["-insert", "visits=fixed(3)"], ["-pop", "seq=1..9", "no-wrap"]):
            done = self.run_it("check", "user", "profile=p.yaml", "ops(insert=1)", "duration=1h", "-rate", "threads=1",
                               *more)
            self.assertIn("columnspec 'u' matches no", done.stderr)

    def test_check_refuses_what_the_run_would_refuse(self):
        write = ["check", "write", "n=1", "-rate", "threads=1"]
        profile = str(CLI / "cli-profile.yaml")
        (self.folder / "page.html").write_text("<html>mine</html>\n")
        self.assertIn("nosuch/x.log", self.refused(*write, "-log", "file=nosuch/x.log"))
        self.assertIn("nosuch/x.hdr", self.refused(*write, "-log", "hdrfile=nosuch/x.hdr"))
        self.assertIn("page.html", self.refused(*write, "-graph", "file=page.html"))
        self.assertIn("nosuch.txt", self.refused(*write, "-node", "file=nosuch.txt"))
        self.assertIn("nosuch.properties", self.refused(*write, "-credentials-file", "nosuch.properties"))
        self.assertIn("try 'latest'", self.refused("check", "user", f"profile={profile}", "ops(latst=1)", "n=1"))
        (self.folder / "bad.yaml").write_text("keyspace: k\ntable: t\nqueries: {}\ncolumnspec:\n  - nam: x\n")
        self.assertIn("bad.yaml:5:5", self.refused("check", "user", "profile=bad.yaml", "ops(insert=1)", "n=1"))
        self.assertEqual((self.folder / "page.html").read_text(), "<html>mine</html>\n")

    def test_check_warns_as_the_run_does(self):
        done = self.run_it("check", "write", "n=10", "-node", "a,b", "-mode", "prepared", "unprepared")
        self.assertIn("warning: -mode: of prepared and unprepared, prepared counts", done.stderr)
        self.assertIn("notice: a keyspace that is created has SimpleStrategy", done.stderr)
        done = self.run_it("check", "user", f"profile={CLI / 'cli-profile.yaml'}", "ops(insert=1)", "n=1", "-col", "n=3")
        self.assertIn("notice: -col has no effect on user", done.stderr)

    # ---- one table ----

    def test_a_row_taken_away_is_missed_in_the_man_page(self):
        """tools/check-docs compares the page with `help -list`; here the program lacks a row, or has one more."""
        listed = self.text_only("help", "-list")
        for wrong in (listed.replace("-rate\tthrottle=\n", ""), listed + "-rate\tnosuch=\n"):
            self.assertNotEqual(wrong, listed)
            stand_in = self.folder / "cstress"
            stand_in.write_text(f"#!/bin/sh\ncat <<'END'\n{wrong}END\n")
            stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
            done = subprocess.run([program.TESTS.parent / "tools" / "check-docs", stand_in], capture_output=True,
                                  text=True, check=False)
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertRegex(done.stdout + done.stderr, "throttle=|nosuch=")


if __name__ == "__main__":
    unittest.main()
