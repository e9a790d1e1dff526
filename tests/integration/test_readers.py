"""The stories' own readers, against what the original printed."""

import json
import unittest

import grammar
import output
import pattern
import readers
from story import VECTORS


RELEASES = {"3.11": "3.11.5", "4.0": "4.0-alpha2", "5.0": "5.0.2"}


def texts(release=None):
    """All texts of report.jsonl in the layout that cstress prints by default, or in that of a release."""
    with open(VECTORS / "output" / "report.jsonl", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            text = case["text"]
            if release and RELEASES[release] in text:
                yield case["id"], text[RELEASES[release]]
            elif not release:
                yield case["id"], text.get("cstress") or text["5.0.2"]


class Readers(unittest.TestCase):
    def test_rows_and_blocks_of_the_original_are_read(self):
        for name, text in texts():
            with self.subTest(name):
                steps = output.parse_steps(text.splitlines())
                self.assertTrue(steps)
                self.assertTrue(all(step.total for step in steps))

    def test_tables_of_the_original_are_read(self):
        found = {name: output.parse_table(text.splitlines()) for name, text in texts()}
        self.assertEqual(sorted({key[0] for key in found["ramp"]}), [4, 16, 109])
        self.assertEqual(found["one-type"], {})

    def test_a_row_that_is_one_blank_off_is_refused(self):
        row = next(line for line in dict(texts())["one-type"].splitlines()
                   if line.startswith("total,"))
        self.assertEqual(output.format_row(output.parse_row(row)), row)
        for wrong in (row.replace(", ", ",", 1), row.replace("total,", "total, "), row + " ",
                      row.rsplit(",", 1)[0]):
            with self.subTest(wrong), self.assertRaises(output.OutputError):
                output.parse_row(wrong)

    def test_sequences_fit_only_where_they_should(self):
        text = dict(texts())["one-type"]
        self.assertIsNone(pattern.matches(["header", "rows total", "results WRITE"], text))
        for items in (["header", "rows total", "results READ"], ["header", "results WRITE"],
                      ["header", "rows total", "results WRITE", "=END"], ["header"]):
            self.assertIsNotNone(pattern.matches(items, text), items)


class Grammar(unittest.TestCase):
    """What stands for a whole run: one of the stored reports with the lines around it."""

    def whole(self, release, change=lambda text: text):
        text = dict(texts(release))["late-type"]
        self.assertTrue(text.endswith("\n\n"), repr(text[-80:]))
        return change(f"Running [READ, WRITE] with 4 threads for 100 iteration\n{text}END\n")

    def test_every_release_is_read_in_its_own_layout(self):
        for release in RELEASES:
            with self.subTest(release):
                read = grammar.read(self.whole(release), release)
                self.assertEqual(grammar.squeeze(read.kinds), [
                    "running", "header", "row", "blank", "blank", "results", "line", "blank", "end"])
                self.assertTrue(read.steps[0].total)

    def test_layouts_are_not_mistaken_for_each_other(self):
        for release, other in (("3.11", "5.0"), ("5.0", "3.11")):
            with self.assertRaises(output.OutputError):
                grammar.read(self.whole(release), other)

    def test_what_is_out_of_order_is_refused(self):
        changes = {
            "a line of the block is gone": lambda text: text.replace(self.line(text, "Row rate"), ""),
            "no end": lambda text: text.replace("END\n", ""),
            "one empty line": lambda text: text.replace("\n\n\nResults", "\n\nResults"),
            "a word more": lambda text: text.replace("END\n", "END.\n"),
            "an unknown line": lambda text: text.replace("Results:", "hello\nResults:"),
            "a line behind the end": lambda text: text + "# more\n",
            "a singular": lambda text: text.replace("4 threads", "4 thread"),
            "a blank in a rate": lambda text: text.replace("op/s  [", "op/s ["),
        }
        for about, change in changes.items():
            with self.subTest(about), self.assertRaises(output.OutputError):
                grammar.read(self.whole("5.0", change), "5.0")

    def line(self, text, label):
        return next(line for line in text.splitlines(True) if line.startswith(label))


class PeoplesReaders(unittest.TestCase):
    def test_they_read_the_reports_of_every_release(self):
        for release in RELEASES:
            text = dict(texts(release))["late-type"] + "END\n"
            with self.subTest(release):
                labels = readers.by_label(text)
                self.assertEqual([label.lower() for label, _ in readers.last_twenty(text)], list(labels))
                self.assertEqual(len(labels), 17)
                self.assertEqual(len(readers.rates_of_kinds(text)), 2)
                rows = readers.table(text)
                self.assertEqual(rows[-1]["type"], "total")
                self.assertEqual(int(rows[-1]["total ops"]), output.parse_steps(
                    text.splitlines())[0].last("total")["total ops"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
