"""
What a query uses: enters SQL as somebody wrote it, leave the tables and columns of the catalogue that it names.

It is read, never run: a query with mistakes still says what its writer had in judge. Names are mended as those of a
judge are, a column of another table at hand included; what leads nowhere is told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.lineage import Tables, TargetCatalog, read_sql
from linker.lineage.script import statements
from linker.names.repair import Names, Unknown
from linker.text.words import readable
from linker.types import Catalog, ColumnRef, TableRef

_LONGEST_PROBLEM = 200


@dataclass(frozen=True, slots=True)
class Used:
    """The tables and columns of a query, and names that lead nowhere; `problem` says why it could not be read."""

    tables: tuple[TableRef, ...] = ()
    columns: tuple[ColumnRef, ...] = ()
    unknown: tuple[str, ...] = ()
    problem: str = ""


def used_by(sql: str, dialect: str, names: Names, catalog: Catalog) -> Used:
    """What one query uses."""
    try:
        parsed = [statement for _, statement in statements(sql, dialect)]
    except (SqlglotError, RecursionError) as error:
        return Used(problem=readable(str(error))[:_LONGEST_PROBLEM] or "it is nested too deeply")
    if len(parsed) != 1 or not isinstance(parsed[0], exp.Query):
        return Used(problem="it is not one select")
    reads = read_sql(sql, _MendedTables(TargetCatalog(dialect, catalog), names))
    if not reads.is_parsed:
        return Used(problem=reads.problems[0])
    tables = tuple(dict.fromkeys(ref for either in reads.tables for ref in either))
    columns = dict.fromkeys(ref for either in reads.fields for ref in either)
    # The name of a table that is not there may be that of a column: it is not mended as one.
    unknown = list(reads.unknown_tables)
    for name in reads.unknown:
        if found := _mended(name, tables, names):
            columns[found] = None
        else:
            unknown.append(name)
    return Used(tables, tuple(columns), tuple(unknown))


@dataclass(frozen=True)
class _MendedTables(Tables):
    """The tables of a target, those included whose name is a slip away from the one that is written."""

    names: Names

    def called(self, name: str) -> list[TableRef]:
        """The physical tables that this name may mean."""
        found = super().called(name)
        mended = None if found else self.names.table(name)
        return [mended] if isinstance(mended, TableRef) else found


def _mended(name: str, tables: Sequence[TableRef], names: Names) -> ColumnRef | None:
    """The one column of the tables at hand that may be meant: a slip away, of another table, or around a part of it."""
    for path in _paths(name.split(".")):
        found = {names.column(f"{table}.{path}", [table]) for table in tables}
        columns = [one for one in found if not isinstance(one, Unknown)]
        if columns:
            return columns[0] if len(columns) == 1 else None
    return None


def _paths(steps: Sequence[str]) -> Iterator[str]:
    """The name without what may be that of its table; then less and less of its end."""
    for end in range(len(steps), 0, -1):
        yield ".".join(steps[min(1, end - 1) : end])
