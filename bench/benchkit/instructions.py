"""Instructions per operation and per row: counted by valgrind, so that other programs do not matter."""

import os
import re
import subprocess
import sys

from benchkit.bench import HERE


def instructions(bench, *words, program="cstress"):
    command = [os.path.join(HERE, "instructions"), *words, "-s", bench.program("nullserver"), bench.program(program)]
    if "-g" in words or "-r" in words:
        command = [os.path.join(HERE, "instructions"), *words, bench.program(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"instructions_per_\w+=(\d+)", done.stdout)
    if not found:
        sys.exit(f"bench/run: {' '.join(command)}: {done.stderr}")
    return int(found[1])


def limit_instructions(bench, connections, depth, operations):
    counts = []
    for count in (operations, operations * 3):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                               *bench.limit(connections, depth, "-N", str(count))],
                              capture_output=True, text=True, check=True)
        counts.append(int(re.search(r"Collected : *(\d+)", done.stderr)[1]))
    return (counts[1] - counts[0]) / (operations * 2)


def measure_instructions(bench):
    count = 20000 if bench.options.quick else 60000
    row = instructions(bench, "-g", program="generate_row")
    bench.note("instructions per standard1 row (c4)", str(row), "≤ 1100", "met" if row <= 1100 else "missed")
    mode = "-mode native cql3 protocolVersion={} connectionsPerHost=16{}"
    own = {}
    for depth in (8, 64):
        own[depth] = instructions(bench, "-t", str(16 * depth), "-n", str(count), "-o", mode.format(4, ""))
        limit = limit_instructions(bench, 16, depth, count)
        bench.ratio(f"instructions per op, 16x{depth}", [own[depth]], [limit], 1.5, False, 0)
    base = instructions(bench, "-t", "64", "-n", str(count), "-o", "-mode native cql3 protocolVersion=4")
    for threads in (1000, 10000):
        many = instructions(bench, "-t", str(threads), "-n", str(max(count, 5 * threads)),
                            "-o", "-mode native cql3 protocolVersion=4")
        bench.ratio(f"instructions per op, {threads:,} in flight to 64", [many], [base], 1.1, False, 0)
    for name, version, more in (("v5 (checksums)", 5, ""), ("v4, LZ4", 4, " compression=lz4"),
                                ("v5, LZ4", 5, " compression=lz4")):
        value = instructions(bench, "-r", "-t", "128", "-n", str(count), "-o", mode.format(version, more))
        bench.note(f"instructions per op, 16x8, {name}", f"{value} (v4: {own[8]})")
