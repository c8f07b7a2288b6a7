"""
Writes documents with their vectors and publishes a collection in one transaction.

Vectors are staged batch by batch; other columns are copied in the publishing transaction.
Publishing deletes removed and changed documents, inserts new ones with their staged vectors,
updates counts, builds search indexes for large collections, and stores the manifest. Readers see
the previous index until commit.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import psycopg
from psycopg import errors, sql

from linker.embedders import Vectors
from linker.errors import StoreError
from linker.index.base import CollectionId, IndexManifest, key_of, key_of_text, statement
from linker.index.history import replace_snapshot
from linker.text.values import grams
from linker.text.words import casefold_ascii
from linker.types import ColumnRef, Document, Ref, TableRef, Words

# Concurrent writers of a collection would conflict.
WRITING_LOCK = 730_541
# tsvector weights: A for names to D for values. Positions are unused.
_LABELS = {"name": "A", "description": "B", "table": "C", "values": "D"}
_KEYED = ("documents", "vectors", "wordings", "value_places")
_BATCH_SIZE = 1_000

# Number of documents from which words are indexed; below, a scan takes milliseconds.
WORDS_WITH_INDEX = 2_000
_BUILD_MEMORY = "512MB"
_PARTS = ("documents", "vectors", "wordings", "value_texts", "value_places", "lexemes")
_INDEXES = {
    "words": ("wordings", "using gin (words)"),
    "grams": ("value_texts", "using gin (grams)"),
}


def stage_vectors(
    connection: psycopg.Connection,
    collection_id: CollectionId,
    documents: Sequence[Document],
    vectors: Vectors,
) -> None:
    """Stage vectors."""
    embedded = list(zip(documents, vectors, strict=True))
    own = collection_id.number
    with connection.transaction(), connection.cursor() as cursor:
        lock(connection, collection_id)
        ready = staged_refs(connection, collection_id, documents)
        _copy(
            cursor,
            collection_id,
            "staged",
            (
                (own, key_of(document.ref), document.content_hash, vector)
                for document, vector in embedded
                if document.ref not in ready
            ),
            types=["int4", "int8", "text", "vector"],
        )


def staged_refs(
    connection: psycopg.Connection, collection_id: CollectionId, documents: Sequence[Document]
) -> set[Ref]:
    """Those of the documents, in their current form, that are staged."""
    statement = sql.SQL(
        "select document_key, content_hash from {} where document_key = any(%s::bigint[])"
    )
    keys = [key_of(document.ref) for document in documents]
    rows = connection.execute(statement.format(collection_id.relation("staged")), (keys,))
    ready = {(key, content_hash) for key, content_hash in rows}
    return {
        document.ref
        for key, document in zip(keys, documents, strict=True)
        if (key, document.content_hash) in ready
    }


def written_hashes(connection: psycopg.Connection, collection_id: CollectionId) -> dict[int, str]:
    """Digests of the collection's documents by key."""
    rows = connection.execute(
        sql.SQL("select document_key, content_hash from {}").format(
            collection_id.relation("documents")
        )
    )
    return dict(rows.fetchall())


def write_rows(
    connection: psycopg.Connection, collection_id: CollectionId, documents: Mapping[int, Document]
) -> int:
    """Insert documents with words, values and staged vectors; returns the number of vectors."""
    items = list(documents.items())
    with connection.cursor() as cursor:
        for start in range(0, len(items), _BATCH_SIZE):
            _write_words(cursor, collection_id, items[start : start + _BATCH_SIZE])
            _write_values(cursor, collection_id, items[start : start + _BATCH_SIZE])
    return _insert_vectors(connection, collection_id) if items else 0


def delete_rows(
    connection: psycopg.Connection, collection_id: CollectionId, keys: Sequence[int]
) -> None:
    """Delete documents with their words and values."""
    for name in _KEYED if keys else ():
        connection.execute(
            sql.SQL("delete from {} where document_key = any(%s::bigint[])").format(
                collection_id.relation(name)
            ),
            (keys,),
        )


