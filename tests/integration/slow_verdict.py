"""Whether the client kept up, in cases that leave no doubt: a starved client, a slow server, too few threads.

What lies between is judged by figures in the unit tests of report/verdict.c, and tried out by bench/run --only
verdict; these must come out the same on any machine, whatever else it does.
"""

import os
import subprocess

import story
from responder_kit import HOST, ResponderStory

BURNERS = 3
BURN = "while :; do :; done"


class Verdict(ResponderStory):
    def burn(self, cpu):
        """So many programs that want this processor all the time."""
        for _ in range(BURNERS):
            burner = subprocess.Popen(["taskset", "-c", str(cpu), "sh", "-c", BURN],
                                      stdin=subprocess.DEVNULL)
            self.addCleanup(burner.wait)
            self.addCleanup(burner.kill)

    def verdict(self, run):
        """The one line that says it."""
        self.assertEqual((run.status, run.lines[-1]), (0, "END"), run.report())
        lines = [line for line in run.step.extra
                 if line.startswith("# the client ") and "event loop" in line]
        self.assertEqual(len(lines), 1, run.report())
        print(lines[0], flush=True)
        return lines[0]

    def test_a_client_without_a_processor_is_told_so(self):
        cpu = min(os.sched_getaffinity(0))
        port = self.serve()
        self.burn(cpu)
        run = self.start("write", "duration=3s", "no-warmup", "cl=ONE", "-rate", "threads=64",
                         "-node", f"{HOST}:{port}",
                         program=("taskset", "-c", str(cpu), "nice", "-n", "10",
                                  story.PROGRAM)).wait()
        line = self.verdict(run)
        self.assertIn("the client did not keep up, rates and latencies are its own", line)
        self.assertIn("give it a machine, or processors, of its own", line)

    def test_a_slow_server_is_not_the_clients_fault(self):
        port = self.serve("delay=fixed(400000)")
        run = self.good("write", "duration=4s", "no-warmup", "cl=ONE", "-rate", "threads=16",
                        "-node", f"{HOST}:{port}")
        self.assertNotIn("did not keep up", self.verdict(run))
        self.assertGreater(run.step.total["Latency median"], 395)

    def test_a_stalling_server_is_not_the_clients_fault(self):
        """Late work, by the hundred, and none of it is the client's."""
        port = self.serve("delay=fixed(20000)", "stall-every=1000", "stall=600")
        run = self.good("write", "duration=4s", "no-warmup", "cl=ONE", "-rate", "threads=16",
                        "fixed=200/s", "-node", f"{HOST}:{port}")
        self.assertNotIn("did not keep up", self.verdict(run))
        self.assertTrue([line for line in run.step.extra if "began more than 1 ms late" in line],
                        run.report())

    def test_a_client_that_starves_at_a_low_rate_is_told_so(self):
        """It waits for little of its time, but for most of what an operation takes."""
        cpu = min(os.sched_getaffinity(0))
        port = self.serve("delay=fixed(2000)")
        self.burn(cpu)
        run = self.start("write", "duration=4s", "no-warmup", "cl=ONE", "-rate", "threads=16", "fixed=50/s",
                         "-node", f"{HOST}:{port}",
                         program=("taskset", "-c", str(cpu), "nice", "-n", "19", story.PROGRAM)).wait()
        line = self.verdict(run)
        self.assertNotIn("the client kept up", line)
        self.assertIn("processors", line.rpartition(";")[2])

    def test_requests_without_room_are_the_clients_own_time(self):
        port = self.serve("delay=fixed(20000)")
        run = self.good("write", "duration=3s", "no-warmup", "cl=ONE", "-rate", "threads=400",
                        "-mode", "native", "cql3", "connectionsPerHost=1", "maxPending=16",
                        "-node", f"{HOST}:{port}")
        line = self.verdict(run)
        self.assertIn("the client did not keep up, rates and latencies are its own", line)
        self.assertIn("for room on a connection; raise maxPending= or connectionsPerHost=", line)

    def test_too_few_threads_for_the_rate_are_told_of(self):
        port = self.serve("delay=fixed(50000)")
        run = self.good("write", "duration=3s", "no-warmup", "cl=ONE", "-rate", "threads=2", "fixed=400/s",
                        "-node", f"{HOST}:{port}")
        line = self.verdict(run)
        self.assertNotIn("did not keep up", line)
        if "the client kept up" in line:  # else other programs of the machine had a part in it
            self.assertRegex(line, "; all threads waited for answers when [0-9,]+ operations were due, "
                                   "a larger -rate threads= would begin more of them in time$")


if __name__ == "__main__":
    story.main()
