"""
Checks function calls of a probe against its dialect's allow-list.

Calls are read from the text, since the warehouse parses the text, not our tree. A word such as
`sample` or `object` is syntax only if the tree has no call of that name. Where a user-defined
function may shadow a listed one, calls are qualified with the system schema.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import Token, TokenType, exp

from linker.sql_policy.allowlist import listed, refused
from linker.warehouses.base.dialect import Dialect
from linker.warehouses.base.read_only import calls

# Syntax in all warehouses, whatever follows.
_ALWAYS_SYNTAX = (exp.Connector, exp.Case)
_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET)
_CLAUSES = ("as", "for", "from", "in", "placing", "similar")


def checked_calls(text: str, tree: exp.Expr, dialect: Dialect) -> str:
    """The text with calls qualified; GuardError for unlisted functions."""
    functions, home = dialect.probe_functions, dialect.probe_functions.home
    tokens = sqlglot.tokenize(text, read=dialect.name)
    if any(token.token_type == TokenType.SEMICOLON for token in tokens):
        raise refused("not_one_statement", "it is not one statement")
    words = (
        (listed("keywords") | listed("types"))
        - functions.names
        - functions.of_tables
        - set(_called_in(tree))
    )
    renamed, plain = Counter(_with_columns(tree)), []
    for token, before in calls(tokens):
        name = token.text.casefold()
        qualifiers = tuple(qualifier.text.casefold() for qualifier in before)
        is_quoted = token.token_type == TokenType.IDENTIFIER
        if not qualifiers and renamed[name]:
            # `t(a, b)` names columns; counted, so that no further call hides behind it.
            renamed[name] -= 1
        # Some tokens contain several words: `group by`.
        elif not (name in words or " " in name) or is_quoted or qualifiers:
            # A quoted name is never syntax: `"coalesce"(x)` calls a user's function.
            if (
                is_quoted
                or name not in functions.names | functions.of_tables
                or not _is_own(qualifiers, dialect)
            ):
                written = ".".join((*qualifiers, name))
                raise refused("forbidden_function", f"`{written}` is not one that a probe may call")
            if (
                home
                and not qualifiers
                and name not in functions.bare
                and not _is_grammar(tokens, token)
            ):
                plain.append(token.start)
    for start in reversed(plain):
        text = f"{text[:start]}{home}.{text[start:]}"
    return text


def _is_grammar(tokens: Sequence[Token], name: Token) -> bool:
    """
    Whether the parentheses are syntax: keywords among arguments as in `extract(year from d)`, or
    `unnest(a, b)`.
    """
    depth = 0
    for token in tokens[bisect_right(tokens, name.start, key=lambda token: token.start) :]:
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if not depth:
            return False
        if depth > 1:
            continue
        is_list = name.text.casefold() == "unnest" and token.token_type == TokenType.COMMA
        if is_list or token.text.casefold() in _CLAUSES:
            return True
    return False


def _called_in(tree: exp.Expr) -> Iterator[str]:
    """Names of all functions in a tree."""
    for function in tree.find_all(exp.Func):
        if isinstance(function, exp.Anonymous | exp.AnonymousAggFunc):
            yield function.name.casefold()
        elif not isinstance(function, _ALWAYS_SYNTAX):
            yield from (
                name.casefold()
                for name in getattr(type(function), "_sql_names", ()) or (function.key,)
            )


def _with_columns(query: exp.Expr) -> Iterator[str]:
    for alias in query.find_all(exp.TableAlias):
        if alias.args.get("columns") and alias.this:
            yield alias.this.name.casefold()


def _is_own(qualifiers: Sequence[str], dialect: Dialect) -> bool:
    """Whether qualifiers are a system schema; in some dialects they may be a value."""
    spaces = dialect.probe_functions.namespaces
    return spaces is None or all(qualifier in spaces for qualifier in qualifiers)
