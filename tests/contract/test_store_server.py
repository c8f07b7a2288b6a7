"""Contract of store servers: schema, concurrent processes, secrets, shutdown."""

import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from linker.config.values import Secret
from linker.errors import StoreError
from linker.index import Collection, Store, open_store
from linker.index.embedded import EmbeddedPostgres
from linker.types import ColumnRef, Document, TableRef
from tests.contract.publishing import nearest, put

COLLECTION = Collection("target", "model")
DOCUMENT = Document(ColumnRef(TableRef("shop", "orders"), "id"), "text", "#")
VECTOR = np.eye(1, 3, dtype=np.float32)

# Reports that it is ready, waits for a signal, then opens the store of its first line and prints
# what it reads.
OPENS_AND_WRITES = """
import sys
from pathlib import Path
import numpy as np
from linker.config.values import Secret
import linker.index.pgvector
from linker.index import Collection, open_store
from linker.types import ColumnRef, Document, TableRef
url, folder, path = (sys.stdin.readline().rstrip("\\n") for _ in range(3))
print("ready", flush=True)
sys.stdin.readline()
store = open_store(Secret(url) if url else None, Path(folder))
document = Document(ColumnRef(TableRef("shop", "orders"), path), path, "#")
store.stage(Collection(path, "model"), [document], np.eye(1, 3, dtype=np.float32))
store.publish(Collection(path, "model"), [document])
print(store.describe(), flush=True)
sys.stdin.readline()
targets = ("column 0", "column 1")
print([found.path for name in targets for found in store.content_hashes(Collection(name, "model"))], flush=True)
sys.stdin.readline()
store.close()
"""


@pytest.fixture
def writers() -> Iterator[list["subprocess.Popen[str]"]]:
    """Two processes that open a store on a signal."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", OPENS_AND_WRITES],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    yield started
    for process in started:
        process.kill()
        process.communicate()


def say(process: "subprocess.Popen[str]", *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


def hear(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().rstrip("\n")


def assert_both_open_at_once(
    processes: list["subprocess.Popen[str]"], url: str, folder: Path
) -> None:
    for number, process in enumerate(processes):
        say(process, url, str(folder), f"column {number}")
    assert [hear(process) for process in processes] == ["ready", "ready"]
    for process in processes:
        say(process, "go")
    assert all(hear(process).startswith("Postgres ") for process in processes)
    for process in processes:
        say(process, "look")
    assert [hear(process) for process in processes] == ["['column 0', 'column 1']"] * 2


def all_that_is_told(error: StoreError) -> str:
    """The error with its hint and everything that a traceback shows of where it came from."""
    return "".join([str(error), error.hint, repr(error), *traceback.format_exception(error)])


def processes_of(server: EmbeddedPostgres) -> list[Any]:
    """The server's processes; psutil comes with it, its types do not."""
    postmaster = import_module("psutil").Process(
        int((server.folder / "postmaster.pid").read_text().split()[0])
    )
    return [postmaster, *postmaster.children(recursive=True)]


def assert_ended(processes: list[Any]) -> None:
    """With a delay, since Postgres removes its file just before the process ends."""
    at_most = time.monotonic() + 10
    while any(runs(process) for process in processes):
        assert time.monotonic() < at_most
        time.sleep(0.01)


def runs(process: Any) -> bool:
    """A child that is not waited for stays a zombie."""
    with suppress(import_module("psutil").NoSuchProcess):
        return bool(process.is_running() and process.status() != "zombie")
    return False


def test_opening_a_store_again_keeps_its_documents_and_applies_no_migration_twice(
    fresh_url: Secret, state_dir: Path
) -> None:
    for _ in range(3):
        store = open_store(fresh_url, state_dir)
        put(store, COLLECTION, [DOCUMENT], VECTOR)
        store.close()
    with psycopg.connect(fresh_url.get_secret_value()) as connection:
        names = [name for [name] in connection.execute("select name from linker.migrations")]
        [[count]] = connection.execute("select count(*) from linker.documents").fetchall()
    assert len(names) == len(set(names)) > 0
    assert count == 1


