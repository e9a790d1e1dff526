"""The grammar of the original's output, line by line: nothing may stand there that it does not name.

An output is read into its dump, the kinds of its lines in order, and its steps. Two programs print the
same when both are accepted and the kinds are equal, but for what a caller takes out by name.
"""

import re
from dataclasses import dataclass

import output

SECTIONS = ["Command", "Rate", "Population", "Insert", "Columns", "Errors", "Log", "Mode", "Node", "Schema",
            "Transport", "Port", "Send To Daemon", "Graph", "TokenRange"]
SECTIONS_SINCE_5 = ["Command", "Rate", "Population", "Insert", "Columns", "Errors", "Log", "Mode", "Node",
                    "Schema", "Transport", "Port", "JMX", "Graph", "TokenRange", "Credentials file", "Reporting"]
# Ours alone, at the end of the dump.
OWN_SECTION = "cstress"
STARS = "*" * 20 + " Stress Settings " + "*" * 20
PROFILE = re.compile(r"\*{20} Profile(\(s\))? \*{20}")
# What ends the dump of a profile, and what may stand within it.
BODY = {"rest", "warm-up", "no threads", "running", "nothing"}
INSIDE = {"connected", "node", "created", "insert", "batches"}

# One line for each node; the first spelling is 3.11's own.
NODES = {"3.11": re.compile(r"Datatacenter: [^;]+; Host: /[\d.]+; Rack: \S+"),
         None: re.compile(r"Datacenter: [^;]+; Host: /[\d.]+:\d+; Rack: \S+")}

# Kinds of lines that read alike in every release; the rows, the block and the table are output.py's.
KINDS = [(kind, re.compile(text)) for kind, text in {
    "connected": r"Connected to cluster: [^,]+, max pending requests per connection \d+, max connections per"
                 r" host \d+",
    "created": r"Created (keyspaces|schema|extra schema)\.( Sleeping [\d.]+s for propagation\.)?",
    "truncated": r"Truncated \S+\.( Sleeping [\d.]+s for propagation\.)?",
    "insert": r"Insert Statement:",
    "statement": r"  (UPDATE|INSERT) .+",
    "batches": r"Generating batches with \[\d+\.\.\d+\] partitions and \[\d+\.\.\d+\] rows"
               r" \(of \[\d+\.\.\d+\] total rows in the partitions\)",
    "rest": r"Sleeping 2s\.\.\.",
    "warm-up": r"Warming up \S+ with \d+ iterations\.\.\.",
    "no threads": r"Thread count was not specified",
    "step": r"Running with \d+ threadCount",
    "running": r"Running (\w+|\[[\w, ]+\]) with \d+ threads (for \d+ iteration|\d+ (seconds|minutes|hours|days)"
               r"|until stderr of mean < [\d.E-]+)",
    "results": r"Results:",
    "improvement": r"Improvement over \d+ threadCount: (-?\d+|NaN|-?Infinity)%",
    "pause": r"Sleeping for 15s",
    "nothing": r"N=0: SCHEMA CREATED, NOTHING ELSE DONE\.",
    "end": r"END",
    "failure": r"FAILURE",
    "failed": r"java\.io\.IOException: Operation x\d+ on key\(s\) \[[^\]]*\]: .+",
    "stack": r"\tat .+",
    "extra": r"# .+",
    "incomplete": r"Incomplete: .+",
    "blank": r"",
}.items()]

# The order of the kinds. A failed operation may stand anywhere among the rows; the insert is prepared
# with the dump, else when it is first needed.
STEP = (r"header (insert statement )?((row|failed blank( stack)*) )*(extra )*"
        r"(blank blank results( line){17} blank (incomplete blank )?)?")
ORDER = re.compile(
    r"(connected (node )+)?(created )*(insert statement )?(batches (blank )?)?(rest )?"
    r"(warm-up (connected (node )+)?(insert statement )?)*(truncated )*"
    rf"(nothing |(running (connected (node )+)?{STEP}|no threads "
    rf"(blank step running (connected (node )+)?{STEP}(improvement )?(pause )?)+(table( table row)+ )?)"
    r"(end|failure) )")


