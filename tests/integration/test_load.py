"""Many requests in flight without an error of our making; memory does not grow with n."""

import re
import subprocess
import time

import story

GROWTH_KB = 4096


class LoadStory(story.Story):
    def write(self, count, threads, *more):
        return [*("write", f"n={count}", "no-warmup", "-rate", f"threads={threads}"), *more,
                "-schema", f"keyspace={self.keyspace}", "-node", self.node]

    def check_memory(self, count, timeout, *more):
        """Resident memory at the end is that of the first seconds."""
        run = self.start(*self.write(count, 100, *more))
        run.wait_for_rows(3)
        early = late = run.memory_kb()
        while run.process.poll() is None:
            late = run.memory_kb() or late
            try:
                run.process.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
            self.assertLess(time.monotonic() - run.began, timeout)
        run.wait()
        self.assertEqual(run.status, 0, run.report())
        print(f"resident memory: {early} KB after 3 rows, {late} KB at the end", flush=True)
        self.assertLess(late - early, GROWTH_KB)


class Load(LoadStory):
    def flood(self, threads, count):
        run = self.good(*self.write(count, threads), timeout=300)
        self.assertIn(f"Running WRITE with {threads} threads for {count} iteration", run.lines)
        self.assertEqual(run.step.total["Total errors"], 0, run.report())
        self.assertEqual(run.step.total["Total partitions"], count)
        self.assertEqual([line for line in run.errors() if "xception" in line or "rror" in line],
                         [], run.report())

    def test_406_threads(self):
        self.flood(406, 20000)
        self.assertEqual(self.client.count(f'"{self.keyspace}".standard1'), 20000)

    def test_10000_threads(self):
        self.flood(10000, 40000)
        self.assertEqual(self.client.count(f'"{self.keyspace}".standard1'), 40000)

    def test_threads_are_requests_and_not_threads_of_the_system(self):
        run = self.start(*self.write("10M", 10000))
        run.wait_for_rows(1)
        status = open(f"/proc/{run.process.pid}/status", encoding="ascii").read()
        self.assertLess(int(re.search(r"Threads:\s+(\d+)", status)[1]), 20)

    def test_memory_does_not_grow(self):
        self.check_memory("300k", 300)


if __name__ == "__main__":
    story.main()
