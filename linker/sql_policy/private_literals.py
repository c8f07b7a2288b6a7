"""
Says whether a statement has a literal that may be a value of a masked or hidden column.

Such statements run, and are shown to no one else. Literals compared with a masked column may be its
values. So may all others of a statement over a table with private columns, unless a column stands
beside them in one comparison, computation or call: results of `case`, lists, rows of `values` and
labels are in doubt. Short numbers are not.
"""

from collections.abc import Sequence

from sqlglot import exp

from linker.sql_policy.pii_rewrite import MaskedUses
from linker.sql_policy.tables import ReadTable

_LITERALS = (
    exp.Literal,
    exp.RawString,
    exp.National,
    exp.ByteString,
    exp.Heredoc,
    exp.UnicodeString,
    exp.HexString,
    exp.BitString,
)
# Around the operands of one computation.
_COMPUTATIONS = (
    exp.Predicate,
    exp.Binary,
    exp.Unary,
    exp.Func,
    exp.AtTimeZone,
    exp.Distinct,
    exp.Filter,
    exp.Interval,
    exp.Lambda,
    exp.Window,
)
# Around independent values, as functions of any number of arguments are, other than these.
_CHOICES = (
    exp.Connector,
    exp.Case,
    exp.If,
    exp.Nvl2,
    exp.ArgMax,
    exp.ArgMin,
    exp.PropertyEQ,
    exp.Kwarg,
)
_COMPUTING_ALL = (exp.Binary, exp.Coalesce, exp.Concat, exp.ConcatWs, exp.Count, exp.Max, exp.Min)
_MAX_DIGITS = 4


def has_private_literal(query: exp.Expr, tables: Sequence[ReadTable], uses: MaskedUses) -> bool:
    """Whether a literal may be a value of a private column."""
    is_private = any(read.table.is_private for read in tables)
    return is_private and (bool(uses.columns_compared) or _has_lone_literal(query))


def _has_lone_literal(query: exp.Expr) -> bool:
    """Whether a literal, other than a short number, is in no computation with a column."""
    outermost: dict[int, int] = {}
    for node in query.walk():
        is_inside = _is_computation(node.parent)
        outermost[id(node)] = outermost[id(node.parent)] if is_inside else id(node)
    with_column = {outermost[id(column)] for column in query.find_all(exp.Column)}
    return any(
        outermost[id(literal)] not in with_column
        for literal in query.find_all(*_LITERALS)
        if not _is_short_number(literal)
    )


def _is_computation(node: exp.Expr | None) -> bool:
    """Whether its result depends on all its operands."""
    if isinstance(node, exp.Func) and node.is_var_len_args:
        return isinstance(node, _COMPUTING_ALL)
    return isinstance(node, _COMPUTATIONS) and not isinstance(node, _CHOICES)


def _is_short_number(literal: exp.Expr) -> bool:
    is_number = isinstance(literal, exp.Literal) and not literal.is_string
    return is_number and len(literal.name) <= _MAX_DIGITS
