"""
Builds the statement: enters a frame with one meaning a part, leaves the tree of a `select`, and what is doubtful in it.

Aggregates are taken from the table whose rows they are about. A join that repeats these rows is never summed over:
rows are counted by their key, and other sums are refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from linker.sql.simple.conditions import COMPARED, Conditions, as_number
from linker.sql.simple.errors import CannotWriteError
from linker.sql.simple.frame import SUMMED, Item
from linker.sql.simple.joining import Tree
from linker.sql.simple.moments import Times
from linker.sql.simple.names import table_of
from linker.sql.simple.parts import Parts
from linker.sql.simple.phrases import BACKWARDS
from linker.sql.simple.sources import Selected, Sources, read_from
from linker.types import ColumnRef, Ref, TableRef

_CENTS = re.compile(r"_(?:cents?|pence|ct)$")
_AGGREGATES = {"avg": exp.Avg, "sum": exp.Sum, "max": exp.Max, "min": exp.Min, "median": exp.Median}


@dataclass(frozen=True, slots=True)
class Built:
    """The tree, and where only the first rows are asked for, one that tells whether the last place is shared."""

    tree: exp.Select
    tables: tuple[TableRef, ...]
    ties: exp.Select | None = None


class Builder:
    """Builds one statement."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._frame, self._resolved = parts, parts.frame, parts.resolved
        self._names, self._joins, self._write = parts.names, parts.joins, parts.write

    def build(self) -> Built:
        """The statement; CannotWriteError where it would be wrong."""
        items = list(self._items())
        groups = self._groups(items)
        if not items and not groups:
            raise CannotWriteError("nothing that is asked for is named in the linked schema")
        sources = Sources(self._parts, items, groups)
        tree, branches = sources.split(sources.tree())
        times = Times(self._parts)
        units = [times.unit(unit, tree) for unit in self._frame.units]
        named = [exp.alias_(one.copy(), unit, copy=False) for one, unit in zip(units, self._frame.units, strict=True)]
        select = exp.Select(expressions=[*named, *self._selected(groups, items, tree)])
        select = read_from(select, tree, self._write)
        for condition in Conditions(self._parts).all(tree, branches):
            select = select.where(condition, copy=False)
        if groups and (self._is_aggregated or self._frame.is_grouped_by_items):
            apart = dict.fromkeys((*groups, *self._keys(items)))
            select = select.group_by(*map(self._write.column, apart), copy=False)
        if units:
            select = select.group_by(*units, copy=False).order_by(*(one.copy() for one in units), copy=False)
        select = self._having(select, tree)
        select = self._ordered(select, tree)
        if self._is_list_of_repeated(items, tree):
            select = _each_once(select)
        self._tell_doubts(tree)
        tables = (*tree.tables, *(table for one in branches for table in one.branch.tables))
        return Built(select, tables, _with_ties(select))

    @property
    def _is_aggregated(self) -> bool:
        frame = self._frame
        return (
            any(item.aggregate for item in frame.items)
            or any(one.is_count or one.is_sum for one in frame.orders)
            or bool(frame.having)
        )

    def _items(self) -> Iterator[tuple[Item, ColumnRef | TableRef | None]]:
        """What is selected: columns, or tables whose rows are counted; a table alone is known by its name."""
        frame = self._frame
        for head in frame.heads:
            if headed := self._resolved.table(head):
                yield Item(head), self._naming(headed)
        for item in frame.items:
            ref = self._resolved.refs.get(item.name) if item.name else None
            if item.aggregate is not None or ref not in self._aggregated_refs:
                yield self._item(item, ref)
        if not frame.items and not frame.groups and frame.mentioned:
            first = self._resolved.table(frame.mentioned[0])
            if first:
                yield Item(frame.mentioned[0]), self._naming(first)

    def _item(self, item: Item, ref: Ref | None) -> tuple[Item, Ref | None]:
        """One thing to select, and what it is of."""
        if item.name and ref is None:
            raise CannotWriteError(f"“{item.name.text}” is not found in the linked schema")
        if isinstance(ref, ColumnRef) and item.aggregate == "count" and self._names.is_measure(ref):
            # How many points there are is their sum; how many cylinders one car has, stands in its row.
            self._parts.doubt(f"{ref.path} is summed")
            return replace(item, aggregate=None if self._frame.limit or item.is_distinct else "sum"), ref
        return item, self._naming(ref) if isinstance(ref, TableRef) and item.aggregate != "count" else ref

    def _keys(self, items: Selected) -> Iterator[ColumnRef]:
        """The keys of tables whose rows are shown by a name that several may share: each stays a row of its own."""
        for item, shown in items:
            table = self._resolved.refs.get(item.name) if item.name and item.aggregate is None else None
            is_shared = (
                isinstance(table, TableRef) and isinstance(shown, ColumnRef) and not self._names.is_unique(shown)
            )
            if isinstance(table, TableRef) and is_shared and (key := self._names.key_of(table)):
                yield key

    @property
    def _aggregated_refs(self) -> set[Ref]:
        """What is summed or averaged: the same column is nothing to group by."""
        told = [one.name for one in self._frame.items if one.aggregate in SUMMED and one.name]
        return {ref for name in told if (ref := self._resolved.refs.get(name)) is not None}

    def _naming(self, table: TableRef) -> ColumnRef:
        found = self._names.naming(table) or self._names.key_of(table)
        if found is None:
            raise CannotWriteError(f"no column of {table} tells what its rows are called")
        if self._names.naming(table) is None:
            self._parts.doubt(f"rows of {table} have no name, their key is shown")
        return found

    def _groups(self, items: Selected) -> list[ColumnRef]:
        """What rows are grouped by: what is said, and beside aggregates whatever else is selected."""
        groups: dict[ColumnRef, None] = {}
        for chunk in self._frame.groups:
            ref = self._resolved.refs.get(chunk)
            if ref is None:
                raise CannotWriteError(f"“{chunk.text}” is not found in the linked schema")
            shown = [
                one for item, one in items if isinstance(one, ColumnRef) and item.aggregate is None and one.table == ref
            ]
            if shown:
                # Its rows are told by what is shown of them.
                groups.update(dict.fromkeys(shown))
                continue
            column = self._naming(ref) if isinstance(ref, TableRef) else ref
            groups[column] = None
            if isinstance(ref, TableRef) and not self._names.is_unique(column):
                self._tell_apart(ref, column, groups)
        if self._is_aggregated or self._frame.is_grouped_by_items:
            groups.update((ref, None) for item, ref in items if isinstance(ref, ColumnRef) and item.aggregate is None)
        return list(groups)

    def _tell_apart(self, table: TableRef, column: ColumnRef, groups: dict[ColumnRef, None]) -> None:
        """Rows that share a name are told apart by a code that people read; else it is said that they may share it."""
        code = self._names.code_of(table)
        if code and code != column:
            groups[code] = None
        self._parts.doubt(f"several rows of {table} may share one {column.path}")

    def _selected(self, groups: list[ColumnRef], items: Selected, tree: Tree) -> Iterator[exp.Expr]:
        shown = [ref for _, ref in items if isinstance(ref, ColumnRef)]
        for column in groups:
            if column not in shown:
                yield self._write.column(column)
        # What is named twice is shown once.
        for item, ref in dict.fromkeys((replace(item, name=None), ref) for item, ref in items):
            if item.aggregate == "count":
                yield self._count(item, ref, tree)
            elif not isinstance(ref, ColumnRef):
                continue
            elif item.aggregate:
                yield self._aggregated(item, ref)
            else:
                yield self._in_units(self._write.column(ref), ref, self._write.plain(ref.path))

    def _count(self, item: Item, ref: ColumnRef | TableRef | None, tree: Tree) -> exp.Expr:
        if isinstance(ref, ColumnRef):
            if not item.is_distinct:
                self._parts.doubt(f"values of {ref.path} are counted once each")
            counted = exp.Count(this=exp.Distinct(expressions=[self._write.column(ref)]))
            return exp.alias_(counted, f"{self._write.plain(ref.path)}_count", copy=False)
        return exp.alias_(self._rows(tree), f"{self._write.plain(tree.root.name)}_count", copy=False)

    def _rows(self, tree: Tree) -> exp.Expr:
        """How many rows of the root there are, each once."""
        key = self._names.key_of(tree.root)
        if tree.repeating and key:
            return exp.Count(this=exp.Distinct(expressions=[self._write.column(key)]))
        return exp.Count(this=exp.Star())

    def _aggregated(self, item: Item, ref: ColumnRef) -> exp.Expr:
        written = self._write.column(ref)
        if item.aggregate in SUMMED and not self._names.is_number(ref):
            self._parts.doubt(f"{ref.path} holds texts, which are read as numbers")
            written = exp.TryCast(this=written, to=exp.DataType.build("double"))
        made: exp.Expr = _AGGREGATES[item.aggregate or "max"](this=written)
        name = f"{item.aggregate}_{self._write.plain(ref.path)}"
        whole = self._in_units(made, ref, name)
        return exp.alias_(made, name, copy=False) if whole is made else whole

    def _in_units(self, made: exp.Expr, ref: ColumnRef, name: str) -> exp.Expr:
        """What a column keeps in cents as whole units, and called so."""
        if (scale := self._parts.scale(ref)) == 1:
            return made
        return exp.alias_(exp.Div(this=made, expression=as_number(scale)), _CENTS.sub("", name), copy=False)

    def _having(self, select: exp.Select, tree: Tree) -> exp.Select:
        for one in self._frame.having:
            compared = COMPARED[one.operator](this=self._rows(tree), expression=as_number(one.number))
            select = select.having(compared, copy=False)
            if one.operator in ("<", "<=", "<>") or one.number == 0:
                self._doubt_missing(tree)
        return select

    def _doubt_missing(self, tree: Tree) -> None:
        """What has none of the rows that are counted is in no group: told, unless the profiles say there is no such."""
        for step in tree.steps:
            if step.pair.left == step.parent and not self._names.is_covered(step.pair):
                self._parts.doubt(f"what has no row of {step.parent} is not shown")

    def _ordered(self, select: exp.Select, tree: Tree) -> exp.Select:
        for order in self._frame.orders:
            if order.is_count:
                by, descending = self._rows(tree), order.is_descending
                if not descending:
                    self._doubt_missing(tree)
            else:
                ref = self._resolved.column(order.by) if order.by else None
                if ref is None and order.by and (table := self._resolved.table(order.by)):
                    ref = self._naming(table)
                if ref is None:
                    raise CannotWriteError("what rows are ordered by is not found in the linked schema")
                written = self._write.column(ref)
                by, descending = exp.Sum(this=written) if order.is_sum else written, order.is_descending
                if order.hint in BACKWARDS and not self._names.is_measure(ref):
                    descending = not descending
                if self._frame.limit and self._is_aggregated and not self._frame.is_grouped_by_items:
                    raise CannotWriteError("a sum over the first rows alone is asked for")
            select = select.order_by(exp.Ordered(this=by, desc=descending, nulls_first=False), copy=False)
        return select.limit(self._frame.limit, copy=False) if self._frame.limit else select

    def _is_list_of_repeated(self, items: Selected, tree: Tree) -> bool:
        """Whether rows of what is listed would come several times, or are asked for once each."""
        if self._is_aggregated:
            return False
        if self._frame.is_distinct:
            return True
        selected = {table_of(ref) for _, ref in items if ref is not None}
        seen = [found for one in sorted(selected) if (found := self._joins.rooted(frozenset(tree.tables), one))]
        if not seen:
            return False
        home = min(seen, key=lambda one: (len(one.repeating), one.root))
        repeats = any(selected.isdisjoint(home.leads_to(step)) for step in home.repeating)
        return repeats and not self._frame.orders

    def _tell_doubts(self, tree: Tree) -> None:
        for table in sorted(tree.tables):
            self._parts.doubt_table(table)
        for step in tree.steps:
            self._parts.doubt_join(step)
        for rival in tree.rivals:
            columns = " and ".join(rival.left_columns)
            self._parts.doubt(f"{rival.left} and {rival.right} join by {columns} too")


def _each_once(select: exp.Select) -> exp.Select:
    """The rows without repeats; what orders them has to be among what is shown."""
    order = select.args.get("order")
    shown = [one.unalias() for one in select.expressions]
    if order and any(one.this not in shown for one in order.expressions):
        raise CannotWriteError("what is listed once is ordered by something that is not listed")
    return select.distinct(copy=False)


def _with_ties(select: exp.Select) -> exp.Select | None:
    """One row more, with what rows are ordered by as the last column: it tells whether the last place is shared."""
    limit, order = select.args.get("limit"), select.args.get("order")
    if limit is None or order is None:
        return None
    by = order.expressions[-1].this.copy()
    return select.select(exp.alias_(by, "shared_place", copy=False)).limit(int(limit.expression.name) + 1)
