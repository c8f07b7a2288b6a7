"""
Literals of a statement that may be values of a masked column, so that the statement is private.

Columns are followed by name alone: an alias of something made from a masked column is masked
wherever it stands. In a statement that names masked columns a text is harmless only beside columns
that are not, in one condition or one function; a number also outside of conditions.
"""

from collections.abc import Iterable

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.types import ColumnRef

_CONDITIONS = (exp.Predicate, exp.In, exp.Between, exp.Case)


def has_masked_literal(sql: str, masked: Iterable[ColumnRef], dialect: str) -> bool:
    """Whether a literal may be a value of one of these columns."""
    names = {ref.path.casefold() for ref in masked}
    if not names:
        return False
    try:
        tree = sqlglot.parse_one(sql, read=dialect)
    except SqlglotError:
        return True
    names = _with_aliases(tree, names)
    return not all(_is_harmless(literal, names) for literal in tree.find_all(exp.Literal))


def _with_aliases(tree: exp.Expr, names: set[str]) -> set[str]:
    """The names, and transitively the aliases of expressions over them."""
    before = set[str]()
    while len(names) > len(before):
        before = set(names)
        for alias in tree.find_all(exp.Alias):
            if _columns(alias.this) & names:
                names.add(alias.alias.casefold())
        for table in tree.find_all(exp.TableAlias):
            # CTE column lists rename columns: `with people(who) as (select name …)`.
            if table.columns and table.parent and _columns(table.parent) & names:
                names.update(column.name.casefold() for column in table.columns)
    return names


def _is_harmless(literal: exp.Literal, names: set[str]) -> bool:
    condition = literal.find_ancestor(*_CONDITIONS)
    if condition is None and not literal.is_string:
        return True
    scope = condition or _outermost_function(literal)
    if scope is None or scope.find(exp.Query):
        return False
    others = _columns(scope)
    return bool(others) and not others & names


def _outermost_function(literal: exp.Literal) -> exp.Expr | None:
    """The outermost function around a literal."""
    outermost: exp.Expr | None = None
    function = literal.find_ancestor(exp.Func, exp.Query)
    while isinstance(function, exp.Func):
        outermost = function
        function = function.find_ancestor(exp.Func, exp.Query)
    return outermost


def _columns(tree: exp.Expr) -> set[str]:
    return {column.name.casefold() for column in tree.find_all(exp.Column)}
