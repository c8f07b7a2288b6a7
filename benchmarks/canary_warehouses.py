"""
Warehouses with planted private values (canary_warehouses.sql), and a user's files around them.

Values are in columns that are hidden or masked by name, settings, dbt meta or content, in views
over them, and in comments.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg
from psycopg.conninfo import conninfo_to_dict

from linker.index.embedded import start_postgres

ROWS = range(1, 61)
SHOWN = "shown"
_SCRIPT = Path(__file__).with_name("canary_warehouses.sql")
SETTINGS = {
    "profile": "planted",
    "manifest": "manifest.json",
    "hide_columns": ["crm.accounts.notes", "crm.accounts.salary"],
    "mask_columns": ["*.accounts.nickname"],
}


def canaries() -> dict[str, str]:
    """Planted texts by name, unlike any other text."""
    names = re.findall(r"{{(\w+)}}", _SCRIPT.read_text("utf-8"))
    texts = {name: _text(name) for name in names}
    return {**texts, "salary": "8351746"}


def filled_script(texts: Mapping[str, str]) -> str:
    """The script that makes the tables, with these texts in them."""
    return re.sub(r"{{(\w+)}}", lambda found: texts[found[1]], _SCRIPT.read_text("utf-8"))


def _text(name: str) -> str:
    digest = hashlib.sha256(name.encode()).digest()
    return "".join(f"{'bcdfghjkmnpqrstvwxz'[byte % 19]}{byte % 7 + 2}" for byte in digest[:4]) + "k"


def hidden_texts(texts: Mapping[str, str]) -> list[bytes]:
    """Texts that must not occur anywhere: planted ones, and digests of them in views."""
    values = [f"{texts['password']}{row}" for row in ROWS] + [
        f"{texts['email']}{row}@mail.example" for row in ROWS
    ]
    digests = [hashlib.md5(value.encode(), usedforsecurity=False).hexdigest() for value in values]
    hidden = [text for name, text in texts.items() if name != SHOWN]
    return [text.encode() for text in (*hidden, *digests)]


@dataclass(frozen=True)
class CanaryWarehouse:
    """
    A warehouse with planted values: its folder, dbt's connection to it, and the rows of a query.
    """

    name: str
    folder: Path
    connection: Mapping[str, object]
    rows: Callable[[str], list[tuple[Any, ...]]]


@contextmanager
def in_duckdb(folder: Path, script: str) -> Iterator[CanaryWarehouse]:
    """A file."""
    path = folder / "planted.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(script)

    def rows(query: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(path), read_only=True) as connection:
            return connection.execute(query).fetchall()

    yield CanaryWarehouse(
        "duckdb", folder, {"type": "duckdb", "path": str(path), "schema": "main"}, rows
    )


@contextmanager
def in_postgres(folder: Path, script: str) -> Iterator[CanaryWarehouse]:
    """A separate server."""
    server = start_postgres(folder / "warehouse")
    try:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("create database planted")
        url = server.url.replace("/postgres?", "/planted?")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(script.encode())

        def rows(query: str) -> list[tuple[Any, ...]]:
            with psycopg.connect(url, autocommit=True) as connection:
                return connection.execute(query.encode()).fetchall()

        named = {
            "host": conninfo_to_dict(url)["host"],
            "port": 5432,
            "user": "postgres",
            "password": "",
        }
        yield CanaryWarehouse(
            "postgres",
            folder,
            {"type": "postgres", **named, "dbname": "planted", "schema": "main"},
            rows,
        )
    finally:
        server.stop()


WAREHOUSES = {"duckdb": in_duckdb, "postgres": in_postgres}


def write_project(warehouse: CanaryWarehouse) -> None:
    """The files of a user: profiles.yml, linker.yml, and the manifest of a dbt project."""
    output = {**warehouse.connection, "threads": 2}
    profiles = {"planted": {"target": "dev", "outputs": {"dev": output}}}
    common = {"database": "planted", "resource_type": "model", "config": {"materialized": "table"}}
    model = {
        **common,
        "schema": "crm",
        "name": "dim_accounts",
        "unique_id": "model.planted.dim_accounts",
        "compiled_code": (
            "select id, md5(password) as checked, notes as remark, full_name from crm.accounts"
        ),
    }
    source = {
        "database": "planted",
        "resource_type": "source",
        "unique_id": "source.planted.accounts",
        "schema": "crm",
        "name": "accounts",
        "identifier": "accounts",
        "columns": {"diary": {"name": "diary", "meta": {"linker": {"privacy": "hide"}}}},
    }
    files = {
        "profiles.yml": profiles,
        "linker.yml": SETTINGS,
        "manifest.json": {"nodes": {"model": model}, "sources": {"source": source}},
    }
    for name, content in files.items():
        (warehouse.folder / name).write_text(json.dumps(content), "utf-8")
