"""
Sources around a place of a statement, and the names that columns have there.

Of some sources nobody can list the columns (a table function, a pivot): they are open and hold any
name alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import field
from sqlglot import exp

from linker.guard.known import HIDE
from linker.guard.tables import ReadTable, definition, sources_of
from linker.types import Record
from linker.warehouses.base.dialect import Dialect


class OutputSource(Record, frozen=True):
    """Source in a `from` under its names; `columns` is None where any name may be a column."""

    names: frozenset[str] = frozenset()
    columns: frozenset[str] | None = frozenset()
    # Where any name may be a column, those that the statement gives: behind their dots stand
    # fields.
    given: frozenset[str] = frozenset()
    read: ReadTable | None = None
    hidden: Mapping[str, str] = field(default_factory=dict)
    item: exp.Expr | None = None
    # Where a name is that of something that the query itself selects.
    value: exp.Expr | None = None

    def is_around(self, node: exp.Expr) -> bool:
        """Find a place that lies inside of this source, which cannot see itself."""
        above: exp.Expr | None = node
        below: exp.Expr | None = node
        while above is not None and above is not self.item:
            above, below = above.parent, above
        return (
            above is not None
            and below is not None
            and below.arg_key not in ("joins", "laterals", "pivots")
        )

    def holds_hidden(self, steps: Sequence[str]) -> bool:
        """Tell whether a name leads to a hidden column of this source."""
        names = (".".join(steps[:cut]) for cut in range(len(steps) - 1, 0, -1))
        return steps[0] in self.hidden or any(name in self.names for name in names)

    def holds(self, steps: Sequence[str]) -> bool:
        """Tell whether a name with dots leads to this source."""
        for cut in range(min(len(steps) - 1, 3), 0, -1):
            if ".".join(steps[:cut]) in self.names:
                return self.columns is None or steps[cut] in self.columns
        if self.columns is None:
            return len(steps) == 1 or steps[0] in self.given
        return steps[0] in self.columns or self.is_row(steps[0])

    def column_of(self, steps: Sequence[str]) -> str:
        """The step of a name with dots that is the column."""
        cuts = range(min(len(steps) - 1, 3), 0, -1)
        return next((steps[cut] for cut in cuts if ".".join(steps[:cut]) in self.names), steps[0])

    def is_row(self, name: str) -> bool:
        """Tell whether a name is that of the source and of no column: its whole row."""
        return bool(name) and name in self.names and not (self.columns and name in self.columns)


class Outputs:
    """Works out, once each, what queries and sources are called and hold."""

    def __init__(self, tables: Sequence[ReadTable], dialect: Dialect) -> None:
        self._reads = {id(read.node): read for read in tables}
        self._dialect = dialect
        self._sources: dict[int, tuple[OutputSource, ...]] = {}
        self._of_query: dict[int, frozenset[str] | None] = {}

    def around(self, node: exp.Expr) -> tuple[OutputSource, ...]:
        """The sources of a `select`; of other nodes, those that their clauses see."""
        if id(node) not in self._sources:
            self._sources[id(node)] = self._found(node)
        return self._sources[id(node)]

    def _found(self, node: exp.Expr) -> tuple[OutputSource, ...]:
        if isinstance(node, exp.Select):
            return tuple(self._source(item, name) for name, item in sources_of(node))
        if isinstance(node, exp.SetOperation | exp.Subquery) and node.args.get("order"):
            return (OutputSource(columns=self._columns(node), item=node),)
        if isinstance(node, exp.Pivot):
            inside = node.this if isinstance(node.this, exp.Expr) else node.parent
            is_in_from = inside is not None and inside is not node.this
            return (
                (OutputSource(columns=None),)
                if inside is None
                else (self._source(inside, "", bare=is_in_from),)
            )
        return ()

    def given(self, node: exp.Expr, name: str) -> exp.Expr | None:
        """What a `select` selects under a name that it gives to it."""
        items = node.expressions if isinstance(node, exp.Select) else ()
        return next((item for item in items if item.alias.casefold() == name), None)

    def _source(self, item: exp.Expr, name: str, *, bare: bool = False) -> OutputSource:
        alias = item.args.get("alias")
        renamed = (
            [column.name.casefold() for column in alias.columns]
            if isinstance(alias, exp.TableAlias)
            else []
        )
        if isinstance(place := item.args.get("offset"), exp.Identifier):
            renamed.append(place.name.casefold())
        names = {name} if name else set()
        if item.args.get("pivots") and not bare:
            return OutputSource(frozenset(names), None, read=self._reads.get(id(item)), item=item)
        read = self._reads.get(id(item))
        if read is not None:
            table = read.known
            schema = table.ref.schema.casefold()
            names |= {f"{schema}.{name}"} if name else set()
            seen = {column for column, privacy in table.columns.items() if privacy != HIDE}
            hidden = {
                column: f"{table.ref}.{column}"
                for column, privacy in table.columns.items()
                if privacy == HIDE
            }
            return OutputSource(
                frozenset(names),
                frozenset(seen) | frozenset(renamed),
                frozenset(),
                read,
                hidden,
                item,
            )
        columns = self._columns_of(item, name)
        listed = None if columns is None else columns | frozenset(renamed)
        return OutputSource(frozenset(names), listed, frozenset(renamed), item=item)

    def _columns_of(self, item: exp.Expr, name: str) -> frozenset[str] | None:
        if isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier):
            defined = definition(item, self._dialect)
            return self._of_definition(defined) if defined else None
        inside = item if isinstance(item, exp.Values | exp.Unnest) else item.this
        if isinstance(inside, exp.Subquery | exp.Values) or isinstance(item, exp.Subquery):
            return self._columns(inside)
        return _of_function(inside, name) if self._dialect.may_call_behind_dots else None

    def _of_definition(self, defined: exp.CTE) -> frozenset[str] | None:
        columns = self._columns(defined.this)
        renamed = {column.name.casefold() for column in defined.args["alias"].columns}
        return None if columns is None else columns | renamed

    def _columns(self, query: exp.Expr) -> frozenset[str] | None:
        """
        The columns that a query makes; a query that reads itself is open while it is looked at.
        """
        if id(query) not in self._of_query:
            self._of_query[id(query)] = None
            if isinstance(query, exp.SetOperation):
                # What its second part sees of it, where it repeats.
                self._of_query[id(query)] = self._columns(query.this)
            self._of_query[id(query)] = self._made(query)
        return self._of_query[id(query)]

    def _made(self, query: exp.Expr) -> frozenset[str] | None:
        if isinstance(query, exp.Subquery):
            return self._columns(query.this)
        if isinstance(query, exp.Values):
            row = query.expressions[0] if query.expressions else None
            width = len(row.expressions) if isinstance(row, exp.Tuple) else 1
            numbered = frozenset(f"column{place + 1}" for place in range(width))
            return numbered if self._dialect.may_call_behind_dots else None
        if isinstance(query, exp.SetOperation):
            parts = [query.this, query.expression] if query.args.get("by_name") else [query.this]
            return _united(self._columns(part) for part in parts)
        if not isinstance(query, exp.Select) or query.args.get("kind"):
            return None
        return _united([self._of_item(item, query) for item in query.expressions])

    def _of_item(self, item: exp.Expr, select: exp.Select) -> frozenset[str] | None:
        if item.is_star:
            qualifier = item.table.casefold() if isinstance(item, exp.Column) else ""
            if item.find(exp.Star, exp.Columns) is not item and not isinstance(item, exp.Column):
                return None
            sources = [
                source
                for source in self.around(select)
                if not qualifier or qualifier in source.names
            ]
            star = item.find(exp.Star)
            renames = (star.args.get("rename") if star else None) or ()
            return _united(
                [
                    *(source.columns for source in sources),
                    frozenset(alias.alias.casefold() for alias in renames),
                ]
            )
        name = item.alias_or_name or item.output_name
        if isinstance(item, exp.Func) and not item.alias:
            # Warehouses call such a column differently; only where dots may call does a wrong name
            # do more than fail.
            return (
                frozenset({item.name.casefold(), item.key})
                if self._dialect.may_call_behind_dots
                else None
            )
        return frozenset({name.casefold()})


def _of_function(function: object, name: str) -> frozenset[str]:
    """
    The columns of a function in a `from`, where any other name behind a dot is read as a call.
    """
    called = function.name or function.key if isinstance(function, exp.Expr) else ""
    pairs = {"key", "value"} if re.search(r"json\w*_each", called, re.IGNORECASE) else set()
    elements = {"value"} if re.search(r"json\w*_array_elements", called, re.IGNORECASE) else set()
    return frozenset({name, called.casefold(), "ordinality"} | pairs | elements)


def _united(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    listed = list(parts)
    if any(part is None for part in listed):
        return None
    return frozenset().union(*(part for part in listed if part is not None))
