"""Writes the column documents: enters the Catalog, leaves one text a column, with its digest."""

import hashlib
from collections.abc import Iterator

from linker.types import Catalog, Column, ColumnRef, Document, Table


def write_documents(catalog: Catalog) -> tuple[Document, ...]:
    """One document a logical column; a family has one set of documents, whatever its members."""
    return tuple(_document(table, column) for table in catalog.tables for column in table.columns)


def _document(table: Table, column: Column) -> Document:
    text = ". ".join(_sentences(table, column)).lower()
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Document(ref=ColumnRef(table.ref, column.path), text=text, content_hash=digest)


def _sentences(table: Table, column: Column) -> Iterator[str]:
    yield f"{column.path} of {table.ref}"
    if column.description:
        yield _clean(column.description)
    if table.description:
        yield f"table: {_clean(table.description)}"
    yield f"type: {column.short_type}"
    if table.family:
        yield f"one table for every {table.family.key_kind}"


def _clean(description: str) -> str:
    return " ".join(description.split()).rstrip(".")
