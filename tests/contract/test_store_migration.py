"""A store is set up once under concurrency; other layouts are refused."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psycopg
import pytest

from linker.config.values import Secret
from linker.errors import StoreError
from linker.index import Collection, open_store
from linker.index.embedded import start_postgres
from linker.index.watcher import postmaster_of
from linker.types import ColumnRef, Document, TableRef
from tests.contract.publishing import nearest, put

EAST = np.eye(1, 3, dtype=np.float32)[0]
COLLECTION = Collection("a", "model")


def write_other_layout(url: str) -> None:
    """The mark of a version that divided its schema otherwise."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create schema linker")
        connection.execute("create table linker.migrations (name text primary key)")
        connection.execute("insert into linker.migrations values ('0001_documents.sql')")


def test_a_server_with_another_layout_is_refused_with_a_way_out_that_works(
    fresh_url: Secret, state_dir: Path
) -> None:
    write_other_layout(fresh_url.get_secret_value())
    for _ in range(2):
        with pytest.raises(StoreError, match="layout of another version") as caught:
            open_store(fresh_url, state_dir)
        assert caught.value.hint == "drop its schema `linker` and run: linker index"
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as connection:
        connection.execute("drop schema linker cascade")
    open_store(fresh_url, state_dir).close()


def test_an_embedded_store_with_another_layout_is_refused_by_its_folder(state_dir: Path) -> None:
    folder = state_dir / "postgres"
    server = start_postgres(folder)
    write_other_layout(server.url)
    with pytest.raises(StoreError, match="layout of another version") as caught:
        open_store(None, state_dir)
    assert caught.value.hint == f"move {folder.resolve()} away and run: linker index"
    server.stop()
    assert postmaster_of(folder) == 0, "a store that is refused holds its server"


def test_a_store_that_a_later_version_added_to_is_opened(
    fresh_url: Secret, state_dir: Path
) -> None:
    store = open_store(fresh_url, state_dir)
    document = Document(ColumnRef(TableRef("shop", "orders"), "größe_日本"), "", "#")
    put(store, COLLECTION, [document], EAST[None])
    store.close()
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as connection:
        connection.execute("insert into linker.migrations values ('9999_later.sql')")
    store = open_store(fresh_url, state_dir)
    assert nearest(store, COLLECTION, EAST, limit=9) == [(document.ref, 1.0)]
    store.close()


def test_those_who_open_a_new_store_at_once_all_get_it(fresh_url: Secret, state_dir: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(fresh_url, state_dir), range(4)))
    for store in stores:
        assert store.content_hashes(COLLECTION) == {}
        store.close()
