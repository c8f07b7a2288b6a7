"""
Queries of a `with`: which of them a name in a FROM clause means, by where it stands.

A name that means none is that of a table.
"""

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp

from linker.warehouses.base.dialect import Dialect

# Warehouses fold the letters of ASCII; whether they fold others differs, and such names are taken
# for different ones.
_TO_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_TO_UPPER = str.maketrans(ascii_lowercase, ascii_uppercase)


def definition(node: exp.Table, dialect: Dialect, *, is_lenient: bool = False) -> exp.CTE | None:
    """
    The query of a `with` that this name means, if it means one.

    Whoever is lenient also finds those that stand later in a recursive clause, and the one around
    the name though it is not said to be recursive: some warehouses let them be named.
    """
    if len(node.parts) != 1 or not isinstance(node.this, exp.Identifier):
        return None
    wanted = folded(node.this, dialect)
    below: exp.Expr = node
    while below.parent is not None:
        above = below.parent
        clause = above.args.get("with_")
        if clause is not None:
            for defined in _visible(clause, node, is_lenient=is_lenient):
                if folded(defined.args["alias"].this, dialect) == wanted:
                    return defined
        below = above
    return None


def _visible(clause: exp.With, node: exp.Expr, *, is_lenient: bool) -> Iterator[exp.CTE]:
    """
    The queries of a `with` that may be named here: inside of it those before, and itself where it
    is recursive.
    """
    for defined in clause.expressions:
        is_inside = _is_within(node, defined)
        is_recursive = clause.recursive or is_lenient
        if not is_inside or (is_recursive and _is_repeated(node, defined)):
            yield defined
        if is_inside and not (clause.recursive and is_lenient):
            return


def _is_repeated(node: exp.Expr, defined: exp.CTE) -> bool:
    """
    Tell whether a place is in the part of a recursive query that sees itself: elsewhere DuckDB
    reads a table.
    """
    query = defined.this.unnest()
    return isinstance(query, exp.Union) and _is_within(node, query.expression)


def _is_within(node: exp.Expr, around: exp.Expr) -> bool:
    above: exp.Expr | None = node
    while above is not None and above is not around:
        above = above.parent
    return above is around


def folded(name: exp.Expr, dialect: Dialect) -> str:
    """A name as the warehouse compares it."""
    if dialect.unquoted_case != "any" and isinstance(name, exp.Identifier) and name.quoted:
        return str(name.name)
    return str(name.name).translate(_TO_UPPER if dialect.unquoted_case == "upper" else _TO_LOWER)


def names_of(node: exp.Table) -> tuple[str, ...]:
    """The name of a table, step by step."""
    steps: list[str] = []
    for part in node.parts:
        steps += [step.name for step in (part.flatten() if isinstance(part, exp.Dot) else [part])]
    return tuple(steps)
