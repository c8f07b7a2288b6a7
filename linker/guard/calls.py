"""
The calls of a statement: enters the text that will run, refuses a call of a function that is not on the list.

The list holds what is allowed, so that a function of somebody's own is refused. Calls are read from the text and not
from the tree: what counts is what the warehouse will read.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sqlglot import Token, TokenType, exp
from sqlglot.dialects import Dialect

from linker.guard.functions import FUNCTIONS, KEYWORDS, NAMESPACES, TYPES
from linker.guard.refusal import refused

# Where quotes keep the case, a quoted name is that of the warehouse's own function in one case alone.
_QUOTED: dict[str, Callable[[str], str]] = {
    "postgres": lambda name: name,
    "snowflake": lambda name: name.casefold() if name.isupper() else name,
}


def check_calls(text: str, query: exp.Expr, dialect: str) -> None:
    """Refuse a text that calls what is not on the list of its dialect."""
    tokens = Dialect.get_or_raise(dialect).tokenize(text)
    if any(token.token_type == TokenType.SEMICOLON for token in tokens):
        raise refused("not_one_statement", "it is not one statement")
    allowed, listing = FUNCTIONS[dialect], Counter(_with_columns(query))
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


def _calls(tokens: Sequence[Token], dialect: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every name before a parenthesis that may be that of a function, with the names before its dots."""
    quoted = _QUOTED.get(dialect, str.casefold)
    for place, token in enumerate(tokens[:-1]):
        if tokens[place + 1].token_type != TokenType.L_PAREN or not _is_name(token):
            continue
        qualifiers: list[str] = []
        before = place - 1
        while before >= 0 and tokens[before].token_type == TokenType.DOT:
            qualifiers.insert(0, tokens[before - 1].text.casefold())
            before -= 2
        is_quoted = token.token_type == TokenType.IDENTIFIER
        name = quoted(token.text) if is_quoted else token.text.casefold()
        is_word = not is_quoted and not qualifiers
        if not (is_word and (name in KEYWORDS or name in TYPES or " " in name)):
            yield name, tuple(qualifiers)


def _is_name(token: Token) -> bool:
    return token.token_type == TokenType.IDENTIFIER or token.text[:1].isalpha() or token.text[:1] == "_"


def _is_own(qualifiers: tuple[str, ...], dialect: str) -> bool:
    """Whether what stands before the dots is a name space of the warehouse; in DuckDB it may be a value as well."""
    spaces = NAMESPACES[dialect]
    return spaces is None or all(qualifier in spaces for qualifier in qualifiers)
