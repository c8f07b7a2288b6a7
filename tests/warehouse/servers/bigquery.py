"""
BigQuery: bqemulator over HTTP in its own environment, since it needs another duckdb.

It does not maintain bytes and modification times or NUMERIC precision, and table names are ASCII.
JSON and column descriptions are set over the API, since its SQL ignores them.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlglot
from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.cloud.bigquery import Client, SchemaField
from sqlglot import exp

from tests.warehouse.servers.base import statements_of

BQEMULATOR = Path(__file__).resolve().parents[3] / ".venv-bqemulator"
PROJECT = "warehouse-test"
START_SECONDS = 60
# It parses each statement some twenty times over. To copy what was parsed takes a third of the
# time, and with fewer collections of garbage all of it takes half.
LAUNCH = (
    "import functools, gc, sqlglot; gc.set_threshold(200_000, 50, 50);"
    " parsed = functools.lru_cache(16)(sqlglot.parse_one);"
    " sqlglot.parse_one = lambda *given, **options: parsed(*given, **options).copy();"
    " from bqemulator.cli import main; main()"
)


@dataclass(frozen=True)
class BigQueryServer:
    """A server that listens on a port of this machine and keeps everything in memory."""

    endpoint: str
    artifacts: str = "analytics_linker"
    text_type: str = "string"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""
        return {"CONSUMER_BIGQUERY_ENDPOINT": self.endpoint}

    def execute(self, script: str) -> None:
        """Run the statements one by one."""
        with closing(self._client()) as client:
            for statement in statements_of(script):
                client.query_and_wait(statement)
                created = sqlglot.parse_one(statement, read="bigquery")
                if isinstance(created, exp.Create) and isinstance(created.this, exp.Schema):
                    _tell_columns(client, created.this)

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        with closing(self._client()) as client:
            found: list[list[str]] = []
            for row in client.query_and_wait(query):
                found.append(["" if cell is None else cell for cell in row.values()])
            return found

    def _client(self) -> Client:
        return Client(
            PROJECT,
            AnonymousCredentials(),
            client_options=ClientOptions(api_endpoint=self.endpoint),
        )


def _tell_columns(client: Client, definition: exp.Schema) -> None:
    """Tell the emulator of a new table what it did not take from the statement."""
    columns = {column.name: column for column in definition.expressions}
    table = client.get_table(f"{definition.this.db}.{definition.this.name}")
    fields = []
    for field in table.schema:
        column = columns[field.name]
        described = column.find(exp.Property)
        fields.append(
            SchemaField.from_api_repr(
                field.to_api_repr()
                | ({"type": "JSON"} if column.kind.is_type("json") else {})
                | ({"description": described.args["value"].this} if described else {})
            )
        )
    table.schema = fields
    client.update_table(table, ["schema"])


@contextmanager
def start(folder: Path) -> Iterator[BigQueryServer]:
    """A new server; its log lies in the folder."""
    python = BQEMULATOR / "bin" / "python"
    assert python.exists(), f"{BQEMULATOR} is missing; run: make {BQEMULATOR.name}/.installed"
    # DuckDB looks for its extension below the home folder, and there would be others to download.
    environment = {
        **os.environ,
        "HOME": str(BQEMULATOR / "home"),
        "BQEMU_ENABLE_FORMAT_EXTENSIONS": "false",
    }
    options = ("--project", PROJECT, "--rest-port", "0", "--grpc-port", "0")
    log = folder / "bqemulator.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [python, "-c", LAUNCH, "start", *options], stdout=output, stderr=output, env=environment
        )
    try:
        yield BigQueryServer(f"http://127.0.0.1:{_port(process, log)}")
    finally:
        process.terminate()
        process.wait(timeout=30)


def _port(process: "subprocess.Popen[bytes]", log: Path) -> int:
    """The port that it listens on, once its log reports it."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None, f"bqemulator ended: {log.read_text('utf-8')}"
        assert time.monotonic() < deadline, f"bqemulator does not answer: {log.read_text('utf-8')}"
        for line in log.read_text("utf-8").split("\n")[:-1]:
            if '"rest.listen"' in line:
                return int(json.loads(line)["port"])
        time.sleep(0.05)
