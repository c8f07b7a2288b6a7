"""
Lines about tables and columns for a model: enters what is known of one, leaves what it is, in few
characters.
"""

from collections.abc import Sequence

from linker.catalog.description import CODED, ColumnDescription, heading, name_of
from linker.environment import Environment
from linker.ranking.roles import ROLES, roles_of
from linker.serve.copies import kept_beside
from linker.text.words import parts as parts_of
from linker.text.words import word_list
from linker.types import ColumnRef, Table, TableRef

FIGURES = ("measure", "money")
_BY = (*CODED, "foreign_key", "date", "timestamp", "year")
_NO_TIMES = ("boolean", "code", "constant", "empty")
_SIBLINGS_NAMED = 3


def table_line(environment: Environment, table: Table, siblings: Sequence[TableRef] = ()) -> str:
    """
    A table in a line; of one without a comment what its kind, its name or its columns say that it
    is.
    """
    line = heading(table, siblings, _SIBLINGS_NAMED)
    if table.description:
        return line
    beside = environment.derive(kept_beside).get(table.ref)
    meanings = [f"kept beside {name_of(str(beside))}"] if beside else []
    meanings += ["view"] if table.kind == "view" else []
    meanings += _figures(environment, table)
    return f"{line} - {'; '.join(meanings)}" if meanings else line


def _figures(environment: Environment, table: Table) -> list[str]:
    """The columns by which a table has figures, where it has no key and one of them is a time."""
    by, figures, has_times = list[str](), list[str](), False
    for column in table.columns:
        described = environment.indexed.describe(ColumnRef(table.ref, column.path))
        is_time, kind = tells_time(described), described.facts.category
        if is_time or kind in _BY:
            by.append(described.name)
        elif kind in FIGURES:
            figures.append(described.name)
        if described.facts.is_primary_key or not (is_time or kind in (*_BY, *FIGURES)):
            return []
        has_times = has_times or is_time
    return [f"figures by {', '.join(by)}"] if has_times and len(figures) > 1 else []


def tells_time(described: ColumnDescription) -> bool:
    """
    True of a column that says when, by its days, its type or its name; one day for all rows says
    nothing.
    """
    column, facts = described.column, described.facts
    if facts.days:
        return facts.days[0] < facts.days[1]
    words = parts_of(column.path)
    is_number = not word_list("naming_times_as_numbers").isdisjoint(words)
    is_named = is_number or roles_of(column, words, (), facts)[ROLES.index("time")]
    return is_named and "per" not in words and facts.category not in _NO_TIMES
