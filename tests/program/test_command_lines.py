"""Every command line of cli.jsonl through the built program: verdict, exit status, and the dump in the layouts 5.0
and 3.11, as `check` prints it; help, print and version are run themselves."""

import concurrent.futures
import json
import re
import unittest

import program

FOLDER = program.VECTORS / "cli"
LAYOUTS = (("settings_5.0", None), ("settings_3.11", "level=3.11"))
STARS = "********************"


def read_rows():
    with open(FOLDER / "cli.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_dump(text):
    """Section.Label to text; a section of one bare line under its own name; the profile's part is left out."""
    entries, section, inside = {}, None, False
    for line in text.splitlines():
        if line.startswith(STARS):
            inside = "Profile" in line
        elif line == "cstress:":
            inside, section = False, "cstress"
        elif inside or not line:
            continue
        elif not line.startswith("  "):
            section = line.rstrip(":")
        elif section in ("Transport", "Send To Daemon") and ": " not in line:
            entries[section] = line[2:]
        else:
            label, value = line[2:].split(": ", 1)
            entries[f"{section}.{label}"] = value
    return entries


def mask(transport):
    """The one line of the older layouts, whose passwords are never shown."""
    return re.sub(r"password=(?!null;)[^;]*;", "password=*suppressed*;", transport)


def wanted(row, key, got):
    """What the original's dump says, with what cstress says otherwise laid over it."""
    entries = dict(row.get(key) or {})
    if "Transport" in entries:
        entries["Transport"] = mask(entries["Transport"])
    for name, value in (row.get("settings_cstress") or {}).items():
        if key == "settings_5.0" or name in entries or name in got:
            entries[name] = value
    return entries


def differences(row, key, done):
    got = read_dump(done.stdout)
    entries = wanted(row, key, got)
    wrong = [f"{name}: want '{value}', got '{got.get(name)}'" for name, value in entries.items()
             if value is not None and got.get(name) != value]
    if row.get(key):
        wrong += [f"{name} is unexpected" for name in got if name not in entries and not name.startswith("cstress.")]
    return wrong


def is_text(row):
    """help, version or print: what they print is no dump."""
    return row["verdict_5.0"] == "help" or "print_5.0" in row


def runs_nothing(row):
    """The command is one that connects to nothing anyway."""
    return row["argv"] and row["argv"][0].split(" ")[0].lower() in ("help", "-?", "print", "version", "check", "rows")


def check_text(row, done):
    wrong = [] if done.stdout else ["nothing on stdout"]
    if "print_5.0" in row:
        values = [line[16:28].strip() for line in done.stdout.splitlines()[1:]]
        if values != [str(value) for value in row["print_5.0"]]:
            wrong.append(f"values {values}")
    return wrong


def check_accepted(row, key, done):
    wrong = [] if done.returncode == 0 else [f"exit {done.returncode}: {done.stderr.strip()}"]
    if not wrong and is_text(row):
        wrong += check_text(row, done)
    elif not wrong and not (runs_nothing(row) and not done.stdout.startswith(STARS)):
        wrong += differences(row, key, done)
    return wrong


def check_refused(done):
    wrong = [] if done.returncode == 1 else [f"exit {done.returncode}, not 1"]
    if done.stdout:
        wrong.append("something on stdout")
    reasons = [line for line in done.stderr.splitlines() if line.startswith("cstress: ")]
    if len(reasons) != 1:
        wrong.append(f"{len(reasons)} reasons on stderr: {done.stderr!r}")
    return wrong


def check_row(row, key, compat):
    args = row["argv"] if runs_nothing(row) else ["check", *row["argv"]]
    done = program.run(args, compat, FOLDER)
    wrong = check_accepted(row, key, done) if row["cstress"] == "accept" else check_refused(done)
    return [f"{row['id']} {key} {row['argv']}: {what}" for what in wrong]


class CommandLines(unittest.TestCase):
    def test_each_line_has_its_verdict_and_its_dump(self):
        rows = read_rows()
        self.assertEqual(len(rows), 433)
        before = sorted(path.name for path in FOLDER.iterdir())
        # -compat on the line may name a layout of its own: then only one of the two is asked for.
        cases = [(row, key, compat) for row in rows for key, compat in LAYOUTS
                 if key == "settings_5.0" or (row["topic"] != "compat" and row.get(key)) or row["cstress"] == "reject"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = [what for found in pool.map(lambda case: check_row(*case), cases) for what in found]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))
        self.assertEqual(sorted(path.name for path in FOLDER.iterdir()), before, "check has written a file")


if __name__ == "__main__":
    unittest.main()