def delete_values(connection: psycopg.Connection, collection_id: CollectionId) -> None:
    """Delete values without a column."""
    unheld = (
        "delete from {} as texts where not exists (select from {} as p where p.value_key = "
        "texts.value_key)"
    )
    connection.execute(
        sql.SQL(unheld).format(
            collection_id.relation("value_texts"), collection_id.relation("value_places")
        )
    )


def _write_words(
    cursor: psycopg.Cursor, collection_id: CollectionId, documents: Sequence[tuple[int, Document]]
) -> None:
    own = collection_id.number
    _copy(
        cursor,
        collection_id,
        "documents",
        (
            (own, key, key_of(document.ref.table), *_names(document), document.content_hash)
            for key, document in documents
        ),
    )
    words = (
        (own, key, isinstance(document.ref, TableRef), _tsvector(document.words))
        for key, document in documents
    )
    _copy(cursor, collection_id, "wordings", words)


def _insert_vectors(connection: psycopg.Connection, collection_id: CollectionId) -> int:
    """Insert staged vectors of documents without one; returns their number."""
    relations = {name: collection_id.relation(name) for name in ("vectors", "staged", "documents")}
    return connection.execute(statement("insert_staged_vectors").format(**relations)).rowcount


def lock(connection: psycopg.Connection, collection_id: CollectionId) -> None:
    """Lock the collection for writing until the end of the transaction."""
    connection.execute("select pg_advisory_xact_lock(%s, %s)", (WRITING_LOCK, collection_id.number))


def _copy(
    cursor: psycopg.Cursor,
    collection_id: CollectionId,
    name: str,
    rows: Iterable[Sequence[Any]],
    types: Sequence[str] = (),
) -> None:
    """COPY rows, in binary if types are given."""
    form = sql.SQL(" with (format binary)" if types else "")
    with cursor.copy(
        sql.SQL("copy {} from stdin").format(collection_id.relation(name)) + form
    ) as copy:
        if types:
            copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _write_values(
    cursor: psycopg.Cursor, collection_id: CollectionId, documents: Iterable[tuple[int, Document]]
) -> None:
    """One row per value and column; new values also get their n-grams."""
    values_by_column: dict[tuple[int, int], str] = {}
    texts: dict[int, str] = {}
    for document_key, document in documents:
        for value in document.values:
            folded = casefold_ascii(value)
            value_key = key_of_text(folded)
            values_by_column.setdefault((value_key, document_key), value)
            texts[value_key] = folded
    if not values_by_column:
        return
    statement = sql.SQL("select value_key from {} where value_key = any(%s::bigint[])")
    for [stored_key] in cursor.connection.execute(
        statement.format(collection_id.relation("value_texts")), (list(texts),)
    ):
        del texts[stored_key]
    own = collection_id.number
    arrays = (
        (own, key, f"{{{','.join(map(str, grams(folded)))}}}") for key, folded in texts.items()
    )
    _copy(cursor, collection_id, "value_texts", arrays)
    _copy(
        cursor,
        collection_id,
        "value_places",
        ((own, *keys, shown) for keys, shown in values_by_column.items()),
    )


def _names(document: Document) -> tuple[str, str, str | None]:
    table = document.ref.table
    return (
        table.schema,
        table.name,
        document.ref.path if isinstance(document.ref, ColumnRef) else None,
    )


def _tsvector(words: Words) -> str:
    """A tsvector literal; a word with several weights has one position each."""
    labels: dict[str, str] = {}
    for field, label in _LABELS.items():
        for word in getattr(words, field):
            labels[word] = labels.get(word, "") + label
    parts: list[str] = []
    for word, weights in labels.items():
        positions = [f"{position}{label}" for position, label in enumerate(weights, start=1)]
        parts.append(f"{tsvector_lexeme(word)}:{','.join(positions)}")
    return " ".join(parts)


