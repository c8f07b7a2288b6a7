"""
Switch of a collection to other documents, in one transaction; until its commit every reader sees
the state of before.

It takes out what is gone or changed, puts in what is new with the vectors that were staged, counts,
builds what makes searches fast, and keeps the snapshot. Small collections stay without: reading
them whole is exact and quick.
"""

from collections.abc import Sequence

import psycopg
from psycopg import errors, sql

from linker.errors import StoreError
from linker.store.base import MadeFrom
from linker.store.places import Place, key_of, statement
from linker.store.rows import delete_rows, delete_values, lock, write_rows, written_hashes
from linker.store.snapshots import replace_snapshot
from linker.types import Document

# From so many documents on words have an index; below, reading all takes a few milliseconds.
WORDS_WITH_INDEX = 2_000
_BUILD_MEMORY = "512MB"

_PARTS = ("documents", "vectors", "wordings", "value_texts", "value_places", "lexemes")
_INDEXES = {
    "words": ("wordings", "using gin (words)"),
    "grams": ("value_texts", "using gin (grams)"),
}


def switch(
    connection: psycopg.Connection,
    place: Place,
    words_with_index: int,
    documents: Sequence[Document],
    made_from: MadeFrom | None,
) -> None:
    """Bring the collection from one state to the next."""
    with connection.transaction():
        connection.execute(statement("notice_the_dead"))
        lock(connection, place)
        is_changed = _write_documents(connection, place, documents)
        if is_changed or not _is_settled(connection, place):
            settle(connection, place, words_with_index)
        replace_snapshot(connection, place, made_from)
        connection.execute(sql.SQL("truncate {}").format(place.relation("staged")))
    if is_changed:
        tidy(connection, place)


def _write_documents(
    connection: psycopg.Connection, place: Place, documents: Sequence[Document]
) -> bool:
    """Put in and take out what differs, as it is under the lock; leaves whether anything did."""
    wanted = {key_of(document.ref): document for document in documents}
    written = written_hashes(connection, place)
    changed = {
        key: document
        for key, document in wanted.items()
        if written.get(key) != document.content_hash
    }
    stale = [key for key in written if key not in wanted or key in changed]
    delete_rows(connection, place, stale)
    if write_rows(connection, place, changed) != len(changed):
        raise StoreError("another run wrote into this index at the same time", hint="linker index")
    if stale:
        delete_values(connection, place)
    return bool(changed or stale)


def _is_settled(connection: psycopg.Connection, place: Place) -> bool:
    row = connection.execute(
        "select is_settled from linker.collections where collection_id = %s", (place.collection_id,)
    ).fetchone()
    return bool(row and row[0])


def settle(connection: psycopg.Connection, place: Place, words_with_index: int) -> None:
    """Count words, build the indexes that are missing, inside the transaction of a writer."""
    names = {name: place.relation(name) for name in _PARTS}
    connection.execute(sql.SQL("delete from {lexemes}").format(**names))
    counted = sql.SQL("insert into {lexemes} select {id}, word, ndoc from ts_stat({query})")
    query = sql.SQL("select words from {wordings}").format(**names).as_string(connection)
    connection.execute(counted.format(id=place.collection_id, query=query, **names))
    [[count]] = connection.execute(
        sql.SQL("select count(*) from {documents}").format(**names)
    ).fetchall()
    # Overlaps of n-grams are slow without an index whatever the size.
    _build_all(connection, place, ["grams", "words"] if count >= words_with_index else ["grams"])
    connection.execute(statement("settled"), (count, place.collection_id))


def tidy(connection: psycopg.Connection, place: Place) -> None:
    """
    Make room of what is gone, and let the planner know what is there, after the transaction of a
    writer.
    """
    for name in _PARTS:
        connection.execute(sql.SQL("vacuum (analyze) {}").format(place.relation(name)))
    connection.execute("vacuum linker.snapshots")


def _build_all(connection: psycopg.Connection, place: Place, names: Sequence[str]) -> None:
    for workers in (2, 0):
        try:
            with connection.transaction():
                connection.execute(f"set local maintenance_work_mem = '{_BUILD_MEMORY}'".encode())
                connection.execute(
                    f"set local max_parallel_maintenance_workers = {workers:d}".encode()
                )
                for name in names:
                    _build(connection, place, name)
        except (errors.DiskFull, errors.InsufficientResources):
            # Parallel builds need shared memory, of which containers often have 64 MB.
            if not workers:
                raise
        else:
            return


def _build(connection: psycopg.Connection, place: Place, name: str) -> None:
    table, definition = _INDEXES[name]
    index = sql.Identifier(f"{table}_{place.collection_id}_{name}")
    connection.execute(
        sql.SQL("create index if not exists {} on {} {}").format(
            index, place.relation(table), sql.SQL(definition)
        )
    )
