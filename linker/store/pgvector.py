"""The store in Postgres: one row a document, HNSW by cosine, filters that do not cost recall."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import psycopg
from psycopg import sql

from linker.embedders.base import Vectors
from linker.errors import StoreError
from linker.store.base import Collection
from linker.store.connection import open_connection, store_error
from linker.store.embedded import EmbeddedPostgres
from linker.store.migrate import MIGRATION_LOCK
from linker.types import ColumnRef, Document, TableRef

# https://github.com/pgvector/pgvector#iterative-index-scans
# A scan that stops after 20,000 rows, the default, finds nothing of a target that lies behind those of another.
_SEARCH_SETTINGS = (
    "set local hnsw.iterative_scan = strict_order; set local hnsw.max_scan_tuples = 2147483647; "
    "set local hnsw.scan_mem_multiplier = 16; set local hnsw.ef_search = {}"
)
# At pgvector's 40 a quarter of the ten nearest of 8,000 random vectors is missed; at 400 none, for three milliseconds.
_LEAST_EF_SEARCH = 400
_MOST_EF_SEARCH = 1000
# https://github.com/pgvector/pgvector#hnsw
_MOST_DIMENSIONS = 2000

P = ParamSpec("P")
R = TypeVar("R")


def _told_plainly(
    method: Callable[Concatenate["PgvectorStore", P], R],
) -> Callable[Concatenate["PgvectorStore", P], R]:
    """What Postgres refuses, or a connection that is lost, is something the user can mend."""

    @wraps(method)
    def told(self: "PgvectorStore", /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except psycopg.Error as error:
            raise store_error(error, self._server) from error

    return told


class PgvectorStore:
    """Documents in the schema `linker` of a Postgres database."""

    def __init__(self, connection: psycopg.Connection, server: EmbeddedPostgres | None) -> None:
        self._connection = connection
        self._server = server

    @classmethod
    def connect(cls, url: str, *, server: EmbeddedPostgres | None = None) -> "PgvectorStore":
        """Connect and bring the schema up to date."""
        return cls(open_connection(url, server), server)

    @_told_plainly
    def content_hashes(self, collection: Collection) -> dict[ColumnRef, str]:
        """What is indexed, with the digest of the text that was embedded."""
        rows = self._connection.execute(
            "select schema_name, table_name, column_path, content_hash from linker.documents "
            "join linker.spaces using (space_id) where model = %s and target = %s",
            (collection.model, collection.target),
        )
        return {ColumnRef(TableRef(schema, table), path): content_hash for schema, table, path, content_hash in rows}

    @_told_plainly
    def write(self, collection: Collection, documents: Sequence[Document], vectors: Vectors) -> None:
        """Add documents, or replace those of the same column; all of them or none."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            space_id = self._space(collection.model, dimension=vectors.shape[1])
            cursor.execute("create temporary table incoming (like linker.documents) on commit drop")
            with cursor.copy("copy incoming from stdin with (format binary)") as copy:
                copy.set_types(["int4", "text", "text", "text", "text", "text", "text", "vector"])
                for document, vector in zip(documents, vectors, strict=True):
                    copy.write_row(
                        (space_id, collection.target, *_key(document.ref), document.content_hash, document.text, vector)
                    )
            cursor.execute(
                "insert into linker.documents select * from incoming "
                "on conflict (space_id, target, schema_name, table_name, column_path) do update "
                "set content_hash = excluded.content_hash, document = excluded.document, embedding = excluded.embedding"
            )

    @_told_plainly
    def delete(self, collection: Collection, refs: Sequence[ColumnRef]) -> None:
        """Remove the documents of these columns."""
        self._connection.execute(
            "delete from linker.documents using linker.spaces "
            "where documents.space_id = spaces.space_id and model = %s and target = %s "
            "and (schema_name, table_name, column_path) in (select * from unnest(%s::text[], %s::text[], %s::text[]))",
            (collection.model, collection.target, *_keys(refs)),
        )

    @_told_plainly
    def nearest(
        self, collection: Collection, vector: Vectors, *, limit: int, excluded: Sequence[ColumnRef] = ()
    ) -> list[tuple[ColumnRef, float]]:
        """The columns nearest to a vector by cosine similarity, best first."""
        space = self._find_space(collection.model)
        if space is None:
            return []
        # Space and dimension stand in the text, not in parameters, so that the partial index of the space is used.
        space_id, dimension = sql.Literal(space[0]), sql.Literal(space[1])
        query = sql.SQL(
            "select schema_name, table_name, column_path, 1 - (embedding::vector({d}) <=> %(vector)s) "
            "from linker.documents where space_id = {s} and target = %(target)s "
            "and (schema_name, table_name, column_path) not in "
            "(select * from unnest(%(schemas)s::text[], %(tables)s::text[], %(paths)s::text[])) "
            "order by embedding::vector({d}) <=> %(vector)s limit %(limit)s"
        ).format(d=dimension, s=space_id)
        schemas, tables, paths = _keys(excluded)
        values = {"vector": vector, "target": collection.target, "limit": limit}
        values |= {"schemas": schemas, "tables": tables, "paths": paths}
        with self._connection.transaction():
            self._connection.execute(
                _SEARCH_SETTINGS.format(min(max(_LEAST_EF_SEARCH, 2 * limit), _MOST_EF_SEARCH)).encode()
            )
            rows = self._connection.execute(query, values).fetchall()
        return [(ColumnRef(TableRef(schema, table), path), float(score)) for schema, table, path, score in rows]

    @_told_plainly
    def recall(self, model: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of texts that were embedded before."""
        rows = self._connection.execute(
            "select digest, embedding from linker.remembered join linker.spaces using (space_id) "
            "where model = %s and digest = any(%s)",
            (model, list(digests)),
        )
        return {digest: vector.to_numpy() for digest, vector in rows}

    @_told_plainly
    def remember(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of texts, by digest."""
        with self._connection.transaction(), self._connection.cursor() as cursor:
            dimension = len(next(iter(vectors.values())))
            space_id = self._space(model, dimension=dimension)
            cursor.executemany(
                "insert into linker.remembered values (%s, %s, %s) on conflict do nothing",
                [(space_id, digest, vector) for digest, vector in vectors.items()],
            )

    @_told_plainly
    def describe(self) -> str:
        """What and where it is, without any secret."""
        version = self._connection.execute(
            "select current_setting('server_version'), extversion from pg_extension where extname = 'vector'"
        ).fetchone()
        info = self._connection.info
        place = f"embedded in {self._server.place}" if self._server else f"{info.host}:{info.port}/{info.dbname}"
        return f"Postgres {version[0]} with pgvector {version[1]}, {place}" if version else place

    def close(self) -> None:
        """End the session, and the embedded server if nobody else uses it."""
        self._connection.close()
        if self._server:
            self._server.stop()

    def _find_space(self, model: str) -> tuple[int, int] | None:
        return self._connection.execute(
            "select space_id, dimension from linker.spaces where model = %s", (model,)
        ).fetchone()

    def _space(self, model: str, *, dimension: int) -> int:
        """The space of a model. A model that changed its dimension is another model: what was there is of no use."""
        space = self._find_space(model)
        if space and space[1] == dimension:
            return space[0]
        if dimension > _MOST_DIMENSIONS:
            raise StoreError(
                f"the vectors of `{model}` have {dimension} dimensions, the index holds up to {_MOST_DIMENSIONS}",
                hint="set `embedder` to a model with shorter vectors",
            )
        self._connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        if space:
            self._connection.execute("delete from linker.spaces where space_id = %s", (space[0],))
            self._connection.execute(sql.SQL("drop index if exists linker.{}").format(_index_name(space[0])))
        [[space_id]] = self._connection.execute(
            "insert into linker.spaces (model, dimension) values (%s, %s) "
            "on conflict (model) do update set dimension = excluded.dimension returning space_id",
            (model, dimension),
        ).fetchall()
        self._connection.execute(
            sql.SQL(
                "create index if not exists {} on linker.documents "
                "using hnsw ((embedding::vector({})) vector_cosine_ops) where space_id = {}"
            ).format(_index_name(space_id), sql.Literal(dimension), sql.Literal(space_id))
        )
        return int(space_id)


def _index_name(space_id: int) -> sql.Identifier:
    return sql.Identifier(f"documents_nearest_{space_id}")


def _key(ref: ColumnRef) -> tuple[str, str, str]:
    return ref.table.schema, ref.table.name, ref.path


def _keys(refs: Sequence[ColumnRef]) -> tuple[list[str], list[str], list[str]]:
    return [ref.table.schema for ref in refs], [ref.table.name for ref in refs], [ref.path for ref in refs]
