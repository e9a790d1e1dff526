"""The second writing of the rules, which stories hold tables against, agrees with the vectors."""

import json
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import rules  # noqa: E402


def spec_of(texts):
    """A columnspec entry as rules.py has it; None when its distributions are others."""
    spec = {}
    for key, text in texts.items():
        name, _, inside = str(text).rstrip(")").partition("(")
        if key == "family":
            spec[key] = int(text)
        elif name.lower() == "fixed":
            spec[key] = (int(inside),) * 2
        elif name.lower() == "uniform":
            spec[key] = tuple(map(int, inside.split("..")))
        else:
            return None
    return spec


class Rules(unittest.TestCase):
    def check(self, line, specs, udts=None):
        generator = rules.Generator(line["name"], rules.parse_type(line["type"]), specs, udts or {})
        generator.seed(line["seed"])
        for data, mixed in zip(line["bytes"], line["mix7"]):
            value = generator.value()
            self.assertEqual(value.hex(), data, line)
            self.assertEqual(rules.mix(7, generator.tree, value), mixed, line)

    def lines(self, name):
        return map(json.loads, (ROOT / "tests" / "vectors" / name).read_text().splitlines())

    def test_types_that_the_original_fills(self):
        count = 0
        for line in self.lines("values.jsonl"):
            spec = spec_of({key: line[key] for key in ("population", "size") if line[key]})
            plain = line["type"] in rules.SCALARS and line["type"] != "boolean"
            if spec is None or not plain or not line["seed_string"].startswith("seed for"):
                continue
            self.check(line, {line["name"]: spec})
            count += 1
        self.assertGreater(count, 100)

    def test_types_that_the_original_lacks(self):
        count = 0
        for line in self.lines("values_new_types.jsonl"):
            specs = {path: spec_of(texts) for path, texts in line["spec"].items()}
            self.check(line, specs, {name: dict(fields)
                                     for name, fields in line.get("udt", {}).items()})
            count += 1
        self.assertGreater(count, 30)


if __name__ == "__main__":
    unittest.main(verbosity=2)
