"""
Resolves names of tables and columns as models and people write them.

A name of a model is repaired only if exactly one match is possible: other case, missing schema, a
shard of a family, quotes, one or two typos, or a column that only one of the given tables has. A
lookup ignores case and quotes, accepts a missing schema or a shard's name, and otherwise fails with
suggestions.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from linker.errors import NameLookupError
from linker.identifiers.table_index import (
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
from linker.text.escaping import escape_invisible
from linker.types import Catalog, ColumnRef, Record, Ref, Table, TableRef

# Minimum similarity of a typo; less is only suggested.
_SLIP = 0.9
_NEAR = 0.6
_MAX_NEAR = 3
CUT = "…"
# Decoration of a name: kind, type, alias, referenced key.
_KIND = re.compile(r"^(?:table|view|column|field)\s+", re.IGNORECASE)
_TYPE = (
    r"(?:(?:big|small|tiny|hug)?int(?:eger)?\d*|number|numeric|decimal|float\d*|double(?: precision)?|real|bool(?:ean)?"  # noqa: E501
    r"|(?:var)?char|text|string|date|time|timestamp\w*|datetime|jsonb?|variant|array|struct|uuid|blob|bytes"
    r"|primary key|pk|fk)"
    r"(?:\([\d, ]*\))?"
)


_AFTER = re.compile(rf"\s*(?:::\s*\w.*|·.*|\s\({_TYPE}\)|:?\s+{_TYPE}|\s+as\s+\w+)$", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:->|→)\s*")
_CALL = re.compile(r"^([^\s()]+)\(([^\s()]+)\)$")
_AS_WRITTEN = ({Fit.SAME}, {Fit.ABSENT})
_ANYHOW = (*_AS_WRITTEN, {Fit.LONGER})
_SHOWN_CHOICES = 12
_SHOWN_NEIGHBOURS = 4
_NEAR_IN_TABLE = 0.5
_WITH_OR_WITHOUT_SCHEMA = {Fit.SAME, Fit.ABSENT}


class Unknown(Record, frozen=True):
    """A name with no match or several, and suggestions."""

    name: str
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        return escape_invisible(
            f"{self.name} (near: {', '.join(self.near)})" if self.near else self.name
        )


class Names:
    """Names of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._index = TableIndex(names_of(catalog, own_name, members), key)

    def table(self, name: str) -> TableRef | Unknown:
        """Resolve a table name, with repair."""
        resolved = (self._table(form) for form in _forms(name))
        return next((ref for ref in resolved if isinstance(ref, TableRef)), self._table(name))

    def column(self, name: str, among: Sequence[TableRef] = ()) -> ColumnRef | Unknown:
        """
        Resolve a column name, with repair; an unqualified one is searched in the tables of `among`.
        """
        resolved = (self._column(form, among) for form in _forms(name))
        return next(
            (ref for ref in resolved if isinstance(ref, ColumnRef)), self._column(name, among)
        )

    def is_name_of(self, name: str, ref: Ref) -> bool:
        """Whether a name is the item's own, up to case, quotes and surrounding text."""
        return any(self._is_called(form, ref) for form in _forms(name))

    def _is_called(self, name: str, ref: Ref) -> bool:
        if isinstance(ref, TableRef):
            return ref in self._resolve(name)
        table, steps = self._catalog.table_by_ref[ref.table], name.split(".")
        for cut in range(1, len(steps)):
            if ref.table in self._resolve(".".join(steps[:cut])):
                path = ".".join(steps[cut:])
                if path.endswith(CUT) or ref.path in paths_called(table, path):
                    return True
        return False

    def _table(self, name: str) -> TableRef | Unknown:
        matches = self._resolve(name)
        if matches:
            return (
                matches[0]
                if len(matches) == 1
                else Unknown(name, tuple(map(str, matches[:_MAX_NEAR])))
            )
        return self._alike(name)

    def _column(self, name: str, among: Sequence[TableRef]) -> ColumnRef | Unknown:
        steps = name.split(".")
        for cut in range(len(steps) - 1, 0, -1):
            # Do not repair table and column at once.
            tables = self._resolve(".".join(steps[:cut]))
            if len(tables) == 1 and (
                path := _path(".".join(steps[cut:]), self._catalog.table_by_ref[tables[0]])
            ):
                return ColumnRef(tables[0], path)
        return self._in_any(name, among)

    def find(self, name: str, among: Sequence[TableRef] = ()) -> Ref | Unknown:
        """Resolve to a table, else to a column."""
        tables = self._resolve(name, _AS_WRITTEN)
        if len(tables) == 1:
            return tables[0]
        column = self.column(name, among)
        return column if isinstance(column, ColumnRef) or "." in name else self.table(name)

    def _resolve(self, name: str, tiers: Sequence[set[Fit]] = _ANYHOW) -> list[TableRef]:
        """Tables that match without repair except for case, quotes and qualifiers."""
        for fits in tiers:
            if matches := self._index.resolve(name, fits):
                return [ref for ref in matches if str(ref) == name] or matches
        return []

    def _alike(self, name: str) -> TableRef | Unknown:
        """The only table within a typo; qualifiers before the schema are optional."""
        steps = key(name).split(".")
        near: list[TableRef] = []
        for start in range(max(len(steps) - 2, 0), -1, -1):
            written = ".".join(steps[start:])
            by_name = self._index.by_full_name if "." in written else self._index.by_short_name
            sure = _tables_close(written, by_name, _MAX_NEAR, _SLIP)
            if len(sure) == 1:
                return sure[0]
            near = _tables_close(written, by_name, _MAX_NEAR, _NEAR)
        return Unknown(name, tuple(map(str, near[:_MAX_NEAR])))

    def _in_any(self, name: str, among: Sequence[TableRef]) -> ColumnRef | Unknown:
        """The column, if only one of the tables has it."""
        path = key(name.rpartition(".")[2])
        tables = [self._catalog.table_by_ref[ref] for ref in among]
        matches: list[ColumnRef] = []
        for table in tables:
            for column in table.columns:
                if path in (key(column.path), key(column.path.rpartition(".")[2])):
                    matches.append(ColumnRef(table.ref, column.path))
        if len(matches) == 1:
            return matches[0]
        if not matches:
            for table in tables:
                matches += [
                    ColumnRef(table.ref, near) for near in _similar_paths(path, table, 1, _NEAR)
                ]
        return Unknown(name, tuple(map(str, matches[:_MAX_NEAR])))


