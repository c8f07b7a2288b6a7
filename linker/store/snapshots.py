"""
What a collection was made from: enter a place and bytes that only their writer reads, leave the same bytes.

A snapshot is written in the transaction that makes the collection what it is: both always belong together.
"""

import zlib

import psycopg

from linker.runs import ENDED_WELL
from linker.store.base import MadeFrom, Snapshot
from linker.store.places import Place

# The age and what was learned come along: a round trip of its own would cost each question more. The age is a number,
# since a time needs a zone.
_READ = """
    with learned as (
        select prior_uses.source, prior_uses.digest, prior_uses.packed
        from linker.prior_uses
        inner join linker.collections on prior_uses.target = collections.target
        where collections.collection_id = %(id)s
    )
    select
        snapshots.digest, collections.is_settled,
        case when snapshots.digest <> %(held)s then snapshots.packed end,
        (
            select extract(epoch from runs.ended_at)::float8
            from linker.runs
            where runs.target = collections.target
                and runs.outcome = any(%(ended_well)s)
                and (runs.kind = 'refresh' or json_array_length(runs.told -> 'dbt_runs') > 0)
                and coalesce(runs.told ->> 'selection', '') = ''
            order by runs.number desc
            limit 1
        ),
        (select string_agg(learned.source || ' ' || learned.digest, ' ' order by learned.source) from learned),
        case
            when snapshots.digest <> %(held)s
                then (select array_agg(learned.packed order by learned.source) from learned)
        end
    from linker.snapshots
    inner join linker.collections on snapshots.collection_id = collections.collection_id
    where snapshots.collection_id = %(id)s
"""


def read(connection: psycopg.Connection, place: Place, held: str) -> Snapshot | None:
    """The snapshot with what was learned, if there is one; without content where the caller holds that already."""
    asked = {"held": held, "id": place.collection_id, "ended_well": list(ENDED_WELL)}
    row = connection.execute(_READ, asked, binary=True).fetchone()
    if row is None:
        return None
    digest, is_settled, packed, refreshed_at, learned_digest, learned = row
    return Snapshot(
        digest,
        is_settled=is_settled,
        content=None if packed is None else zlib.decompress(packed),
        refreshed_at=refreshed_at,
        learned=tuple(zlib.decompress(one) for one in learned or ()),
        learned_digest=learned_digest or "",
    )


def digest(connection: psycopg.Connection, place: Place) -> str | None:
    """What tells the snapshot from another, if there is one."""
    row = connection.execute(
        "select digest from linker.snapshots where collection_id = %s", (place.collection_id,)
    ).fetchone()
    return row[0] if row else None


def replace(connection: psycopg.Connection, place: Place, made_from: MadeFrom | None) -> None:
    """Put a snapshot in the place of the one before, inside the transaction of a caller who holds the lock."""
    connection.execute("delete from linker.snapshots where collection_id = %s", (place.collection_id,))
    if made_from is None:
        return
    connection.execute(
        "insert into linker.snapshots (collection_id, digest, packed) values (%s, %s, %s)",
        (place.collection_id, made_from.digest, zlib.compress(made_from.content)),
    )
