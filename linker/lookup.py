"""
Finds what a name means: enters what somebody typed and the Catalog, leaves a table, or a column of one.

Case does not matter, the schema may be left out, a member of a family leads to the family,
and double quotes may stand around a step, as in SQL.
What fits nothing, or several things, is an error with the choices.
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from linker.errors import NameLookupError
from linker.types import Catalog, ColumnRef, Table

_SHOWN_CHOICES = 12
_SHOWN_NEIGHBOURS = 4
_STEP = re.compile(r'"((?:[^"]|"")*)"|`([^`]*)`|([^.]+)')


@dataclass(frozen=True)
class Named:
    """What a name means: a table, or a column of it."""

    table: Table
    path: str | None

    def __str__(self) -> str:
        return str(self.table.ref if self.path is None else ColumnRef(self.table.ref, self.path))


def find(name: str, catalog: Catalog) -> Named:
    """The one table or column of that name."""
    steps = _steps(name)
    missed: list[Named] = []
    for tables_by_name in _tables_by_name(catalog):
        found = list(_matches(steps, tables_by_name, missed))
        exact = [named for named in found if ".".join(_steps(str(named))).endswith(".".join(steps))]
        found = exact if len(exact) == 1 else found
        if len(found) > 1:
            raise NameLookupError(
                f"`{name}` may be one of {len(found)}", hint=f"choose: {_listed(found, _SHOWN_CHOICES)}"
            )
        if found:
            return found[0]
    raise _no_column(missed[-1]) if missed else _no_table(name, ".".join(steps).casefold(), catalog)


def _steps(name: str) -> list[str]:
    return [
        quoted.replace('""', '"') or in_backticks or bare.strip() for quoted, in_backticks, bare in _STEP.findall(name)
    ]


def _tables_by_name(catalog: Catalog) -> Iterator[dict[str, list[Table]]]:
    """Names by how directly they name: the table itself, a member of the family, the family without its `*`."""
    yield _by_name((table, table.ref.name) for table in catalog.tables)
    yield _by_name((table, member) for table in catalog.tables if table.family for member in table.family.members)
    families = [table for table in catalog.tables if table.family]
    stems = ((table, table.ref.name.rstrip("*")) for table in families)
    yield _by_name((table, short) for table, stem in stems for short in {stem, stem.rstrip("_-$. ")})


def _by_name(named: Iterable[tuple[Table, str]]) -> dict[str, list[Table]]:
    tables: dict[str, list[Table]] = defaultdict(list)
    for table, name in named:
        tables[name.casefold()].append(table)
        tables[f"{table.ref.schema}.{name}".casefold()].append(table)
    return tables


def _matches(steps: Sequence[str], tables_by_name: dict[str, list[Table]], missed: list[Named]) -> Iterator[Named]:
    """Every way to cut the steps into a table and a path; a path that its table lacks is noted as missed."""
    for cut in range(1, len(steps) + 1):
        path = ".".join(steps[cut:]).casefold()
        for table in tables_by_name.get(".".join(steps[:cut]).casefold(), ()):
            if not path:
                yield Named(table, None)
                continue
            paths = [one.path for one in table.columns if ".".join(_steps(one.path)).casefold() == path]
            yield from (Named(table, one) for one in paths)
            if not paths:
                missed.append(Named(table, path))


def _no_column(missed: Named) -> NameLookupError:
    paths = {column.path.casefold(): column.path for column in missed.table.columns}
    near = [paths[key] for key in difflib.get_close_matches(missed.path or "", paths, n=_SHOWN_NEIGHBOURS, cutoff=0.5)]
    hint = f"did you mean {_listed(near)}?" if near else f"it has {_listed(list(paths.values()), _SHOWN_CHOICES)}"
    return NameLookupError(f"{missed.table.ref} has no column `{missed.path}`", hint=hint)


def _no_table(name: str, wanted: str, catalog: Catalog) -> NameLookupError:
    near = _near_names(wanted, catalog)
    hint = f"did you mean {_listed(near)}?" if near else "write schema.table, or schema.table.column"
    return NameLookupError(f"no table is called `{name}`", hint=hint)


def _near_names(wanted: str, catalog: Catalog) -> list[str]:
    """Tables of a similar name, then columns of just that name: the table may have been left out."""
    full = {str(table.ref).casefold(): str(table.ref) for table in catalog.tables}
    short: dict[str, list[str]] = defaultdict(list)
    for table in catalog.tables:
        short[table.ref.name.casefold()].append(str(table.ref))
    near = [full[key] for key in difflib.get_close_matches(wanted, full, n=_SHOWN_NEIGHBOURS)]
    near += [ref for key in difflib.get_close_matches(wanted, short, n=_SHOWN_NEIGHBOURS) for ref in short[key]]
    near += [
        f"{table.ref}.{column.path}"
        for table in catalog.tables
        for column in table.columns
        if column.path.casefold() == wanted
    ]
    return list(dict.fromkeys(near))


def _listed(choices: Sequence[object], most: int = _SHOWN_NEIGHBOURS) -> str:
    shown = ", ".join(str(choice) for choice in choices[:most])
    return f"{shown} and {len(choices) - most} more" if len(choices) > most else shown