def publish(
    connection: psycopg.Connection,
    collection_id: CollectionId,
    words_with_index: int,
    documents: Sequence[Document],
    made_from: IndexManifest | None,
) -> None:
    """Apply all differences of the new state."""
    with connection.transaction():
        connection.execute(statement("client_check_interval"))
        lock(connection, collection_id)
        is_changed = _write_documents(connection, collection_id, documents)
        if is_changed or not _has_indexes(connection, collection_id):
            build_indexes(connection, collection_id, words_with_index)
        replace_snapshot(connection, collection_id, made_from)
        connection.execute(sql.SQL("truncate {}").format(collection_id.relation("staged")))
    if is_changed:
        vacuum(connection, collection_id)


def _write_documents(
    connection: psycopg.Connection, collection_id: CollectionId, documents: Sequence[Document]
) -> bool:
    """Insert and delete under the lock; whether anything changed."""
    wanted = {key_of(document.ref): document for document in documents}
    written = written_hashes(connection, collection_id)
    changed = {
        key: document
        for key, document in wanted.items()
        if written.get(key) != document.content_hash
    }
    stale = [key for key in written if key not in wanted or key in changed]
    delete_rows(connection, collection_id, stale)
    if write_rows(connection, collection_id, changed) != len(changed):
        raise StoreError("another run wrote into this index at the same time", hint="linker index")
    if stale:
        delete_values(connection, collection_id)
    return bool(changed or stale)


def _has_indexes(connection: psycopg.Connection, collection_id: CollectionId) -> bool:
    row = connection.execute(
        "select is_settled from linker.collections where collection_id = %s",
        (collection_id.number,),
    ).fetchone()
    return bool(row and row[0])


def build_indexes(
    connection: psycopg.Connection, collection_id: CollectionId, words_with_index: int
) -> None:
    """Count words and create missing indexes in the writer's transaction."""
    names = {name: collection_id.relation(name) for name in _PARTS}
    connection.execute(sql.SQL("delete from {lexemes}").format(**names))
    counted = sql.SQL("insert into {lexemes} select {id}, word, ndoc from ts_stat({query})")
    query = sql.SQL("select words from {wordings}").format(**names).as_string(connection)
    connection.execute(counted.format(id=collection_id.number, query=query, **names))
    [[count]] = connection.execute(
        sql.SQL("select count(*) from {documents}").format(**names)
    ).fetchall()
    # Overlap of n-grams needs an index at any size.
    _build_all(
        connection, collection_id, ["grams", "words"] if count >= words_with_index else ["grams"]
    )
    connection.execute(statement("mark_indexes_built"), (count, collection_id.number))


def vacuum(connection: psycopg.Connection, collection_id: CollectionId) -> None:
    """VACUUM and ANALYZE after the writer's transaction."""
    for name in _PARTS:
        connection.execute(sql.SQL("vacuum (analyze) {}").format(collection_id.relation(name)))
    connection.execute("vacuum linker.snapshots")


def _build_all(
    connection: psycopg.Connection, collection_id: CollectionId, names: Sequence[str]
) -> None:
    for workers in (2, 0):
        try:
            with connection.transaction():
                connection.execute(f"set local maintenance_work_mem = '{_BUILD_MEMORY}'".encode())
                connection.execute(
                    f"set local max_parallel_maintenance_workers = {workers:d}".encode()
                )
                for name in names:
                    _build(connection, collection_id, name)
        except (errors.DiskFull, errors.InsufficientResources):
            # Parallel builds need shared memory, often 64 MB in containers.
            if not workers:
                raise
        else:
            return


def _build(connection: psycopg.Connection, collection_id: CollectionId, name: str) -> None:
    table, definition = _INDEXES[name]
    index = sql.Identifier(f"{table}_{collection_id.number}_{name}")
    connection.execute(
        sql.SQL("create index if not exists {} on {} {}").format(
            index, collection_id.relation(table), sql.SQL(definition)
        )
    )


def tsvector_lexeme(lexeme: str) -> str:
    """A word escaped for tsvector and tsquery literals."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
