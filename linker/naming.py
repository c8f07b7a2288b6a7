"""
What the names of a mind mean: enters a name, leaves the table or column, or the names that it may have meant.

A name is mended only where one thing alone can be meant: another case, no schema, a member of a family, quotes,
a letter or two, or a column that one of the tables at hand alone has.
"""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linker.types import Catalog, ColumnRef, Ref, Table, TableRef

# Alike enough to be a slip of the pen; what lies below is offered, not taken.
_SLIP, _NEAR = 0.9, 0.6
_MOST_NEAR = 3
_MOST_COMPARED = 5_000
CUT = "…"
_QUOTES = str.maketrans("", "", "\"`'[]")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name that leads to nothing or to several things, and what it may have meant."""

    name: str
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} (near: {', '.join(self.near)})" if self.near else self.name


class Names:
    """The names of one catalogue, read once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def table(self, name: str) -> TableRef | Unknown:
        """The table of that name."""
        key = _key(name)
        for named in (self._exact.get(name), self._full.get(key), self._short.get(key)):
            if named and len(named) == 1:
                return named[0]
            if named:
                return Unknown(name, tuple(map(str, named[:_MOST_NEAR])))
        # `database.schema.table`: what stands before is not ours.
        if key.count(".") > 1:
            shorter = self.table(name.split(".", maxsplit=1)[1])
            if not isinstance(shorter, Unknown):
                return shorter
        return self._alike(name, key)

    def column(self, name: str, among: Sequence[TableRef] = ()) -> ColumnRef | Unknown:
        """The column of that name; one without a table is looked for in the tables at hand."""
        steps = name.split(".")
        for cut in range(len(steps) - 1, 0, -1):
            table = self.table(".".join(steps[:cut])) if len(steps) > 1 else None
            if isinstance(table, TableRef) and self._is_spelt(".".join(steps[:cut]), table):
                found = self._in_table(".".join(steps[cut:]), self._catalog.table_by_ref[table])
                if not isinstance(found, Unknown):
                    return found
        return self._in_any(name, among)

    def find(self, name: str, among: Sequence[TableRef] = ()) -> Ref | Unknown:
        """The table or else the column of that name."""
        exact = self._exact.get(name) or self._full.get(_key(name)) or self._short.get(_key(name))
        if exact and len(exact) == 1:
            return exact[0]
        column = self.column(name, among)
        return column if isinstance(column, ColumnRef) else self.table(name) if "." not in name else column

    def _is_spelt(self, name: str, table: TableRef) -> bool:
        """A slip in the table and one in the column are too many guesses at once."""
        key = _key(name)
        return any(table in found.get(key, ()) for found in (self._full, self._short)) or key.count(".") > 1

    def _in_table(self, path: str, table: Table) -> ColumnRef | Unknown:
        if path in table.column_by_path:
            return ColumnRef(table.ref, path)
        paths: dict[str, list[str]] = defaultdict(list)
        for one in table.columns:
            paths[_key(one.path)].append(one.path)
        found = paths.get(_key(path), [])
        if path.endswith(CUT):
            # A name that was too long to be shown whole is said as it was shown.
            found = [one for key, same in paths.items() if key.startswith(_key(path[:-1])) for one in same]
        if not found:
            close = difflib.get_close_matches(_key(path), paths, n=2, cutoff=_SLIP)
            found = [one for key in close for one in paths[key]]
        if len(found) == 1:
            return ColumnRef(table.ref, found[0])
        near = difflib.get_close_matches(_key(path), paths, n=_MOST_NEAR, cutoff=_NEAR)
        return Unknown(path, tuple(f"{table.ref}.{one}" for key in near for one in paths[key]))

    def _in_any(self, name: str, among: Sequence[TableRef]) -> ColumnRef | Unknown:
        """The column in the one of the tables at hand that has it."""
        path = _key(name.rpartition(".")[2])
        tables = [self._catalog.table_by_ref[ref] for ref in among]
        found = [
            ColumnRef(table.ref, one.path)
            for table in tables
            for one in table.columns
            if path in (_key(one.path), _key(one.path.rpartition(".")[2]))
        ]
        if len(found) == 1:
            return found[0]
        near = found or [ref for table in tables for ref in _close(path, table)]
        return Unknown(name, tuple(map(str, near[:_MOST_NEAR])))

    def _alike(self, name: str, key: str) -> TableRef | Unknown:
        keys = self._full if "." in key else self._short
        if len(keys) > _MOST_COMPARED:
            # To compare with all would take seconds; who knows the name knows how it begins.
            start = key.rpartition(".")[2][:2]
            keys = {one: refs for one, refs in keys.items() if one.rpartition(".")[2].startswith(start)}
        close = difflib.get_close_matches(key, keys, n=_MOST_NEAR, cutoff=_NEAR)
        sure = [ref for one in close if difflib.SequenceMatcher(None, key, one).ratio() >= _SLIP for ref in keys[one]]
        if len(sure) == 1:
            return sure[0]
        return Unknown(name, tuple(str(ref) for one in close for ref in keys[one])[:_MOST_NEAR])

    @cached_property
    def _exact(self) -> dict[str, list[TableRef]]:
        return {str(table.ref): [table.ref] for table in self._catalog.tables}

    @cached_property
    def _full(self) -> dict[str, list[TableRef]]:
        return _collected((_key(f"{ref.schema}.{name}"), ref) for ref, name in self._names())

    @cached_property
    def _short(self) -> dict[str, list[TableRef]]:
        return _collected((_key(name), ref) for ref, name in self._names())

    def _names(self) -> Iterator[tuple[TableRef, str]]:
        for table in self._catalog.tables:
            members = table.family.members if table.family else ()
            yield from ((table.ref, name) for name in dict.fromkeys((table.ref.name, *members)))


def _collected(pairs: Iterable[tuple[str, TableRef]]) -> dict[str, list[TableRef]]:
    found: dict[str, list[TableRef]] = defaultdict(list)
    for key, ref in pairs:
        if ref not in found[key]:
            found[key].append(ref)
    return found


def _close(path: str, table: Table) -> list[ColumnRef]:
    paths = {_key(one.path): one.path for one in table.columns}
    return [ColumnRef(table.ref, paths[key]) for key in difflib.get_close_matches(path, paths, n=1, cutoff=_NEAR)]


def _key(name: str) -> str:
    return name.translate(_QUOTES).casefold().strip()