def test_two_processes_that_open_a_new_database_at_once_both_succeed(
    fresh_url: Secret, state_dir: Path, writers: list["subprocess.Popen[str]"]
) -> None:
    assert_both_open_at_once(writers, fresh_url.get_secret_value(), state_dir)


def test_two_processes_that_open_a_new_embedded_store_at_once_share_one_server(
    state_dir: Path, writers: list["subprocess.Popen[str]"]
) -> None:
    assert_both_open_at_once(writers, "", state_dir)
    server = EmbeddedPostgres(state_dir / "postgres", "", None)
    running = processes_of(server)
    for process in writers:
        say(process, "end")
        assert process.wait(timeout=30) == 0
    assert_ended(running)


def test_an_embedded_store_that_was_opened_again_outlives_the_other_process(
    writers: list["subprocess.Popen[str]"], state_dir: Path
) -> None:
    other, _ = writers
    say(other, "", str(state_dir), "column 0", "go")
    assert hear(other) == "ready"
    assert hear(other).startswith("Postgres ")
    open_store(None, state_dir).close()
    store = open_store(None, state_dir)
    say(other, "look", "end")
    assert other.wait(60) == 0
    written = ColumnRef(TableRef("shop", "orders"), "column 0")
    assert store.content_hashes(Collection("column 0", "model")) == {written: "#"}
    store.close()


def test_a_store_tells_where_it_is_without_any_secret(
    store: Store, variant: str, url: Secret, embedded_server: EmbeddedPostgres, password: str
) -> None:
    parts = conninfo_to_dict(url.get_secret_value())
    place = (
        f"{parts['host']}:{parts.get('port')}/postgres"
        if variant == "separate"
        else str(embedded_server.folder)
    )
    assert store.describe().startswith("Postgres 18")
    assert "with pgvector 0." in store.describe()
    assert store.describe().endswith(place)
    assert password not in store.describe()
    assert quote(password, safe="") not in store.describe()


def test_a_wrong_password_is_a_store_error_that_does_not_show_it(
    separate_url: Secret, state_dir: Path
) -> None:
    wrong = make_conninfo(separate_url.get_secret_value(), password="almost-right")
    with pytest.raises(StoreError, match="password authentication failed") as caught:
        open_store(Secret(wrong), state_dir)
    assert "almost-right" not in all_that_is_told(caught.value)
    assert "LINKER_STORE_URL" in caught.value.hint


def test_a_server_that_nobody_runs_is_a_store_error_that_does_not_show_the_password(
    closed_port: int, state_dir: Path
) -> None:
    url = Secret(f"postgresql://user:hidden-word@127.0.0.1:{closed_port}/database")
    with pytest.raises(
        StoreError, match=f"port {closed_port} failed: Connection refused"
    ) as caught:
        open_store(url, state_dir)
    assert "hidden-word" not in all_that_is_told(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://user:hidden-word@127.0.0.1/database",
        "user:hidden-word@127.0.0.1/database",
        "hidden-word",
        "postgresql://user:x%hidden-word@127.0.0.1/database",
        "postgresql://user:x/hidden-word@127.0.0.1/database",
        "postgresql://user:hidden-word/x@127.0.0.1/database",
        "postgresql://user:x@hidden-word@127.0.0.1/database",
        "postgresql://user:x hidden-word@127.0.0.1/database",
        "postgresql://user:hidden-word@[::1/database",
        "host=127.0.0.1 password=x hidden-word",
    ],
)
def test_a_url_that_cannot_be_read_is_not_quoted(url: str, state_dir: Path) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(Secret(url), state_dir)
    assert "hidden-word" not in all_that_is_told(caught.value)
    # An older libpq takes a URL with a space, and connects to no server.
    assert "LINKER_STORE_URL" in caught.value.hint


def test_a_user_who_may_not_create_the_schema_is_told_so(
    fresh_url: Secret, own_connection: psycopg.Connection, state_dir: Path
) -> None:
    own_connection.execute("create role visitor login password 'hidden-word'")
    visitor = make_conninfo(fresh_url.get_secret_value(), user="visitor", password="hidden-word")
    try:
        with pytest.raises(StoreError, match="permission denied") as caught:
            open_store(Secret(visitor), state_dir)
    finally:
        own_connection.execute("drop role visitor")
    assert "hidden-word" not in all_that_is_told(caught.value)


