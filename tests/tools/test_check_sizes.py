"""tools/check-sizes finds what is too long or too deep, and nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check-sizes"


def c_function(lines, depth=1):
    """A function of so many lines, whose last statement stands so deep."""
    nested = ["    " * level + "if (x)" for level in range(1, depth + 1)]
    body = ["    x++;"] * (lines - depth - 1) + nested + ["    " * (depth + 1) + "x++;"]
    return "static void f(int x)\n{\n" + "\n".join(body) + "\n}\n"


def python_function(lines, depth=1):
    """The same in Python."""
    nested = ["    " * level + "if x:" for level in range(1, depth + 1)]
    body = ["    x += 1"] * (lines - depth - 1) + nested + ["    " * (depth + 1) + "pass"]
    return "def f(x):\n" + "\n".join(body) + "\n"


TABLE = "    static const int rows[] = {\n" + "        1,\n" * 60 + "    };\n"
SHORT_TABLE = "    static const int rows[] = {\n        1, 2};\n"
CHAIN = "def f(x):\n    if x:\n        pass\n" + "    elif x > 1:\n        pass\n" * 9
GOOD = {
    "src/base/long.c": c_function(50, 3),
    "src/base/lines.c": "/* */\n" * 450,
    "src/base/table.c": "void f(void)\n{\n" + TABLE + "    return;\n}\n",
    "src/base/data.txt": "line\n" * 1000,
    "tests/long.py": python_function(50, 3),
    "tests/chain.py": CHAIN,
    "tools/sizes.txt": "# why\nsrc/base/listed.c  a table\n",
    "src/base/listed.c": "/* */\n" * 451,
}
# A change to the good tree, and how its only finding begins.
BROKEN = {
    "a file too long": (
        "src/base/lines.c", "/* */\n" * 451, "src/base/lines.c:1: 451 lines, at most 450"),
    "a function too long": (
        "src/base/long.c", c_function(51), "src/base/long.c:2: a function of 51 lines, at most 50"),
    "a function too long behind a small table": (
        "src/base/long.c", c_function(51).replace("{\n", "{\n" + SHORT_TABLE, 1),
        "src/base/long.c:2: a function of 51 lines"),
    "a statement too deep": (
        "src/base/long.c", c_function(9, 4), "src/base/long.c:10: 4 control statements"),
    "a Python file too long": (
        "tests/long.py", "# text\n" * 451, "tests/long.py:1: 451 lines, at most 450"),
    "a Python function too long": (
        "tests/long.py", python_function(51), "tests/long.py:1: a function of 51 lines"),
    "a Python statement too deep": (
        "tests/long.py", python_function(9, 4), "tests/long.py:9: 4 control statements"),
    "a script without an ending": (
        "tools/script", "#!/usr/bin/python3\n" + "#\n" * 450, "tools/script:1: 451 lines"),
    "an exception that is needed no more": (
        "src/base/listed.c", "/* */\n", "tools/sizes.txt:1: 'src/base/listed.c' needs no exception"),
}


class CheckSizes(unittest.TestCase):
    def check(self, files):
        """The exit status and the lines of a run on a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, str(TOOL), root], capture_output=True,
                                  text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_accepts_what_is_within_the_limits(self):
        self.assertEqual(self.check(GOOD), (0, []))

    def test_names_file_line_and_limit_of_each_break(self):
        for what, (name, text, begins) in BROKEN.items():
            with self.subTest(what):
                status, lines = self.check({**GOOD, name: text})
                self.assertEqual(status, 1)
                self.assertEqual(len(lines), 1, lines)
                self.assertTrue(lines[0].startswith(begins), lines[0])


if __name__ == "__main__":
    unittest.main()
