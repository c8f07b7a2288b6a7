"""
What a collection was made from: enter a place and bytes that only their writer reads, leave the same bytes.

A snapshot is written in the transaction that makes the collection what it is: both always belong together.
"""

import zlib

import psycopg

from linker.store.base import MadeFrom, Snapshot
from linker.store.places import Place


def read(connection: psycopg.Connection, place: Place, held: str) -> Snapshot | None:
    """The snapshot, if there is one; without its content where the caller holds that already."""
    row = connection.execute(
        "select digest, is_settled, case when digest <> %s then packed end "
        "from linker.snapshots join linker.collections using (collection_id) where collection_id = %s",
        (held, place.collection_id),
        binary=True,
    ).fetchone()
    if row is None:
        return None
    digest, is_settled, packed = row
    return Snapshot(digest, is_settled=is_settled, content=None if packed is None else zlib.decompress(packed))


def replace(connection: psycopg.Connection, place: Place, made_from: MadeFrom | None) -> None:
    """Put a snapshot in the place of the one before, inside the transaction of a caller who holds the lock."""
    connection.execute("delete from linker.snapshots where collection_id = %s", (place.collection_id,))
    if made_from is None:
        return
    connection.execute(
        "insert into linker.snapshots (collection_id, digest, packed) values (%s, %s, %s)",
        (place.collection_id, made_from.digest, zlib.compress(made_from.content)),
    )
