"""
Real accounts in place of emulators, configured by the variables of the shipped profiles.yml.

Used for the warehouse named by TESTED_ACCOUNT; all others stay emulated.
"""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.warehouse.servers.base import WarehouseServer, statements_of

# What an account cannot be opened without; how one signs in is up to who runs the tests.
NEEDED = {
    "snowflake": ("SNOWFLAKE_ACCOUNT", "SNOWFLAKE_USER", "SNOWFLAKE_WAREHOUSE"),
    "bigquery": ("GOOGLE_CLOUD_PROJECT",),
}
_SIGN_IN = (
    "account",
    "user",
    "password",
    "private_key_path",
    "private_key_passphrase",
    "authenticator",
)


def tested_account() -> str | None:
    """The warehouse of which this session uses a real account."""
    return os.environ.get("TESTED_ACCOUNT")


@dataclass(frozen=True)
class SnowflakeAccount:
    """A temporary database in an account, dropped at the end."""

    options: dict[str, object]
    artifacts: str = "analytics_linker"
    text_type: str = "varchar"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""
        host = f"{self.options['account']}.snowflakecomputing.com".replace("_", "-")
        connection = {"host": host, "port": "443", "protocol": "https"} | self.options
        return {
            f"CONSUMER_SNOWFLAKE_{name.upper()}": str(value) for name, value in connection.items()
        }

    def execute(self, script: str) -> None:
        """Run the statements one by one."""
        with _snowflake(self.options) as connection:
            for statement in statements_of(script):
                connection.cursor().execute(statement)

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        with _snowflake(self.options) as connection:
            rows = connection.cursor().execute(query).fetchall()
        found: list[list[str]] = []
        for row in rows:
            found.append(["" if cell is None else cell for cell in row])
        return found


def _snowflake(options: dict[str, object]) -> Any:
    import snowflake.connector

    from linker.config.target import Target
    from linker.warehouses.snowflake import connection_options

    return snowflake.connector.connect(
        **connection_options(Target("p", "t", "snowflake", "analytics", Path(), options))
    )


@contextmanager
def _snowflake_account() -> Iterator[SnowflakeAccount]:
    signed_in: dict[str, object] = {
        name: os.environ[f"SNOWFLAKE_{name.upper()}"]
        for name in (*_SIGN_IN, "role", "warehouse")
        if os.environ.get(f"SNOWFLAKE_{name.upper()}")
    }
    database = f"LINKER_TEST_{secrets.token_hex(4).upper()}"
    outside = SnowflakeAccount(signed_in)
    outside.execute(f"create database {database};\n")
    try:
        yield SnowflakeAccount(signed_in | {"database": database})
    finally:
        outside.execute(f"drop database {database};\n")


@dataclass(frozen=True)
class BigQueryAccount:
    """A project that holds no dataset before, and none after."""

    options: dict[str, object]
    artifacts: str = "analytics_linker"
    text_type: str = "string"
    environment: dict[str, str] = field(default_factory=dict)

    def execute(self, script: str) -> None:
        """Run the statements one by one."""
        with closing(self.client()) as client:
            for statement in statements_of(script):
                client.query_and_wait(statement)

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        with closing(self.client()) as client:
            found: list[list[str]] = []
            for row in client.query_and_wait(query):
                found.append(["" if cell is None else cell for cell in row.values()])
            return found

    def client(self) -> Any:
        """Signed in as the variables say."""
        from google.cloud.bigquery import Client

        return Client(str(self.options["project"]))


@contextmanager
def _bigquery_account() -> Iterator[BigQueryAccount]:
    project = os.environ["GOOGLE_CLOUD_PROJECT"]
    environment = {
        "CONSUMER_BIGQUERY_METHOD": "oauth",
        "CONSUMER_BIGQUERY_PROJECT": project,
        "CONSUMER_BIGQUERY_ENDPOINT": "https://bigquery.googleapis.com",
    }
    account = BigQueryAccount({"method": "oauth", "project": project}, environment=environment)
    with closing(account.client()) as client:
        there = [dataset.dataset_id for dataset in client.list_datasets()]
        assert not there, (
            f"the tests empty their project, and {project} has datasets: {', '.join(there)}"
        )
        try:
            yield account
        finally:
            for dataset in client.list_datasets():
                client.delete_dataset(dataset.reference, delete_contents=True)


ACCOUNTS: dict[str, Callable[[], AbstractContextManager[WarehouseServer]]] = {
    "snowflake": _snowflake_account,
    "bigquery": _bigquery_account,
}
