"""
Index store on pgvector: cosine nearest neighbours, full text search, n-gram value search, and
removal of a target.

A question is one statement; names and texts travel as parameters, results return as arrays.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt
import psycopg
from pgvector import HalfVector
from psycopg import errors, sql

from linker.embedders import Vectors
from linker.errors import StoreError
from linker.index.base import (
    Collection,
    CollectionId,
    IndexManifest,
    Query,
    Ranking,
    SearchResult,
    Snapshot,
    ValueHit,
    create_embedding_space,
    ensure_collection,
    find_collection,
    key_of,
    ref_of,
    statement,
)
from linker.index.connection import StoreConnections, store_error
from linker.index.embedded import EmbeddedPostgres
from linker.index.history import (
    KEPT_RUNS,
    StoredHistory,
    UsageStore,
    read_snapshot,
    snapshot_digest,
)
from linker.index.publish import (
    WORDS_WITH_INDEX,
    publish,
    stage_vectors,
    staged_refs,
    tsvector_lexeme,
)
from linker.types import ColumnRef, Document, Ref, TableRef

_RELATIONS = (
    "documents",
    "column_vectors",
    "table_vectors",
    "wordings",
    "lexemes",
    "value_texts",
    "value_places",
)

_Numbers = npt.NDArray[np.int64]

# Tables with rows per target; those of a collection are deleted with it.
_OF_TARGETS = """
    select table_name
    from information_schema.columns
    inner join information_schema.tables using (table_schema, table_name)
    where
        table_schema = 'linker' and column_name = 'target'
        and table_type = 'BASE TABLE' and table_name <> 'collections'
    order by table_name
