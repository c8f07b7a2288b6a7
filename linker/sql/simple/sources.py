"""
Which tables a statement reads: enters what is selected, leaves the tree of joins, rooted where aggregates are right.

A join that repeats rows is never summed over: where it serves conditions alone, these become a `where exists`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from linker.sql.simple.errors import CannotWriteError
from linker.sql.simple.frame import SUMMED, Condition, Item
from linker.sql.simple.joining import Step, Tree
from linker.sql.simple.names import table_of
from linker.sql.simple.parts import Parts
from linker.sql.simple.writing import Writing
from linker.types import ColumnRef, TableRef

Selected = Sequence[tuple[Item, ColumnRef | TableRef | None]]
_TOLD_APART = ("=", "in", "during", "flag", ">", ">=", "<", "<=")


@dataclass(frozen=True, slots=True)
class Exists:
    """A branch of the joins that serves conditions alone, and what these are."""

    step: Step
    branch: Tree
    conditions: tuple[Condition, ...]


class Sources:
    """The tables of one statement."""

    def __init__(self, parts: Parts, items: Selected, groups: Sequence[ColumnRef]) -> None:
        self._parts, self._items, self._groups = parts, items, groups
        self._frame, self._resolved, self._joins = parts.frame, parts.resolved, parts.joins

    def tree(self) -> Tree:
        """The joins that connect all that is needed, with as few repeated rows as can be."""
        absent = {self._resolved.table(chunk) for chunk in self._frame.absent}
        needed = {table for ref in self._resolved.refs.values() if (table := table_of(ref)) not in absent}
        needed |= {ref.table for ref in self._groups} | {table_of(ref) for _, ref in self._items if ref is not None}
        root = self._root()
        candidates = [root] if root else sorted(needed)
        if root is None and any(item.aggregate == "count" and ref is None for item, ref in self._items):
            # How many there are of each is not said of a table: the rows of any between may be meant.
            between = self._joins.rooted(frozenset(needed), min(needed)) if needed else None
            candidates = sorted(between.tables) if between else candidates
        trees = [tree for one in candidates if (tree := self._joins.rooted(frozenset(needed), one))]
        if not trees:
            raise CannotWriteError("no join is known that connects all that is asked for")
        selected = {table_of(ref) for _, ref in self._items if ref is not None}
        return min(trees, key=lambda tree: (len(tree.repeating), tree.root not in selected, tree.root))

    def split(self, tree: Tree) -> tuple[Tree, tuple[Exists, ...]]:
        """The tree without branches that would repeat what is summed, and these by themselves."""
        if not tree.repeating:
            return tree, ()
        is_summed = any(item.aggregate in SUMMED for item, _ in self._items)
        if not is_summed and not any(one.is_sum for one in self._frame.orders):
            is_counted = self._frame.counts or self._frame.having or any(one.is_count for one in self._frame.orders)
            if is_counted and self._parts.names.key_of(tree.root) is None:
                raise CannotWriteError(f"a join would repeat rows of {tree.root}, and it has no key to count them by")
            return tree, ()
        shown = {ref.table for ref in self._groups} | {table_of(ref) for _, ref in self._items if ref is not None}
        shown |= {table for one in self._frame.orders if one.by and (table := self._resolved.table(one.by))}
        cut = list[Exists]()
        while tree.repeating:
            step = tree.repeating[0]
            behind = tree.leads_to(step)
            kept = [table for table in tree.tables if table not in behind]
            named = [table for table in sorted(behind) if table in self._resolved.tables]
            conditions = [one for one in self._frame.conditions if self._table(one, (*named, *kept)) in behind]
            if behind & shown or any(one.operator not in _TOLD_APART for one in conditions):
                raise CannotWriteError(f"a join of {step.child} would repeat rows of {step.parent}, and swell the sum")
            steps = tuple(one for one in tree.steps if one.child in behind and one is not step)
            cut.append(Exists(step, Tree(step.child, steps, tree.rivals), tuple(conditions)))
            tree = replace(tree, steps=tuple(one for one in tree.steps if one.child not in behind))
            self._parts.doubt(f"each row of {tree.root} counts once, however many of {step.child} belong to it")
        return tree, tuple(cut)

    def _table(self, condition: Condition, tables: Sequence[TableRef]) -> TableRef | None:
        """The table that a condition is on; a period that is of nothing is of the first table that has times."""
        for chunk in (condition.value, condition.name):
            if chunk and (table := self._resolved.table(chunk)):
                return table
        if condition.value and condition.value.period:
            return next((table for table in tables if self._parts.names.times_of(table)), None)
        return None

    def _root(self) -> TableRef | None:
        """The table whose rows are counted or summed, where there is one."""
        frame, resolved, items = self._frame, self._resolved, self._items
        counted = [ref for item, ref in items if item.aggregate == "count" and isinstance(ref, TableRef)]
        counted += [table for one in frame.having if (table := resolved.table(one.counted))]
        counted += [
            table for one in frame.orders if one.is_count and one.by and (table := resolved.table(one.by)) is not None
        ]
        if counted:
            if len(set(counted)) > 1:
                raise CannotWriteError("rows of several tables are counted")
            return counted[0]
        summed = {ref.table for item, ref in items if item.aggregate in SUMMED and isinstance(ref, ColumnRef)}
        summed |= {table for one in frame.orders if one.is_sum and one.by and (table := resolved.table(one.by))}
        if len(summed) > 1:
            raise CannotWriteError("sums of several tables are asked for")
        if summed:
            return summed.pop()
        mentioned = [table for chunk in frame.mentioned if (table := resolved.table(chunk))]
        return mentioned[0] if mentioned and any(item.aggregate == "count" for item in frame.items) else None


def read_from(select: exp.Select, tree: Tree, write: Writing) -> exp.Select:
    """The statement with the tables of a tree, joined."""
    select = select.from_(write.table(tree.root), copy=False)
    for step in tree.steps:
        select = select.join(write.table(step.child), on=matched(step, write), join_type="inner", copy=False)
    return select


def matched(step: Step, write: Writing) -> exp.Expr:
    """That the keys of a join are the same."""
    pair = step.pair
    return exp.and_(
        *(
            exp.EQ(
                this=write.column(ColumnRef(pair.left, left)),
                expression=write.column(ColumnRef(pair.right, right)),
            )
            for left, right in zip(pair.left_columns, pair.right_columns, strict=True)
        )
    )
