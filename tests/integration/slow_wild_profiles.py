"""Profiles as people write them: each one runs, and the server has its rows.

wild/*.yaml; the first line of each names the operations. The same again as Windows saves it.
"""

import re

import story

WILD = story.ROOT / "tests" / "integration" / "wild"
N = 200


class Wild(story.Story):
    def run_profile(self, path):
        text = path.read_text(encoding="utf-8-sig")
        ops = re.match(r"# run: (\S+)", text)[1]
        keyspace = re.search(r"CREATE KEYSPACE (?:IF NOT EXISTS )?(\S+)", text, re.I)[1]
        table = re.search(r"CREATE (?:TABLE|COLUMNFAMILY) (?:IF NOT EXISTS )?(?:\S+\.)?([^\s.(]+)", text, re.I)[1]
        self.client.run(f"DROP KEYSPACE IF EXISTS {keyspace}")
        self.addCleanup(self.client.run, f"DROP KEYSPACE IF EXISTS {keyspace}")
        run = self.good("user", f"profile={path}", ops, f"n={N}", "-rate", "threads=4", "-node", self.node)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        for kind in re.findall(r"[(,]([\w.]+)=", ops):  # each alone; then those that the draw meets
            self.assertIn(f"Warming up {kind} with", run.stdout, run.report())
        rows = self.client.run(f"SELECT count(*) AS n FROM {keyspace}.{table}")
        self.assertGreater(rows[0]["n"], 0, run.report())

    def test_each_profile_runs(self):
        paths = sorted(WILD.glob("*.yaml"))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(profile=path.name):
                self.run_profile(path)

    def test_saved_by_windows(self):
        for name in ("anchors", "time_series", "lwt"):
            with self.subTest(profile=name):
                copy = self.folder / f"{name}.yaml"
                copy.write_bytes(b"\xef\xbb\xbf" + (WILD / f"{name}.yaml").read_bytes().replace(b"\n", b"\r\n"))
                self.run_profile(copy)


if __name__ == "__main__":
    story.main()
