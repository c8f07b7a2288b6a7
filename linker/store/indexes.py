"""
What makes searches fast: built after a collection is written, and taken away before most of it is written anew.

Building an HNSW graph at once takes a fraction of what adding rows one by one takes. Without these indexes every search
reads the whole collection: right, and slower. Small collections stay without: reading them is exact and quick.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import psycopg
from psycopg import errors, sql

from linker.store import snapshots
from linker.store.base import MadeFrom
from linker.store.places import Place
from linker.store.rows import lock


@dataclass(frozen=True, slots=True)
class Sizes:
    """
    From how many documents on something is built, words for all and the others for columns.

    Below, reading all takes a few milliseconds. Codes are compared one and all, so from some size on a graph is
    quicker; but to build it takes more than sixty times as long.
    """

    words: int = 2_000
    codes: int = 10_000
    graph: int = 300_000


SIZES = Sizes()
# The code of a shorter vector has too few bits to tell what is near; such vectors have a graph instead.
_FEWEST_NUMBERS_IN_CODE = 256
# https://github.com/pgvector/pgvector#hnsw: twice the neighbours that pgvector builds with. Of 32,000 real documents
# 98 % of the 200 nearest are found with 16 neighbours, 99 % with 32, and the graph takes a fifth longer to build.
_HNSW = "with (m = 32, ef_construction = 200)"
_BUILD_MEMORY = "512MB"

_PARTS = ("documents", "vectors", "wordings", "value_texts", "value_places", "lexemes", "codes")
_INDEXES = {
    "nearest": (
        "vectors",
        "using hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) " + _HNSW + " where not is_table",
    ),
    "nearest_tables": (
        "vectors",
        "using hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) " + _HNSW + " where is_table",
    ),
    "words": ("wordings", "using gin (words)"),
    "grams": ("value_texts", "using gin (grams)"),
}


def prepare(connection: psycopg.Connection, place: Place, sizes: Sizes, *, incoming: int) -> None:
    """Take the indexes away where most documents are new."""
    [[there]] = connection.execute(sql.SQL("select count(*) from {}").format(place.relation("documents"))).fetchall()
    if incoming >= sizes.words and 2 * incoming >= there:
        _drop(connection, place, _INDEXES)


def settle(connection: psycopg.Connection, place: Place, sizes: Sizes, made_from: MadeFrom | None) -> None:
    """Build what is missing, count words, forget values that nobody holds, keep the snapshot; what is done is left."""
    if _is_settled(connection, place):
        if made_from and not snapshots.holds(connection, place, made_from):
            with connection.transaction():
                lock(connection, place)
                snapshots.replace(connection, place, made_from)
        return
    try:
        _settle(connection, place, sizes, made_from, workers=2)
    except (errors.DiskFull, errors.InsufficientResources):
        # Parallel builds need shared memory, of which containers often have 64 MB.
        _settle(connection, place, sizes, made_from, workers=0)
    for name in _PARTS:
        connection.execute(sql.SQL("vacuum (analyze) {}").format(place.relation(name)))


def _settle(
    connection: psycopg.Connection, place: Place, sizes: Sizes, made_from: MadeFrom | None, *, workers: int
) -> None:
    names = {name: place.relation(name) for name in _PARTS}
    with connection.transaction():
        lock(connection, place)
        snapshots.replace(connection, place, made_from)
        connection.execute(f"set local maintenance_work_mem = '{_BUILD_MEMORY}'".encode())
        connection.execute(f"set local max_parallel_maintenance_workers = {workers:d}".encode())
        connection.execute(
            sql.SQL(
                "delete from {value_texts} as texts where not exists "
                "(select from {value_places} as places where places.value_key = texts.value_key)"
            ).format(**names)
        )
        connection.execute(sql.SQL("delete from {lexemes}").format(**names))
        connection.execute(
            sql.SQL("insert into {lexemes} select {id}, word, ndoc from ts_stat({query})").format(
                id=sql.Literal(place.collection_id),
                query=sql.Literal(sql.SQL("select words from {wordings}").format(**names).as_string(connection)),
                **names,
            )
        )
        [[columns, tables]] = connection.execute(
            sql.SQL("select count(column_path), count(*) - count(column_path) from {documents}").format(**names)
        ).fetchall()
        has_graph = columns >= (sizes.graph if place.dimension >= _FEWEST_NUMBERS_IN_CODE else sizes.codes)
        is_coded = columns >= sizes.codes and not has_graph
        wanted = {
            "nearest": has_graph,
            "nearest_tables": has_graph,
            "words": columns + tables >= sizes.words,
            # Overlaps of n-grams are slow without an index whatever the size.
            "grams": True,
        }
        for name in filter(wanted.get, wanted):
            _build(connection, place, name)
        if is_coded:
            connection.execute("select linker.write_codes(%s)", (place.collection_id,))
            _drop(connection, place, ["nearest", "nearest_tables"])
        connection.execute(
            "update linker.collections set is_settled = true, is_coded = %s, document_count = %s "
            "where collection_id = %s",
            (is_coded, columns + tables, place.collection_id),
        )


def _drop(connection: psycopg.Connection, place: Place, names: Iterable[str]) -> None:
    for name in names:
        connection.execute(sql.SQL("drop index if exists {}").format(_index(place, name)))


def _build(connection: psycopg.Connection, place: Place, name: str) -> None:
    table, definition = _INDEXES[name]
    connection.execute(
        sql.SQL("create index if not exists {} on {} ").format(
            sql.Identifier(_name(place, name)), place.relation(table)
        )
        + sql.SQL(definition).format(dimension=sql.Literal(place.dimension))
    )


def _is_settled(connection: psycopg.Connection, place: Place) -> bool:
    row = connection.execute(
        "select is_settled from linker.collections where collection_id = %s", (place.collection_id,)
    ).fetchone()
    return bool(row and row[0])


def _name(place: Place, name: str) -> str:
    return f"{_INDEXES[name][0]}_{place.collection_id}_{name}"


def _index(place: Place, name: str) -> sql.Identifier:
    return sql.Identifier("linker", _name(place, name))
