"""The warehouses of the contract tests: server, data and target."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from linker.config.target import Target
from tests.warehouse.servers import TARGETS, WarehouseServer, start
from tests.warehouse.servers.accounts import BigQueryAccount, SnowflakeAccount

KINDS = TARGETS
Artifacts = Callable[[str, str], Iterator[str]]

# One table of three rows, as each warehouse spells it.
ORDERS = {
    "duckdb": "create table shop.orders (id bigint, amount decimal(10, 2), note varchar)",
    "postgres": "create table shop.orders (id bigint, amount numeric(10, 2), note text)",
    "snowflake": "create table shop.orders (id bigint, amount number(10, 2), note varchar)",
    "bigquery": "create table shop.orders (id int64, amount numeric, note string)",
    "spark": "create table shop.orders (id bigint, amount decimal(10, 2), note string) using parquet",
}
ROWS = "insert into shop.orders (id, amount, note) values (1, 10.25, 'first'), (2, 20.50, 'größe'), (3, null, null)"


class Running(Struct, frozen=True):
    """A warehouse that runs, and how to get into it."""

    kind: str
    server: WarehouseServer
    target: Target


@contextmanager
def running(kind: str, folder: Path, artifact_statements: Artifacts) -> Iterator[Running]:
    """Start the warehouse, and write the table and the artifacts into it."""
    with start(kind, folder) as server:
        statements = ["create schema shop", ORDERS[kind], ROWS, "create schema shop_linker"]
        server.execute(
            "".join(f"{one};\n" for one in (*statements, *artifact_statements(kind, "shop_linker")))
        )
        if isinstance(server, SnowflakeAccount | BigQueryAccount):
            options = server.options
        else:
            options = _options(kind, next(iter(server.environment.values())))
        yield Running(kind, server, Target("p", kind, kind, "shop", folder, options))


def _options(kind: str, place: str) -> dict[str, object]:
    """The options of the target, as profiles.yml of dbt holds them."""
    options: dict[str, dict[str, object]] = {
        "duckdb": {"path": place},
        "postgres": {
            "host": place,
            "port": 5432,
            "user": "postgres",
            "password": "",
            "dbname": "warehouse",
        },
        "snowflake": {
            "account": "fakesnow",
            "host": "127.0.0.1",
            "port": place,
            "protocol": "http",
            "user": "tester",
            "password": "none",
            "database": "warehouse",
            "schema": "shop",
            # What the emulator cannot do it answers with 500, and the connector tries again until
            # this is over.
            "network_timeout": 3,
        },
        "bigquery": {
            "method": "oauth-secrets",
            "token": "any",
            "project": "warehouse-test",
            "api_endpoint": place,
        },
        "spark": {"method": "thrift", "host": "127.0.0.1", "port": place, "user": "tester"},
    }
    return options[kind]
