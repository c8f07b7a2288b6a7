"""MCP tool `joins`: join paths with their measured cardinality and fan-out."""

from collections.abc import Iterator, Sequence

from linker.catalog.description import column_name
from linker.environment import Environment
from linker.errors import LinkerError
from linker.linking.mschema import join_tables
from linker.linking.result import BY_NAME, Join
from linker.serve.column_text import FIGURES, ToolResponse
from linker.serve.tool_errors import NameResolver, all_failed, sentence
from linker.text.escaping import escape_invisible
from linker.types import ColumnRef, TableRef

_SURE_OVERLAP = 0.95


def join_path(environment: Environment, tables: Sequence[str]) -> ToolResponse:
    """Key pairs that connect tables, through others if needed, with evidence."""
    names, known, lines = NameResolver(environment), dict[TableRef, None](), list[str]()
    failures = list[LinkerError]()
    for name in tables:
        try:
            ref = names.table(name)
        except LinkerError as error:
            failures.append(error)
            lines.append(sentence(error))
            continue
        lines += names.correction(name, ref)
        known[ref] = None
    if failures and len(known) < 2:
        raise all_failed(failures)
    found = join_tables([*known], environment)
    lines += map(_pair_line, found.joins)
    lines += _cautions(environment, found.joins) if len(known) > 1 else []
    lines += [f"nothing joins {column_name(str(ref))} to the others" for ref in found.apart]
    between = ", ".join(column_name(str(ref)) for ref in found.between)
    lines += [f"in between: {between}"] if between else []
    return ToolResponse(tuple(dict.fromkeys(lines)))


def _cautions(environment: Environment, joins: Sequence[Join]) -> Iterator[str]:
    """Warnings about fan-out that would multiply figures."""
    many = dict[TableRef, dict[TableRef, None]]()
    for join in joins:
        if join.cardinality == "n:1":
            many.setdefault(join.right, {})[join.left] = None
        elif join.cardinality == "n:m":
            yield f"caution: rows multiply, as neither side of {escape_invisible(join)} is unique"
    for table, others in many.items():
        name = column_name(str(table))
        several = " and ".join(column_name(str(item)) for item in others)
        if len(others) > 1:
            yield f"caution: {several} each have several rows for one of {name}: add up each by itself before you join"
        elif _has_figures(environment, table):
            yield f"caution: a row of {name} comes once for each of {several}: do not add up its figures after the join"


def _has_figures(environment: Environment, table: TableRef) -> bool:
    columns = environment.indexed.catalog.table_by_ref[table].columns
    refs = (ColumnRef(table, column.path) for column in columns)
    return any(environment.indexed.facts.get(ref).category in FIGURES for ref in refs)


def join_line(join: Join, *notes: str) -> str:
    """A join with cardinality, and overlap if incomplete."""
    found = [*notes, *([join.cardinality] if join.cardinality else [])]
    if join.overlap is not None and (notes or join.overlap < _SURE_OVERLAP):
        found.append(f"{join.overlap:.0%} of the values found")
    return f"{escape_invisible(join)} ({', '.join(found)})" if found else escape_invisible(join)


def _pair_line(join: Join) -> str:
    return join_line(join, "by name alone" if join.reason == BY_NAME else join.reason)
