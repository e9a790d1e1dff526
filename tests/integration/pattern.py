"""The item language of tests/vectors/output/runs.jsonl as one regular expression."""

import re

import output

VERSION = "5.0.2"
ROW = r"{type},[^\n#]*\n"
DUMP = r"\*{20} Stress Settings \*{20}\n(?:[^\n]*\n)*?"
CONNECT = (r"Connected to cluster: [^\n]*, max pending requests per connection \d+, max connections"
           r" per host \d+\n(?:{node}; Rack: [^\n]*\n)+")
NODE = {"3.11.5": r"Datatacenter: [^\n;]*; Host: [^\n;:]*"}
NODE_WITH_PORT = r"Datacenter: [^\n;]*; Host: [^\n;]*:\d+"
INSERT_STATEMENT = {"3.11.5": ""}
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


def header(version):
    width = 10 if version == "3.11.5" else 50
    return "type".ljust(width) + output.HEADER[50:]


def table(words, version):
    split = words.index(":")
    steps, kinds = words[:split], words[split + 1:] + ["total"]
    lines = [r" *id, " + re.escape(header(version)) + r"\n"]
    lines += [rf" *{step} threadCount, " + row(kind) for step in steps for kind in kinds]
    return "".join(lines)


def fragment(item, version):
    """One item as a regular expression."""
    if isinstance(item, dict):
        return "".join(fragment(inner, version) for inner in item.get(version, []))
    if item.startswith("="):
        return re.escape(item[1:]) + r"\n"
    if item.startswith("~"):
        return f"(?:{item[1:]})\\n"
    word, *rest = item.split()
    if word in ("settings", "usersettings"):
        return DUMP
    if word in ("anything", "help"):
        return r"(?:[^\n]*\n)*?"
    plain = {"connect": CONNECT.format(node=NODE.get(version, NODE_WITH_PORT)),
             "insertstatement": INSERT_STATEMENT.get(version, r"Insert Statement:\n  [^\n]+\n"),
             "header": re.escape(header(version)) + r"\n"}
    if word in plain:
        return plain[word]
    made = {"rows": rows, "results": results, "table": lambda words: table(words, version),
            "opfail": lambda words: FAILED.format(count=words[0], type="total")}
    return made[word](rest)


def matches(items, text, version=VERSION):
    """None when text is as the items say, else what is wrong."""
    text = "".join(line + "\n" for line in text.splitlines() if not line.startswith("# "))
    expression = ""
    for item in items:
        expression += fragment(item, version)
        if not re.match(expression, text):
            return f"does not fit from item {item!r} on"
    return None if re.fullmatch(expression, text) else "there is more behind the last item"
