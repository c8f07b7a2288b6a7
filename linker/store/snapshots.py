"""
Snapshots of what collections were made from, and what was learned of each target: bytes that the
store does not read.

A snapshot is written in the transaction that makes the collection what it is: both always belong
together.
"""

import hashlib
import zlib
from datetime import UTC

import psycopg

from linker.runs import ENDED_WELL
from linker.store.base import LearnedSource, MadeFrom, Snapshot
from linker.store.history import OnConnection
from linker.store.places import Place, statement


def read_snapshot(connection: psycopg.Connection, place: Place, held: str) -> Snapshot | None:
    """
    The snapshot with what was learned, if there is one; without content where the caller holds that
    already.
    """
    values = {"held": held, "id": place.collection_id, "ended_well": list(ENDED_WELL)}
    row = connection.execute(statement("snapshot"), values, binary=True).fetchone()
    if row is None:
        return None
    digest, is_settled, packed, refreshed_at, learned_digest, learned = row
    return Snapshot(
        digest,
        is_settled=is_settled,
        content=None if packed is None else zlib.decompress(packed),
        refreshed_at=refreshed_at,
        learned=tuple(zlib.decompress(content) for content in learned or ()),
        learned_digest=learned_digest or "",
    )


def snapshot_digest(connection: psycopg.Connection, place: Place) -> str | None:
    """The digest of the snapshot, if there is one."""
    row = connection.execute(
        "select digest from linker.snapshots where collection_id = %s", (place.collection_id,)
    ).fetchone()
    return row[0] if row else None


def replace_snapshot(
    connection: psycopg.Connection, place: Place, made_from: MadeFrom | None
) -> None:
    """
    Put a snapshot in the place of the one before, inside the transaction of a caller who holds the
    lock.
    """
    connection.execute(
        "delete from linker.snapshots where collection_id = %s", (place.collection_id,)
    )
    if made_from is None:
        return
    connection.execute(
        "insert into linker.snapshots (collection_id, digest, packed) values (%s, %s, %s)",
        (place.collection_id, made_from.digest, zlib.compress(made_from.content)),
    )


class StoredSources:
    """The sources of every target, in the schema `linker`."""

    def __init__(self, execute: OnConnection) -> None:
        self._execute = execute

    def keep(self, target: str, source: str, content: bytes, counts: str) -> None:
        """Keep what a source gave, in the place of what it gave before; `counts` is JSON."""
        values = (
            target,
            source,
            counts,
            hashlib.sha256(content).hexdigest(),
            zlib.compress(content),
        )
        self._execute(lambda connection: connection.execute(statement("keep_source"), values))

    def forget(self, target: str, source: str) -> bool:
        """Remove what a source gave; whether there was anything."""
        statement = "delete from linker.prior_uses where target = %s and source = %s"
        return self._execute(
            lambda connection: connection.execute(statement, (target, source)).rowcount > 0
        )

    def digests(self, target: str) -> dict[str, str]:
        """The SHA-256 of what each source gave."""
        statement = "select source, digest from linker.prior_uses where target = %s"
        return dict(
            self._execute(lambda connection: connection.execute(statement, (target,)).fetchall())
        )

    def sources(self, target: str) -> list[LearnedSource]:
        """The sources that were learned from, by their names."""
        query = statement("learned_sources")
        rows = self._execute(
            lambda connection: connection.execute(query, (target,), binary=True).fetchall()
        )
        return [
            LearnedSource(source, learned_at.astimezone(UTC), counts, zlib.decompress(packed))
            for source, learned_at, counts, packed in rows
        ]
