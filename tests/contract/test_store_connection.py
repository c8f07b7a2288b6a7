"""Store connections that are lost or read-only."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from linker.config.values import Secret
from linker.errors import StoreError
from linker.index import Collection, Store, open_store
from linker.index.connection import open_connection
from linker.types import ColumnRef, Document, TableRef
from tests.contract.publishing import nearest, put

COLLECTION = Collection("target", "model")
DOCUMENT = Document(ColumnRef(TableRef("shop", "orders"), "id"), "text", "#")
VECTOR = np.eye(1, 3, dtype=np.float32)


def end_all_sessions(connection: psycopg.Connection) -> None:
    connection.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity "
        "where application_name = 'dbt-linker' and pid <> pg_backend_pid()"
    )


def test_a_connection_that_is_lost_is_opened_again(
    store: Store, own_connection: psycopg.Connection, collection: Collection
) -> None:
    put(store, collection, [DOCUMENT], VECTOR)
    end_all_sessions(own_connection)
    assert store.content_hashes(collection) == {DOCUMENT.ref: "#"}
    end_all_sessions(own_connection)
    other = Document(ColumnRef(TableRef("shop", "orders"), "other"), "", "#")
    store.stage(collection, [other], VECTOR)
    end_all_sessions(own_connection)
    store.publish(collection, [DOCUMENT, other])
    end_all_sessions(own_connection)
    assert {r.path for r, _ in nearest(store, collection, VECTOR[0], limit=9)} == {"id", "other"}


def test_searches_are_not_compiled_on_a_server_that_does_so_by_default(
    fresh_url: Secret, own_connection: psycopg.Connection
) -> None:
    name = sql.Identifier(str(conninfo_to_dict(fresh_url.get_secret_value())["dbname"]))
    own_connection.execute(sql.SQL("alter database {} set jit = on").format(name))
    connection = open_connection(fresh_url.get_secret_value(), None)
    assert connection.execute("show jit").fetchone() == ("off",)
    connection.close()


def test_a_connection_that_cannot_be_opened_again_is_a_store_error_in_one_line(
    fresh_url: Secret, own_connection: psycopg.Connection, state_dir: Path
) -> None:
    store = open_store(fresh_url, state_dir)
    put(store, COLLECTION, [DOCUMENT], VECTOR)
    name = sql.Identifier(str(conninfo_to_dict(fresh_url.get_secret_value())["dbname"]))
    own_connection.execute(sql.SQL("alter database {} with allow_connections false").format(name))
    end_all_sessions(own_connection)
    with pytest.raises(StoreError) as caught:
        store.content_hashes(COLLECTION)
    assert "\n" not in caught.value.what
    assert caught.value.hint
    store.close()


def test_a_store_that_can_only_be_read_says_so_and_keeps_what_was_there(
    fresh_url: Secret, own_connection: psycopg.Connection, state_dir: Path
) -> None:
    store = open_store(fresh_url, state_dir)
    put(store, COLLECTION, [DOCUMENT], VECTOR)
    name = sql.Identifier(str(conninfo_to_dict(fresh_url.get_secret_value())["dbname"]))
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as admin:
        admin.execute(
            sql.SQL("alter database {} set default_transaction_read_only = on").format(name)
        )
    end_all_sessions(own_connection)
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as admin:
        with pytest.raises(StoreError, match="can only be read"):
            put(store, COLLECTION, [Document(DOCUMENT.ref, "text", "changed")], VECTOR)
        admin.execute("set default_transaction_read_only = off")
        admin.execute(sql.SQL("alter database {} reset default_transaction_read_only").format(name))
    store.close()
    again = open_store(fresh_url, state_dir)
    assert again.content_hashes(COLLECTION) == {DOCUMENT.ref: "#"}
    again.close()


def test_many_threads_use_a_store_at_the_same_time(
    store: Store, own_connection: psycopg.Connection, collection: Collection
) -> None:
    documents = [
        Document(ColumnRef(TableRef("shop", "orders"), str(number)), "text", "#")
        for number in range(20)
    ]
    vectors = np.eye(20, dtype=np.float32)
    put(store, collection, documents, vectors)

    def found(number: int) -> str:
        [[ref, _]] = nearest(store, collection, vectors[number % 20], limit=1)
        return ref.path

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(found, range(200))) == [str(number % 20) for number in range(200)]
        # Each thread has lost the connection that it will use.
        end_all_sessions(own_connection)
        assert list(threads.map(found, range(40))) == [str(number % 20) for number in range(40)]
