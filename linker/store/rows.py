"""
Writes documents: enter a place, documents and their vectors, leave rows.

What a batch replaces is deleted first; then it goes by COPY straight into the collection. All of it in one transaction.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from psycopg import sql

from linker.embedders.base import Vectors
from linker.literals import grams
from linker.store.keys import key_of, key_of_text
from linker.store.places import Place
from linker.store.search import quoted
from linker.types import ColumnRef, Document, Ref, TableRef, Words
from linker.words import folded

# Two processes that write into one collection would each find the other's rows in their way.
WRITING_LOCK = 730_541
# A word has places, and a weight with each: A for the name to D for values. Places are not used, and are the same.
_LABELS = {"name": "A", "description": "B", "table": "C", "values": "D"}
_KEYED = ("documents", "vectors", "wordings", "value_places")


def write_rows(connection: psycopg.Connection, place: Place, documents: Sequence[Document], vectors: Vectors) -> None:
    """Add or replace the documents with their words and values."""
    embedded = list(zip(documents, vectors, strict=True))
    keys = [key_of(document.ref) for document in documents]
    tables = [key_of(_table(document.ref)) for document in documents]
    with connection.transaction(), connection.cursor() as cursor:
        lock(connection, place)
        _delete(connection, place, _held(connection, place, "documents", "document_key", keys))
        own = place.collection_id
        _copy(
            cursor,
            place,
            "documents",
            (
                (own, key, table, *_names(document), document.content_hash)
                for key, table, document in zip(keys, tables, documents, strict=True)
            ),
        )
        _copy(
            cursor,
            place,
            "vectors",
            (
                (own, key, table, isinstance(document.ref, TableRef), vector)
                for key, table, (document, vector) in zip(keys, tables, embedded, strict=True)
            ),
            types=["int4", "int8", "int8", "bool", "vector"],
        )
        _copy(
            cursor,
            place,
            "wordings",
            (
                (own, key, table, isinstance(document.ref, TableRef), _tsvector(document.words))
                for key, table, document in zip(keys, tables, documents, strict=True)
            ),
        )
        _write_values(cursor, place, zip(keys, documents, strict=True))
        cursor.execute(
            "update linker.collections set is_settled = false where collection_id = %s and is_settled", (own,)
        )


def delete_rows(connection: psycopg.Connection, place: Place, refs: Sequence[Ref]) -> None:
    """Remove the documents of these columns and tables, with their values."""
    with connection.transaction():
        lock(connection, place)
        _delete(connection, place, [key_of(ref) for ref in refs])
        connection.execute(
            "update linker.collections set is_settled = false where collection_id = %s", (place.collection_id,)
        )


def lock(connection: psycopg.Connection, place: Place) -> None:
    """Wait until nobody else writes into the collection, to the end of the transaction."""
    connection.execute("select pg_advisory_xact_lock(%s, %s)", (WRITING_LOCK, place.collection_id))


def _delete(connection: psycopg.Connection, place: Place, keys: Sequence[int]) -> None:
    for name in _KEYED if keys else ():
        connection.execute(
            sql.SQL("delete from {} where document_key = any(%s::bigint[])").format(place.relation(name)), (keys,)
        )


def _held(connection: psycopg.Connection, place: Place, name: str, key: str, keys: Sequence[int]) -> list[int]:
    """Which of the keys a relation holds."""
    statement = sql.SQL("select {key} from {relation} where collection_id = %s and {key} = any(%s::bigint[])").format(
        key=sql.Identifier(key), relation=place.relation(name)
    )
    return [found for [found] in connection.execute(statement, (place.collection_id, keys))]


def _copy(
    cursor: psycopg.Cursor, place: Place, name: str, rows: Iterable[Sequence[Any]], types: Sequence[str] = ()
) -> None:
    """Copy rows in, in binary where their types are told."""
    form = sql.SQL(" with (format binary)" if types else "")
    with cursor.copy(sql.SQL("copy {} from stdin").format(place.relation(name)) + form) as copy:
        if types:
            copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _write_values(cursor: psycopg.Cursor, place: Place, documents: Iterable[tuple[int, Document]]) -> None:
    """A row a value and column, and one with its n-grams for a value that no column held before."""
    places: dict[tuple[int, int], str] = {}
    texts: dict[int, str] = {}
    for document_key, document in documents:
        for value in document.values:
            reading = folded(value)
            value_key = key_of_text(reading)
            places.setdefault((value_key, document_key), value)
            texts[value_key] = reading
    if not places:
        return
    for known in _held(cursor.connection, place, "value_texts", "value_key", list(texts)):
        del texts[known]
    own = place.collection_id
    _copy(cursor, place, "value_texts", ((own, key, _array(grams(reading))) for key, reading in texts.items()))
    _copy(cursor, place, "value_places", ((own, *keys, shown) for keys, shown in places.items()))


def _table(ref: Ref) -> TableRef:
    return ref if isinstance(ref, TableRef) else ref.table


def _names(document: Document) -> tuple[str, str, str | None]:
    table = _table(document.ref)
    return table.schema, table.name, document.ref.path if isinstance(document.ref, ColumnRef) else None


def _tsvector(words: Words) -> str:
    """The text of a tsvector; a word with several weights has a place for each."""
    labels: dict[str, str] = {}
    for field, label in _LABELS.items():
        for word in getattr(words, field):
            labels[word] = labels.get(word, "") + label
    return " ".join(
        quoted(word) + ":" + ",".join(f"{place}{label}" for place, label in enumerate(found, start=1))
        for word, found in labels.items()
    )


def _array(numbers: Iterable[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"
