"""What checksums, compression and TLS cost, all against the product's own null server."""

import contextlib
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

from benchkit.bench import PORT

RESPONDER = "127.0.0.34"


def own_figures(command):
    """Operations per second by the product's own report, and its CPU in microseconds per operation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rate = re.search(r"Op rate +: +([0-9,]+) op/s", done.stdout)
    total = re.search(r"Total partitions +: +([0-9,]+)", done.stdout)
    if not rate or not total:
        sys.exit(f"bench/run: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return float(rate[1].replace(",", "")), seconds * 1e6 / float(total[1].replace(",", ""))


@contextlib.contextmanager
def responder(bench, *words):
    """The product's own null server: it speaks what the other one does not."""
    server = subprocess.Popen(
        ["taskset", "-c", str(bench.options.server_cpu), bench.program("cstress"), "responder",
         f"listen={RESPONDER}:{PORT}", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        server.stdout.readline()  # it listens
        if server.poll() is not None:
            sys.exit(f"bench/run: cstress responder does not start; is {RESPONDER}:{PORT} in use?")
        yield
    finally:
        server.terminate()
        server.communicate()


def certificate(folder):
    path = os.path.join(folder, "server.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", path,
                    "-out", path + ".crt", "-subj", "/CN=bench", "-addext", f"subjectAltName=IP:{RESPONDER}"],
                   check=True, capture_output=True)
    with open(path, "ab") as whole, open(path + ".crt", "rb") as part:
        whole.write(part.read())
    return path


def measure_encoding(bench, name, version, *more):
    words = bench.product(16, 8, *more, version=version, server=RESPONDER)
    at = words.index("connectionsPerHost=16")
    words[at:at] = ["compression=lz4"] if "LZ4" in name else []
    pin = ["taskset", "-c", str(bench.options.client_cpu)]
    runs = [own_figures(pin + words) for _ in range(bench.options.reps)]
    rate, cpu = (statistics.median(values) for values in zip(*runs))
    bench.note(f"against cstress responder, 16x8, {name}", f"{rate:,.0f} op/s, {cpu:.2f} µs of client CPU")


def measure_encodings(bench):
    with responder(bench):
        for name, version in (("v4", 4), ("v5", 5), ("v4, LZ4", 4), ("v5, LZ4", 5)):
            measure_encoding(bench, name, version)
    with tempfile.TemporaryDirectory() as folder:
        store = certificate(folder)
        with responder(bench, f"keystore={store}"):
            measure_encoding(bench, "v4, TLS", 4, "-transport", f"truststore={store}.crt")
