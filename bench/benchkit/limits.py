"""cstress beside the limit client: rates, processor time, loops and lateness."""

import os
import re
import statistics

from benchkit.bench import spread_of

POINTS = [(1, 1), (4, 8), (16, 1), (16, 8), (16, 64)]
OPS_GOALS = {(1, 1): 0.95, (4, 8): 0.95, (16, 1): 0.95, (16, 8): 0.85, (16, 64): 0.65}
CPU_GOALS = {(1, 1): 1.05, (16, 8): 1.2, (16, 64): 1.6}


def measure_points(bench):
    for connections, depth in POINTS:
        name = f"{connections}x{depth}"
        runs = bench.alternately({"A": bench.limit(connections, depth), "B": bench.limit(connections, depth),
                                  "product": bench.product(connections, depth)})
        limit = {key: runs["A"][key] + runs["B"][key] for key in ("ops_s", "cli_us")}
        disturbed = sum(run["disturbed"] for run in runs.values())
        bench.ratio(f"ops/s at {name}", runs["product"]["ops_s"], limit["ops_s"], OPS_GOALS[connections, depth],
                    True, spread_of(runs["A"]["ops_s"], runs["B"]["ops_s"]), disturbed)
        if (connections, depth) in CPU_GOALS:
            bench.ratio(f"client CPU per op at {name}", runs["product"]["cli_us"], limit["cli_us"],
                        CPU_GOALS[connections, depth], False,
                        spread_of(runs["A"]["cli_us"], runs["B"]["cli_us"]), disturbed)


def measure_statistics(bench):
    runs = bench.alternately({"on": bench.product(16, 8), "off": bench.product(16, 8, program="cstress_bare"),
                              "again": bench.product(16, 8)})
    bench.ratio("statistics on against off, 16x8", runs["on"]["ops_s"] + runs["again"]["ops_s"], runs["off"]["ops_s"],
                0.95, True, spread_of(runs["on"]["ops_s"], runs["again"]["ops_s"]))


def measure_loops(bench):
    if os.cpu_count() < 3:
        bench.note("two loops against one", "-", "≥ 0.9", "inconclusive: needs three CPUs")
        return
    runs = bench.alternately({"L1": bench.limit(16, 8), "L2": bench.limit(16, 8, "-t", "2"),
                              "P1": bench.product(16, 8, "-loops", "count=1"),
                              "P2": bench.product(16, 8, "-loops", "count=2")}, pinned=False)
    limit = statistics.median(runs["L2"]["ops_s"]) / statistics.median(runs["L1"]["ops_s"])
    scaling = statistics.median(runs["P2"]["ops_s"]) / statistics.median(runs["P1"]["ops_s"])
    bench.ratio("two loops against one, of the limit's", [scaling], [limit], 0.9, True, 0)


def limit_lateness(text):
    return [float(re.search(rf"late_{word}=([0-9.]+)", text)[1]) for word in ("p50", "p99")]


def product_lateness(text):
    line = re.search(r"wait time .*?: med ([0-9.]+) ms,.* \.99 ([0-9.]+) ms", text)
    return [float(line[1]) * 1000, float(line[2]) * 1000]


def measure_lateness(bench):
    commands = {"A": bench.limit(4, 256, "-r", "50000", "-W", "timerfd"),
                "B": bench.limit(4, 256, "-r", "50000", "-W", "timerfd"),
                "product": bench.product(4, 256, rate=("fixed=50000/s",))}
    runs = bench.alternately(commands)
    for at, name, goal in ((0, "p50", 1.1), (1, "p99", 1.5)):
        first, second = ([limit_lateness(text)[at] for text in runs[key]["texts"]] for key in "AB")
        own = [product_lateness(text)[at] for text in runs["product"]["texts"]]
        bench.ratio(f"lateness at 50,000/s, {name}, µs", own, first + second, goal, False, spread_of(first, second))
