"""
The linked schema as M-Schema, the compact form that many text-to-SQL prompts use.

Values are those of the answer: none of a masked or hidden column.
"""

from collections.abc import Iterator

import msgspec

from linker.catalog.filed import Filed
from linker.catalog.snapshot import ProfiledCatalog
from linker.config import Settings
from linker.link.answer import LinkedColumn, LinkedSchema, LinkedTable
from linker.link.description import described
from linker.link.phrases import no_answer, standing
from linker.text.safe import one_line, shortened, spelled, unmarked
from linker.text.tokens import estimate_tokens
from linker.types import Record, Table

# What a value is like shows in its beginning; a document would fill the prompt.
_LONGEST_EXAMPLE = 50
# No line of a column is shorter: a schema of more columns need not be written to see that it does
# not fit.
LEAST_TOKENS_OF_COLUMN = 5
# So many tables are written before it is asked whether the schema is too large already.
_TABLES_AT_ONCE = 25


class Size(Record, frozen=True):
    """About how many tokens a schema has as a prompt would hold it, or how many it has at least."""

    tokens: int
    is_least: bool

    def __str__(self) -> str:
        return f"{'more than' if self.is_least else 'about'} {self.tokens:,} tokens"


def render(schema: LinkedSchema) -> str:
    """One block a table, one tuple a column."""
    return unmarked("\n".join(_lines(schema)))


def _lines(schema: LinkedSchema) -> Iterator[str]:
    yield f"【DB_ID】 {schema.target}"
    if schema.unanswerable:
        yield f"【Unanswerable】 {no_answer(schema.unanswerable)}"
    yield "【Schema】"
    marks = bool(schema.further_tables or any(linked.further for linked in schema.tables))
    for linked in (*schema.tables, *schema.further_tables):
        yield _heading(linked)
        yield "["
        likely = [_column(column, "likely needed" if marks else "") for column in linked.columns]
        yield ",\n".join([*likely, *(_column(column) for column in linked.further)])
        yield "]"
    if schema.joins:
        yield "【Foreign keys】"
        for join in schema.joins:
            yield f"{spelled(join)} ({join.cardinality})" if join.cardinality else spelled(join)


def _heading(linked: LinkedTable) -> str:
    table = linked.table
    notes = [one_line(table.description)] if table.description else []
    if table.family:
        example = (
            "" if table.family.is_snapshots else f"; for example {table.family.representative}"
        )
        notes.append(one_line(f"{table.family}{example}"))
    if linked.stands_for:
        notes.append(standing(linked))
    return ", ".join([f"# Table: {spelled(table.ref)}", *notes])


def _column(linked: LinkedColumn, mark: str = "") -> str:
    column = linked.column
    parts = [f"{spelled(column.path)}:{column.short_type.upper()}", *([mark] if mark else [])]
    if linked.is_primary_key:
        parts.append("Primary Key")
    if column.description:
        parts.append(one_line(column.description))
    if linked.examples:
        parts.append(f"Examples: [{', '.join(_example(value) for value in linked.examples)}]")
    return f"({', '.join(parts)})"


def _example(value: str) -> str:
    """A value in few characters; a cut one says so, and the empty one is made to show."""
    return shortened(one_line(value) or '""', _LONGEST_EXAMPLE)


def most_tokens(settings: Settings) -> int:
    """The largest size of a schema that is handed over whole."""
    return min(settings.schema_tokens, settings.max_tokens)


def _whole(table: Table) -> LinkedTable:
    return LinkedTable(table, tuple(LinkedColumn(column, 0.0, "") for column in table.columns))


def _size_of(profiled: ProfiledCatalog, most: int) -> Size:
    """
    The size of a whole schema; one that is surely larger than `most` is not written to be measured.
    """
    catalog, facts = profiled.catalog, profiled.facts
    least = catalog.column_count * LEAST_TOKENS_OF_COLUMN
    if least > most:
        return Size(least, is_least=True)
    tokens = 0
    for start in range(0, len(catalog.tables), _TABLES_AT_ONCE):
        tables = tuple(map(_whole, catalog.tables[start : start + _TABLES_AT_ONCE]))
        tokens += estimate_tokens(render(described(LinkedSchema("", "", "", tables), facts)))
        if tokens > most and start + _TABLES_AT_ONCE < len(catalog.tables):
            return Size(tokens, is_least=True)
    return Size(tokens, is_least=False)


size_of = Filed(
    _size_of, msgspec.msgpack.encode, lambda content, _: msgspec.msgpack.decode(content, type=Size)
)
