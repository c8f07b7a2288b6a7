"""A full disk during an index run: the previous index stays searchable."""

from pathlib import Path

import numpy as np
import psycopg
import pytest

from linker.config.values import Secret
from linker.errors import StoreError
from linker.index import Collection, IndexManifest, Snapshot, Store, open_store
from linker.types import ColumnRef, Document, TableRef, Words
from tests.contract.publishing import nearest, put

MADE_FROM = IndexManifest(b"what it was made from")
AXES = np.eye(20, dtype=np.float32)


def document(number: int, content_hash: str) -> Document:
    words = Words(name=(f"word{number}",))
    return Document(
        ColumnRef(TableRef("shop", "orders"), str(number)),
        "text",
        content_hash,
        words,
        (f"{number}",),
    )


BEFORE = [document(number, "before") for number in range(10)]
AFTER = [document(number, "after") for number in range(5, 20)]


@pytest.mark.parametrize("full", ["staged", "documents", "vectors", "value_texts", "lexemes"])
def test_what_was_there_before_stays_when_the_disk_is_full(
    store: Store, own_connection: psycopg.Connection, collection: Collection, full: str
) -> None:
    put(store, collection, BEFORE, AXES[:10], MADE_FROM)
    if full != "staged":
        store.stage(collection, AFTER, AXES[5:])
    [[number]] = own_connection.execute(
        "select collection_id from linker.collections where target = %s", (collection.target,)
    ).fetchall()
    # The error of the server for a full disk, from the server, when rows are there already.
    own_connection.execute(
        "create or replace function public.full_disk() returns trigger language plpgsql as "
        "$$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$"
    )
    own_connection.execute(
        f"create trigger full_disk after insert on linker.{full}_{number} "
        "for each statement execute function public.full_disk()".encode()
    )
    with pytest.raises(StoreError, match="the disk of the store is full; existing data is kept"):
        put(store, collection, AFTER, AXES[5:])
    assert store.content_hashes(collection) == {one.ref: "before" for one in BEFORE}
    assert [ref for ref, _ in nearest(store, collection, AXES[3], limit=20)][:1] == [BEFORE[3].ref]
    assert store.snapshot(collection) == Snapshot(
        MADE_FROM.digest, is_settled=True, content=MADE_FROM.content
    )
    assert store.staged(collection, AFTER) == (
        set() if full == "staged" else {one.ref for one in AFTER}
    )
    own_connection.execute(f"drop trigger full_disk on linker.{full}_{number}".encode())
    put(store, collection, AFTER, AXES[5:])
    assert store.content_hashes(collection) == {one.ref: "after" for one in AFTER}


def test_where_parallel_workers_have_no_memory_indexes_are_built_without_them(
    fresh_url: Secret, state_dir: Path
) -> None:
    """A full /dev/shm, simulated by an error for each index with parallel workers."""
    store, collection = open_store(fresh_url, state_dir), Collection("target", "model")
    store.stage(collection, BEFORE, AXES[:10])
    with psycopg.connect(fresh_url.get_secret_value(), autocommit=True) as connection:
        connection.execute(
            "create function public.no_workers() returns event_trigger language plpgsql as $$ begin "
            "if current_setting('max_parallel_maintenance_workers') <> '0' "
            "then raise exception 'could not resize shared memory segment' using errcode = 'disk_full'; end if; end $$"
        )
        connection.execute(
            "create event trigger no_workers on ddl_command_start when tag in ('CREATE INDEX') "
            "execute function public.no_workers()"
        )
        store.publish(collection, BEFORE, MADE_FROM)
        assert store.snapshot(collection) == Snapshot(
            MADE_FROM.digest, is_settled=True, content=MADE_FROM.content
        )
        indexes = "select count(*) from pg_indexes where schemaname = 'linker' and indexname like '%grams'"
        assert connection.execute(indexes).fetchall() == [(1,)]
    store.close()
