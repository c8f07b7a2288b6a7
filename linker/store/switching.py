"""
The switch: enters a place and the documents that shall be in it, leaves a collection of these and no others.

One transaction takes out what is gone or changed, puts in what is new with the vectors that were staged, counts, builds
and keeps the snapshot. Until it is committed every reader sees the state of before, and nothing keeps readers waiting.
"""

from collections.abc import Sequence

import psycopg
from psycopg import sql

from linker.errors import StoreError
from linker.store import indexes, snapshots
from linker.store.base import MadeFrom
from linker.store.indexes import Sizes
from linker.store.keys import key_of
from linker.store.places import Place
from linker.store.rows import delete_rows, delete_values, lock, write_rows, written_hashes
from linker.types import Document

# Of a client that was killed the server learns when it answers; until then the next run would wait for it.
# https://www.postgresql.org/docs/current/runtime-config-connection.html: since version 14, so it is asked for.
_NOTICE_THE_DEAD = (
    "select set_config(name, '1s', true) from pg_settings where name = 'client_connection_check_interval'"
)


def switch(
    connection: psycopg.Connection,
    place: Place,
    sizes: Sizes,
    documents: Sequence[Document],
    made_from: MadeFrom | None,
) -> None:
    """Bring the collection from one state to the next."""
    indexes.clear_the_way(connection, place, sizes)
    with connection.transaction():
        connection.execute(_NOTICE_THE_DEAD)
        lock(connection, place)
        is_changed = _write(connection, place, documents)
        if is_changed or not _is_settled(connection, place):
            indexes.settle(connection, place, sizes)
        snapshots.replace(connection, place, made_from)
        connection.execute(sql.SQL("truncate {}").format(place.relation("staged")))
        connection.execute(
            "update linker.collections set version = version + 1 where collection_id = %s", (place.collection_id,)
        )
    if is_changed:
        indexes.tidy(connection, place)


def _write(connection: psycopg.Connection, place: Place, documents: Sequence[Document]) -> bool:
    """Put in and take out what differs, as it is under the lock; leaves whether anything did."""
    wanted = {key_of(document.ref): document for document in documents}
    written = written_hashes(connection, place)
    changed = {key: document for key, document in wanted.items() if written.get(key) != document.content_hash}
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
