"""What a search found and how tables join, as documents for programs."""

from collections.abc import Sequence
from typing import Protocol

from linker.link.mschema import JoinedTables
from linker.render import as_json
from linker.render.json import JoinRecord
from linker.types import Catalog, Hit, TableHit

# Raised with a field that changes its meaning.
VERSION = 1


class FoundHits(Protocol):
    """What a search found."""

    @property
    def tables(self) -> Sequence[TableHit]:
        """Tables, best first."""

    @property
    def columns(self) -> Sequence[Hit]:
        """Columns, best first."""


def search_json(found: FoundHits, text: str, catalog: Catalog, target: str) -> str:
    """The tables and columns that were found for a text, best first."""
    tables: list[dict[str, object]] = []
    for hit in found.tables:
        if table := catalog.table_by_ref.get(hit.ref):
            facts = {"description": table.description, "score": hit.score}
            tables.append({"name": str(hit.ref), **facts})
    columns: list[dict[str, object]] = []
    for column_hit in found.columns:
        if column := catalog.find(column_hit.ref):
            values = [match.value for match in column_hit.matches]
            facts = {"description": column.description, "score": column_hit.score}
            columns.append({"name": str(column_hit.ref), **facts, "values": values})
    record = {"version": VERSION, "target": target, "text": text}
    return as_json({**record, "tables": tables, "columns": columns})


def joins_json(found: JoinedTables) -> str:
    """The joins, the tables between, and those that nothing joins."""
    joins = [JoinRecord.model_validate(join).model_dump(by_alias=True) for join in found.joins]
    record = {
        "version": VERSION,
        "tables": list(map(str, found.tables)),
        "joins": joins,
        "between": list(map(str, found.between)),
        "apart": list(map(str, found.apart)),
    }
    return as_json(record)
