"""
What makes searches fast: built after a collection is written, and taken away before most of it is written anew.

Building an HNSW graph at once takes a fraction of what adding rows one by one takes. Without these indexes every search
reads the whole collection: right, and slower. Small collections stay without: reading them is exact and quick.
"""

import psycopg
from psycopg import errors, sql

from linker.store.search import Place

# Up to here reading all takes a few milliseconds.
INDEXED_FROM = 2_000
# https://github.com/pgvector/pgvector#hnsw: twice what pgvector builds with, for the last hundredth of recall.
_HNSW = "with (m = 16, ef_construction = 128)"
_SETTLING_LOCK = 730_541
_BUILD_MEMORY = "512MB"

_INDEXES = {
    "nearest": (
        "documents",
        "using hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) " + _HNSW + " where column_path is not null",
    ),
    "nearest_tables": (
        "documents",
        "using hnsw ((embedding::halfvec({dimension})) halfvec_cosine_ops) " + _HNSW + " where column_path is null",
    ),
    "words": ("documents", "using gin (words)"),
    "grams": ("value_texts", "using gin (grams)"),
}


def prepare(connection: psycopg.Connection, place: Place, *, incoming: int) -> None:
    """Take the indexes away where most documents are new."""
    [[there]] = connection.execute(sql.SQL("select count(*) from {}").format(place.relation("documents"))).fetchall()
    if incoming >= INDEXED_FROM and 2 * incoming >= there:
        for name in _INDEXES:
            connection.execute(sql.SQL("drop index if exists {}").format(_index(place, name)))


def settle(connection: psycopg.Connection, place: Place) -> None:
    """Build what is missing, count words, forget values that nobody holds; nothing where that was done."""
    if _is_settled(connection, place):
        return
    try:
        _settle(connection, place, workers=2)
    except (errors.DiskFull, errors.InsufficientResources):
        # Parallel builds need shared memory, of which containers often have 64 MB.
        _settle(connection, place, workers=0)
    for name in ("documents", "value_texts", "value_places", "lexemes"):
        connection.execute(sql.SQL("vacuum (analyze) {}").format(place.relation(name)))


def _settle(connection: psycopg.Connection, place: Place, *, workers: int) -> None:
    names = {name: place.relation(name) for name in ("documents", "value_texts", "value_places", "lexemes")}
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s, %s)", (_SETTLING_LOCK, place.collection_id))
        connection.execute(f"set local maintenance_work_mem = '{_BUILD_MEMORY}'".encode())
        connection.execute(f"set local max_parallel_maintenance_workers = {workers:d}".encode())
        connection.execute(
            sql.SQL(
                "delete from {value_texts} as texts where not exists "
                "(select from {value_places} as places where places.reading = texts.reading)"
            ).format(**names)
        )
        connection.execute(sql.SQL("delete from {lexemes}").format(**names))
        connection.execute(
            sql.SQL("insert into {lexemes} select {id}, word, ndoc from ts_stat({query})").format(
                id=sql.Literal(place.collection_id),
                query=sql.Literal(sql.SQL("select words from {documents}").format(**names).as_string(connection)),
                **names,
            )
        )
        [[count]] = connection.execute(sql.SQL("select count(*) from {documents}").format(**names)).fetchall()
        for name in _INDEXES:
            # Overlaps of n-grams are slow without an index whatever the size.
            if count >= INDEXED_FROM or name == "grams":
                _build(connection, place, name)
        connection.execute(
            "update linker.collections set is_settled = true, document_count = %s where collection_id = %s",
            (count, place.collection_id),
        )


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
