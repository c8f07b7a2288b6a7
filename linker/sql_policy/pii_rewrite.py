"""
Replaces tables with hidden or masked columns by sub-queries, and verifies that nothing else is
read.

Hidden columns are not selected. A masked column becomes a mark: whether a value exists, and whether
it equals a literal that the statement compares it with. Families and wildcards are restricted to
their shards. The generated text is parsed again like untrusted SQL and may read only the tables
that the tree was left with, since a SQL generator may not round-trip.

A mark passes through sub-queries, CTEs, stars, renaming and `union all` (see
`linker.sql_analysis`). Operations that would treat marks as values without showing it are refused:
`distinct`, `group by`, `order by` and `union` below the outermost query.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.scope import definition, names_of
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
from linker.sql_policy.tables import ReadTable, is_path
from linker.sql_policy.visible_tables import (
    HIDE,
    MASK,
    MASKED,
    MAX_MEMBERS,
    KnownTable,
    KnownTables,
    TableMatch,
)
from linker.types import ColumnRef, Record
from linker.warehouses import dialect_of
from linker.warehouses.base.dialect import Dialect
from linker.warehouses.base.read_only import parsed


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
    # All that the statement names or returns.
    masks: set[Mask] = field(default_factory=set)

    @property
    def columns_compared(self) -> set[str]:
        """Columns that are compared with a literal."""
        columns = set[str]()
        for texts in self.compared.values():
            columns.update(column for column, given in texts.items() if given)
        return columns


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


_MAX_SUFFIXES = 1000
_SUFFIX = "_table_suffix"
# Names with `_table_` are reserved with wildcards.
_SUFFIX_HERE = "linker_table_suffix"
# Arguments of the FROM item rather than of the table.
_OUTSIDE = ("alias", "pivots", "joins", "laterals", "sample")


class Allowed(Record, frozen=True):
    """Tables that may be read unchanged, by name, and replacement queries by node."""

    tables: frozenset[tuple[str, ...]]
    queries: frozenset[str]
    replacing: Mapping[int, exp.Query]


def hide_private(tables: Sequence[ReadTable], uses: MaskedUses, known: KnownTables) -> Allowed:
    """Replace restricted tables; returns what may be read after rewriting."""
    dialect = dialect_of(known.dialect)
    plain: set[tuple[str, ...]] = set()
    queries: set[str] = set()
    replacing: dict[int, exp.Query] = {}
    for read in tables:
        if read.table.is_private or read.match.wildcard or len(read.match.names) > 1:
            selects = _replace(read.node, read.match, uses, dialect)
            replacing[id(read.node)] = _union(selects)
            # Some parsers keep dotted names in one identifier.
            queries.update(
                read_back(select.sql(dialect.name), dialect).sql(dialect.name) for select in selects
            )
        else:
            plain.add(names_of(read.node))
    return Allowed(frozenset(plain), frozenset(queries), replacing)


def masked_columns(tables: Sequence[ReadTable], uses: MaskedUses) -> tuple[ColumnRef, ...]:
    """Columns of which a statement uses the marks."""
    used = {(mask.node, mask.column) for mask in uses.masks}
    masked: set[ColumnRef] = set()
    for read in tables:
        for name in read.table.privacy:
            if (id(read.node), name.casefold()) in used:
                masked.add(ColumnRef(read.table.ref, name))
    return tuple(sorted(masked))


def _replace(
    node: exp.Table, match: TableMatch, uses: MaskedUses, dialect: Dialect
) -> list[exp.Select]:
    compared, counted = uses.compared[id(node)], uses.counted[id(node)]
    outside = {key: node.args[key] for key in _OUTSIDE if node.args.get(key)}
    for key in outside:
        node.set(key, None)
    reads_suffix = bool(match.wildcard) and _renames_suffix(node)
    subquery = exp.Subquery(**outside)
    node.replace(subquery)
    # System views keep their spelling.
    names = [""] if match.wildcard or match.table.is_system else match.names
    if len(names) > MAX_MEMBERS:
        raise refused(
            "too_large",
            f"{match.table.ref} has {len(names)} tables: read some of them by their own names",
        )
    selects = [
        _select(_member(node, name), name, match, compared, counted, dialect) for name in names
    ]
    if reads_suffix:
        selects[0].append("expressions", exp.alias_(exp.column(_SUFFIX), _SUFFIX_HERE))
    subquery.set("this", _union(selects))
    return selects


def _union(selects: Sequence[exp.Select]) -> exp.Query:
    body: exp.Query = selects[0]
    for select in selects[1:]:
        body = exp.Union(this=body, expression=select, distinct=False)
    return body


def _member(node: exp.Table, name: str) -> exp.Table:
    member = node.copy()
    if name:
        member.set("this", exp.to_identifier(name, quoted=True))
    return member


def _renames_suffix(node: exp.Table) -> bool:
    """Whether the statement reads the suffix, which is renamed outside the wildcard's sub-query."""
    reads_suffix = False
    for column in node.root().find_all(exp.Column):
        if column.find_ancestor(exp.Select) is not None and column.name.casefold() in (
            _SUFFIX,
            _SUFFIX_HERE,
        ):
            reads_suffix = True
            column.set("this", exp.to_identifier(_SUFFIX_HERE))
    return reads_suffix


