"""
What a collection was made from: enter a place and bytes that only their writer reads, leave the same bytes.

A snapshot is written with the settling, in one transaction, and only where the documents are those that it tells of.
Whatever is written to the collection later unsettles it. So one that is settled never has the snapshot of another.
"""

import hashlib
import zlib
from collections.abc import Mapping

import psycopg
from psycopg import sql

from linker.errors import StoreError
from linker.store.base import MadeFrom, Snapshot
from linker.store.keys import key_of
from linker.store.places import Place
from linker.types import Ref


def holds(connection: psycopg.Connection, place: Place, made_from: MadeFrom) -> bool:
    """Whether the collection has that snapshot already."""
    row = connection.execute(
        "select digest from linker.snapshots where collection_id = %s", (place.collection_id,)
    ).fetchone()
    return row is not None and row[0] == made_from.digest


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
    return Snapshot(digest, is_current=is_settled, content=None if packed is None else zlib.decompress(packed))


def replace(connection: psycopg.Connection, place: Place, made_from: MadeFrom | None) -> None:
    """Put a snapshot in the place of the one before, inside the transaction of a caller who holds the lock."""
    connection.execute("delete from linker.snapshots where collection_id = %s", (place.collection_id,))
    if made_from is None:
        return
    if _digest_of_written(connection, place) != _digest_of(made_from.hashes):
        raise StoreError("another run wrote into this index at the same time", hint="linker index")
    connection.execute(
        "insert into linker.snapshots (collection_id, digest, packed) values (%s, %s, %s)",
        (place.collection_id, made_from.digest, zlib.compress(made_from.content)),
    )


def _digest_of(hashes: Mapping[Ref, str]) -> str:
    written = sorted((key_of(ref), content_hash) for ref, content_hash in hashes.items())
    return hashlib.sha256(",".join(f"{key} {content_hash}" for key, content_hash in written).encode()).hexdigest()


def _digest_of_written(connection: psycopg.Connection, place: Place) -> str:
    """The same digest of what the collection holds, made by the server: 100,000 rows need not travel."""
    [[digest]] = connection.execute(
        sql.SQL(
            "select encode(sha256(convert_to(coalesce(string_agg(document_key || ' ' || content_hash, ',' "
            "order by document_key), ''), 'UTF8')), 'hex') from {}"
        ).format(place.relation("documents"))
    ).fetchall()
    return str(digest)
