"""
Records of the store (collections, queries, search results, manifests, usage sources) and collection
ids.

Keys of documents and values are digests of names and texts, so client and server compute them
independently.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg
from msgspec import field
from psycopg import sql

from linker.embedders import Vectors
from linker.errors import StoreError
from linker.index.connection import MIGRATION_LOCK
from linker.types import ColumnRef, Record, Ref, TableRef


class Collection(Record, frozen=True):
    """Documents of one target under one embedding model; searches never cross collections."""

    target: str
    model: str


class Query(Record, frozen=True):
    """A question prepared for search: vector, stems, and n-grams of possible values."""

    vector: Vectors
    words: tuple[str, ...] = ()
    grams: tuple[int, ...] = ()


class ValueHit(Record, frozen=True):
    """A candidate value, the columns that contain it, and their total number."""

    value: str
    columns: tuple[int, ...]
    holders: int


class Ranking(Record, frozen=True, eq=False):
    """Item ids with scores, best first, without repetitions."""

    items: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    @classmethod
    def create(cls, items: Sequence[int], scores: Sequence[float]) -> "Ranking":
        return cls(np.array(items, dtype=np.int64), np.array(scores, dtype=np.float64))

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.items.tolist(), self.scores.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.items)


_NO_NUMBERS = np.zeros(0, dtype=np.int64)
_NOTHING_RANKED = Ranking.create((), ())


class SearchResult(Record, frozen=True):
    """
    Results by kind of search, best first; values are candidates to compare with the question.

    Rankings hold indexes into `columns` or `tables`, which is ten times as fast as references.
    `keys` and `table_keys` are their keys in the store, `table_of` the table of each column.
    """

    columns: tuple[ColumnRef, ...] = ()
    tables: tuple[TableRef, ...] = ()
    keys: npt.NDArray[np.int64] = field(default_factory=lambda: _NO_NUMBERS)
    table_keys: npt.NDArray[np.int64] = field(default_factory=lambda: _NO_NUMBERS)
    table_of: npt.NDArray[np.int64] = field(default_factory=lambda: _NO_NUMBERS)
    dense: Ranking = _NOTHING_RANKED
    lexical: Ranking = _NOTHING_RANKED
    values: tuple[ValueHit, ...] = ()
    dense_tables: Ranking = _NOTHING_RANKED
    lexical_tables: Ranking = _NOTHING_RANKED


class IndexManifest(Record, frozen=True):
    """What the documents of a collection were built from, as opaque bytes."""

    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the content."""
        return hashlib.sha256(self.content).hexdigest()


class Snapshot(Record, frozen=True):
    """
    A collection's manifest, and whether its search indexes exist.

    `refreshed_at` is the end of the last successful full run (seconds since 1970). `learned` holds
    usage statistics by source with a digest; empty if content is omitted.
    """

    digest: str
    is_settled: bool
    content: bytes | None
    refreshed_at: float | None = None
    learned: tuple[bytes, ...] = ()
    learned_digest: str = ""


class StoredUsage(Record, frozen=True):
    """Usage statistics of a source, as opaque bytes, with statement counts."""

    name: str
    learned_at: datetime
    counts: Mapping[str, Any]
    content: bytes


def key_of(ref: Ref) -> int:
    """
    First eight bytes of a digest; two of 100,000 columns collide in one of 4 billion warehouses.
    """
    if isinstance(ref, ColumnRef):
        return _digest("column", ref.table, ref.path)
    return _digest("table", ref, "")


def _digest(kind: str, table: TableRef, path: str) -> int:
    text = f"{kind}{len(table.schema)}:{table.schema}{len(table.name)}:{table.name}{path}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


def ref_of(schema: str, table: str, path: str | None) -> Ref:
    """The reference of a row; without a path, the table."""
    ref = TableRef(schema, table)
    return ref if path is None else ColumnRef(ref, path)


def key_of_text(text: str) -> int:
    """Key of a text; colliding texts are ignored."""
    return int.from_bytes(
        hashlib.sha256(text.encode("utf-8", "ignore")).digest()[:8], "big", signed=True
    )


_MAX_DIMENSIONS = 4000


class CollectionId(Record, frozen=True):
    """Id and dimension of an existing collection."""

    number: int
    dimension: int

    def relation(self, name: str) -> sql.Identifier:
        """The collection's partition of a table."""
        return sql.Identifier("linker", f"{name}_{self.number}")


@cache
def statement(name: str) -> sql.SQL:
    """The SQL file of that name, with relations in braces."""
    return sql.SQL(resources.files("linker.index").joinpath(f"{name}.sql").read_text("utf-8"))


def find_collection(connection: psycopg.Connection, collection: Collection) -> CollectionId | None:
    row = connection.execute(
        statement("find_collection"), (collection.model, collection.target)
    ).fetchone()
    return CollectionId(*row) if row else None


def ensure_collection(
    connection: psycopg.Connection, collection: Collection, *, dimension: int
) -> CollectionId:
    """The collection's id, created if missing."""
    collection_id = find_collection(connection, collection)
    if collection_id and collection_id.dimension == dimension:
        return collection_id
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        space_id = create_embedding_space(connection, collection.model, dimension=dimension)
        # Another process may have created it meanwhile.
        collection_id = find_collection(connection, collection)
        if collection_id is None:
            [[number]] = connection.execute(
                "select linker.create_collection(%s, %s)", (space_id, collection.target)
            ).fetchall()
            collection_id = CollectionId(int(number), dimension)
    return collection_id


def create_embedding_space(connection: psycopg.Connection, model: str, *, dimension: int) -> int:
    """Create the vector space of a model; a changed dimension drops old vectors."""
    space = connection.execute(
        "select space_id, dimension from linker.spaces where model = %s", (model,)
    ).fetchone()
    if space and space[1] == dimension:
        return int(space[0])
    if dimension > _MAX_DIMENSIONS:
        raise StoreError(
            f"the vectors of `{model}` have {dimension} dimensions, the index holds up to "
            f"{_MAX_DIMENSIONS}",
            hint="set `embedder` to a model with shorter vectors",
        )
    if space:
        connection.execute(
            "select linker.drop_collection(collection_id) from linker.collections where space_id "
            "= %s",
            (space[0],),
        )
        connection.execute("delete from linker.spaces where space_id = %s", (space[0],))
    [[space_id]] = connection.execute(
        statement("create_embedding_space"), (model, dimension)
    ).fetchall()
    return int(space_id)
