"""
Rewrites metadata commands (`show`, `describe`, `pragma`) to equivalent queries.

Names and types come from the information schema; `summarize` and pivots become sub-queries. The
guard checks the rewritten statement like any other.
"""

import re
from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import Token, TokenType
from sqlglot.errors import SqlglotError

from linker.identifiers.table_index import did_you_mean
from linker.sql_policy.allowlist import refused
from linker.sql_policy.visible_tables import KnownTables
from linker.types import Record
from linker.warehouses import dialect_of
from linker.warehouses.base.dialect import dialect_sql
from linker.warehouses.base.read_only import DEEPEST, depth_of

_COLUMNS = dialect_sql("shown_columns")
_TABLES = dialect_sql("shown_tables")
_SCHEMAS = "select schema_name as name from {home}information_schema.schemata"
_TABLE_INFO = dialect_sql("pragma_table_info")
# Synonymous commands.
_SAME = {
    "describe": "show tables",
    "pragma show_tables": "show tables",
    "show": "show tables",
    "show time zone": "show timezone",
}
_SHOWN = {
    "tables": _TABLES,
    "objects": _TABLES,
    "views": _TABLES,
    "schemas": _SCHEMAS,
    "databases": _SCHEMAS,
}
_SHOWN |= {"columns": _COLUMNS}
_NAME = r"""[\w"`$-]+(?: ?\. ?[\w"`$-]+)*"""
_LIKE = r"(?: i?like '(?P<{}>[^']*)')?"
_SHOW = re.compile(
    rf"show(?: terse| all| full)* (?P<kind>{'|'.join(_SHOWN)}){_LIKE.format('before')}"
    rf"(?: (?:in|from)(?: account| (?:database|catalog) {_NAME}| (?:schema |dataset )?(?P<schema>{_NAME})))?"  # noqa: E501
    rf"{_LIKE.format('after')}",
    re.IGNORECASE,
)
_DESCRIBE = re.compile(
    rf"(?:describe|desc|show|show (?:full )?columns (?:in|from))(?: table| view)? (?P<name>{_NAME})"
    r"|pragma table_info \( '?(?P<text>[^']+?)'? \)",
    re.IGNORECASE,
)
_QUERY = re.compile(
    r"(?:describe|desc|pivot|unpivot|(?P<summarize>summarize)) (?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_PIVOTS = ("pivot", "unpivot")
_SELECTS = re.compile(r"(?:select|with|from|values|\()", re.IGNORECASE)


class _Piece(Record, frozen=True):
    """A replaced part of the text."""

    start: int
    end: int
    query: str


def as_query(sql: str, known: KnownTables) -> str:
    """The text as a query; unchanged if it has no metadata command."""
    try:
        tokens = sqlglot.tokenize(sql, read=dialect_of(known.dialect).name)
    except (SqlglotError, ValueError):
        return sql
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    if depth_of(tokens) > DEEPEST:
        # Too deep; the parser refuses it without scanning each bracket.
        return sql
    for piece in reversed(list(_pieces(sql, tokens, known))):
        sql = f"{sql[: piece.start]}{piece.query}{sql[piece.end + 1 :]}"
    return sql


def _pieces(sql: str, tokens: Sequence[Token], known: KnownTables) -> Iterator[_Piece]:
    index = 0
    while index < len(tokens):
        is_start = not index or tokens[index - 1].token_type == TokenType.L_PAREN
        end = _end(tokens, index) if is_start else index
        query = _query(sql, tokens[index:end], known, is_whole=not index) if is_start else ""
        if not query and (of_function := _function(tokens[index : index + 4], known)):
            query = of_function
            end = (
                next(
                    position for position in range(index, len(tokens)) if _is(tokens[position], ")")
                )
                + 1
            )
        if query:
            yield _Piece(tokens[index].start, tokens[end - 1].end, query)
        index = end if query else index + 1


def _end(tokens: Sequence[Token], start: int) -> int:
    """Index of the closing parenthesis, or the end."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += _is(tokens[index], "(") - _is(tokens[index], ")")
        if depth < 0:
            return index
    return len(tokens)


def _is(token: Token, text: str) -> bool:
    return token.text == text and token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER)


def _query(sql: str, tokens: Sequence[Token], known: KnownTables, *, is_whole: bool) -> str:
    """The query for a statement starting with its verb; empty if it is no metadata command."""
    text = " ".join(_text_of(sql, token) for token in tokens)
    text = _SAME.get(text.casefold(), text)
    if setting := _setting(text, known):
        return setting
    if (shown := _SHOW.fullmatch(text)) and (
        shown["kind"].casefold() != "columns" or not shown["schema"]
    ):
        return _shown(shown, known)
    if described := _DESCRIBE.fullmatch(text):
        return (
            f"{_of_table(_COLUMNS, described['name'] or described['text'], known)} order by "
            "ordinal_position"
        )
    if (explored := _QUERY.fullmatch(text)) is None:
        return ""
    end = _end_of_pivot(tokens) if tokens[0].text.casefold() in _PIVOTS else len(tokens)
    rest = sql[tokens[1].start : tokens[end - 1].end + 1]
    tail = sql[tokens[end].start : tokens[-1].end + 1] if end < len(tokens) else ""
    is_table = bool(explored["summarize"]) and not _SELECTS.match(explored["rest"])
    if not is_whole and not is_table:
        return ""
    body = " ".join((tokens[0].text, "select * from" if is_table else "", rest))
    # The text may end in a comment.
    return f"select * from ({body}\n) {tail}".rstrip() if is_whole else body  # noqa: S608


def _end_of_pivot(tokens: Sequence[Token]) -> int:
    """Index after a pivot, where ORDER BY and LIMIT may follow."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += _is(token, "(") - _is(token, ")")
        if depth == 0 and token.token_type in (TokenType.ORDER_BY, TokenType.LIMIT):
            return index
    return len(tokens)


def _setting(text: str, known: KnownTables) -> str:
    """The query for `show timezone` (if no table has that name) and the version."""
    if text.casefold() == "pragma version":
        return "select version()"
    show, _, name = text.casefold().partition(" ")
    is_setting = name in dialect_of(known.dialect).probe_functions.settings
    if show != "show" or not is_setting or known.find([name]):
        return ""
    return f"select current_setting({_text(name)}) as {name}"


def _text_of(sql: str, token: Token) -> str:
    """A token's text; after `show` a single token may hold the remainder."""
    written = sql[token.start : token.end + 1]
    return (
        written
        if token.text in written or token.token_type != TokenType.STRING
        else " ".join(token.text.split())
    )


def _function(tokens: Sequence[Token], known: KnownTables) -> str:
    """The query for a table function that lists tables or columns."""
    if len(tokens) < 3 or not _is(tokens[1], "("):
        return ""
    name = tokens[0].text.casefold()
    if _is(tokens[2], ")") and known.system_view([name]):
        return name
    is_table_info = name == "pragma_table_info" and tokens[2].token_type == TokenType.STRING
    return f"({_of_table(_TABLE_INFO, tokens[2].text, known)})" if is_table_info else ""


def _shown(shown: re.Match[str], known: KnownTables) -> str:
    """Tables, schemas or columns, filtered by schema and pattern."""
    kind, pattern = shown["kind"].casefold(), shown["before"] or shown["after"]
    schema = _steps(shown["schema"] or "")[-1]
    query = _at_home(_SHOWN[kind], known, schema or known.schema)
    conditions: list[str] = []
    if pattern:
        name = "column_name" if kind == "columns" else "name"
        conditions.append(f"{name} ilike '{pattern}'")
    if schema and _SHOWN[kind] is _TABLES:
        conditions.append(f"lower(schema) = {_text(schema.casefold())}")
    if kind == "views":
        conditions.append("type like '%VIEW'")
    where = f" where {' and '.join(conditions)}" if conditions else ""
    return f"select * from ({query}) as shown{where}"  # noqa: S608 - the guard judges it


def _of_table(query: str, name: str, known: KnownTables) -> str:
    """The query for the columns of a table."""
    steps = _steps(name)
    matches = known.find(steps)
    if len(matches) != 1:
        hint = did_you_mean(known.near(steps[-1]))
        raise refused("unknown_table", f"there is no one table {'.'.join(steps)}", hint)
    schema, table = matches[0].table.ref.schema, matches[0].names[0]
    return (
        f"{_at_home(query, known, schema)} where table_schema = {_text(schema)} and table_name = "
        f"{_text(table)}"
    )


def _at_home(query: str, known: KnownTables, schema: str) -> str:
    is_in_schema = dialect_of(known.dialect).has_system_views_in_schemas and schema
    return query.format(home=f"{schema}." if is_in_schema else "").strip()


def _steps(name: str) -> list[str]:
    return re.sub(r"[\s'\"`]", "", name).split(".")


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
