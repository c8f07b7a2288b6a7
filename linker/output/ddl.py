"""
The linked schema as `create table` statements with the linked columns only.

A nested column keeps its type, restricted to the linked paths.
"""

from collections.abc import Iterator

from linker.linking.result import LinkedSchema, LinkedTable, measures, no_answer, standing
from linker.text.escaping import escape_invisible, one_line, quoted, unmarked
from linker.text.quoted_and_codes import labels_of
from linker.types import Column, Table


def render(schema: LinkedSchema) -> str:
    """One statement per table; comments hold what types do not say."""
    marks = bool(schema.further_tables or any(linked.further for linked in schema.tables))
    tables = (*schema.tables, *schema.further_tables)
    statements = ["\n".join(_statement(linked, marks=marks)) for linked in tables]
    joins = [
        f"-- join: {escape_invisible(join)} ({one_line(join.reason)}; {measures(join)})"
        for join in schema.joins
    ]
    refusal = (
        [f"-- the warehouse cannot answer this question: {no_answer(schema.unanswerable)}"]
        if schema.unanswerable
        else []
    )
    return unmarked("\n\n".join([*refusal, *statements, *joins]))


def _statement(linked: LinkedTable, *, marks: bool) -> Iterator[str]:
    """A table's statement; `marks` tags relevant columns among others."""
    table = linked.table
    if table.description:
        yield f"-- {one_line(table.description)}"
    if table.family:
        yield (
            "-- "
            f"{one_line(str(table.family))}"
            f"{'' if table.family.is_snapshots else '; this is the newest'}"
        )
    if linked.stands_for:
        yield f"-- {standing(linked)}"
    name = table.family.representative if table.family else table.ref.name
    yield f"create table {quoted(table.ref.schema)}.{quoted(name)} ("
    likely = {item.column.path for item in linked.columns}
    wanted = likely | {item.column.path for item in linked.further}
    top_level = [
        column for column in table.columns if column.depth == 0 and _holds_any(column, wanted)
    ]
    for number, column in enumerate(top_level, start=1):
        comma = "," if number < len(top_level) else ""
        constraint = "" if column.is_nullable else " not null"
        notes = ["likely needed"] if marks and _holds_any(column, likely) else []
        notes += [one_line(column.description)] if column.description else []
        comment = f"  -- {'; '.join(notes)}" if notes else ""
        yield (
            f"    {quoted(column.column_name)} "
            f"{_type(table, column, wanted)}{constraint}{comma}{comment}"
        )
    yield ");"


def _inside(table: Table, column: Column) -> list[Column]:
    return [
        other
        for other in table.columns
        if other.depth == column.depth + 1 and other.path.startswith(column.path + ".")
    ]


def _holds_any(column: Column, wanted: set[str]) -> bool:
    return column.path in wanted or any(path.startswith(column.path + ".") for path in wanted)


def _type(table: Table, column: Column, wanted: set[str]) -> str:
    """The full type, or its wanted fields if only nested paths were linked."""
    if not column.is_nested or (
        column.path in wanted and not any(path.startswith(column.path + ".") for path in wanted)
    ):
        # Enum labels are values.
        return (
            column.data_type
            if column.is_nested or labels_of(column.data_type)
            else column.data_type.lower()
        )
    fields = [field for field in _inside(table, column) if _holds_any(field, wanted)]
    inner = ", ".join(
        f"{quoted(_last_step(field, column))} {_type(table, field, wanted)}" for field in fields
    )
    return f"struct({inner})" + ("[]" if column.is_list else "")


def _last_step(field: Column, parent: Column) -> str:
    step = field.path[len(parent.path) + 1 :]
    return step[1:-1].replace('""', '"') if step.startswith('"') else step