@dataclass
class Output:
    """What was read."""
    dump: dict  # section to its lines; {} without a dump
    kinds: list
    steps: list


def kind_of(line, release):
    """The kind of one line in the layout of this release."""
    width = output.NARROW if release == "3.11" else output.WIDE
    if NODES.get(release, NODES[None]).fullmatch(line):
        return "node"
    if line == output.header(width):
        return "header"
    if output.is_row(line):
        output.parse_row(line, width)
        return "row"
    if any(line.startswith(label.ljust(26) + ": ") for label in output.LABELS):
        return "line"
    if re.fullmatch(r" *id, " + re.escape(output.header(width)), line):
        return "table"
    if re.match(r" *\d+ threadCount, ", line):
        output.parse_row(line.split(", ", 1)[1], width)
        return "table row"
    for kind, expression in KINDS:
        if expression.fullmatch(line):
            return kind
    raise output.OutputError(f"no line of the original: {line!r}")


def read(text, release):
    """The whole output of a release, 3.11 to 5.0; OutputError where it is not as the original's."""
    lines = text.split("\n")
    if lines.pop() != "":
        raise output.OutputError("the last line has no end")
    dump, rest = split_dump(lines, release)
    kinds = [kind_of(line, release) for line in rest]
    check_order(kinds)
    return Output(dump, kinds, output.parse_steps(rest))


def check_order(kinds):
    """The kinds must follow one another as in the original; tells how far they do."""
    text = "".join(kind + " " for kind in kinds)
    if ORDER.fullmatch(text):
        return
    raise output.OutputError(f"the lines are out of order: {' '.join(squeeze(kinds))}")


def squeeze(kinds):
    """Rows, nodes and stack lines as one, since their number depends on time or on the cluster."""
    repeated = ("row", "stack", "line", "table row", "extra", "node")
    return [kind for at, kind in enumerate(kinds)
            if kind not in repeated or at == 0 or kinds[at - 1] != kind]


def split_dump(lines, release):
    """The dump as sections, and the lines behind it."""
    if not lines or lines[0] != STARS:
        return {}, lines
    end = lines.index("")
    sections = settings(lines[1:end], release)
    rest = lines[end + 1:]
    if rest and PROFILE.fullmatch(rest[0]):
        sections["Profile"], rest = split_profile(rest[1:], release)
    return sections, rest


def settings(lines, release):
    """Section to its lines; the sections are those of the release, in its order, and ours at the end."""
    wanted = list(SECTIONS_SINCE_5 if release == "5.0" else SECTIONS)
    if "  Type: user" in lines:  # the columns are the profile's
        wanted.remove("Columns")
    sections = {}
    for line in lines:
        if line.startswith(" "):
            sections[list(sections)[-1]].append(line)
        else:
            sections[line.partition(":")[0]] = [line]
    found = list(sections)
    if found not in (wanted, wanted + [OWN_SECTION]):
        raise output.OutputError(f"sections of the dump: {found}, expected {wanted}")
    return sections


def split_profile(lines, release):
    """What the dump says of a profile, sorted, for its columns have no order; and all other lines: those
    about the connection and the schema may stand in its midst."""
    inside, outside, before = [], [], None
    for at, line in enumerate(lines):
        try:
            kind = kind_of(line, release)
        except output.OutputError:
            kind = None
        if kind in BODY:
            return sorted(filter(None, without_own(inside))), outside + lines[at:]
        if kind in INSIDE or (before, kind) in (("insert", "statement"), ("batches", "blank")):
            outside.append(line)
        else:
            inside.append(line)
        before = kind
    raise output.OutputError("nothing behind the dump")


def without_own(lines):
    """The lines in front of our own section, which is the last."""
    own = OWN_SECTION + ":"
    return lines[:lines.index(own)] if own in lines else lines
