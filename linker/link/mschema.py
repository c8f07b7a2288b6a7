"""
The linked schema as M-Schema, the compact form that many text-to-SQL prompts use.

Values are those of the answer: none of a masked or hidden column.
"""

from collections.abc import Iterator

from linker.link.answer import LinkedColumn, LinkedSchema, LinkedTable
from linker.link.phrases import no_answer, standing
from linker.text.safe import one_line

# What a value is like shows in its beginning; a document would fill the prompt.
_LONGEST_EXAMPLE = 50


def render(schema: LinkedSchema) -> str:
    """One block a table, one tuple a column."""
    return "\n".join(_lines(schema))


def _lines(schema: LinkedSchema) -> Iterator[str]:
    yield f"【DB_ID】 {schema.target}"
    if schema.unanswerable:
        yield f"【Unanswerable】 {no_answer(schema.unanswerable)}"
    yield "【Schema】"
    for linked in schema.tables:
        yield _heading(linked)
        yield "["
        yield ",\n".join(_column(column) for column in linked.columns)
        yield "]"
    if schema.joins:
        yield "【Foreign keys】"
        for join in schema.joins:
            yield one_line(str(join))


def _heading(linked: LinkedTable) -> str:
    table = linked.table
    notes = [one_line(table.description)] if table.description else []
    if table.family:
        notes.append(f"{table.family}; for example {table.family.representative}")
    if linked.stands_for:
        notes.append(standing(linked))
    return ", ".join([f"# Table: {one_line(str(table.ref))}", *notes])


def _column(linked: LinkedColumn) -> str:
    column = linked.column
    parts = [f"{one_line(column.path)}:{column.short_type.upper()}"]
    if linked.is_primary_key:
        parts.append("Primary Key")
    if column.description:
        parts.append(one_line(column.description))
    if linked.examples:
        parts.append(f"Examples: [{', '.join(_example(value) for value in linked.examples)}]")
    return f"({', '.join(parts)})"


def _example(value: str) -> str:
    """A value in few characters; a cut one says so, and the empty one is made to show."""
    text = one_line(value) or '""'
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[: _LONGEST_EXAMPLE - 1]}…"
