"""One run of clients on one null server: pinned, measured from outside, repeated where others disturbed it."""

import os
import re
import statistics
import subprocess
import sys
import time

from benchkit.machine import machine_seconds, process_seconds

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADDRESS, PORT = "127.0.0.33", 9042
LIMIT_PORT = 19042
DISTURBED = 0.05  # CPUs that other programs used
RETRIES = 2  # of a disturbed repetition
RETRIES_OF_ALL = 30  # so that a busy machine does not take for ever


class Bench:
    def __init__(self, options):
        self.options = options
        self.build = options.build
        self.rows = []
        self.server = None
        self.noise = 0.0
        self.retries = 0 if options.quick else RETRIES_OF_ALL

    def program(self, name):
        path = os.path.join(self.build, "cstress" if name == "cstress" else f"bench/{name}")
        if not os.access(path, os.X_OK):
            sys.exit(f"bench/run: {path} is not there: build its target {name} of the preset release")
        return path

    # ---- the server ----

    def start_server(self):
        pin = ["taskset", "-c", str(self.options.server_cpu)]
        self.server = subprocess.Popen(
            pin + [self.program("nullserver"), "-a", ADDRESS, "-p", str(PORT), "-l", str(LIMIT_PORT)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        if self.server.poll() is not None:
            sys.exit(f"bench/run: the null server does not start; is {ADDRESS}:{PORT} in use?")

    def stop_server(self):
        if self.server:
            self.server.terminate()
            self.server.wait()

    # ---- one run of a client ----

    def once(self, command, pinned=True):
        """(figures of the meter, text that the command printed, CPUs that others used)"""
        pin = ["taskset", "-c", str(self.options.client_cpu)] if pinned else []
        meter = pin + [os.path.join(HERE, "../build/bench/nmeter"), "-a", ADDRESS, "-p", str(PORT)]
        busy, stolen = machine_seconds()
        server = process_seconds(self.server.pid)
        start = time.monotonic()
        done = subprocess.run(meter + command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
        figures = {key: float(value) for key, value in re.findall(r"(\w+)=([-0-9.]+)", done.stdout)}
        if not figures.get("ops_s"):
            sys.exit(f"bench/run: {' '.join(command)}\n{done.stdout}{done.stderr[-2000:]}")
        own = figures["cli_us"] * figures["ops"] / 1e6 + process_seconds(self.server.pid) - server
        for whole, warm in (("cli_us", "warm_us"), ("ops_s", "warm_ops_s")):
            if figures.get(warm):
                figures[whole] = figures[warm]  # of its second half: without the start
        after, stolen_after = machine_seconds()
        others = max(0.0, after - busy - own) + stolen_after - stolen
        return figures, done.stderr, others / seconds

    def undisturbed(self, command, pinned=True):
        best = None
        for _ in range(1 + RETRIES):
            result = self.once(command, pinned)
            if best is None or result[2] < best[2]:
                best = result
            if best[2] <= DISTURBED or not self.retries:
                break
            self.retries -= 1
        self.noise = max(self.noise, best[2])
        return best

    def alternately(self, commands, pinned=True):
        """Runs the named commands in turn; {name: {figure: values}}, without disturbed repetitions where others
        are left."""
        results = {name: [] for name in commands}
        for _ in range(self.options.reps):
            for name, command in commands.items():
                results[name].append(self.undisturbed(command, pinned))
        out = {}
        for name, runs in results.items():
            calm = [run for run in runs if run[2] <= DISTURBED]
            used = calm if 2 * len(calm) > len(runs) else runs
            out[name] = {"disturbed": len(runs) - len(calm), "text": used[0][1]}
            for figure in used[0][0]:
                out[name][figure] = [run[0].get(figure, 0) for run in used]
            out[name]["texts"] = [run[1] for run in used]
        return out

    # ---- commands ----

    def limit(self, connections, depth, *more):
        return [self.program("limit_client"), "-p", str(LIMIT_PORT), "-m", "coal", "-n", str(connections),
                "-d", str(depth), "-s", str(self.options.seconds), "-w", "0.2", "-g", *more]

    def product(self, connections, depth, *more, program="cstress", version=4, rate=(),
                server=ADDRESS):
        return [self.program(program), "write", f"duration={self.options.seconds}s", "no-warmup",
                "-rate", f"threads={connections * depth}", *rate, "-node", server, "-mode", "native", "cql3",
                f"protocolVersion={version}", f"connectionsPerHost={connections}", "-log", "no-settings", *more]

    # ---- the table ----

    def note(self, figure, value, goal="", verdict=""):
        self.rows.append((figure, value, goal, verdict))
        print(f"{figure:<44} {value:<34} {goal:<10} {verdict}", flush=True)

    def ratio(self, figure, values, base, goal, more_is_better, spread, disturbed=0):
        ratio = statistics.median(values) / statistics.median(base)
        met = ratio >= goal if more_is_better else ratio <= goal
        verdict = "met" if met else "missed"
        if spread > self.options.margin:
            verdict = f"inconclusive (A/A spread {spread:.0%})"
        elif disturbed:
            verdict += f" ({disturbed} disturbed)"
        shown = f"{ratio:.2f} ({statistics.median(values):,.4g} / {statistics.median(base):,.4g})"
        self.note(figure, shown, ("≥ " if more_is_better else "≤ ") + f"{goal:g}", verdict)


def spread_of(first, second):
    """How far two series of the same thing lie apart, as a share."""
    a, b = statistics.median(first), statistics.median(second)
    return abs(a - b) / min(a, b)
