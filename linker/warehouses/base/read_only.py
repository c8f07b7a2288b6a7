"""
Checks that a statement is read-only before it runs, or refuses it with the reason.

It must be one query, parsed in the warehouse's dialect, without functions that reach files,
network, settings or sequences. The checked text runs without its comments, which parser and
warehouse may read differently. Sessions are read-only as well where the warehouse supports it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

import sqlglot
from sqlglot import Token, TokenType, exp
from sqlglot.dialects import Dialect as Grammar
from sqlglot.errors import ParseError, SqlglotError

from linker.errors import REFUSED, GuardError, first_line
from linker.warehouses import dialect_of
from linker.warehouses.base.dialect import Dialect

# Prefix that no function has, so that the parser keeps the name; compiled parsers accept no custom
# ones.
_AS_WRITTEN = "as written "
_HINT = "write one `select` over tables of the warehouse"
_BLANK = r"(?:\s|--[^\n]*\n|/\*(?:(?!\*/).)*\*/)"
# Without `analyze`, which executes the statement.
_OPTION = (
    r"(?:(?:verbose|costs|summary)(?:\s+(?:on|off|true|false))?|format\s+(?:text|json|xml|yaml))"
)
_EXPLAIN = re.compile(
    rf"{_BLANK}*explain{_BLANK}+(?P<options>verbose\s+|\(\s*{_OPTION}(?:\s*,\s*{_OPTION})*\s*\)\s*)?"
    r"(?=(?:select|with|from|values|table)\b)",
    re.IGNORECASE | re.DOTALL,
)
_STARTS = ("select", "with", "from", "values", "table", "(")
_QUERIES = (exp.Query, exp.Values)
_NO_QUERIES = (exp.DDL, exp.DML, exp.Command, exp.Into, exp.Lock)
_VALUES = (
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.STRING,
    TokenType.NUMBER,
    TokenType.R_PAREN,
    TokenType.R_BRACKET,
    TokenType.PLACEHOLDER,
    TokenType.NULL,
    TokenType.TRUE,
    TokenType.FALSE,
    TokenType.END,
)
# Compiled parsers overflow the stack and crash the process.
DEEPEST = 200
_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END)
# sqlglot misreads `?::date` as one token.
_MARKS = {TokenType.PLACEHOLDER: "", TokenType.QDCOLON: "::"}


def explained(sql: str, dialect: str) -> tuple[str, str] | None:
    """
    EXPLAIN with options, and the explained statement; None if it would run the statement or is
    unsupported.
    """
    match = _EXPLAIN.match(sql) if dialect_of(dialect).explains else None
    return (f"explain {match['options'] or ''}", sql[match.end() :]) if match else None


def only_reading(sql: str, dialect: str, parameters: int | None = None) -> str:
    """The checked statement; numbered parameters become `$1`, `$2` …."""
    if (parts := explained(sql, dialect)) is not None:
        explain, inner = parts
        return f"{explain}{only_reading(inner, dialect, parameters)}"
    text, marks, _ = _parsed(sql, dialect_of(dialect), parameters)
    if parameters is not None and marks != parameters:
        raise _refused(f"it takes {marks} parameters, and {parameters} were given", "parameter")
    return text


def read_only_text(sql: str, dialect: str) -> tuple[str, exp.Query | exp.Values]:
    """Text of a read-only statement, and its tree with positions in that text."""
    text, _, tree = _parsed(sql, dialect_of(dialect), None)
    assert isinstance(tree, exp.Query | exp.Values)  # noqa: S101 - the root was checked
    return text, tree


def _parsed(sql: str, dialect: Dialect, parameters: int | None) -> tuple[str, int, exp.Expr]:
    try:
        tokens = sqlglot.tokenize(sql, read=dialect.name)
        while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
            tokens.pop()
        _check_tokens(sql, tokens, dialect)
        text, marks = _rebuilt(
            sql, tokens, numbered=dialect.has_numbered_parameters and bool(parameters)
        )
        statements = parsed(text, dialect, tokens if text == sql else None)
    except (SqlglotError, RecursionError) as error:
        # Errors of the tokenizer quote the statement; their cause does not.
        reason = first_line(error.__cause__ or error)
        raise _refused(f"it cannot be parsed as {dialect.name}: {reason}", "not_parsed") from None
    if len(statements) != 1 or statements[0] is None:
        raise _refused("it is not one statement", "not_one_statement")
    _check_tree(statements[0], dialect)
    return text, marks, statements[0]


def parsed(text: str, dialect: Dialect, tokens: list[Token] | None = None) -> list[exp.Expr | None]:
    """Parse text or tokens; function names stay as written."""
    grammar = Grammar.get_or_raise(dialect.name)
    tokens = grammar.tokenize(text) if tokens is None else tokens
    marked = [token for token, after in pairwise(tokens) if _is_kept(token, after, dialect)]
    for token in marked:
        token.text = _AS_WRITTEN + token.text
    try:
        trees = list(grammar.parser().parse(tokens, text))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # Builders do not check the number of arguments.
        raise ParseError(
            f"the arguments of a function are not those that it takes ({first_line(error)})"
        ) from None
    for tree in filter(None, trees if marked else ()):
        for node in tree.walk():
            if isinstance(node, exp.Anonymous | exp.Identifier) and isinstance(node.this, str):
                node.set("this", node.this.removeprefix(_AS_WRITTEN))
    return trees


def _is_kept(token: Token, after: Token, dialect: Dialect) -> bool:
    """Whether it is a call whose name must stay as written."""
    is_called = after.token_type == TokenType.L_PAREN and token.token_type != TokenType.IDENTIFIER
    return is_called and token.text.lower() in dialect.probe_functions.as_written


def _refused(reason: str, code: str = "not_a_query") -> GuardError:
    return GuardError(f"{REFUSED}{reason}", hint=_HINT, code=code)


def _check_tokens(sql: str, tokens: Sequence[Token], dialect: Dialect) -> None:
    """Check written function names, which the parser may change."""
    if not tokens or tokens[0].text.lower() not in _STARTS:
        raise _refused("it is not a query")
    if depth_of(tokens) > DEEPEST:
        raise _refused("it is nested too deeply", "not_parsed")
    if "\0" in sql:
        raise _refused("it holds a null character", "not_parsed")
    for token in tokens:
        _check_token(sql, token, dialect)
    for call, before in calls(tokens):
        qualifiers = tuple(_plain(token.text) if is_name(token) else "" for token in before)
        if reason := dialect.refusals.reason(_plain(call.text), qualifiers):
            raise _refused(reason, "forbidden_function")
        if _plain(call.text) == "current_setting":
            _check_setting(tokens[tokens.index(call) + 1 :], dialect)


def _check_setting(arguments: Sequence[Token], dialect: Dialect) -> None:
    """Only listed settings: others reveal files, secrets or the machine."""
    kinds = [token.token_type for token in arguments[:3]]
    is_text = kinds == [TokenType.L_PAREN, TokenType.STRING, TokenType.R_PAREN]
    if not is_text or arguments[1].text.casefold() not in dialect.probe_functions.settings:
        readable = ", ".join(sorted(dialect.probe_functions.settings))
        raise GuardError(
            f"{REFUSED}it reads a setting that no statement may read",
            hint=f"settings that may be read: {readable}" if readable else _HINT,
            code="forbidden_function",
        )


def depth_of(tokens: Sequence[Token]) -> int:
    """Nesting depth of brackets, CASE and prefix operators such as `not not not`."""
    depth = run = deepest = 0
    for token in tokens:
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        run = 0 if token.token_type in _VALUES else run + 1
        deepest = max(deepest, depth, run)
    return deepest


def _check_token(sql: str, token: Token, dialect: Dialect) -> None:
    if token.token_type == TokenType.SEMICOLON:
        raise _refused("it is not one statement", "not_one_statement")
    if token.token_type == TokenType.IDENTIFIER and _is_escaped(sql, token):
        raise _refused("a quoted name is written with escapes", "not_parsed")
    if token.token_type == TokenType.PARAMETER and token.text == "@" and dialect.has_stages:
        raise _refused("it reads a stage", "unknown_table")


def _is_escaped(sql: str, token: Token) -> bool:
    """Whether a quoted name may contain escapes: `U&"…"` in Postgres, or backslashes."""
    return sql[: token.start].lower().endswith("u&") or "\\" in sql[token.start : token.end + 1]


def calls(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """Names before a parenthesis, with qualifiers."""
    for index, token in enumerate(tokens[:-1]):
        if tokens[index + 1].token_type != TokenType.L_PAREN:
            continue
        if token.token_type in (TokenType.DOT, TokenType.EXCLAMATION):
            raise _refused(
                "a function is called in a way that hides its name", "forbidden_function"
            )
        if not is_name(token):
            continue
        qualifiers: list[Token] = []
        before = index - 1
        while before >= 0 and tokens[before].token_type in (TokenType.DOT, TokenType.EXCLAMATION):
            qualifiers.insert(0, tokens[before - 1])
            before -= 2
        yield token, qualifiers


def is_name(token: Token) -> bool:
    """Whether a token may be a function name."""
    return (
        token.token_type == TokenType.IDENTIFIER
        or token.text[:1].isalpha()
        or token.text[:1] == "_"
    )


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _rebuilt(sql: str, tokens: Sequence[Token], *, numbered: bool) -> tuple[str, int]:
    """Tokens with whitespace only between them, and the number of parameters."""
    parts: list[str] = []
    marks = 0
    for index, token in enumerate(tokens):
        if index:
            between = sql[tokens[index - 1].end + 1 : token.start]
            if "\n" in between:
                parts.append("\n")
            elif between:
                parts.append(" ")
        written = sql[token.start : token.end + 1]
        if token.token_type in _MARKS and not _ends_a_value(tokens[:index]):
            marks += 1
            written = f"{f'${marks}' if numbered else '?'} {_MARKS[token.token_type]}".rstrip()
        parts.append(written)
    return "".join(parts), marks


def _ends_a_value(tokens: Sequence[Token]) -> bool:
    """Whether a value precedes `?`, which then is Postgres' JSON operator."""
    types = [token.token_type for token in tokens[-2:]]
    return bool(types) and (types[-1] in _VALUES or types[0] == TokenType.DCOLON)


def _check_tree(tree: exp.Expr, dialect: Dialect) -> None:
    """A query with all sub-queries."""
    if not isinstance(tree, _QUERIES):
        raise _refused("it is not a query")
    for node in tree.walk():
        if isinstance(node, _NO_QUERIES):
            raise _refused(f"it holds more than a query ({node.key})", "forbidden_construct")
        if isinstance(node, exp.Parameter) and dialect.has_session_variables:
            raise _refused("it reads a variable of the session", "parameter")
        if isinstance(node, exp.CTE) and not isinstance(node.this, (*_QUERIES, exp.Pivot)):
            raise _refused(
                "it names something else than a query with `with`", "forbidden_construct"
            )
        if isinstance(node, exp.Table) and isinstance(
            node.this, exp.Var | exp.Literal | exp.Placeholder
        ):
            raise _refused("it reads something else than a table", "unknown_table")
        if (
            dialect.has_sequence_columns
            and isinstance(node, exp.Column)
            and node.name.lower() == "nextval"
        ):
            raise _refused("it draws from a sequence", "forbidden_function")
