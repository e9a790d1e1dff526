"""tools/check-layers finds each way to break the layers, and only those."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check-layers"
ROOMS = """cs_room(base)
cs_room(types USES base) # text
cs_room(client USES base
        types LIBS zlib)
"""
GOOD = {
    "CMakeLists.txt": ROOMS,
    "main.c": '#include "client/client.h"\n',
    "base/err.h": "#include <stdio.h>\n",
    "types/type.h": '#include "base/err.h"\n',
    "types/type_internal.h": '#include "types/type.h"\n',
    "types/type.c": '#include "types/type_internal.h"\n',
    "client/client.h": '#include "types/type.h"\n  # include "base/err.h"\n',
}
# A change to the good tree, and how its only finding begins.
BROKEN = {
    "a room that is not declared as used": (
        "types/type.c", '\n#include "client/client.h"\n',
        "src/types/type.c:2: \"client/client.h\": room 'types' does not declare"),
    "an internal header of another room": (
        "client/client.c", '#include "types/type_internal.h"\n',
        "src/client/client.c:1: \"types/type_internal.h\": internal to room 'types'"),
    "an internal header in main": (
        "main.c", '#include "types/type_internal.h"\n',
        "src/main.c:1: \"types/type_internal.h\": internal to room 'types'"),
    "an include without its room": (
        "types/type.c", '#include "type.h"\n',
        'src/types/type.c:1: "type.h": include by room, as in "types/type.h"'),
    "a header that is not there": (
        "types/type.c", '#include "base/gone.h"\n',
        'src/types/type.c:1: "base/gone.h": there is no such file'),
    "a folder that is no room": (
        "attic/old.c", "\n", "src/attic/old.c:1: folder 'attic' is not a room"),
    "a room that is not there": (
        "types/type.c", '#include "attic/old.h"\n',
        "src/types/type.c:1: \"attic/old.h\": 'attic' is not a room"),
    "our header in angle brackets": (
        "types/type.c", "#include <base/err.h>\n",
        "src/types/type.c:1: <base/err.h>: include by"),
    "a circle": (
        "CMakeLists.txt", ROOMS.replace("cs_room(base)", "cs_room(base USES types)"),
        "src/CMakeLists.txt:1: room 'base' uses 'types', which is not declared above it"),
}


class CheckLayers(unittest.TestCase):
    def check(self, files):
        """The exit status and the lines of a run on a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root) / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, str(TOOL), root], capture_output=True,
                                  text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_accepts_what_is_declared(self):
        self.assertEqual(self.check(GOOD), (0, []))

    def test_names_file_line_and_rule_of_each_break(self):
        for what, (name, text, begins) in BROKEN.items():
            with self.subTest(what):
                status, lines = self.check({**GOOD, name: text})
                self.assertEqual(status, 1)
                self.assertEqual(len(lines), 1, lines)
                self.assertTrue(lines[0].startswith(begins), lines[0])


if __name__ == "__main__":
    unittest.main()
