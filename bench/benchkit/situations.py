"""Known situations of a client and its server, each with what the report must say of the client."""

from dataclasses import dataclass, replace

KEPT_UP = "the client kept up"
NEAR = "the client was near its limit"
BEHIND = "the client did not keep up"

STRESS, OLD, SBK = "cassandra-stress", "stress", "sbk"


@dataclass(frozen=True)
class Situation:
    """Words of the responder and of the client, where they run, and who is beside them."""
    name: str
    verdicts: tuple  # any of these is right
    client: tuple
    server: tuple = ()
    advice: str = ""  # in the line, too
    without: str = ""  # not in the line
    personality: str = STRESS
    pinned: bool = False  # the client on the one processor, the server on the other
    beside_client: int = 0  # programs that want the client's processor all the time
    beside_server: int = 0
    nice: int = 0
    quota: float = 0.0  # of one processor, for the client's control group
    outer: bool = False  # the quota is that of a group around the client's
    light: bool = False  # so little work that it may go before all other programs of the machine
    frozen: tuple = ()  # seconds after the start: the server is stopped, and goes on


def rate(threads, *more):
    return ("-rate", f"threads={threads}", *more)


NO_FAULT = (KEPT_UP,)
FAULT = (NEAR, BEHIND)

SLOW_SERVERS = tuple(replace(situation, light=True) for situation in (
    Situation("slow: always 400 ms", NO_FAULT, rate(16), ("delay=fixed(400000)",)),
    Situation("slow: exponential, 0.1 to 5 ms", NO_FAULT, rate(64), ("delay=exp(100..5000)",)),
    Situation("slow: uniform, 1 to 20 ms, 500 in flight", NO_FAULT, rate(500), ("delay=uniform(1000..20000)",)),
    Situation("slow: long tail (extreme value), one in flight", NO_FAULT, rate(1), ("delay=extreme(200..50000,0.6)",)),
    Situation("slow: 10,000 in flight on one connection", NO_FAULT, rate(10000), ("delay=fixed(400000)",)),
    Situation("slow, at a fixed rate it can serve", NO_FAULT, rate(64, "fixed=2000/s"), ("delay=fixed(5000)",)),
    Situation("stalls of 600 ms each second, 200/s", NO_FAULT, rate(16, "fixed=200/s"),
              ("stall-every=1000", "stall=600"), advice="all threads waited for answers"),
    Situation("frozen for 1.5 s of 3", NO_FAULT, rate(64, "fixed=500/s"), ("delay=fixed(1000)",), frozen=(0.7, 2.2)),
    Situation("server without processor time", NO_FAULT, rate(16), pinned=True, beside_server=3),
    Situation("slow, under the name of stress", NO_FAULT, ("-t", "16", "-n", "400"), ("delay=fixed(50000)",),
              personality=OLD),
    Situation("slow, under the name of sbk", NO_FAULT, ("-writers", "16"), ("delay=fixed(50000)",), personality=SBK),
))

IDLE_CLIENTS = tuple(replace(situation, light=True) for situation in (
    Situation("fixed rate well below, fast server", NO_FAULT, rate(64, "fixed=5000/s")),
    Situation("the same, Poisson arrivals", NO_FAULT, rate(64, "fixed=5000/s", "poisson")),
    Situation("the same, two loops", NO_FAULT, (*rate(64, "fixed=5000/s"), "-loops", "count=2")),
    Situation("one in flight at a low rate, fast server", NO_FAULT, rate(1, "fixed=50/s")),
    Situation("too few threads for the rate", NO_FAULT, rate(4, "fixed=1000/s"), ("delay=fixed(10000)",),
              advice="a larger -rate threads="),
))

# Where the quota is, real-time priority is not, so that other programs of the machine may have a part in it.
QUOTAS = (
    Situation("quota far above the need: not named", (KEPT_UP, NEAR), rate(16, "fixed=1000/s"), ("delay=fixed(1000)",),
              quota=0.9, without="quota"),
)

LIMITED_CLIENTS = (
    Situation("one loop at full speed", FAULT, rate(512), pinned=True),
    Situation("the same on both processors", FAULT, rate(512)),
    Situation("fixed rate above what a loop can do", FAULT, rate(512, "fixed=2000000/s"), pinned=True),
    Situation("full speed, under the name of stress", FAULT, ("-t", "512", "-n", "400000"), personality=OLD,
              pinned=True),
    Situation("full speed, under the name of sbk", FAULT, ("-writers", "512"), personality=SBK, pinned=True),
    Situation("four loops on one processor", FAULT, (*rate(512), "-loops", "count=4"), pinned=True,
              advice="-loops count=1"),
    Situation("no room on its connection", FAULT,
              (*rate(1000), "-mode", "native", "cql3", "connectionsPerHost=1", "maxPending=64"),
              ("delay=fixed(5000)",), advice="raise maxPending= or connectionsPerHost="),
    Situation("a quota of a third", (BEHIND,), rate(64), quota=0.33, advice="quota of its container"),
    Situation("a quota of a third, of a group around it", (BEHIND,), rate(64), quota=0.33, outer=True,
              advice="quota of its container"),
)

STARVED_CLIENTS = (
    Situation("beside three busy programs, niced", (BEHIND,), rate(64), pinned=True, beside_client=3, nice=10,
              advice="of its own"),
    Situation("the same at a fixed rate", (BEHIND,), rate(64, "fixed=20000/s"), ("delay=fixed(1000)",), pinned=True,
              beside_client=3, nice=19, advice="of its own"),
    Situation("the same at a low rate", FAULT, rate(16, "fixed=200/s"), ("delay=fixed(2000)",), pinned=True,
              beside_client=3, nice=19, advice="of its own"),
    Situation("the same, one request in flight", FAULT, rate(1), ("delay=fixed(500)",), pinned=True, beside_client=3,
              nice=19, advice="of its own"),
    Situation("beside one busy program of its own rank", FAULT, rate(64), pinned=True, beside_client=1,
              advice="of its own"),
    Situation("starved, under the name of stress", FAULT, ("-t", "64", "-n", "100000"), personality=OLD, pinned=True,
              beside_client=3, nice=10, advice="of its own"),
    Situation("starved, under the name of sbk", FAULT, ("-writers", "64"), personality=SBK, pinned=True,
              beside_client=3, nice=10, advice="of its own"),
)

SITUATIONS = SLOW_SERVERS + IDLE_CLIENTS + QUOTAS + LIMITED_CLIENTS + STARVED_CLIENTS