def test_no_process_of_an_embedded_store_is_left_when_it_is_closed(state_dir: Path) -> None:
    store = open_store(None, state_dir)
    running = processes_of(EmbeddedPostgres(state_dir / "postgres", "", None))
    assert running[0].is_running()
    store.close()
    assert_ended(running)
    assert not (state_dir / "postgres" / "postmaster.pid").exists()


def test_an_embedded_store_opened_again_has_its_documents(state_dir: Path) -> None:
    for expected in ({}, {DOCUMENT.ref: "#"}):
        store = open_store(None, state_dir)
        assert store.content_hashes(COLLECTION) == expected
        put(store, COLLECTION, [DOCUMENT], VECTOR)
        store.close()


def test_closing_one_session_of_an_embedded_store_leaves_the_other_one_working(
    state_dir: Path,
) -> None:
    first, second = open_store(None, state_dir), open_store(None, state_dir)
    first.close()
    put(second, COLLECTION, [DOCUMENT], VECTOR)
    running = processes_of(EmbeddedPostgres(state_dir / "postgres", "", None))
    second.close()
    assert_ended(running)


def test_an_embedded_store_of_another_version_of_postgres_is_refused_with_a_way_out(
    state_dir: Path,
) -> None:
    (state_dir / "postgres").mkdir()
    (state_dir / "postgres" / "PG_VERSION").write_text("12\n", "utf-8")
    with pytest.raises(StoreError, match="version 12") as caught:
        open_store(None, state_dir)
    assert str(state_dir / "postgres") in caught.value.hint


def test_a_vector_of_another_length_is_refused_in_one_line(
    store: Store, collection: Collection
) -> None:
    put(store, collection, [DOCUMENT], VECTOR)
    with pytest.raises(StoreError, match="the store refused: ") as caught:
        nearest(store, collection, np.ones(7, dtype=np.float32), limit=1)
    assert "\n" not in caught.value.what


# Opens a store, and says so; then it waits to be ended.
HOLDS = """
import sys
from pathlib import Path
from linker.index import open_store
store = open_store(None, Path(sys.argv[1]))
print(store.describe(), flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_embedded_server_ends_with_its_last_user_however_that_ends(
    state_dir: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-c", HOLDS, str(state_dir)]
    users = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        assert all(hear(user).startswith("Postgres ") for user in users)
        running = processes_of(EmbeddedPostgres(state_dir / "postgres", "", None))
        users[0].send_signal(number)
        users[0].wait()
        # The other one uses it still, and goes on with it.
        assert all(runs(process) for process in running[:1])
        users[1].send_signal(number)
        users[1].wait()
        assert_ended(running)
    finally:
        for user in users:
            user.kill()
            user.communicate()


def test_a_user_that_was_killed_does_not_count_when_the_last_one_leaves(state_dir: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(state_dir)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as killed:
        assert hear(killed).startswith("Postgres ")
        store = open_store(None, state_dir)
        killed.kill()
        killed.wait()
    running = processes_of(EmbeddedPostgres(state_dir / "postgres", "", None))
    store.close()
    assert_ended(running)


def test_a_target_that_is_forgotten_leaves_those_of_others_and_the_last_one_takes_all_along(
    fresh_url: Secret, state_dir: Path
) -> None:
    store = open_store(fresh_url, state_dir)
    other = Collection("other", "model")
    for collection in (COLLECTION, other):
        put(store, collection, [DOCUMENT], VECTOR)
        store.history.begin(collection.target, "refresh")
    assert store.targets() == ("other", "target")
    assert not store.delete_target("target")
    assert (store.targets(), store.content_hashes(COLLECTION)) == (("other",), {})
    assert list(store.content_hashes(other)) == [DOCUMENT.ref]
    assert store.delete_target("other")
    store.close()
    with psycopg.connect(fresh_url.get_secret_value()) as connection:
        assert (
            connection.execute("select 1 from pg_namespace where nspname = 'linker'").fetchall()
            == []
        )
