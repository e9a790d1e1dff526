"""Readers of the output in the manner of the scripts that people have: quick, and used to one shape.

Each knows only what such a script relies on, and nothing of output.py.
"""

import base64
import csv
import json
import re
import subprocess
import zlib


def by_label(text):
    """Whatever stands left of the first colon, in small letters, with the first number behind it."""
    found = {}
    for line in text[text.rindex("Results:"):].splitlines()[1:]:
        match = re.match(r"\s*([A-Za-z0-9. ]+?)\s*:\s*([\d.,]+|NaN)", line)
        if match:
            found[match[1].lower()] = match[2].replace(",", "")
    return found


def rates_of_kinds(text):
    """The rates of each kind of operation, by the two blanks in front of their list."""
    line = next(line for line in text.splitlines() if line.lower().startswith("op rate"))
    inside = line.split("op/s  [")[1].rstrip("]")
    return {name: int(value.replace(",", ""))
            for name, value in re.findall(r"([^:,\s]+): ([\d,]+) op/s", inside)}


def last_twenty(text):
    """The last 20 lines, which begin with the block; each line cut at its colon."""
    lines = text.splitlines()[-20:]
    assert lines[0] == "Results:" and lines[-1] == "END", lines
    return [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:-2]]


def awk_total(path):
    """Operations so far and errors of the total rows, by awk."""
    program = '/^total,/ { gsub(/ /, ""); print $2, $14 }'
    done = subprocess.run(["awk", "-F,", program, str(path)], capture_output=True, text=True, check=True)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def table(text):
    """The rows as a spreadsheet takes them: 18 names, 19 fields, since the type has no comma in the header."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("type ") and "total ops" in line)
    after = lines.index("", first)
    names, *rows = csv.reader(lines[first:after])
    names = ["type", names[0].replace("type", "", 1), *names[1:]]
    return [{name.strip(): cell.strip() for name, cell in zip(names, row)}
            for row in rows if len(row) == len(names)]


def graph(text):
    """The records of a graph page: what lies between the markers is JSON behind `stats = `."""
    inside = text.split("/* stats start */")[1].split("/* stats end */")[0].strip()
    return json.loads(inside.removeprefix("stats = ").rstrip(";"))["stats"]


def hdr_counts(text):
    """Samples of each tag of an hdr log: five lines of head, then a line for each interval and tag."""
    lines = text.splitlines()
    assert all(line.startswith("#") for line in lines[:4]) and lines[4].startswith('"StartTimestamp"'), lines[:5]
    counts = {}
    for line in lines[5:]:
        tag, start, length, _, payload = re.fullmatch(
            r"Tag=([^,]+),(\d+\.\d{3}),(\d+\.\d{3}),(\d+\.\d{3}),(HISTFAAAA\S+)", line).groups()
        assert float(length) <= 1.0 and float(start) >= 0, line
        counts[tag] = counts.get(tag, 0) + samples(base64.b64decode(payload))
    return counts


def samples(payload):
    """All counts of one histogram: behind 8 bytes a zlib stream, in it behind 40 bytes ZigZag numbers."""
    total, value, shift = 0, 0, 0
    for byte in zlib.decompress(payload[8:])[40:]:
        value |= (byte & 0x7f if shift < 56 else byte) << shift
        shift += 7
        if byte < 0x80 or shift == 63:
            number = (value >> 1) ^ -(value & 1)
            total += max(number, 0)  # what is negative counts empty places
            value, shift = 0, 0
    return total


def errors_in(text):
    """Whether a run went wrong, for a script that does not look at the exit status."""
    return "FAILURE" in text.splitlines() or "java.io.IOException: Operation" in text
