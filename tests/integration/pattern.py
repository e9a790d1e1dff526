"""The item language of tests/vectors/output/runs.jsonl as one regular expression."""

import re

import output

VERSION = "5.0.2"
ROW = r"{type},[^\n#]*\n"
DUMP = r"\*{20} Stress Settings \*{20}\n(?:[^\n]*\n)*?"
CONNECT = (r"Connected to cluster: [^\n]*, max pending requests per connection \d+, max connections"
           r" per host \d+\n(?:Datacenter: [^\n]*; Host: [^\n]*; Rack: [^\n]*\n)+")
FAILED = (r"(?:(?:java\.io\.IOException: Operation x{count} on key\(s\) \[[^\n]*\]: [^\n]*\n\n)"
          r"|" + ROW.format(type="total") + ")+")


def row(kind):
    return ROW.format(type=re.escape(kind))


def rows(kinds):
    """'total': total rows; 'A B total': total rows, then groups."""
    group = "".join(row(kind) for kind in kinds)
    if kinds == ["total"]:
        return f"(?:{group})+"
    return f"(?:{row('total')})*(?:{group})+"


def results(kinds):
    lines = [re.escape(label.ljust(26) + ": ") + r"[^\n]*\n" for label in output.LABELS]
    lists = "".join(r"(?=[^\n]*" + re.escape(f"{kind}: ") + ")" for kind in kinds)
    if not kinds:
        lists = r"(?=[^\n]*\[\])"
    return r"\n\nResults:\n" + lists + "".join(lines) + r"\n"


def table(words):
    split = words.index(":")
    steps, kinds = words[:split], words[split + 1:] + ["total"]
    lines = [r" *id, " + re.escape(output.HEADER) + r"\n"]
    lines += [rf" *{step} threadCount, " + row(kind) for step in steps for kind in kinds]
    return "".join(lines)


def fragment(item):
    """One item as a regular expression."""
    if isinstance(item, dict):
        return "".join(fragment(inner) for inner in item.get(VERSION, []))
    if item.startswith("="):
        return re.escape(item[1:]) + r"\n"
    if item.startswith("~"):
        return f"(?:{item[1:]})\\n"
    word, *rest = item.split()
    if word in ("settings", "usersettings"):
        return DUMP
    if word in ("anything", "help"):
        return r"(?:[^\n]*\n)*?"
    plain = {"connect": CONNECT, "insertstatement": r"Insert Statement:\n  [^\n]+\n",
             "header": re.escape(output.HEADER) + r"\n"}
    if word in plain:
        return plain[word]
    made = {"rows": rows, "results": results, "table": table,
            "opfail": lambda words: FAILED.format(count=words[0], type="total")}
    return made[word](rest)


def matches(items, text):
    """None when text is as the items say, else what is wrong."""
    text = "".join(line + "\n" for line in text.splitlines() if not line.startswith("# "))
    expression = ""
    for item in items:
        expression += fragment(item)
        if not re.match(expression, text):
            return f"does not fit from item {item!r} on"
    return None if re.fullmatch(expression, text) else "there is more behind the last item"
