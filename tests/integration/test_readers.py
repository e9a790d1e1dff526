"""The stories' own readers, against what the original printed."""

import json
import unittest

import output
import pattern
from story import VECTORS


def texts():
    """All texts of report.jsonl in the layout that cstress prints by default."""
    with open(VECTORS / "output" / "report.jsonl", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            yield case["id"], case["text"].get("cstress") or case["text"]["5.0.2"]


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


if __name__ == "__main__":
    unittest.main(verbosity=2)
