"""Which rows must be there: each one that was acknowledged, by its key.

A run that is checked writes each partition once (-pop seq=) and names what failed or is unknown in the
file of -errors failures=. The rows that have to be there come from `cstress rows`, those that are there
from the Python driver.
"""

import json
import subprocess
from collections import Counter

import story

COLUMNS = [f"C{i}" for i in range(5)]
FILE = "failures.jsonl"


def named(run):
    """Lines of the file: partition key in hex to what became of its write."""
    lines = [json.loads(line) for line in (run.folder / FILE).read_text().splitlines()]
    found = {line["keys"][0].lower(): line for line in lines}
    if len(found) != len(lines):
        raise AssertionError(f"{len(lines) - len(found)} keys are named twice\n{run.report()}")
    return found


def generated(count):
    """The first rows of the sequence, key to a digest of the rest."""
    words = [story.PROGRAM, "rows", "write", f"n={count}", "-pop", f"seq=1..{max(count, 1)}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        rows = {}
        for line in process.stdout:
            row = json.loads(line)
            rows[row["key"]] = hash(tuple(row[name] for name in COLUMNS))
    if process.returncode or len(rows) != count:
        raise AssertionError(f"{words}: exit {process.returncode}, {len(rows)} rows")
    return rows


def stored(client, table, level):
    """The rows of the server, likewise."""
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    return {row["key"].hex(): hash(tuple(row[name].hex() if row[name] is not None else None
                                         for name in COLUMNS))
            for row in client.raw_rows(f"SELECT key, {columns} FROM {table}", level)}


def check(client, run, table, threads, level="QUORUM"):
    """All that was acknowledged is there, as it was generated, and nothing else but what is unknown."""
    book, names = run.book(), named(run)
    became = Counter(line["outcome"] for line in names.values())
    facts = [("named as failed", became["failed"], book.failed),
             ("named as unknown", became["unknown"], book.unknown)]
    found = stored(client, table, level)
    # A row that is there was sent, and if it is not named its answer was good.
    facts.append(("found of those acknowledged", len(found.keys() - names.keys()),
                  book.acknowledged))
    # With so many threads a few have their partition and wait for their turn when the run ends.
    rows = generated(book.started + threads)
    facts.append(("found and never generated", len(found.keys() - rows.keys()), 0))
    facts.append(("found with other bytes",
                  sum(rows[key] != digest for key, digest in found.items() if key in rows), 0))
    surely_not = [key for key, line in names.items() if line["class"] == "UnavailableException"
                  and line["outcome"] == "failed"]
    facts.append(("found though unavailable", len(found.keys() & set(surely_not)), 0))
    wrong = [f"{what}: {one}, expected {other}" for what, one, other in facts if one != other]
    if wrong:
        missing = [key for key in rows if key not in found and key not in names]
        raise AssertionError(f"{'; '.join(wrong)}; such as {missing[:5]}, of {book}\n{run.report()}")
    return book
