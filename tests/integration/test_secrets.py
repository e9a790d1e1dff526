"""Passwords are in nothing that any personality of the program prints or leaves behind."""

import re
import signal

import story
from responder_kit import HOST, ResponderStory, free_port

USER, PASSWORD, STORE = "someone", "Hush-4-word", "Hush-5-store"


class Secrets(ResponderStory):
    def setUp(self):
        super().setUp()
        self.node = f"{HOST}:{self.serve(f'user={USER}', f'password={PASSWORD}')}"
        self.mode = ["-mode", "native", "cql3", f"user={USER}", f"password={PASSWORD}"]

    def look(self, run, wrong=()):
        """Everything that the run has written: its outputs, and the files in its folder."""
        mine = {each.folder / f"{number:02}-arguments"
                for number, each in enumerate(self.runs, 1)}
        for path in sorted(set(run.folder.rglob("*")) - mine):
            if path.is_file() and path.suffix != ".secret":
                text = path.read_bytes()
                for secret in (PASSWORD, STORE, *wrong):
                    self.assertNotIn(secret.encode(), text, path)

    def run_it(self, *words, wrong=(), environment=None):
        """Whether it went well is for other stories: what it says is looked at."""
        run = self.start(*words, environment={"CSTRESS_DEBUG": "1", **(environment or {})})
        run.wait(60)
        self.assertGreater(len(run.stdout + run.stderr), 20, run.report())
        self.look(run, wrong)
        return run

    def short(self, command, *words):
        return [*command.split(" "), "n=50", "no-warmup", "cl=ONE", "-rate", "threads=2", "-node",
                self.node, *self.mode, *words]

    def test_runs_and_what_they_leave(self):
        for level in ("3.11", "4.0", "4.1", "5.0"):
            run = self.run_it(*self.short("write"), "-compat", f"level={level}", "-graph",
                              "file=graph.html", "title=t", "revision=r", "-log",
                              f"file=log-{level}.txt", f"hdrfile=log-{level}.hdr")
            self.assertEqual(run.status, 0, run.report())
            self.assertIn("suppressed", run.stdout)
        profile = self.users()
        run = self.run_it(*self.short(f"user profile={profile} ops(insert=1)"))
        self.assertEqual(run.status, 0, run.report())

    def test_commands_that_do_not_run(self):
        for words in (self.short("check write"), self.short("rows write", "-format", "json"),
                      self.short("check", "write", "-transport", "truststore=x",
                                 f"truststore-password={STORE}", f"keystore-password={STORE}")):
            self.run_it(*words)

    def test_mistakes(self):
        """The word that is wrong is named, those around it are not."""
        for words in (self.short("write", "-rat", "threads=2"),
                      self.short("write", "-mode", "protocolVersion=6"),
                      self.short("write", "compression=zip"),
                      self.short("wriet"),
                      self.short("write", "-credentials-file", "missing.secret"),
                      self.short("write", "-transport", "truststore=missing.p12",
                                 f"truststore-password={STORE}"),
                      self.short("write", "-transport", f"truststore-password={STORE}",
                                 "truststroe=x"),
                      ["write", "n=5", "-mode", f"passwrod={PASSWORD}", "-node", self.node],
                      ["write", "n=5", "-mode", f"pasword={PASSWORD}", "-node", self.node]):
            run = self.run_it(*words)
            self.assertNotEqual(run.status, 0, run.report())

    def test_a_wrong_log_in(self):
        for words in (["-mode", f"user={USER}", "password=Guess-9"],
                      ["-mode", "user=nobody", "password=Guess-9"]):
            run = self.run_it("write", "n=5", "-node", self.node, *words, wrong=("Guess-9",))
            self.one_error_line(self.without_debug(run), "AuthenticationException")

    @staticmethod
    def without_debug(run):
        kept = [line for line in run.stderr.splitlines(True) if "debug" not in line.lower()]
        run.err.write_text("".join(kept))
        return run

    def test_files_and_environment(self):
        path = self.file("credentials.secret", f"cql.username={USER}\ncql.password={PASSWORD}\n"
                         f"jmx.password={STORE}\ntransport.truststore.password={STORE}\nodd line\n")
        path.chmod(0o600)
        self.run_it("write", "n=5", "no-warmup", "-node", self.node, "-credentials-file", path)
        self.run_it("write", "n=5", "no-warmup", "-node", self.node,
                    environment={"CSTRESS_CQL_USERNAME": USER, "CSTRESS_CQL_PASSWORD": PASSWORD,
                                 "CSTRESS_KEYSTORE_PASSWORD": STORE})

    def test_the_other_personalities(self):
        port = self.node.split(":")[1]
        closed = f"{HOST}:{free_port()}"
        for words in (["legacy", "-n", "10", "-d", HOST, "-un", USER, "-pw", PASSWORD],
                      ["stress", "-n", "10", "-d", HOST, "-p", port, "-un", USER, "-pw", PASSWORD],
                      ["stress", "-n", "10", "-d", HOST, "-p", port, f"--password={PASSWORD}",
                       "-ts", "missing.p12", "-tspw", STORE],
                      ["sbk", "-class", "cassandra", "-node", HOST, "-writers", "1", "-size", "10",
                       "-records", "10", "-password", PASSWORD],
                      ["write", "n=5", "-mode", "mysql", f"user={USER}", f"password={PASSWORD}",
                       "-node", closed]):
            with self.subTest(words):
                self.run_it(*words)

    def test_the_responder_itself(self):
        run = self.server
        run.send(signal.SIGINT)
        run.wait(20)
        self.look(run)
        self.assertTrue(re.search("listening on", run.stdout), run.report())


if __name__ == "__main__":
    story.main()
