"""Other clients beside cstress, in turns, on the null server and on a real one, with one connection and the same number
of requests in flight."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from benchkit.bench import ADDRESS, HERE
from benchkit.peer import OWN, peer_of

GOALS = {16: 0.4, 64: 0.2, 512: 0.12}  # of the best peer's processor time per operation
COUNTED = (2000, 8000)  # operations under valgrind
REAL_OPERATIONS = (100_000, 300_000)
REAL_QUICK = (40_000, 120_000)
REAL_THREADS = 64
TOOL = os.path.join(HERE, "../tools/cassandra")
CLUSTER = "bench"


def own_words(bench, address, threads, operations, peer):
    words = bench.product(1, threads, *peer.own.split(), server=address)
    return [f"n={operations}" if word.startswith("duration=") else word for word in words]


def prepare(peer, address):
    words = peer.words(peer.prepare, address, 1, 1)
    if words:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"bench/run: {' '.join(words)}\n{done.stdout}{done.stderr[-2000:]}")


def compare(bench, figure, own, other, less_is_better, form="{:,.4g}"):
    """One figure of both, and who is the better; NaN where one does not tell."""
    if own != own or other != other:
        return
    better = "cstress" if (own < other) == less_is_better else "the peer"
    ratio = own / other if other else float("inf")
    bench.note(figure, f"{ratio:.2f} ({form.format(own)} / {form.format(other)})", "",
               "equal" if own == other else f"{better} is better")


# ---- on the null server ----

def medians(runs, figure):
    return statistics.median(runs["own"][figure]), statistics.median(runs["peer"][figure])


def latencies(runs, peer, what):
    own = statistics.median(OWN.milliseconds(what, text) for text in runs["own"]["texts"])
    return own, statistics.median(peer.milliseconds(what, text) for text in runs["peer"]["texts"])


def beside(bench, peer, threads):
    words = peer.words(peer.run, ADDRESS, threads, peer.operations)
    runs = bench.alternately({"peer": words, "own": bench.product(1, threads, *peer.own.split())})
    about = f"{peer.name}, {threads} in flight"
    bench.ratio(f"CPU per op, {about}", runs["own"]["cli_us"], runs["peer"]["cli_us"], GOALS[threads], False, 0)
    compare(bench, f"ops/s, {about}", *medians(runs, "ops_s"), False, "{:,.0f}")
    for what in ("p50", "p99"):
        compare(bench, f"{what} in ms, {about}", *latencies(runs, peer, what), True, "{:.3f}")
    compare(bench, f"start to first request in ms, {about}", *medians(runs, "start_ms"), True, "{:.0f}")
    compare(bench, f"resident MB, {about}", *medians(runs, "rss_mb"), True, "{:.0f}")


def counted(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, check=False)
    found = re.search(r"Collected : *(\d+)", done.stderr)
    return int(found[1]) if found else float("nan")


def count_instructions(bench, peer):
    """Of two lengths the difference, so that nobody's start counts."""
    few, many = (counted(peer.words(peer.run, ADDRESS, 64, count)) for count in COUNTED)
    own = []
    for count in COUNTED:
        own.append(counted(own_words(bench, ADDRESS, 64, count, peer)))
    each = COUNTED[1] - COUNTED[0]
    compare(bench, f"instructions per op, {peer.name}, 64 in flight", (own[1] - own[0]) / each, (many - few) / each,
            True, "{:,.0f}")


# ---- on a real server ----

def metered(command, teller):
    """What a run cost and told: seconds of CPU, operations, rate, MB and the two latencies."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    told = {"cpu_s": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024, "text": text,
            "count": teller.number("count", text), "rate": teller.number("rate", text)}
    for what in ("p50", "p99"):
        told[what] = teller.milliseconds(what, text)
    if process.returncode or told["rate"] != told["rate"]:
        sys.exit(f"bench/run: {' '.join(command)}\n{text[-3000:]}")
    return told


def two_lengths(bench, address, peer, own):
    """A short and a long run of the peer or our own: the longer one's figures, and the CPU of an operation from their
    difference."""
    pin = ["taskset", "-c", str(bench.options.client_cpu)]
    lengths = REAL_QUICK if bench.options.quick else REAL_OPERATIONS
    runs = []
    for operations in lengths:
        words = (own_words(bench, address, REAL_THREADS, operations, peer) if own
                 else peer.words(peer.run, address, REAL_THREADS, operations))
        runs.append(metered(pin + words, OWN if own else peer))
    short, long = runs
    long["cli_us"] = (long["cpu_s"] - short["cpu_s"]) * 1e6 / (lengths[1] - lengths[0])
    return long


def beside_on_real(bench, peer, address):
    prepare(peer, address)
    runs = {"peer": [], "own": []}
    for _ in range(bench.options.reps):
        runs["peer"].append(two_lengths(bench, address, peer, False))
        runs["own"].append(two_lengths(bench, address, peer, True))
    about = f"{peer.name}, Cassandra, {REAL_THREADS} in flight"
    for figure, name, less, form in (("cli_us", "CPU per op in µs", True, "{:.2f}"),
                                     ("rate", "ops/s", False, "{:,.0f}"), ("p50", "p50 in ms", True, "{:.1f}"),
                                     ("p99", "p99 in ms", True, "{:.1f}"), ("mb", "resident MB", True, "{:.0f}")):
        own, other = (statistics.median(run[figure] for run in runs[who]) for who in ("own", "peer"))
        compare(bench, f"{name}, {about}", own, other, less, form)
    line = re.search(r"# the client .*", runs["own"][-1]["text"])
    print(f"    {line[0] if line else ''}", flush=True)


def start_real(bench):
    """A server of our own, pinned beside the clients; its address."""
    pin = ["taskset", "-c", str(bench.options.server_cpu)]
    subprocess.run([*pin, TOOL, "start", CLUSTER], check=True, stdout=subprocess.DEVNULL)
    env = subprocess.run([TOOL, "env", CLUSTER], check=True, capture_output=True, text=True).stdout
    return re.search(r"(\d+\.\d+\.\d+\.\d+)", env)[1]


def measure_on_real(bench, peers):
    address = start_real(bench)
    try:
        time.sleep(5)  # what a server still does after its start
        for peer in peers:
            beside_on_real(bench, peer, address)
    finally:
        subprocess.run([TOOL, "wipe", CLUSTER], check=False, stdout=subprocess.DEVNULL)


def measure_peers(bench):
    peers = [peer_of(text) for text in bench.options.peer]
    for peer in peers if bench.options.server == "null" else ():
        prepare(peer, ADDRESS)
        for threads in GOALS:
            beside(bench, peer, threads)
        if peer.instructions:
            count_instructions(bench, peer)
    if bench.options.server == "real" and peers:
        measure_on_real(bench, peers)
