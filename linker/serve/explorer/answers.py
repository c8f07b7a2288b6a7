"""Page data of an answer: columns ordered by confidence, and the SQL statement."""

from collections.abc import Iterable, Mapping, Sequence

from linker.linking.result import Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.text.escaping import quoted
from linker.types import Record, TableRef

MAX_COLUMNS = 15
_ORDER = {"required": 0, "kept": 1, "pending": 2, None: 3}


class AnswerColumn(Record, frozen=True):
    """A column of an answer with its table."""

    linked: LinkedTable
    column: LinkedColumn


def ranked_columns(schema: LinkedSchema) -> list[AnswerColumn]:
    """Needed columns first, then by relevance."""
    columns: list[AnswerColumn] = []
    for linked in schema.tables:
        columns.extend(AnswerColumn(linked, column) for column in linked.columns)
    return sorted(columns, key=lambda item: (_ORDER[item.column.status], -_sure(item.column)))


def _sure(column: LinkedColumn) -> float:
    return column.score if column.credibility is None else column.credibility


def tables_of(columns: Iterable[AnswerColumn]) -> list[LinkedTable]:
    """Tables of these columns, by relevance."""
    linked_by_ref = {item.linked.table.ref: item.linked for item in columns}
    return sorted(
        linked_by_ref.values(), key=lambda item: (_ORDER[item.status], -(item.score or 0))
    )


def starting_sql(schema: LinkedSchema) -> str:
    """An example query: the top columns and the tables that join the first."""
    columns = ranked_columns(schema)[:MAX_COLUMNS]
    if not columns:
        return ""
    aliases = _aliases(schema.tables)
    linked_by_ref = {linked.table.ref: linked for linked in schema.tables}
    first, *others = [linked.table.ref for linked in tables_of(columns)]
    joined, lines = {first}, [f"from {_name(linked_by_ref[first], aliases)}"]
    for ref in others:
        for join, new in _join_path(ref, joined, schema.joins):
            joined.add(new)
            name, condition = _name(linked_by_ref[new], aliases), _condition(join, aliases)
            lines.append(f"join {name}\n    on {condition}")
    selected = dict[str, None]()
    for item in columns:
        if item.linked.table.ref in joined:
            # Nested access differs between warehouses.
            name = quoted(item.column.column.column_name)
            selected[f"    {aliases[item.linked.table.ref]}.{name}"] = None
    return "\n".join(["select", ",\n".join(selected), *lines, "limit 100"])


def _join_path(
    ref: TableRef, joined: set[TableRef], joins: Sequence[Join]
) -> list[tuple[Join, TableRef]]:
    """The shortest join path from the joined tables to another; empty if there is none."""
    paths: dict[TableRef, list[tuple[Join, TableRef]]] = {item: [] for item in joined}
    edge = list(paths)
    while edge and ref not in paths:
        reached = []
        for join in joins:
            for here, there in ((join.left, join.right), (join.right, join.left)):
                if here in edge and there not in paths:
                    paths[there] = [*paths[here], (join, there)]
                    reached.append(there)
        edge = reached
    return paths.get(ref, [])


def _condition(join: Join, aliases: Mapping[TableRef, str]) -> str:
    parts = []
    for own, other in zip(join.left_columns, join.right_columns, strict=True):
        left, right = _path(aliases[join.left], own), _path(aliases[join.right], other)
        parts.append(f"{left} = {right}")
    return " and ".join(parts)


def _path(alias: str, path: str) -> str:
    # Nested paths are written as the warehouse lists them.
    return f"{alias}.{path if '.' in path else quoted(path)}"


def _name(linked: LinkedTable, aliases: Mapping[TableRef, str]) -> str:
    ref, family = linked.table.ref, linked.table.family
    name = quoted(family.representative if family else ref.name)
    alias = aliases[ref]
    return f"{quoted(ref.schema)}.{name}{'' if alias == name else f' as {alias}'}"


def _aliases(tables: Iterable[LinkedTable]) -> dict[TableRef, str]:
    """Unique names of tables, qualified where ambiguous."""
    aliases: dict[TableRef, str] = {}
    for linked in tables:
        ref = linked.table.ref
        name = quoted(ref.name.replace("*", "").strip("_") or "rows")
        is_taken = name in aliases.values()
        aliases[ref] = quoted(f"{ref.schema}_{ref.name}".replace("*", "")) if is_taken else name
    return aliases
