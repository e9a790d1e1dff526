"""Reads back what cstress prints, by rules of its own: rows, block, comparison table.

Every line is parsed into values and formatted again; a line that does not come out
the same byte for byte is an error. So widths, decimals and separators are checked
with every row of every story.
"""

import re
from dataclasses import dataclass

COLUMNS = ["type", "total ops", "op/s", "pk/s", "row/s", "mean", "med", ".95", ".99", ".999",
           "max", "time", "stderr", "errors", "gc: #", "max ms", "sum ms", "sdv ms", "mb"]
WIDTHS = [50, 10] + [8] * 9 + [7, 9, 7, 7] + [8] * 4
DECIMALS = [None, 0, 0, 0, 0] + [1] * 6 + [1, 5, 0] + [0] * 5
WIDE, NARROW = 50, 10  # the first column since 4.0, and before


def header(first=WIDE):
    """The header of the interval rows."""
    return ("type".ljust(first) + "total ops".rjust(10) + ","
            + ",".join(name.rjust(width) for name, width in zip(COLUMNS[2:], WIDTHS[2:])))


HEADER = header()
HEADERS = {header(first): first for first in (WIDE, NARROW)}

LABELS = ["Op rate", "Partition rate", "Row rate", "Latency mean", "Latency median",
          "Latency 95th percentile", "Latency 99th percentile", "Latency 99.9th percentile",
          "Latency max", "Total partitions", "Total errors", "Total GC count", "Total GC memory",
          "Total GC time", "Avg GC time", "StdDev GC time", "Total operation time"]
UNITS = {"Op rate": "op/s", "Partition rate": "pk/s", "Row rate": "row/s"}
ITEM = re.compile(r"\[?([^:\[]+): (-?[\d,.]+|NaN)(?: (\S+?))?(?:, |\]$)")


class OutputError(AssertionError):
    """A line that is not as it must be."""


def number(text):
    """A number with or without thousands separators; NaN too."""
    return float(text.replace(",", ""))


def parse_row(line, first=WIDE):
    """One interval row as a dict of column to value."""
    fields = line.split(",")
    if len(fields) != len(COLUMNS):
        raise OutputError(f"{len(fields)} fields, expected {len(COLUMNS)}: {line!r}")
    row = {"type": fields[0]}
    for name, text in zip(COLUMNS[1:], fields[1:]):
        try:
            row[name] = float(text)
        except ValueError:
            raise OutputError(f"'{text}' in column {name}: {line!r}") from None
    if format_row(row, first) != line:
        raise OutputError(f"not in the format of a row:\n{line!r}\n{format_row(row, first)!r}")
    return row


def format_row(row, first=WIDE):
    """The row as it must be printed."""
    cells = [(row["type"] + ",").ljust(first)]
    for name, width, decimals in zip(COLUMNS[1:], WIDTHS[1:], DECIMALS[1:]):
        value = row[name]
        cells.append(("NaN" if value != value else f"{value:.{decimals}f}").rjust(width))
    return cells[0] + ",".join(cells[1:])


def is_row(line):
    """Whether a line looks like an interval row at all."""
    return line.count(",") == len(COLUMNS) - 1 and not line.startswith(("type ", "#", "  "))


def parse_item_list(text, line):
    """'[a: 1 op/s, b: 2 op/s]' as a dict of name to value."""
    if text == "[]":
        return {}
    items = {}
    rest = text
    while rest:
        match = ITEM.match(rest)
        if not match:
            raise OutputError(f"no list of items: {line!r}")
        items[match[1]] = number(match[2])
        rest = rest[match.end():]
    if list(items) != sorted(items):
        raise OutputError(f"items are not sorted: {line!r}")
    return items


def parse_block_line(line, label):
    """Value and list of one line of the block; the line must begin with this label."""
    front = label.ljust(26) + ": "
    if not line.startswith(front):
        raise OutputError(f"expected '{front}', found {line!r}")
    text = line[len(front):]
    if label == "Total operation time":
        if not re.fullmatch(r"\d\d+:\d\d:\d\d", text):
            raise OutputError(f"no time: {line!r}")
        hours, minutes, seconds = map(int, text.split(":"))
        return hours * 3600 + minutes * 60 + seconds, None
    value = number(text.split()[0])
    if LABELS.index(label) >= LABELS.index("Total GC count"):
        return value, None
    items = text[text.index("["):]
    check_front(line, front, text, label, value)
    return value, parse_item_list(items, line)


def check_front(line, front, text, label, value):
    """The total with its width, separators and unit."""
    if label in UNITS:
        want = f"{value:8,.0f} {UNITS[label]}" + ("  " if label != "Row rate" else " ")
    elif label.startswith("Latency"):
        want = f"{value:6.1f} ms "
    else:
        want = f"{value:10,.0f} "
    want = want.replace("nan", "NaN")
    if not text.startswith(want + "["):
        raise OutputError(f"expected '{front}{want}[', found {line!r}")


@dataclass
class Step:
    """One run of a ramp, or the only one."""
    rows: list
    extra: list  # lines that begin with '# '
    total: dict  # label to value
    items: dict  # label to {type: value}

    def last(self, kind):
        """The last row of this type."""
        return [row for row in self.rows if row["type"] == kind][-1]

    def types(self):
        return sorted({row["type"] for row in self.rows})


def parse_block(lines):
    """The 17 lines behind 'Results:' as two dicts."""
    total, items = {}, {}
    for label, line in zip(LABELS, lines):
        total[label], items[label] = parse_block_line(line, label)
    return total, items


def parse_steps(lines):
    """All steps of an output: from each header to the end of its block."""
    steps = []
    at = 0
    while at < len(lines):
        first = HEADERS.get(lines[at])
        if first is None:
            at += 1
            continue
        rows, extra = [], []
        at += 1
        while at < len(lines) and lines[at] != "Results:":
            if is_row(lines[at]):
                rows.append(parse_row(lines[at], first))
            elif lines[at].startswith("# "):
                extra.append(lines[at])
            at += 1
        if at == len(lines):
            steps.append(Step(rows, extra, {}, {}))
            break
        block = lines[at + 1:at + 1 + len(LABELS)]
        after = lines[at + 1 + len(LABELS):at + 2 + len(LABELS)]
        before = [line for line in lines[:at] if not line.startswith("# ")][-2:]
        if before != ["", ""] or after != [""]:
            raise OutputError("the block stands between two empty lines and one")
        steps.append(Step(rows, extra, *parse_block(block)))
        at += 1 + len(LABELS)
    return steps


def parse_table(lines):
    """The comparison table as {(threads, type): row}; {} when there is none."""
    heads = [i for i, line in enumerate(lines) if line.lstrip(" ")[:4] == "id, "
             and line.lstrip(" ")[4:] in HEADERS]
    if not heads:
        return {}
    first = HEADERS[lines[heads[0]].lstrip(" ")[4:]]
    width = lines[heads[0]].index("id") + 2
    table = {}
    for line in lines[heads[0] + 1:]:
        match = re.fullmatch(r" *(\d+) threadCount, (.*)", line)
        if not match:
            break
        if line.index(",") != width:
            raise OutputError(f"id is not {width} wide: {line!r}")
        row = parse_row(match[2], first)
        table[int(match[1]), row["type"]] = row
    return table
