"""
Propagation of masked columns through a statement.

A mark passes through sub-queries, CTEs, stars, renaming and `union all` (see
`linker.sql_analysis`). Operations that would treat marks as values without showing it are refused:
`distinct`, `group by`, `order by` and `union` below the outermost query.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.values import (
    ColumnSource,
    Node,
    Relation,
    Source,
    UnionValue,
    Value,
    leaves,
)
from linker.sql_policy.allowlist import refused
from linker.sql_policy.tables import ReadTable
from linker.sql_policy.visible_tables import HIDE, MASK
from linker.types import ColumnRef, Record


class Mask(Record, frozen=True):
    """A masked column of a source table."""

    # Node id, since a statement may read a table twice.
    node: int
    column: str
    # Name for messages.
    ref: str


class Masked(ColumnSource, frozen=True):
    """Values of a masked column."""

    mask: Mask


@dataclass
class MaskedUses:
    """Uses of masked columns, by table node and column."""

    # Literals compared with it.
    compared: defaultdict[int, defaultdict[str, list[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    # Columns of which only the distinct count is revealed.
    counted: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))


Masks = frozenset[Mask]
NONE: Masks = frozenset()


def relation_of(read: ReadTable) -> Relation:
    """Columns of a table as probes see them."""
    columns: list[tuple[str, Value]] = []
    hidden: dict[str, str] = {}
    for name, level in read.table.privacy_by_folded_name().items():
        ref = ColumnRef(read.table.ref, name)
        nodes = (Node(name, ref),)
        if level == HIDE:
            hidden[name] = str(ref)
        elif level == MASK:
            columns.append((name, Masked(nodes, Mask(id(read.node), name, str(ref)))))
        else:
            columns.append((name, ColumnSource(nodes)))
    return Relation(tuple(columns), hidden=hidden)


def masks_in(*values: Value) -> Masks:
    """Masked columns within values."""
    values_passed = leaves(UnionValue(values))
    return frozenset(leaf.mask for leaf in values_passed if isinstance(leaf, Masked))


def masks_of(*relations: Relation) -> Masks:
    """Masked columns under all names."""
    return NONE.union(*(masks_in(*relation.values()) for relation in relations))


def masks_called(name: str, relation: Relation) -> Masks:
    """Masked columns that a name may refer to."""
    matching = [value for column, value in relation.columns if column.casefold() in (name, "")]
    if relation.element is not None:
        matching.append(relation.element)
    return masks_in(*matching)


def masks_around(sources: Iterable[Source]) -> Masks:
    """Masked columns of a `select`'s sources."""
    return masks_of(*(source.relation for source in sources))


def is_outermost(query: exp.Expr) -> bool:
    """Whether a query produces the statement's output."""
    while query.parent is not None:
        if not isinstance(query.parent, exp.SetOperation | exp.Subquery) or query.arg_key not in (
            "this",
            "expression",
        ):
            return False
        query = query.parent
    return True


def check_marks(query: exp.Expr, reading: Reading) -> None:
    """Refuse queries that process marks as values invisibly."""
    for node in query.find_all(exp.Select, exp.SetOperation, exp.Pivot, exp.Columns):
        if isinstance(node, exp.Pivot):
            _check_pivot(node, reading)
        elif isinstance(node, exp.Columns):
            _check_columns(node, reading)
        elif isinstance(node, exp.Select | exp.SetOperation):
            _check_query(node, reading)


def _check_query(query: exp.Select | exp.SetOperation, reading: Reading) -> None:
    shows = is_outermost(query)
    if isinstance(query, exp.SetOperation):
        is_plain = isinstance(query, exp.Union) and (not query.args.get("distinct") or shows)
        if not is_plain:
            parts = [made_by(part, reading) for part in (query.this, query.expression)]
            _check(masks_of(*parts), "a set of")
    if shows:
        return
    made = made_by(query, reading)
    if isinstance(query, exp.Select) and (query.args.get("group") or query.args.get("distinct")):
        _check(masks_of(made), "grouping below the outermost query by")
    order = query.args.get("order")
    for key in order.expressions if order else ():
        _check(_sorted_by(key.this, made), "sorting by")


def made_by(query: exp.Expr, reading: Reading) -> Relation:
    """Output of a query; unread ones are not understood."""
    made = reading.relations.get(id(query))
    if made is None:
        raise refused("forbidden_construct", "it holds a query where none belongs")
    return made


def _sorted_by(key: exp.Expr, made: Relation) -> Masks:
    """Masked columns of a sort key by number, alias or `all`."""
    if isinstance(key, exp.Literal) and key.name.isdecimal():
        position = int(key.name) - 1
        is_known = made.is_listed and 0 <= position < len(made.columns)
        return masks_in(made.columns[position][1]) if is_known else masks_of(made)
    name = key.name.casefold() if isinstance(key, exp.Column | exp.Var) else ""
    if name == "all":
        return masks_of(made)
    return masks_called(name, made) if name else NONE


def _check_pivot(pivot: exp.Pivot, reading: Reading) -> None:
    """Unnamed columns of a pivot group it; unpivoting all columns makes values of them."""
    around = pivot.find_ancestor(exp.Select)
    takes_all = pivot.args.get("unpivot") and pivot.find(exp.Star, exp.Columns)
    if takes_all or (around is not None and not (is_outermost(around) and around.is_star)):
        _check(masks_around(reading.sources.get(id(pivot), ())), "turning")


def _check_columns(columns: exp.Columns, reading: Reading) -> None:
    """COLUMNS() over masked columns is permitted only in the select list."""
    node: exp.Expr = columns
    if isinstance(columns.parent, exp.Alias | exp.AggFunc):
        node = columns.parent
    around = node.parent
    if not isinstance(around, exp.Select) or not is_outermost(around):
        value = reading.values.get(id(columns))
        select = columns.find_ancestor(exp.Select)
        # Unread sources may be any.
        may_be = masks_around(reading.sources.get(id(select), ()))
        _check(may_be if value is None else masks_in(value), "computing with all of")


def _check(masks: Iterable[Mask], what: str) -> None:
    for mask in masks:
        raise refused(
            "masked_column", f"{mask.ref} is masked: {what} such values would work on marks"
        )