def _select(
    node: exp.Table,
    member: str,
    match: TableMatch,
    compared: Mapping[str, list[str]],
    counted: set[str],
    dialect: Dialect,
) -> exp.Select:
    # A wildcard has the columns of the newest shard.
    lacking = match.table.lacking.get(member or match.table.physical[-1], ())
    columns: list[exp.Expr] = []
    for name, privacy in match.table.privacy.items():
        if privacy == HIDE:
            continue
        if name in lacking:
            columns.append(exp.alias_(exp.Null(), name, quoted=True))
        elif privacy == MASK and name.casefold() not in counted:
            columns.append(_masked(name, compared.get(name.casefold(), []), dialect))
        else:
            columns.append(exp.column(name, quoted=True))
    select = exp.Select(expressions=columns or [exp.Null()], from_=exp.From(this=node))
    if match.wildcard:
        select.set("where", exp.Where(this=_within(match.table, match)))
    return select


def _within(table: KnownTable, match: TableMatch) -> exp.Expr:
    """Condition that restricts a wildcard to the family's shards."""
    start = len(match.wildcard) - 1
    suffixes = sorted(name[start:] for name in match.names)
    if len(suffixes) > _MAX_SUFFIXES:
        raise refused("too_large", f"{table.ref} has {len(suffixes)} tables: narrow the wildcard")
    return exp.In(
        this=exp.column(_SUFFIX), expressions=[exp.Literal.string(suffix) for suffix in suffixes]
    )


def _masked(name: str, texts: Sequence[str], dialect: Dialect) -> exp.Expr:
    value: exp.Expr = exp.column(name, quoted=True)
    if not dialect.reads_texts_as_typed:
        value = exp.cast(value, dialect.text_type, dialect=dialect.name)
    case = exp.Case()
    # Compare as the warehouse does: `'2025-3-1'` is a date, `'007'` a number. Return the given
    # literal.
    for given in dict.fromkeys(texts):
        case = case.when(
            exp.EQ(this=value.copy(), expression=exp.Literal.string(given)),
            exp.Literal.string(given),
        )
    held = exp.Not(this=exp.Is(this=exp.column(name, quoted=True), expression=exp.Null()))
    return exp.alias_(case.when(held, exp.Literal.string(MASKED)), name, quoted=True)


def check_reads(
    written: exp.Expr, allowed: Allowed, homes: frozenset[str], dialect: Dialect
) -> None:
    """Refuse a tree that reads any other table."""
    for node in written.find_all(exp.Table):
        if isinstance(node.this, exp.Identifier | exp.Dot) and not _may_be_read(
            node, allowed, homes, dialect
        ):
            raise refused("unknown_table", f"written anew it would read {'.'.join(names_of(node))}")


def _may_be_read(
    node: exp.Table, allowed: Allowed, homes: frozenset[str], dialect: Dialect
) -> bool:
    if (
        definition(node, dialect) is not None
        or names_of(node) in allowed.tables
        or is_path(node, homes, dialect)
    ):
        return True
    select = node.find_ancestor(exp.Select)
    return (
        select is not None
        and node.parent is select.args.get("from_")
        and select.sql(dialect.name) in allowed.queries
    )


def read_back(text: str, dialect: Dialect) -> exp.Expr:
    """Parse generated text as the warehouse will."""
    try:
        [tree] = parsed(text, dialect)
    except (SqlglotError, ValueError):
        tree = None
    if tree is None:
        raise refused("not_parsed", f"it cannot be written as {dialect.name}")
    return tree
