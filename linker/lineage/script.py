"""
Statements of a script, parsed, each with its text, by the rules of its dialect.

BigQuery's scripts hold several, some between `begin` and `end`.
"""

import contextlib
import logging
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.dialects import Dialect as Grammar

from linker.warehouses import find_dialect
from linker.warehouses.base.dialect import Dialect, words

_ENDS = ((), ("END",), ("END", "TRANSACTION"))
_BEFORE_A_PATH = ("FROM", "JOIN", ",")
_SQLITE = Dialect(
    name="sqlite",
    pseudo_columns=words("rowid oid _rowid_"),
    # https://www.sqlite.org/lang_select.html#orderby
    sorts_by_whole_aliases=True,
    # https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
    has_double_quoted_texts=True,
)


def statements(sql: str, dialect: str) -> Iterator[tuple[str, exp.Expr]]:
    """The statements, one after another."""
    for text, _ in split(sql, dialect):
        yield text, parse(text, dialect)


def split(sql: str, dialect: str) -> Iterator[tuple[str, list[Token]]]:
    """The text of each statement, and its tokens; what stands in quotes and comments ends none."""
    tokens = Grammar.get_or_raise(dialect).tokenize(sql)
    for piece in _pieces(tokens):
        if _word(piece[0]) == "BEGIN" and len(piece) > 1 and _word(piece[1]) != "TRANSACTION":
            yield from split(sql[piece[0].end + 1 : piece[-1].end + 1], dialect)
            continue
        has_paths = rules_of(dialect).has_columns_in_from
        text = _with_unnest(sql, piece) if has_paths else sql[piece[0].start : piece[-1].end + 1]
        yield text, piece


def parse(text: str, dialect: str) -> exp.Expr:
    """The tree of one statement."""
    with _quiet():
        return sqlglot.parse_one(text, dialect=dialect)


def _pieces(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    piece: list[Token] = []
    for token in [*tokens, None]:
        if token is not None and token.token_type != TokenType.SEMICOLON:
            piece.append(token)
            continue
        if tuple(map(_word, piece)) not in _ENDS:
            yield piece
        piece = []


def _word(token: Token) -> str:
    return token.text.upper()


def _with_unnest(sql: str, tokens: Sequence[Token]) -> str:
    """
    `from t, t.items as i with offset` with its UNNEST written out: sqlglot only knows that one with
    an offset.
    """
    text, done = "", tokens[0].start
    for place, token in enumerate(tokens):
        if _word(token) == "WITH" and [_word(after) for after in tokens[place + 1 : place + 2]] == [
            "OFFSET"
        ]:
            path = _path_before(tokens[:place])
            if path:
                text += (
                    f"{sql[done : path[0].start]}unnest({sql[path[0].start : path[-1].end + 1]})"
                )
                done = path[-1].end + 1
    return text + sql[done : tokens[-1].end + 1]


def _path_before(tokens: Sequence[Token]) -> Sequence[Token]:
    """The names with dots between them that an alias may follow, at the end of the tokens."""
    for alias in (0, 1, 2):
        rest = tokens[: len(tokens) - alias]
        start = len(rest) - 1
        while start >= 2 and _word(rest[start - 1]) == ".":
            start -= 2
        is_path = 0 < start < len(rest) - 1 and _word(rest[start - 1]) in _BEFORE_A_PATH
        if is_path and (alias < 2 or _word(tokens[-2]) == "AS"):
            return rest[start:]
    return ()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """
    A statement that sqlglot does not know becomes a problem of its reader, it need not be logged as
    well.
    """
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def rules_of(dialect: str) -> Dialect:
    """The rules of a dialect by its name; of one that nobody describes, the usual ones."""
    if dialect == _SQLITE.name:
        return _SQLITE
    return find_dialect(dialect) or Dialect(name=dialect)
