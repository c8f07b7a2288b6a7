"""
Writes documents: enter a place, documents and their vectors, leave rows.

A batch goes by COPY into a table of the session, from there into the collection; all of it in one transaction.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import psycopg
from psycopg import sql

from linker.embedders.base import Vectors
from linker.literals import grams
from linker.store.keys import key_of
from linker.store.search import Place, quoted
from linker.types import ColumnRef, Document, Ref, TableRef, Words
from linker.words import folded

# A word has places, and a weight with each: A for the name to D for values. Places are not used, and are the same.
_LABELS = {"name": "A", "description": "B", "table": "C", "values": "D"}

_STAGING = """
create temporary table if not exists incoming_documents (
    document_key bigint, table_key bigint, schema_name text, table_name text, column_path text,
    content_hash text, document text, words text, embedding vector
) on commit delete rows;
create temporary table if not exists incoming_values (
    reading text, grams text, document_key bigint, shown text
) on commit delete rows
"""
_DOCUMENT_TYPES = ["int8", "int8", "text", "text", "text", "text", "text", "text", "vector"]
_VALUE_TYPES = ["text", "text", "int8", "text"]
_UPSERT = """
insert into {documents}
select
    {id}, document_key, table_key, schema_name, table_name, column_path, content_hash, document,
    words::tsvector, embedding
from incoming_documents
on conflict (collection_id, document_key) do update set
    content_hash = excluded.content_hash, document = excluded.document, words = excluded.words,
    embedding = excluded.embedding
"""
_FORGET_VALUES = """
delete from {value_places} where document_key in (select document_key from incoming_documents)
"""
_ADD_TEXTS = """
insert into {value_texts}
select distinct on (reading) {id}, reading, grams::integer[] from incoming_values where grams <> ''
on conflict do nothing
"""
_ADD_PLACES = """
insert into {value_places}
select {id}, reading, document_key, shown from incoming_values
on conflict do nothing
"""


def write_rows(connection: psycopg.Connection, place: Place, documents: Sequence[Document], vectors: Vectors) -> None:
    """Add or replace the documents with their words and values."""
    names = {name: place.relation(name) for name in ("documents", "value_texts", "value_places")}
    own = {"id": sql.Literal(place.collection_id), **names}
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(_STAGING.encode())
        with cursor.copy("copy incoming_documents from stdin with (format binary)") as copy:
            copy.set_types(_DOCUMENT_TYPES)
            for document, vector in zip(documents, vectors, strict=True):
                copy.write_row(
                    (*_names(document.ref), document.content_hash, document.text, _tsvector(document.words), vector)
                )
        cursor.execute(sql.SQL(_UPSERT).format(**own))
        cursor.execute(sql.SQL(_FORGET_VALUES).format(**own))
        if any(document.values for document in documents):
            with cursor.copy("copy incoming_values from stdin with (format binary)") as copy:
                copy.set_types(_VALUE_TYPES)
                for row in _value_rows(documents):
                    copy.write_row(row)
            cursor.execute(sql.SQL(_ADD_TEXTS).format(**own))
            cursor.execute(sql.SQL(_ADD_PLACES).format(**own))
        cursor.execute(
            "update linker.collections set is_settled = false where collection_id = %s and is_settled",
            (place.collection_id,),
        )


def delete_rows(connection: psycopg.Connection, place: Place, refs: Sequence[Ref]) -> None:
    """Remove the documents of these columns and tables, with their values."""
    keys = [key_of(ref) for ref in refs]
    with connection.transaction():
        for name in ("documents", "value_places"):
            connection.execute(
                sql.SQL("delete from {} where document_key = any(%s::bigint[])").format(place.relation(name)), (keys,)
            )
        connection.execute(
            "update linker.collections set is_settled = false where collection_id = %s", (place.collection_id,)
        )


def _names(ref: Ref) -> tuple[int, int, str, str, str | None]:
    table = ref if isinstance(ref, TableRef) else ref.table
    path = ref.path if isinstance(ref, ColumnRef) else None
    return key_of(ref), key_of(table), table.schema, table.name, path


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


def _value_rows(documents: Sequence[Document]) -> Iterator[tuple[str, str, int, str]]:
    """A row a value and column; the n-grams of a text stand in its first row."""
    written: set[str] = set()
    for document in documents:
        key = key_of(document.ref)
        for value in document.values:
            reading = folded(value)
            yield reading, "" if reading in written else _grams(reading), key, value
            written.add(reading)


@lru_cache(maxsize=200_000)
def _grams(reading: str) -> str:
    return "{" + ",".join(map(str, sorted(grams(reading)))) + "}"
