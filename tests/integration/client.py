"""The independent client: the Python driver, which shares no code with cstress.

Cells are read as the bytes that crossed the wire, so that a comparison cannot
be fooled by two decoders that err alike.
"""

import warnings

from cassandra import ConsistencyLevel, DriverException, OperationTimedOut, ReadTimeout
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import (EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile)
from cassandra.policies import ConstantReconnectionPolicy, WhiteListRoundRobinPolicy
from cassandra.protocol import ResultMessage, _ProtocolHandler
from cassandra.query import SimpleStatement, dict_factory

warnings.filterwarnings("ignore", module="cassandra")
RESULT = 0x08
PATIENCE = 60  # seconds a single request may take on a busy machine
TRIES = 5      # for a page of rows


class RawResult(ResultMessage):
    """Rows whose cells stay bytes (None for null)."""

    def recv_results_rows(self, f, protocol_version, user_type_map, result_metadata):
        self.recv_results_metadata(f, user_type_map)
        metadata = self.column_metadata or result_metadata
        count = int.from_bytes(f.read(4), "big", signed=True)
        self.column_names = [column[2] for column in metadata]
        self.column_types = [column[3] for column in metadata]
        self.parsed_rows = [self.recv_row(f, len(metadata)) for _ in range(count)]


class RawHandler(_ProtocolHandler):
    """The driver's protocol with RawResult in the place of its own results."""
    message_types_by_opcode = dict(_ProtocolHandler.message_types_by_opcode)
    message_types_by_opcode[RESULT] = RawResult


class Client:
    """One connected client; `only` keeps it to one node (virtual tables are a node's own).

    login: user and password, for a cluster that wants them.
    """

    def __init__(self, nodes, port=9042, only=None, login=None):
        policy = WhiteListRoundRobinPolicy([only] if only else nodes)
        profile = ExecutionProfile(load_balancing_policy=policy, request_timeout=PATIENCE,
                                   row_factory=dict_factory)
        self.cluster = Cluster([only] if only else nodes, port=port, protocol_version=4,
                               auth_provider=PlainTextAuthProvider(*login) if login else None,
                               execution_profiles={EXEC_PROFILE_DEFAULT: profile},
                               reconnection_policy=ConstantReconnectionPolicy(1, None),
                               connect_timeout=PATIENCE, control_connection_timeout=PATIENCE)
        self.session = self.cluster.connect()
        self.handler = self.session.client_protocol_handler

    def close(self):
        self.cluster.shutdown()

    def sees_the_schema(self):
        """Reads the schema anew, unless the nodes do not agree on it yet."""
        try:
            self.cluster.refresh_schema_metadata(max_schema_agreement_wait=PATIENCE)
            return True
        except DriverException:
            return False

    def run(self, cql, level="ONE", values=None):
        """All rows, decoded by the driver, as dicts."""
        statement = SimpleStatement(cql, consistency_level=ConsistencyLevel.name_to_value[level])
        return list(self.session.execute(statement, values))

    def raw(self, cql, level="ONE"):
        """All rows as dicts of column to bytes or None."""
        return list(self.raw_rows(cql, level))

    def raw_rows(self, cql, level="ONE"):
        """The same, page by page; nothing else may be asked meanwhile."""
        statement = SimpleStatement(cql, fetch_size=1000,
                                    consistency_level=ConsistencyLevel.name_to_value[level])
        self.session.client_protocol_handler = RawHandler
        try:
            more = True
            state = None
            while more:
                page = self.page(statement, state)
                yield from page.current_rows
                state = page.paging_state
                more = state is not None
        finally:
            self.session.client_protocol_handler = self.handler

    def page(self, statement, state):
        """One page, asked for again when nodes that were hurt, or are busy, take too long."""
        for _ in range(TRIES - 1):
            try:
                return self.session.execute(statement, paging_state=state)
            except (OperationTimedOut, ReadTimeout):
                pass
        return self.session.execute(statement, paging_state=state)

    def count(self, table, level="ONE"):
        """Rows of a table, counted one by one here (no aggregate that may time out)."""
        key = self.run("SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name"
                       " = %s AND table_name = %s", values=split_name(table))
        column = next(row["column_name"] for row in key if row["kind"] == "partition_key")
        return sum(1 for _ in self.run(f'SELECT "{column}" FROM {table}', level))

    def drop(self, keyspace):
        self.run(f'DROP KEYSPACE IF EXISTS "{keyspace}"')

    def has_table(self, keyspace, table):
        return bool(self.run("SELECT table_name FROM system_schema.tables WHERE keyspace_name = %s"
                             " AND table_name = %s", values=(keyspace, table)))


def split_name(table):
    """'"Ks".t' or 'ks.t' as the server's spelling of both names."""
    return tuple(part.strip('"') for part in table.split("."))


def hex_cells(rows):
    """Rows with their cells in hex, as the vector files spell them."""
    return [{name: None if cell is None else cell.hex() for name, cell in row.items()}
            for row in rows]
