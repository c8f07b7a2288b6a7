"""
What a collection was made from: enter a place and bytes that only their writer reads, leave the same bytes.

A snapshot is written in the transaction that makes the collection what it is: both always belong together.
"""

import zlib

import psycopg

from linker.store.base import MadeFrom, Snapshot
from linker.store.places import Place

# The age comes along: a round trip of its own would cost each question more. As a number, since a time needs a zone.
_READ = """
    select
        digest, is_settled, case when digest <> %s then packed end,
        (
            select extract(epoch from runs.ended_at)::float8
            from linker.runs
            where runs.target = collections.target
                and runs.outcome in ('done', 'unchanged', 'partly failed')
                and (runs.kind = 'refresh' or json_array_length(runs.told -> 'dbt_runs') > 0)
                and coalesce(runs.told ->> 'selection', '') = ''
            order by runs.number desc
            limit 1
        )
    from linker.snapshots
    join linker.collections using (collection_id)
    where collection_id = %s
"""


def read(connection: psycopg.Connection, place: Place, held: str) -> Snapshot | None:
    """The snapshot, if there is one; without its content where the caller holds that already."""
    row = connection.execute(_READ, (held, place.collection_id), binary=True).fetchone()
    if row is None:
        return None
    digest, is_settled, packed, refreshed_at = row
    content = None if packed is None else zlib.decompress(packed)
    return Snapshot(digest, is_settled=is_settled, content=content, refreshed_at=refreshed_at)


def replace(connection: psycopg.Connection, place: Place, made_from: MadeFrom | None) -> None:
    """Put a snapshot in the place of the one before, inside the transaction of a caller who holds the lock."""
    connection.execute("delete from linker.snapshots where collection_id = %s", (place.collection_id,))
    if made_from is None:
        return
    connection.execute(
        "insert into linker.snapshots (collection_id, digest, packed) values (%s, %s, %s)",
        (place.collection_id, made_from.digest, zlib.compress(made_from.content)),
    )
