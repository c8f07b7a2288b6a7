"""
Snowflake: fakesnow over HTTP in its own environment, since it needs another sqlglot.

It reports OBJECT and ARRAY as VARIANT, and keeps neither bytes nor modification times.
"""

import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import snowflake.connector

from tests.warehouse.servers.base import statements_of

FAKESNOW = Path(__file__).resolve().parents[3] / ".venv-fakesnow"
START_SECONDS = 60

# https://docs.snowflake.com/en/sql-reference/info-schema/tables lists views too; fakesnow leaves
# them out.
REPAIR = """
create or replace view _fs_information_schema._fs_tables as
select
    tables.database_name as table_catalog, tables.schema_name as table_schema, tables.table_name,
    'BASE TABLE' as table_type, tables.estimated_size as row_count, 0 as bytes,
    to_timestamp(0)::timestamptz as created, to_timestamp(0)::timestamptz as last_altered, told.comment
from duckdb_tables() as tables
left join _fs_global._fs_information_schema._fs_tables_ext as told
    on
        tables.database_name = told.ext_table_catalog
        and tables.schema_name = told.ext_table_schema
        and tables.table_name = told.ext_table_name
where tables.database_name = 'WAREHOUSE' and tables.schema_name <> '_fs_information_schema'
union all
select database_name, schema_name, view_name, 'VIEW', null, null, null, null, null
from duckdb_views()
where database_name = 'WAREHOUSE' and schema_name <> '_fs_information_schema' and not internal;
"""


@dataclass(frozen=True)
class SnowflakeServer:
    """A server that listens on a port of this machine and keeps everything in memory."""

    port: int
    artifacts: str = "analytics_linker"
    text_type: str = "varchar"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""
        return {"CONSUMER_SNOWFLAKE_PORT": str(self.port)}

    def execute(self, script: str) -> None:
        """Run the statements one by one."""
        with self._connect() as connection:
            for statement in statements_of(script):
                try:
                    connection.cursor().execute(statement)
                except snowflake.connector.ProgrammingError:
                    # fakesnow writes a comment on a column, and then fails to describe what it did.
                    if not statement.startswith("comment on column"):
                        raise

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        with self._connect() as connection:
            rows = connection.cursor().execute(query).fetchall()
        found: list[list[str]] = []
        for row in rows:
            found.append(["" if cell is None else cell for cell in row])
        return found

    def _connect(self) -> Any:
        """With a time-out, since the connector retries unsupported functions for minutes."""
        return snowflake.connector.connect(
            host="127.0.0.1",
            port=self.port,
            protocol="http",
            account="fakesnow",
            user="tester",
            password="none",
            database="WAREHOUSE",
            schema="ANALYTICS",
            network_timeout=5,
            session_parameters={"CLIENT_TELEMETRY_ENABLED": False},
        )


@contextmanager
def start(folder: Path) -> Iterator[SnowflakeServer]:
    """A new server; its log lies in the folder."""
    command = FAKESNOW / "bin" / "fakesnow"
    assert command.exists(), f"{command} is missing; run: make {FAKESNOW.name}/.installed"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "fakesnow.log"
    with log.open("w") as output:
        process = subprocess.Popen([command, "-s", "-p", str(port)], stdout=output, stderr=output)
    try:
        _wait(process, port, log)
        server = SnowflakeServer(port)
        server.execute(REPAIR)
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    """Until it takes connections."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None, f"fakesnow ended: {log.read_text('utf-8')}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline, (
                f"fakesnow does not answer: {log.read_text('utf-8')}"
            )
            time.sleep(0.05)
        else:
            return