"""

# More than a team's questions of a month; with 384 numbers each, 16 MB.
MAX_REMEMBERED = 10_000
P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W")


@lru_cache(maxsize=16)
def hybrid(collection_id: CollectionId) -> bytes:
    """The search statement of a collection."""
    relations = {name: collection_id.relation(name) for name in _RELATIONS}
    search = statement("search").format(
        collection_id=sql.Literal(collection_id.number), **relations
    )
    return search.as_bytes(None)


def parameters(query: Query, limit: int, excluded: Sequence[int]) -> dict[str, Any]:
    """Its parameters."""
    return {
        "vector": HalfVector(query.vector),
        "limit": limit,
        "excluded": excluded,
        "words": list(query.words),
        "queries": [tsvector_lexeme(word) for word in query.words],
        "grams": list(query.grams),
    }


def read_result(row: Sequence[Any]) -> SearchResult:
    """A row of `search.sql`, with arrays in its order; null for empty."""
    keys, table_keys = _whole(row[0]), _whole(row[1])
    schemas, names, paths = row[2:5]
    if not len(keys):
        return SearchResult()
    is_column = table_keys != keys
    # Tables are numbered in column order, columns in key order.
    _, first, in_key_order = np.unique(table_keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    table_of = np.argsort(order)[in_key_order]
    numbers = np.where(is_column, np.cumsum(is_column) - 1, table_of)
    tables = tuple(TableRef(schemas[row], names[row]) for row in first[order].tolist())
    columns = tuple(
        ColumnRef(tables[table], path)
        for table, path in zip(table_of.tolist(), paths, strict=True)
        if path is not None
    )

    def ranked(hit_keys: Sequence[int] | None, scores: Sequence[float] | None) -> Ranking:
        items = numbers[np.searchsorted(keys, _whole(hit_keys))]
        of_items = np.array(scores or (), dtype=np.float64)
        best = np.lexsort((items, -of_items))
        return Ranking(items[best], of_items[best])

    holding, held, holders = row[13:]
    places = np.searchsorted(keys, _whole(holding))
    holding_columns = np.where(is_column[places], numbers[places], -1)
    return SearchResult(
        columns=columns,
        tables=tables,
        keys=keys[is_column],
        table_keys=table_keys[first[order]],
        table_of=table_of[is_column],
        dense=ranked(*row[5:7]),
        lexical=ranked(*row[9:11]),
        values=_values(holding_columns, held or (), holders or ()),
        dense_tables=ranked(*row[7:9]),
        lexical_tables=ranked(*row[11:13]),
    )


def _values(
    columns: _Numbers, values: Sequence[str], holders: Sequence[int]
) -> tuple[ValueHit, ...]:
    """Values with the columns that contain them; table keys are ignored."""
    held = defaultdict[str, list[int]](list)
    counts = dict[str, int]()
    for column, value, count in zip(columns.tolist(), values, holders, strict=True):
        if column >= 0:
            held[value].append(column)
            counts[value] = count
    return tuple(ValueHit(value, tuple(those), counts[value]) for value, those in held.items())


def _whole(numbers: Sequence[int] | None) -> _Numbers:
    return np.array(numbers or (), dtype=np.int64)


def read_targets(connection: psycopg.Connection) -> tuple[str, ...]:
    """Targets with an index or runs."""
    rows = connection.execute(
        "select target from linker.collections union select target from linker.runs order by 1"
    )
    return tuple(target for [target] in rows)


def delete_target(connection: psycopg.Connection, target: str) -> bool:
    """Delete a target, and the schema with the last one; whether it was the last."""
    with connection.transaction():
        connection.execute(
            "select linker.drop_collection(collection_id) from linker.collections where target = "
            "%s",
            (target,),
        )
        for [table] in connection.execute(_OF_TARGETS).fetchall():
            connection.execute(
                sql.SQL("delete from linker.{} where target = %s").format(sql.Identifier(table)),
                (target,),
            )
        is_last = not read_targets(connection)
        if is_last:
            connection.execute("drop schema linker cascade")
    return is_last


def _connected(
    method: Callable[Concatenate["Store", psycopg.Connection, P], R],
) -> Callable[Concatenate["Store", P], R]:
    """
    Give a method a connection, with one retry after a lost connection; Postgres errors become
    StoreError.

    Methods must be idempotent, since a retry may repeat completed work.
    """

    @wraps(method)
    def call(self: "Store", /, *args: P.args, **kwargs: P.kwargs) -> R:
        server = self._connections.server
        try:
            try:
                with self._connections.borrowed() as connection:
                    return method(self, connection, *args, **kwargs)
            except errors.UndefinedTable:
                self._collection_ids.clear()
            except psycopg.OperationalError:
                if not connection.closed:
                    raise
                self._collection_ids.clear()
                self._connections.renew(server)
            with self._connections.borrowed() as connection:
                return method(self, connection, *args, **kwargs)
        except psycopg.Error as error:
            raise store_error(error, self._connections.server) from error

    return call


class Store:
    """Documents in the schema `linker` of a Postgres database."""

    def __init__(
        self,
        url: str,
        *,
        server: EmbeddedPostgres | None = None,
        words_with_index: int = WORDS_WITH_INDEX,
        kept_runs: int = KEPT_RUNS,
    ) -> None:
        """Connect and create the schema."""
        self._connections = StoreConnections(url, server)
        self.learned = UsageStore(self._execute)
        self.history = StoredHistory(self._connections, self._execute, kept_runs=kept_runs)
        self._words_with_index = words_with_index
        self._collection_ids: dict[Collection, CollectionId] = {}

    @_connected
    def content_hashes(
        self, connection: psycopg.Connection, collection: Collection
    ) -> dict[Ref, str]:
        """Digests of indexed documents."""
        collection_id = self._find(connection, collection)
        if collection_id is None:
            return {}
        statement = sql.SQL("select schema_name, table_name, column_path, content_hash from {}")
        rows = connection.execute(statement.format(collection_id.relation("documents")))
        return {ref_of(*names): content_hash for *names, content_hash in rows}

    @_connected
    def stage(
        self,
        connection: psycopg.Connection,
        collection: Collection,
        documents: Sequence[Document],
        vectors: Vectors,
    ) -> None:
        """Stage vectors for `publish` in one transaction; searches do not see them."""
        collection_id = self._find(connection, collection)
        if collection_id is None or collection_id.dimension != vectors.shape[1]:
            collection_id = ensure_collection(connection, collection, dimension=vectors.shape[1])
            self._collection_ids.clear()
        stage_vectors(connection, collection_id, documents, vectors)

    @_connected
    def staged(
        self, connection: psycopg.Connection, collection: Collection, documents: Sequence[Document]
    ) -> set[Ref]:
        """Those of the documents, in their current form, whose vectors are staged."""
        collection_id = self._find(connection, collection)
        return staged_refs(connection, collection_id, documents) if collection_id else set()

    @_connected
    def publish(
        self,
        connection: psycopg.Connection,
        collection: Collection,
        documents: Sequence[Document],
        made_from: IndexManifest | None = None,
    ) -> None:
        """Replace the collection's documents and manifest in one transaction."""
        collection_id = self._find(connection, collection)
        if collection_id is None and documents:
            raise StoreError("nothing was staged in this index", hint="linker index")
        if collection_id:
            publish(connection, collection_id, self._words_with_index, documents, made_from)

    @_connected
    def snapshot(
        self, connection: psycopg.Connection, collection: Collection, *, held: str = ""
    ) -> Snapshot | None:
        """Snapshot with usage statistics; without content if its digest is `held`."""
        collection_id = self._find(connection, collection)
        return read_snapshot(connection, collection_id, held) if collection_id else None

    @_connected
    def snapshot_digest(self, connection: psycopg.Connection, collection: Collection) -> str | None:
        """None without a snapshot."""
        collection_id = self._find(connection, collection)
        return snapshot_digest(connection, collection_id) if collection_id else None

    @_connected
    def search(
        self,
        connection: psycopg.Connection,
        collection: Collection,
        query: Query,
        *,
        limit: int,
        excluded: Sequence[Ref] = (),
    ) -> SearchResult:
        """Up to `limit` columns and tables per kind of search, in one round trip."""
        collection_id = self._find(connection, collection)
        if collection_id is None:
            return SearchResult()
        values = parameters(query, limit, [*map(key_of, excluded)])
        with connection.pipeline():
            # Both run in one pipelined transaction.
            connection.execute(statement("search_settings"))
            rows = connection.execute(hybrid(collection_id), values, prepare=True, binary=True)
        return read_result(rows.fetchall()[0])

    @_connected
    def cached_vectors(
        self, connection: psycopg.Connection, model: str, digests: Sequence[str]
    ) -> dict[str, Vectors]:
        """Vectors of previously embedded texts, by digest."""
        rows = connection.execute(statement("cached_vectors"), (model, list(digests)))
        return {digest: vector.to_numpy() for digest, vector in rows}

    @_connected
    def cache_vectors(
        self, connection: psycopg.Connection, model: str, vectors: Mapping[str, Vectors]
    ) -> None:
        """Cache vectors by digest, evicting the oldest."""
        with connection.transaction(), connection.cursor() as cursor:
            dimension = len(next(iter(vectors.values())))
            space_id = create_embedding_space(connection, model, dimension=dimension)
            cursor.executemany(
                "insert into linker.remembered (space_id, digest, embedding) values (%s, %s, %s) "
                "on conflict do nothing",
                [(space_id, digest, vector) for digest, vector in vectors.items()],
            )
            cursor.execute(
                "delete from linker.remembered "
                "where number <= (select max(number) from linker.remembered) - %s",
                (MAX_REMEMBERED,),
            )

    @_connected
    def models(self, connection: psycopg.Connection, target: str) -> tuple[str, ...]:
        """Embedding models of a target's collections."""
        rows = connection.execute(statement("models_of_target"), (target,))
        return tuple(model for [model] in rows)

    @_connected
    def targets(self, connection: psycopg.Connection) -> tuple[str, ...]:
        """Targets with an index or runs."""
        return read_targets(connection)

    @_connected
    def delete_target(self, connection: psycopg.Connection, target: str) -> bool:
        """Delete a target; with the last one the schema, after which the store is unusable."""
        return delete_target(connection, target)

    @_connected
    def describe(self, connection: psycopg.Connection) -> str:
        """Kind and location of the store, without secrets."""
        version = connection.execute(
            "select current_setting('server_version'), extversion from pg_extension where extname "
            "= 'vector'"
        ).fetchone()
        info, server = connection.info, self._connections.server
        location = (
            f"embedded in {server.location}" if server else f"{info.host}:{info.port}/{info.dbname}"
        )
        return (
            f"Postgres {version[0]} with pgvector {version[1]}, {location}" if version else location
        )

    def close(self) -> None:
        """Close connections, and the embedded server if this was its last user."""
        self._connections.close()

    @_connected
    def _execute(
        self, connection: psycopg.Connection, work: Callable[[psycopg.Connection], W]
    ) -> W:
        return work(connection)

    def _find(self, connection: psycopg.Connection, collection: Collection) -> CollectionId | None:
        if collection not in self._collection_ids:
            collection_id = find_collection(connection, collection)
            if collection_id is None:
                return None
            self._collection_ids[collection] = collection_id
        return self._collection_ids[collection]
