"""
Masked columns that a statement hands on: enters a query, leaves its columns with what they hold of
masked ones.

A mark goes through sub-queries, `with`, stars, renaming and `union all`, and stays one. What would
work on marks as if they were values, and not show it, is refused: `distinct`, `group by`,
`order by`, `union` below the outermost query.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from sqlglot import exp

from linker.guard.known import HIDE, MASK
from linker.guard.listed import refused
from linker.guard.outputs import Outputs, OutputSource
from linker.guard.tables import ReadTable, definition
from linker.types import Record
from linker.warehouses.base.dialect import Dialect

# Any name: which of the columns it is cannot be told.
_ANY = "*"


class Mask(Record, frozen=True):
    """A masked column of a table that is read."""

    # The identity of the node that reads it: a statement may read one table twice.
    node: int
    column: str
    # The column as a refusal names it.
    ref: str


Masks = frozenset[Mask]
NONE: Masks = frozenset()


class Handed(Record, frozen=True):
    """Columns that a query or a source hands on, with the masked ones in them."""

    columns: tuple[tuple[str, Masks], ...] = ()
    # All columns are there, in their order.
    is_whole: bool = True

    def named(self, name: str) -> Masks:
        """The masked columns under a name."""
        return frozenset().union(
            *(masks for column, masks in self.columns if column in (name, _ANY))
        )

    @property
    def all(self) -> Masks:
        """The masked columns under all names."""
        return frozenset().union(*(masks for _, masks in self.columns))

    def renamed(self, names: Sequence[str]) -> "Handed":
        """The columns with the first of them called otherwise."""
        if not names or not self.all:
            return self
        if not self.is_whole:
            return Handed(((_ANY, self.all),), is_whole=False)
        pairs = zip_longest(names, self.columns)
        return Handed(tuple((name or column[0], column[1]) for name, column in pairs if column))


class HandedOn:
    """Works out, once each, what queries and sources hand on."""

    def __init__(
        self,
        outputs: Outputs,
        find: Callable[[Sequence[str], exp.Expr], OutputSource | None],
        dialect: Dialect,
    ) -> None:
        self._outputs, self._find, self._dialect = outputs, find, dialect
        self._of_query: dict[int, Handed] = {}

    def of_name(self, steps: Sequence[str], node: exp.Expr) -> Masks:
        """The masked columns that a name with dots stands for at its place."""
        source = self._find(steps, node)
        if source is None:
            return NONE
        if source.value is not None:
            return self._of_value(source.value)
        handed = self.of_source(source)
        return (
            handed.all
            if source.is_row(steps[0]) and len(steps) == 1
            else handed.named(source.column_of(steps))
        )

    def of_source(self, source: OutputSource) -> Handed:
        """The columns of a source, under the names that it gives them."""
        item = source.item
        if item is None:
            return Handed(is_whole=False)
        alias = item.args.get("alias")
        names = (
            [name.name.casefold() for name in alias.columns]
            if isinstance(alias, exp.TableAlias)
            else []
        )
        if item.args.get("pivots"):
            return Handed(self._unaliased(item, source.read).columns, is_whole=False)
        return self._unaliased(item, source.read).renamed(names)

    def _unaliased(self, item: exp.Expr, read: ReadTable | None) -> Handed:
        if read is not None:
            seen = [
                (column, level) for column, level in read.known.columns.items() if level != HIDE
            ]
            masks = {
                name: Mask(id(read.node), name, f"{read.known.ref}.{name}")
                for name, level in seen
                if level == MASK
            }
            return Handed(
                tuple(
                    (name, frozenset({masks[name]}) if name in masks else NONE) for name, _ in seen
                )
            )
        if isinstance(item, exp.Table):
            defined = definition(item, self._dialect)
            if defined is None:
                return Handed(is_whole=False)
            return self.of_query(defined.this).renamed(
                [name.name.casefold() for name in defined.args["alias"].columns]
            )
        inside = item.this
        return (
            self.of_query(inside)
            if isinstance(inside, exp.Query | exp.Pivot)
            else Handed(is_whole=False)
        )

    def of_query(self, query: exp.Expr) -> Handed:
        """The columns that a query makes."""
        if id(query) not in self._of_query:
            # What a query that reads itself sees of it.
            self._of_query[id(query)] = (
                self.of_query(query.this) if isinstance(query, exp.SetOperation) else Handed()
            )
            self._of_query[id(query)] = self._made(query)
        return self._of_query[id(query)]

    def _made(self, query: exp.Expr) -> Handed:
        if isinstance(query, exp.Subquery):
            return self.of_query(query.this)
        if isinstance(query, exp.Pivot):
            parts = [self.of_source(source) for source in self._outputs.around(query)]
            return Handed(tuple(pair for part in parts for pair in part.columns), is_whole=False)
        if isinstance(query, exp.SetOperation):
            return _united(
                self.of_query(query.this),
                self.of_query(query.expression),
                bool(query.args.get("by_name")),
            )
        if not isinstance(query, exp.Select):
            return Handed(is_whole=False)
        parts = [self.of_item(item, query) for item in query.expressions]
        return Handed(
            tuple(pair for part in parts for pair in part.columns),
            all(part.is_whole for part in parts),
        )

    def of_item(self, item: exp.Expr, select: exp.Select) -> Handed:
        """The columns that an item of a `select` makes."""
        if not item.is_star and item.find(exp.Columns) is None:
            return Handed(
                (((item.alias_or_name or item.output_name).casefold(), self._of_value(item)),)
            )
        qualifier = item.table.casefold() if isinstance(item, exp.Column) else ""
        sources = [
            source
            for source in self._outputs.around(select)
            if not qualifier or qualifier in source.names
        ]
        parts = [self.of_source(source) for source in sources]
        star = item.find(exp.Star) or exp.Star()
        dropped = {name.name.casefold() for name in star.args.get("except_") or ()}
        given = {
            each.alias.casefold(): each.this
            for key in ("rename", "replace")
            for each in star.args.get(key) or ()
        }
        renames = {
            each.this.name.casefold(): each.alias.casefold()
            for each in star.args.get("rename") or ()
        }
        pairs = [
            (renames.get(name, name), self._of_value(given[name]) if name in given else masks)
            for part in parts
            for name, masks in part.columns
            if name not in dropped
        ]
        if not isinstance(item, exp.Star | exp.Column):
            return Handed(((_ANY, NONE.union(*(masks for _, masks in pairs))),), is_whole=False)
        # Columns that a join merges stand in a star once.
        is_merged = any(
            join.args.get("using") or join.method == "NATURAL"
            for join in select.args.get("joins") or ()
        )
        return Handed(tuple(pairs), not is_merged and all(part.is_whole for part in parts))

    def _of_value(self, value: exp.Expr) -> Masks:
        while isinstance(value, exp.Alias | exp.Paren):
            value = value.this
        if isinstance(value, exp.Column) and not isinstance(value.this, exp.Star):
            return self.of_name([part.name.casefold() for part in value.parts], value)
        return self.of_query(value).all if isinstance(value, exp.Subquery) else NONE


def _united(left: Handed, right: Handed, by_name: bool) -> Handed:
    if not right.all:
        return left
    if by_name:
        return Handed(left.columns + right.columns, is_whole=False)
    if not left.is_whole or not right.is_whole:
        return Handed((*left.columns, (_ANY, right.all)), is_whole=False)
    both = zip_longest(left.columns, right.columns, fillvalue=(_ANY, NONE))
    return Handed(tuple((first[0], first[1] | second[1]) for first, second in both))


def is_outermost(query: exp.Expr) -> bool:
    """Tell whether what a query selects is what the statement shows."""
    while query.parent is not None:
        if not isinstance(query.parent, exp.SetOperation | exp.Subquery) or query.arg_key not in (
            "this",
            "expression",
        ):
            return False
        query = query.parent
    return True


def check_marks(query: exp.Expr, handed: HandedOn) -> None:
    """Refuse a query that works on marks as if they were values where nobody sees that they are."""
    for node in query.find_all(exp.Select, exp.SetOperation, exp.Pivot, exp.Columns):
        shows = is_outermost(node)
        if isinstance(node, exp.SetOperation):
            is_plain = isinstance(node, exp.Union) and (not node.args.get("distinct") or shows)
            _check(
                NONE
                if is_plain
                else handed.of_query(node).all | handed.of_query(node.expression).all,
                "a set of",
            )
        elif isinstance(node, exp.Select) and not shows:
            made = handed.of_query(node)
            if node.args.get("group") or node.args.get("distinct"):
                _check(made.all, "grouping below the outermost query by")
            _check(NONE.union(*(_sorted_by(key.this, made) for key in _keys(node))), "sorting by")
        elif isinstance(node, exp.Pivot):
            _check_pivot(node, handed)
        elif (
            isinstance(node, exp.Columns) and (around := node.find_ancestor(exp.Select)) is not None
        ):
            place: exp.Expr | None = (
                node.parent if isinstance(node.parent, exp.Alias | exp.AggFunc) else node
            )
            if place is None or place.parent is not around or not is_outermost(around):
                _check(handed.of_item(node, around).all, "computing with all of")


def _keys(select: exp.Select) -> Iterator[exp.Expr]:
    order = select.args.get("order")
    return iter(order.expressions if order else ())


def _sorted_by(key: exp.Expr, made: Handed) -> Masks:
    """
    The masked columns that a key of `order by` means by a number, by a name that is given here, or
    by `all`.
    """
    if isinstance(key, exp.Literal) and key.name.isdecimal():
        place = int(key.name) - 1
        return made.columns[place][1] if made.is_whole and place < len(made.columns) else made.all
    name = key.name.casefold() if isinstance(key, exp.Column | exp.Var) else ""
    return made.all if name == "all" else made.named(name) if name else NONE


def _check_pivot(pivot: exp.Pivot, handed: HandedOn) -> None:
    """What is not named in a pivot groups it; an unpivot of all columns makes values of them."""
    around = pivot.find_ancestor(exp.Select)
    takes_all = pivot.args.get("unpivot") and pivot.find(exp.Star, exp.Columns)
    if takes_all or (around is not None and not (is_outermost(around) and around.is_star)):
        _check(handed.of_query(pivot).all, "turning")


def _check(masks: Iterable[Mask], what: str) -> None:
    for mask in masks:
        raise refused(
            "masked_column", f"{mask.ref} is masked: {what} such values would work on marks"
        )
