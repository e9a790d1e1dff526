"""Whether the memory of a long run stays what it was."""

import os
import statistics
import subprocess
import time


def measure_memory(bench):
    count = bench.options.operations
    command = ["taskset", "-c", str(bench.options.client_cpu)] + [
        word for word in bench.product(16, 64) if not word.startswith("duration=")]
    command.insert(command.index("write") + 1, f"n={count}")
    client = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = []
    while client.poll() is None:
        try:
            with open(f"/proc/{client.pid}/statm", encoding="ascii") as file:
                pages = int(file.read().split()[1])
        except (OSError, IndexError, ValueError):
            break
        seen.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
        time.sleep(0.5)
    client.wait()
    seen = [value for value in seen if value]
    # The pages of the first moments apart, half of the run must need no more than the other.
    quarter = len(seen) // 4
    before, after = (statistics.median(part or seen) for part in (seen[quarter:2 * quarter], seen[3 * quarter:]))
    flat = after <= before * 1.02
    verdict = "met" if max(seen) < 32 and flat else "missed"
    bench.note(f"resident MB, 16x64, {count / 1e6:g} M operations",
               f"{max(seen):.1f} at most, {before:.1f} then {after:.1f}", "< 32, flat", verdict)
