"""
Tables of a BigQuery wildcard that a query reads, by its conditions on `_TABLE_SUFFIX`.

DuckDB evaluates constant conditions; anything else is null, and a condition that evaluates to null
keeps every table.
https://cloud.google.com/bigquery/docs/querying-wildcard-tables#filtering_selected_tables_using_table_suffix
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import chain
from typing import TypeAlias

import duckdb
from sqlglot import exp

# Constant script variables.
Constants: TypeAlias = Mapping[str, exp.Expr | None]

_SUFFIX = "_table_suffix"
_WRITTEN = (exp.Literal, exp.RawString, exp.Boolean, exp.Identifier, exp.DataType, exp.Var)
_CONDITIONS = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Between,
    exp.In,
    exp.Like,
    exp.RegexpLike,
    exp.StartsWith,
    exp.Not,
    exp.And,
    exp.Or,
    exp.Paren,
)
_VALUES = (
    exp.Concat,
    exp.DPipe,
    exp.Substring,
    exp.Cast,
    exp.Date,
    exp.TsOrDsToDate,
    exp.DateFromParts,
    exp.StrToDate,
    exp.TimeToStr,
    exp.DateAdd,
    exp.DateSub,
    exp.Interval,
)


def conjuncts(condition: exp.Expr) -> Iterable[exp.Expr]:
    """The conditions that `and` connects, or the only one."""
    return condition.flatten() if isinstance(condition, exp.And) else (condition,)


def on_suffix(conditions: Iterable[exp.Expr]) -> list[exp.Expr]:
    """Conditions on the suffix, with `and` split."""
    parts = chain.from_iterable(map(conjuncts, conditions))
    return [part for part in parts if _names_the_suffix(part)]


def _names_the_suffix(part: exp.Expr) -> bool:
    return any(name.name.casefold() == _SUFFIX for name in part.find_all(exp.Column))


def constant(expression: exp.Expr, constants: Constants) -> exp.Expr:
    """The expression with null for everything that is not constant."""

    def known(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            name = node.name.casefold()
            return exp.column(_SUFFIX) if name == _SUFFIX else constants.get(name) or exp.null()
        is_query = isinstance(node, exp.In) and not node.expressions
        return (
            node
            if isinstance(node, (*_WRITTEN, *_CONDITIONS, *_VALUES)) and not is_query
            else exp.null()
        )

    return expression.transform(known)


def may_read(
    suffixes: Sequence[str], conditions: Iterable[exp.Expr], constants: Constants
) -> Set[str]:
    """Suffixes that may satisfy all conditions."""
    filters = [
        f"coalesce(try({constant(condition, constants).sql('duckdb')}), true)"
        for condition in conditions
    ]
    if not filters:
        return set(suffixes)
    return _those(suffixes, " and ".join(filters))


def passing(names: Sequence[str], pattern: str) -> Set[str]:
    """Names that match a regular expression; all if it is invalid."""
    return _those(names, f"regexp_matches({_SUFFIX}, ?)", pattern)


def _those(texts: Sequence[str], condition: str, *parameters: str) -> Set[str]:
    statement = f"select {_SUFFIX} from (select unnest(?) as {_SUFFIX}) where {condition}"  # noqa: S608
    with _calculator().cursor() as cursor:
        try:
            rows = cursor.execute(statement, [list(texts), *parameters]).fetchall()
        except duckdb.Error:
            # Not supported by DuckDB.
            return set(texts)
    return {text for [text] in rows}


@cache
def _calculator() -> duckdb.DuckDBPyConnection:
    """An empty, isolated DuckDB; cached, since opening takes 40 times as long as a query."""
    return duckdb.connect(config={"enable_external_access": False})