def _forms(name: str) -> Iterator[str]:
    """The name, then without decoration; the part before an arrow comes first."""
    plain = _AFTER.sub("", _KIND.sub("", name.strip()))
    if call := _CALL.match(plain):
        plain = f"{call[1]}.{call[2]}"
    before, *after = _ARROW.split(plain)
    if after:
        # A column with its referenced key, or a table with its column.
        yield _AFTER.sub("", before)
        yield f"{before}.{after[0]}"
    yield name
    if plain != name:
        yield plain


def _path(written: str, table: Table) -> str | None:
    """The only column of a table that a path may mean."""
    matches = paths_called(table, written)
    if written.endswith(CUT):
        # A name that was shown truncated.
        start = key(written[:-1])
        matches = [column.path for column in table.columns if key(column.path).startswith(start)]
    matches = matches or _similar_paths(key(written), table, 2, _SLIP)
    return matches[0] if len(matches) == 1 else None


def _similar_paths(written: str, table: Table, most: int, likeness: float) -> list[str]:
    paths = defaultdict[str, list[str]](list)
    for column in table.columns:
        paths[key(column.path)].append(column.path)
    return list(
        chain.from_iterable(paths[alike] for alike in close(written, paths, most, likeness))
    )


def _tables_close(
    written: str, by_name: Mapping[str, list[TableRef]], most: int, likeness: float
) -> list[TableRef]:
    """Tables with similar names, best first."""
    return list(
        chain.from_iterable(map(by_name.__getitem__, close(written, by_name, most, likeness)))
    )


def find(name: str, catalog: Catalog) -> Ref:
    """Look up a name typed by a person; NameLookupError with suggestions."""
    missed: list[tuple[Table, str]] = []
    # Most direct first: table, shard, family without `*`.
    for kind in (own_name, members, stems):
        matches = list(
            _matches(bare(name), TableIndex(names_of(catalog, kind), key), catalog, missed)
        )
        exact = [ref for ref in matches if bare(str(ref)).endswith(bare(name))]
        matches = exact if len(exact) == 1 else matches
        if len(matches) > 1:
            raise NameLookupError(
                f"`{name}` may be one of {len(matches)}",
                hint=f"choose: {_listed(matches, _SHOWN_CHOICES)}",
            )
        if matches:
            return matches[0]
    raise _no_column(*missed[-1]) if missed else _no_table(name, catalog)


def _matches(
    name: str, tables: TableIndex[TableRef], catalog: Catalog, missed: list[tuple[Table, str]]
) -> Iterator[Ref]:
    """All splits of a name into table and path; paths that a table lacks are added to `missed`."""
    steps = name.split(".")
    for cut in range(1, len(steps) + 1):
        path = ".".join(steps[cut:])
        for ref in tables.resolve(".".join(steps[:cut]), _WITH_OR_WITHOUT_SCHEMA):
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
    return NameLookupError(f"{escape_invisible(table.ref)} has no column `{path}`", hint=hint)


def _no_table(name: str, catalog: Catalog) -> NameLookupError:
    near = _near_names(key(name), catalog)
    hint = (
        f"did you mean {_listed(near)}?" if near else "write schema.table, or schema.table.column"
    )
    return NameLookupError(f"no table is called `{name}`", hint=hint)


def _near_names(wanted: str, catalog: Catalog) -> list[str]:
    """
    Tables with similar names, then columns with exactly that name, in case the table was omitted.
    """
    tables = TableIndex(names_of(catalog, own_name), key)
    near = [
        *_tables_close(wanted, tables.by_full_name, _SHOWN_NEIGHBOURS, _NEAR),
        *_tables_close(wanted, tables.by_short_name, _SHOWN_NEIGHBOURS, _NEAR),
    ]
    names = list(map(str, near))
    for table in catalog.tables:
        for column in table.columns:
            if key(column.path) == wanted:
                names.append(f"{table.ref}.{column.path}")
    return list(dict.fromkeys(names))


def _listed(choices: Sequence[object], most: int = _SHOWN_NEIGHBOURS) -> str:
    shown = ", ".join(escape_invisible(choice) for choice in choices[:most])
    return f"{shown} and {len(choices) - most} more" if len(choices) > most else shown
