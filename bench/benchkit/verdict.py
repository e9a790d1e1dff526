"""Whether the verdict on the client is right: every known situation some times over, against cstress responder."""

import contextlib
import functools
import os
import signal
import socket
import subprocess
import tempfile
import time

from benchkit.groups import Groups
from benchkit.situations import KEPT_UP, OLD, SBK, SITUATIONS

HOST = "127.0.0.35"
SECONDS = 3
LIMIT_S = 90
BURN = "while :; do :; done"
REAL_TIME = ["chrt", "-r", "10"]


def free_port():
    with socket.socket() as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


def words_of(situation, link, port):
    """The client's command line, by whatever name it is called."""
    if situation.personality == SBK:
        return [link, "-class", "cassandra", "-node", HOST, "-port", str(port), "-size", "100",
                "-seconds", str(SECONDS), *situation.client]
    if situation.personality == OLD:
        return [link, "-d", HOST, "-p", str(port), *situation.client]
    return [link, "write", f"duration={SECONDS}s", "no-warmup", "cl=ONE", *situation.client,
            "-node", f"{HOST}:{port}", "-log", "no-settings"]


def pin(cpu):
    return ["taskset", "-c", str(cpu)]


@contextlib.contextmanager
def burners(count, cpu, first):
    """So many programs that want this processor all the time."""
    started = [subprocess.Popen([*first, *pin(cpu), "sh", "-c", BURN], stdin=subprocess.DEVNULL)
               for _ in range(count)]
    try:
        yield started
    finally:
        for burner in started:
            burner.kill()
            burner.wait()


@contextlib.contextmanager
def serve(bench, situation, port, first):
    place = pin(bench.options.server_cpu) if situation.pinned else []
    server = subprocess.Popen([*first, *place, bench.program("cstress"), "responder", f"listen={HOST}:{port}",
                               *situation.server], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        server.stdout.readline()  # it listens
        yield server
    finally:
        server.send_signal(signal.SIGCONT)
        server.terminate()
        server.communicate()


@functools.cache
def may_be_first():
    """What others do on this machine is not part of a situation."""
    return subprocess.run([*REAL_TIME, "true"], check=False).returncode == 0


@contextlib.contextmanager
def groups():
    made = Groups()
    try:
        yield made
    finally:
        made.remove()


def freeze(server, times):
    """Stops the server for a while, counted from now."""
    if times:
        time.sleep(times[0])
        server.send_signal(signal.SIGSTOP)
        time.sleep(times[1] - times[0])
        server.send_signal(signal.SIGCONT)


def client_words(bench, situation, made, first, program):
    place = pin(bench.options.client_cpu) if situation.pinned else []
    nice = ["nice", "-n", str(situation.nice)] if situation.nice else []
    group = made.quota(situation.quota, situation.outer) if situation.quota else first
    return [*group, *place, *nice, *program]


def program_of(bench, situation, folder):
    """The client under the name that makes it what it is to be."""
    link = os.path.join(folder, situation.personality)
    if not os.path.exists(link):
        os.symlink(os.path.abspath(bench.program("cstress")), link)
    return link


def once(bench, situation, folder):
    """(the line about the client, CPUs that nobody of ours used)"""
    port = free_port()
    program = words_of(situation, program_of(bench, situation, folder), port)
    with contextlib.ExitStack() as stack:
        made = stack.enter_context(groups())
        first = REAL_TIME if situation.light and may_be_first() else made.first()
        server = stack.enter_context(serve(bench, situation, port, [] if situation.beside_server else first))
        stack.enter_context(burners(situation.beside_client, bench.options.client_cpu, first))
        stack.enter_context(burners(situation.beside_server, bench.options.server_cpu, []))
        client = subprocess.Popen(client_words(bench, situation, made, first, program), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        freeze(server, situation.frozen)
        text = client.communicate(timeout=LIMIT_S)[0]
    lines = [line for line in text.splitlines() if line.startswith("# the client ")]
    if len(lines) != 1:
        raise SystemExit(f"bench/run: {' '.join(program)}: {text[-3000:]}")
    return lines[0]


def is_right(situation, line):
    said = line.startswith(tuple(f"# {verdict}" for verdict in situation.verdicts))
    return said and situation.advice in line and not (situation.without and situation.without in line)


def judge(bench, situation, folder):
    """Runs a situation some times; how often the line was right."""
    right = 0
    wrong = []
    for _ in range(bench.options.reps):
        line = once(bench, situation, folder)
        if is_right(situation, line):
            right += 1
        else:
            wrong.append(f"    {line}")
        shown = line
    bench.note(situation.name, shown.removeprefix("# ").partition(":")[0][:34], "",
               f"{right} of {bench.options.reps} right")
    print("\n".join(wrong or [f"    {shown}"]), flush=True)
    return right


def measure_verdict(bench):
    chosen = [s for s in SITUATIONS if not bench.options.situation or bench.options.situation in s.name]
    if not Groups().version:
        bench.note("situations with a quota", "left out: no control groups to make here")
        chosen = [s for s in chosen if not s.quota]
    false_alarms = misses = 0
    with tempfile.TemporaryDirectory() as folder:
        for situation in chosen:
            wrong = bench.options.reps - judge(bench, situation, folder)
            if KEPT_UP in situation.verdicts:
                false_alarms += wrong
            else:
                misses += wrong
    runs = len(chosen) * bench.options.reps
    bench.note("verdicts on the client", f"{runs} runs, {false_alarms} false alarms, {misses} misses", "0",
               "met" if not false_alarms + misses else "missed")
