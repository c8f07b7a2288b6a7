"""
Which rows a query returns: its filters, and its grain.

Filters are followed from the outermost `select` through CTEs and sub-queries to the tables that it
reads, and into inner joins. What cannot be said in a few words is left out, and said to be.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.sql_analysis.names import output_name
from linker.sql_analysis.queries import read_query, scope_of
from linker.sql_analysis.scope import Scope, definition
from linker.sql_analysis.statements import parse
from linker.sql_analysis.tables import Tables
from linker.sql_analysis.views import Origins, origins_of
from linker.types import ColumnRef, Record

_LONGEST_FILTER = 80
_TEXT_TYPES = exp.DataType.TEXT_TYPES
_KEYWORDS = re.compile(
    r"'(?:[^']|'')*'|\"[^\"]*\"|\b(?:AND|AS|BETWEEN|CAST|CURRENT_DATE|CURRENT_TIMESTAMP|DATE|DAY|FALSE|ILIKE|IN"
    r"|INTERVAL|IS|LIKE|MONTH|NOT|NULL|OR|TIMESTAMP|TRUE|YEAR)\b"
)
_NEGATED = re.compile(r"not (\S+) (in|is|like|ilike|between) ")


class Filter(Record, frozen=True):
    """A condition that all rows fulfil, and the stored columns that it reads."""

    text: str
    columns: tuple[ColumnRef, ...]


class Contents(Record, frozen=True):
    """
    The rows of a query. `is_partial`: it has further filters. The grain are the columns that
    identify a row; empty if unknown.
    """

    filters: tuple[Filter, ...] = ()
    grain: tuple[str, ...] = ()
    is_partial: bool = False


def read_contents(sql: str, tables: Tables) -> Contents:
    """The rows of a query or of a view's definition; nothing if it cannot be read."""
    try:
        tree = parse(sql, tables.database.dialect)
        query = tree.expression if isinstance(tree, exp.Create) else tree
        if not isinstance(query, exp.Query):
            return Contents()
        scope = scope_of(sql, tables)
        read_query(query, scope)
        return _ContentsReader(scope).read(query)
    except (SqlglotError, RecursionError):
        return Contents()


class _ContentsReader:
    def __init__(self, scope: Scope) -> None:
        self._scope, self._rules = scope, scope.statement.rules
        self._is_partial = False

    def read(self, query: exp.Query) -> Contents:
        filters = {item.text: item for item in self._filters(query)}
        return Contents(tuple(filters.values()), tuple(self._grain(query)), self._is_partial)

    def _filters(self, query: exp.Expr) -> Iterator[Filter]:
        """Conditions on all rows of a query, innermost first."""
        select = query.unnest()
        if not isinstance(select, exp.Select):
            self._is_partial = True
            return
        source, joins = select.args.get("from_"), select.args.get("joins") or ()
        if source and not _has_outer_rows(joins):
            yield from self._filters_of_table(source.this)
        yield from self._filters_of_joins(joins)
        for clause in ("where", "having"):
            if found := select.args.get(clause):
                yield from self._conditions(found.this)
        has_more = any(select.args.get(name) for name in ("limit", "qualify"))
        self._is_partial = self._is_partial or has_more

    def _filters_of_table(self, table: exp.Expr) -> Iterator[Filter]:
        """Filters behind a table of a FROM clause, which may be joins in brackets."""
        joins, query = table.args.get("joins") or (), self._query_of(table)
        if query is not None and not _has_outer_rows(joins):
            yield from self._filters(query)
        elif isinstance(table, exp.Subquery) and not _has_outer_rows(joins):
            yield from self._filters_of_table(table.this)
        yield from self._filters_of_joins(joins)

    def _filters_of_joins(self, joins: Iterable[exp.Join]) -> Iterator[Filter]:
        for join in joins:
            if not join.side and join.kind in ("", "INNER", "CROSS"):
                yield from self._filters_of_table(join.this)
                yield from self._conditions(join.args.get("on"))

    def _query_of(self, table: exp.Expr | None) -> exp.Expr | None:
        """The CTE or sub-query behind a table."""
        if isinstance(table, exp.Table):
            cte = definition(table, self._rules)
            return cte.this if cte else None
        inner = table.this if isinstance(table, exp.Subquery) else None
        is_query = isinstance(inner, exp.Query) and not isinstance(inner, exp.Subquery)
        return inner if is_query else None

    def _conditions(self, condition: exp.Expr | None) -> Iterator[Filter]:
        """Conjuncts that compare columns with constants."""
        condition = condition.unnest() if condition else None
        if isinstance(condition, exp.And):
            yield from self._conditions(condition.left)
            yield from self._conditions(condition.right)
            return
        columns = list(condition.find_all(exp.Column)) if condition else []
        if not condition or not columns or _is_join(condition):
            return
        origins = list(map(self._origins, columns))
        text = _text_of(condition, self._scope.statement.dialect)
        is_plain = Origins() not in origins and not condition.find(exp.Query, exp.Window)
        if not is_plain or len(text) > _LONGEST_FILTER:
            self._is_partial = True
            return
        refs = chain.from_iterable((*origin.same, *origin.made) for origin in origins)
        yield Filter(text, tuple(dict.fromkeys(refs)))

    def _origins(self, column: exp.Column) -> Origins:
        value = self._scope.reading.values.get(id(column))
        return origins_of(value) if value is not None else Origins()

    def _grain(self, query: exp.Expr) -> Sequence[str]:
        """Output names of the group keys, also of a CTE that is passed on."""
        select = query.unnest()
        if not isinstance(select, exp.Select) or select.args.get("qualify"):
            return ()
        if group := select.args.get("group"):
            return self._group_keys(select, group)
        source = select.args.get("from_")
        inner = self._query_of(source.this) if source else None
        if inner is None or select.args.get("joins") or select.args.get("laterals"):
            return ()
        return self._passed_on(select, self._grain(inner))

    def _group_keys(self, select: exp.Select, group: exp.Group) -> Sequence[str]:
        names = {item.unalias().sql(): self._name(item) for item in select.expressions}
        names |= {self._name(item): self._name(item) for item in select.expressions}
        if group.args.get("all"):
            keys = [item for item in select.expressions if not item.find(exp.AggFunc)]
            return [self._name(item) for item in keys]
        if any(group.args.get(name) for name in ("rollup", "cube", "grouping_sets")):
            return ()
        keys = list[str]()
        for item in group.expressions:
            if isinstance(item, exp.Literal) and item.is_int:
                keys.append(self._name(select.expressions[int(item.name) - 1]))
            else:
                keys.append(names.get(item.sql(), names.get(item.name, "")))
        return keys if all(keys) else ()

    def _name(self, item: exp.Expr) -> str:
        return output_name(item, self._rules)

    def _passed_on(self, select: exp.Select, keys: Sequence[str]) -> Sequence[str]:
        """Names of these columns in an outer query; none unless it has all."""
        if any(item.is_star for item in select.expressions):
            return keys
        names = {item.unalias().name: self._name(item) for item in select.expressions}
        return [names[key] for key in keys] if names.keys() >= set(keys) else ()


