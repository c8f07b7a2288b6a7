"""
The calls of a statement: enters the text that will run, refuses a call of a function that is not on the list.

The list holds what is allowed, so that a function of somebody's own is refused. Calls are read from the text and not
from the tree: what counts is what the warehouse will read.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import Token, TokenType, exp

from linker.guard.functions import KEYWORDS, TYPES
from linker.guard.refusal import refused
from linker.warehouses.base.dialect import Dialect
from linker.warehouses.base.read_only import is_name


def check_calls(text: str, query: exp.Expr, dialect: Dialect) -> None:
    """Refuse a text that calls what is not on the list of its dialect."""
    tokens = sqlglot.tokenize(text, read=dialect.name)
    if any(token.token_type == TokenType.SEMICOLON for token in tokens):
        raise refused("not_one_statement", "it is not one statement")
    allowed, listing = dialect.probe_functions.names, Counter(_with_columns(query))
    for name, qualifiers in _calls(tokens, dialect):
        if not qualifiers and listing[name.casefold()]:
            # `t(a, b)` names the columns of t: as often as the tree says, and no call beside it.
            listing[name.casefold()] -= 1
        elif name not in allowed or not _is_own(qualifiers, dialect):
            written = ".".join((*qualifiers, name))
            raise refused("forbidden_function", f"`{written}` is not one that a probe may call")


def _with_columns(query: exp.Expr) -> Iterator[str]:
    for alias in query.find_all(exp.TableAlias):
        if alias.args.get("columns") and alias.this:
            yield alias.this.name.casefold()


def _calls(tokens: Sequence[Token], dialect: Dialect) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every name before a parenthesis that may be that of a function, with the names before its dots."""
    for place, token in enumerate(tokens[:-1]):
        if tokens[place + 1].token_type != TokenType.L_PAREN or not is_name(token):
            continue
        qualifiers: list[str] = []
        before = place - 1
        while before >= 0 and tokens[before].token_type == TokenType.DOT:
            qualifiers.insert(0, tokens[before - 1].text.casefold())
            before -= 2
        is_quoted = token.token_type == TokenType.IDENTIFIER
        name = dialect.called(token.text) if is_quoted else token.text.casefold()
        is_word = not is_quoted and not qualifiers
        if not (is_word and (name in KEYWORDS or name in TYPES or " " in name)):
            yield name, tuple(qualifiers)


def _is_own(qualifiers: tuple[str, ...], dialect: Dialect) -> bool:
    """Compare what stands before the dots with the name spaces of the warehouse; in some it may be any value."""
    spaces = dialect.probe_functions.namespaces
    return spaces is None or all(qualifier in spaces for qualifier in qualifiers)
