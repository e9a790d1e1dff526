"""The files a node reads: cassandra.yaml and logback.xml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .versions import Version

# Evenly spread, one token each: the order of the addresses is the ring.
FIRST_TOKEN = -(2 ** 63)
RING = 2 ** 64
# No two nodes may have the same token: those of the next data centre stand a little behind.
DATACENTER_STEP = 100

LOGBACK = """<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder>
      <pattern>%-5level [%thread] %date{ISO8601} %F:%L - %msg%n</pattern>
    </encoder>
  </appender>
  <root level="INFO">
    <appender-ref ref="STDOUT"/>
  </root>
</configuration>
"""

# Names of 4.1 and later. Time-outs are long since tests share their machine with other work; the
# limits on bytes in flight are lifted since they would throttle the client instead of the server.
# Hints stay on, as on any real cluster: cl=ANY needs them, and a node that was killed catches up.
COMMON = {
    "partitioner": "org.apache.cassandra.dht.Murmur3Partitioner",
    "endpoint_snitch": "SimpleSnitch",
    "commitlog_sync": "periodic",
    "commitlog_sync_period": "10000ms",
    "auto_bootstrap": "false",
    "auto_snapshot": "false",
    "hinted_handoff_enabled": "true",
    "dynamic_snitch": "false",
    "materialized_views_enabled": "true",
    "user_defined_functions_enabled": "true",
    "native_transport_max_request_data_in_flight": "1024MiB",
    "native_transport_max_request_data_in_flight_per_ip": "1024MiB",
    "read_request_timeout": "10000ms",
    "range_request_timeout": "20000ms",
    "write_request_timeout": "10000ms",
    "counter_write_request_timeout": "10000ms",
}
TESTS = {
    "commitlog_segment_size": "16MiB",
    "commitlog_total_space": "512MiB",
    "memtable_heap_space": "64MiB",
    "memtable_offheap_space": "64MiB",
    "key_cache_size": "2MiB",
    "counter_cache_size": "2MiB",
    "concurrent_reads": "8",
    "concurrent_writes": "8",
    "concurrent_counter_writes": "8",
    "concurrent_materialized_view_writes": "8",
    "concurrent_compactors": "1",
}
LOAD = {
    "commitlog_total_space": "2048MiB",
    "concurrent_writes": "32",
}

# A server that asks who is there: the superuser is cassandra, with the password cassandra.
LOGIN = {
    "authenticator": "PasswordAuthenticator",
    "authorizer": "CassandraAuthorizer",
    "role_manager": "CassandraRoleManager",
}

# 4.0 and older: other names, and the unit is in the name instead of the value.
OLD_NAMES = {
    "materialized_views_enabled": "enable_materialized_views",
    "user_defined_functions_enabled": "enable_user_defined_functions",
    "native_transport_max_request_data_in_flight":
        "native_transport_max_concurrent_requests_in_bytes",
    "native_transport_max_request_data_in_flight_per_ip":
        "native_transport_max_concurrent_requests_in_bytes_per_ip",
}


@dataclass(frozen=True)
class Place:
    """Where one node stands: on the network, on the ring, in the building."""

    address: str
    token: int
    seeds: list[str]
    # "dc1:rack1", or "" where all nodes are one data centre and nobody asks for racks.
    seat: str = ""
    # It takes its part of the data from the others, who have some already.
    joins: bool = False


def yaml(version: Version, purpose: str, name: str, place: Place, folder: Path,
         extra: dict[str, str]) -> str:
    """The cassandra.yaml of one node; `extra` comes last and wins."""
    values = {"cluster_name": f"'cstress {name}'", **COMMON,
              **(LOAD if purpose == "load" else TESTS)}
    if version.is_before(4, 1):
        values = dict(map(_old_style, values.items()))
    if version.is_before(4, 0):
        values |= {"start_native_transport": "true",
                   "commitlog_directory": _quoted(folder / "data" / "commitlog"),
                   "data_file_directories": f"[{_quoted(folder / 'data' / 'data')}]"}
    values |= {
        "listen_address": place.address,
        "rpc_address": place.address,
        "num_tokens": "1",
        "initial_token": f"'{place.token}'",
        **({"endpoint_snitch": "GossipingPropertyFileSnitch"} if place.seat else {}),
        **({"auto_bootstrap": "true"} if place.joins else {}),
        **extra,
    }
    lines = [f"{key}: {value}" for key, value in values.items()]
    return "\n".join(lines) + f"""
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: '{",".join(place.seeds)}'
"""


def rackdc(seat: str) -> str:
    """The cassandra-rackdc.properties of a node in this seat."""
    datacenter, _, rack = seat.partition(":")
    return f"dc={datacenter}\nrack={rack}\n"


def seats(counts: list[int], racks: int) -> list[str]:
    """Seats for so many nodes in dc1, dc2, ...; those of a data centre take turns in its racks."""
    return [f"dc{dc + 1}:rack{node % racks + 1}"
            for dc, count in enumerate(counts) for node in range(count)]


def tokens(counts: list[int]) -> list[int]:
    """Tokens of so many nodes per data centre, each data centre evenly spread over the ring."""
    return [FIRST_TOKEN + node * (RING // count) + dc * DATACENTER_STEP
            for dc, count in enumerate(counts) for node in range(count)]


def token_between(taken: list[int]) -> int:
    """The middle of the largest range of a ring: there a new node relieves most."""
    ring = sorted(taken)
    gaps = [(after - before, before) for before, after in zip(ring, [*ring[1:], ring[0] + RING])]
    size, before = max(gaps, key=lambda gap: gap[0])
    return (before + size // 2 - FIRST_TOKEN) % RING + FIRST_TOKEN


def _old_style(item: tuple[str, str]) -> tuple[str, str]:
    key, value = item
    if value.endswith("MiB") and key in OLD_NAMES:
        return OLD_NAMES[key], str(int(value[:-3]) * 1024 * 1024)
    if value.endswith("MiB"):
        return f"{key}_in_mb", value[:-3]
    if value.endswith("ms"):
        return f"{key}_in_ms", value[:-2]
    return OLD_NAMES.get(key, key), value


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
