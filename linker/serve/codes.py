"""Labels of codes: what the lookup table that a column leads to calls them, or its comment says."""

from collections.abc import Mapping, Sequence

from linker.catalog.description import CODED, cut
from linker.catalog.profile import column_profile
from linker.environment import Environment
from linker.errors import LinkerError
from linker.ranking.allocation import labels_of
from linker.text.words import parts, readable
from linker.types import ColumnRef, TableRef

# Of more rows a table is no list of codes.
_MOST_CODES = 1_000
_SECONDS = 10
_LONGEST_LABEL = 60
_LONGEST_COMMENT = 200
_CODES = (*CODED, "foreign_key", "identifier")


def labels_of_codes(environment: Environment, ref: ColumnRef) -> Mapping[str, str]:
    """By code its label, as the table of codes has it now; empty where there is none to be read."""
    facts = environment.indexed.facts.of(ref)
    key = facts.points_to[0] if facts.points_to else ref
    table = environment.indexed.catalog.table_by_ref[key.table]
    places = labels_of(table)
    rows = table.row_count_estimate or 0
    # Each code has one row there, or its label is that of something else.
    is_list = rows <= _MOST_CODES and environment.indexed.facts.of(key).distinct_count == rows
    if facts.category not in _CODES or not places or not is_list:
        return {}
    label = table.columns[places[0]].path
    profile = environment.profile_of(key.table)
    columns = [column_profile(profile, path) for path in (key.path, label)]
    if label == key.path or not all(column and column.is_shown for column in columns):
        return {}
    try:
        labels = _rows(environment, key.table, (key.path, label))
    except LinkerError:
        # Without the warehouse codes stand alone.
        return {}
    return {str(code): readable(str(name))[:_LONGEST_LABEL] for code, name in labels if name}


def _rows(
    environment: Environment, table: TableRef, columns: Sequence[str]
) -> list[tuple[object, ...]]:
    """The rows of some columns, as a probe may see them."""
    from sqlglot import exp

    from linker.guard import ProbeLimits

    if not environment.warehouse.is_profiled:
        return []
    query = exp.select(*(exp.column(column, quoted=True) for column in columns)).from_(
        exp.table_(table.name, table.schema, quoted=True)
    )
    guard = environment.warehouse.guard_within(ProbeLimits(rows=_MOST_CODES, seconds=_SECONDS))
    checked = guard.check(query.sql(environment.dialect))
    return [
        tuple(row) for row in environment.warehouse.session.query(checked.sql, (), checked.bounds)
    ]


def explaining_comment(environment: Environment, ref: ColumnRef, values: Sequence[str]) -> str:
    """The comment of a column of codes that names some of its values; else nothing."""
    column = environment.indexed.catalog.table_by_ref[ref.table].column_by_path[ref.path]
    words = set(parts(column.description or ""))
    if environment.indexed.facts.of(ref).category not in CODED:
        return ""
    named = [value for value in values if parts(value) and words.issuperset(parts(value))]
    return cut(column.description or "", _LONGEST_COMMENT) if named else ""
