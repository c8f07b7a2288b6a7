"""
Lookup of a name: enters what somebody typed and the Catalog, leaves a table, or a column of one.

Case does not matter, the schema may be left out, a member of a family leads to the family,
and quotes may stand around a step, as in SQL.
What fits nothing, or several things, is an error with the choices.
"""

from collections.abc import Iterator, Sequence

from linker.errors import NameLookupError
from linker.names.resolver import (
    Fit,
    TableIndex,
    bare,
    close,
    key,
    members,
    names_of,
    own_name,
    paths_called,
    stems,
)
from linker.text.safe import spelled
from linker.types import Catalog, ColumnRef, Ref, Table, TableRef

_SHOWN_CHOICES = 12
_SHOWN_NEIGHBOURS = 4
_NEAR = 0.6
_NEAR_IN_TABLE = 0.5
_WITH_OR_WITHOUT_SCHEMA = {Fit.SAME, Fit.ABSENT}


def find(name: str, catalog: Catalog) -> Ref:
    """The one table or column of that name."""
    missed: list[tuple[Table, str]] = []
    # By how directly they name: the table itself, a member of the family, the family without its
    # `*`.
    for kind in (own_name, members, stems):
        found = list(
            _matches(bare(name), TableIndex(names_of(catalog, kind), key), catalog, missed)
        )
        exact = [ref for ref in found if bare(str(ref)).endswith(bare(name))]
        found = exact if len(exact) == 1 else found
        if len(found) > 1:
            raise NameLookupError(
                f"`{name}` may be one of {len(found)}",
                hint=f"choose: {_listed(found, _SHOWN_CHOICES)}",
            )
        if found:
            return found[0]
    raise _no_column(*missed[-1]) if missed else _no_table(name, catalog)


def _matches(
    name: str, tables: TableIndex[TableRef], catalog: Catalog, missed: list[tuple[Table, str]]
) -> Iterator[Ref]:
    """
    Every way to cut a name into a table and a path; a path that its table lacks is noted as missed.
    """
    steps = name.split(".")
    for cut in range(1, len(steps) + 1):
        path = ".".join(steps[cut:])
        for ref in tables.called(".".join(steps[:cut]), _WITH_OR_WITHOUT_SCHEMA):
            if not path:
                yield ref
                continue
            table = catalog.table_by_ref[ref]
            paths = paths_called(table, path)
            yield from (ColumnRef(ref, path) for path in paths)
            if not paths:
                missed.append((table, key(path)))


def _no_column(table: Table, path: str) -> NameLookupError:
    paths = {key(column.path): column.path for column in table.columns}
    near = [paths[near_path] for near_path in close(path, paths, _SHOWN_NEIGHBOURS, _NEAR_IN_TABLE)]
    hint = (
        f"did you mean {_listed(near)}?"
        if near
        else f"it has {_listed(list(paths.values()), _SHOWN_CHOICES)}"
    )
    return NameLookupError(f"{spelled(table.ref)} has no column `{path}`", hint=hint)


def _no_table(name: str, catalog: Catalog) -> NameLookupError:
    near = _near_names(key(name), catalog)
    hint = (
        f"did you mean {_listed(near)}?" if near else "write schema.table, or schema.table.column"
    )
    return NameLookupError(f"no table is called `{name}`", hint=hint)


def _near_names(wanted: str, catalog: Catalog) -> list[str]:
    """
    Tables of a similar name, then columns of just that name: the table may have been left out.
    """
    tables = TableIndex(names_of(catalog, own_name), key)
    near = [
        str(ref)
        for by_name in (tables.by_full_name, tables.by_short_name)
        for name in close(wanted, by_name, _SHOWN_NEIGHBOURS, _NEAR)
        for ref in by_name[name]
    ]
    near += [
        f"{table.ref}.{column.path}"
        for table in catalog.tables
        for column in table.columns
        if key(column.path) == wanted
    ]
    return list(dict.fromkeys(near))


def _listed(choices: Sequence[object], most: int = _SHOWN_NEIGHBOURS) -> str:
    shown = ", ".join(spelled(choice) for choice in choices[:most])
    return f"{shown} and {len(choices) - most} more" if len(choices) > most else shown
