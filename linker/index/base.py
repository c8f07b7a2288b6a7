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
    """
    The documents of one target under one embedding model. Nothing of one collection is found in
    another.
    """

    target: str
    model: str


class Query(Record, frozen=True):
    """
    A question as the store reads it: its vector, its stems, and the n-grams of what it may quote.
    """

    vector: Vectors
    words: tuple[str, ...] = ()
    grams: tuple[int, ...] = ()


class ValueHit(Record, frozen=True):
    """A value that may be meant, the numbers of columns that hold it, and how many do in all."""

    value: str
    columns: tuple[int, ...]
    holders: int


class Ranking(Record, frozen=True, eq=False):
    """Numbers of things with the score of each, best first; none comes twice."""

    items: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    @classmethod
    def create(cls, items: Sequence[int], scores: Sequence[float]) -> "Ranking":
        """The same of lists."""
        return cls(np.array(items, dtype=np.int64), np.array(scores, dtype=np.float64))

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return iter(zip(self.items.tolist(), self.scores.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.items)


_NO_NUMBERS = np.zeros(0, dtype=np.int64)
_NOTHING_RANKED = Ranking.create((), ())


class SearchResult(Record, frozen=True):
    """
    Results of each kind of search, best first; values are candidates, still to be compared with the
    question.

    Rankings hold numbers of `columns` or `tables`: to look up a reference takes ten times as long
    as a number. `keys` and `table_keys` are the numbers of these in the store, `table_of` has the
    table of each column.
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
    """The source of all documents of a collection, as bytes that the store does not read."""

    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).hexdigest()


class Snapshot(Record, frozen=True):
    """
    The source of a collection, and whether everything that makes its searches fast is there.

    `refreshed_at` is the end of the last run that ended well and saw the whole warehouse, in
    seconds since 1970. `learned` is what each source told of the target, with a digest of all;
    empty where content is left out.
    """

    digest: str
    is_settled: bool
    content: bytes | None
    refreshed_at: float | None = None
    learned: tuple[bytes, ...] = ()
    learned_digest: str = ""


class StoredUsage(Record, frozen=True):
    """
    A source that a target was learned from: bytes that the store does not read, and counts of its
    statements.
    """

    name: str
    learned_at: datetime
    counts: Mapping[str, Any]
    content: bytes


def key_of(ref: Ref) -> int:
    """
    The first eight bytes of a digest; two of 100,000 columns share them once in 4 billion
    warehouses.
    """
    if isinstance(ref, ColumnRef):
        return _digest("column", ref.table, ref.path)
    return _digest("table", ref, "")


def _digest(kind: str, table: TableRef, path: str) -> int:
    text = f"{kind}{len(table.schema)}:{table.schema}{len(table.name)}:{table.name}{path}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


def ref_of(schema: str, table: str, path: str | None) -> Ref:
    """The reference of a row: without a path it is the table's."""
    ref = TableRef(schema, table)
    return ref if path is None else ColumnRef(ref, path)


def key_of_text(text: str) -> int:
    """The number of a text; texts that share one are as good as not there."""
    return int.from_bytes(
        hashlib.sha256(text.encode("utf-8", "ignore")).digest()[:8], "big", signed=True
    )


_MOST_DIMENSIONS = 4000


class CollectionId(Record, frozen=True):
    """Number and dimension of a collection that exists in the store."""

    number: int
    dimension: int

    def relation(self, name: str) -> sql.Identifier:
        """Its own partition of a table."""
        return sql.Identifier("linker", f"{name}_{self.number}")


@cache
def statement(name: str) -> sql.SQL:
    """The statement in the file of that name, with the names of relations in braces."""
    return sql.SQL(resources.files("linker.index").joinpath(f"{name}.sql").read_text("utf-8"))


def find_collection(connection: psycopg.Connection, collection: Collection) -> CollectionId | None:
    """The id of an existing collection."""
    row = connection.execute(
        statement("find_collection"), (collection.model, collection.target)
    ).fetchone()
    return CollectionId(*row) if row else None


def ensure_collection(
    connection: psycopg.Connection, collection: Collection, *, dimension: int
) -> CollectionId:
    """The id of a collection, created for vectors of that length if missing."""
    collection_id = find_collection(connection, collection)
    if collection_id and collection_id.dimension == dimension:
        return collection_id
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        space_id = create_embedding_space(connection, collection.model, dimension=dimension)
        # Another process may have made it while this one waited.
        collection_id = find_collection(connection, collection)
        if collection_id is None:
            [[number]] = connection.execute(
                "select linker.create_collection(%s, %s)", (space_id, collection.target)
            ).fetchall()
            collection_id = CollectionId(int(number), dimension)
    return collection_id


def create_embedding_space(connection: psycopg.Connection, model: str, *, dimension: int) -> int:
    """
    The space of a model. A model that changed its dimension is another model: what was there is of
    no use.
    """
    space = connection.execute(
        "select space_id, dimension from linker.spaces where model = %s", (model,)
    ).fetchone()
    if space and space[1] == dimension:
        return int(space[0])
    if dimension > _MOST_DIMENSIONS:
        raise StoreError(
            f"the vectors of `{model}` have {dimension} dimensions, the index holds up to {_MOST_DIMENSIONS}",
            hint="set `embedder` to a model with shorter vectors",
        )
    if space:
        connection.execute(
            "select linker.drop_collection(collection_id) from linker.collections where space_id = %s",
            (space[0],),
        )
        connection.execute("delete from linker.spaces where space_id = %s", (space[0],))
    [[space_id]] = connection.execute(
        statement("create_embedding_space"), (model, dimension)
    ).fetchall()
    return int(space_id)