def _has_outer_rows(joins: Iterable[exp.Join]) -> bool:
    """Whether joins add rows that the first table does not have."""
    return any(join.side in ("RIGHT", "FULL") for join in joins)


def _is_join(condition: exp.Expr) -> bool:
    """Whether a condition compares two columns."""
    sides = (condition.args.get("this"), condition.args.get("expression"))
    plain = [side.unnest() for side in sides if isinstance(side, exp.Expr)]
    return len(plain) == 2 and all(isinstance(side, exp.Column) for side in plain)


def _text_of(condition: exp.Expr, dialect: str) -> str:
    """A condition as people write it: without qualifiers and casts of texts."""
    plain = condition.copy().transform(_as_list).transform(_bare)
    text = " ".join(plain.sql(dialect, normalize_functions="lower").split())
    text = _KEYWORDS.sub(lambda found: _lowered(found[0]), text)
    return _NEGATED.sub(lambda found: f"{found[1]} {_not(found[2])} ", text)


def _lowered(word: str) -> str:
    return word if word[0] in "'\"" else word.lower()


def _not(operator: str) -> str:
    return "is not" if operator == "is" else f"not {operator}"


def _as_list(node: exp.Expr) -> exp.Expr:
    """Postgres stores `in` as `= any (array[…])`, and `not in` as `<> all (array[…])`."""
    quantified = node.args.get("expression")
    if not isinstance(quantified, exp.Any | exp.Anonymous):
        return node
    array = quantified.find(exp.Array)
    among = exp.In(this=node.this, expressions=array.expressions) if array else node
    if isinstance(node, exp.EQ) and isinstance(quantified, exp.Any):
        return among
    is_all = isinstance(node, exp.NEQ) and quantified.name.upper() == "ALL"
    return exp.Not(this=among) if array and is_all else node


def _bare(node: exp.Expr) -> exp.Expr:
    """A column or constant without qualifier, brackets and cast to text."""
    if isinstance(node, exp.Column):
        return exp.column(node.this.copy())
    inner = node.this if isinstance(node, exp.Paren | exp.Cast) else None
    is_text = isinstance(node, exp.Cast) and node.to.this in _TEXT_TYPES
    if isinstance(inner, exp.Literal) or (is_text and isinstance(inner, exp.Column | exp.Paren)):
        return _bare(inner)
    if isinstance(node, exp.Paren) and isinstance(inner, exp.Column | exp.Cast):
        return _bare(inner)
    if isinstance(node, exp.Not) and isinstance(node.this.unnest(), exp.EQ):
        equal = node.this.unnest()
        return exp.NEQ(this=_bare(equal.this), expression=_bare(equal.expression))
    return node
