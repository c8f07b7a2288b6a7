"""
Places of collections in the database, and the numbers of documents and values in them.

The numbers are digests of names and texts: client and server know them without asking each other.
"""

import hashlib
from functools import cache
from importlib import resources

import psycopg
from psycopg import sql

from linker.errors import StoreError
from linker.store.base import Collection
from linker.store.connection import MIGRATION_LOCK
from linker.types import ColumnRef, Record, Ref, TableRef


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


class Place(Record, frozen=True):
    """The place of a collection."""

    collection_id: int
    dimension: int

    def relation(self, name: str) -> sql.Identifier:
        """Its own partition of a table."""
        return sql.Identifier("linker", f"{name}_{self.collection_id}")


@cache
def statement(name: str) -> sql.SQL:
    """The statement in the file of that name, with the names of relations in braces."""
    return sql.SQL(resources.files("linker.store").joinpath(f"{name}.sql").read_text("utf-8"))


def find_place(connection: psycopg.Connection, collection: Collection) -> Place | None:
    """The place of a collection that was written to before."""
    row = connection.execute(statement("place"), (collection.model, collection.target)).fetchone()
    return Place(*row) if row else None


def make_place(connection: psycopg.Connection, collection: Collection, *, dimension: int) -> Place:
    """The place of a collection for vectors of that length."""
    place = find_place(connection, collection)
    if place and place.dimension == dimension:
        return place
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        space_id = make_space(connection, collection.model, dimension=dimension)
        # Another process may have made it while this one waited.
        place = find_place(connection, collection)
        if place is None:
            [[collection_id]] = connection.execute(
                "select linker.create_collection(%s, %s)", (space_id, collection.target)
            ).fetchall()
            place = Place(int(collection_id), dimension)
    return place


def make_space(connection: psycopg.Connection, model: str, *, dimension: int) -> int:
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
    [[space_id]] = connection.execute(statement("make_space"), (model, dimension)).fetchall()
    return int(space_id)
