"""
Allow-list of SQL syntax and functions (`allowlist.yml`) and its check.

Unlisted expressions are refused, so that syntax of newer parser versions is refused until reviewed.
A function is judged by the name that will be called, not by the parser's class. Calls are read from
the text, since the warehouse parses the text, not our tree. A word such as `sample` or `object` is
syntax only if the tree has no call of that name. Where a user-defined function may shadow a listed
one, calls are qualified with the system schema.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import sqlglot
import yaml
from sqlglot import Token, TokenType, exp

from linker.errors import REFUSED, GuardError
from linker.warehouses.base.dialect import Dialect, words
from linker.warehouses.base.read_only import calls

# Nodes whose text is generated in quotes or as a path key; all others are generated verbatim.
_QUOTED = (
    exp.RawString,
    exp.National,
    exp.Heredoc,
    exp.UnicodeString,
    exp.ByteString,
    exp.JSONPathKey,
    exp.JSONPathSubscript,
)
_TABLE_DETAILS = (
    "changes",
    "format",
    "pattern",
    "rows_from",
    "hints",
    "indexed",
    "partition",
    "system_time",
    "ordinality_",
)
_PLAIN = re.compile(r"(?:[\w $.*+]|-(?!-))*")
_CALL = re.compile(r"(?:\w+\.)*(\w+)\(.*\)", re.DOTALL)
# https://www.postgresql.org/docs/current/datatype-oid.html: casts to them look up names.
_FORBIDDEN_TYPES = frozenset({exp.DType.USERDEFINED, exp.DType.UNKNOWN, exp.DType.NAME})


@cache
def _lists() -> Mapping[str, Any]:
    return dict(yaml.safe_load(Path(__file__).with_suffix(".yml").read_text("utf-8")))


@cache
def listed(name: str) -> frozenset[str]:
    """A word list of `allowlist.yml`."""
    return words(_lists()[name])


def texts(name: str) -> Mapping[str, str]:
    """A text mapping of `allowlist.yml`."""
    return dict(_lists()[name])


def by_dialect(name: str) -> Mapping[str, Mapping[str, str]]:
    """Text mappings by dialect, and for `all`."""
    return dict(_lists()[name])


def refused(code: str, reason: str, hint: str = "") -> GuardError:
    """The error of a refused statement, with the hint of its code."""
    return GuardError(
        f"{REFUSED}{reason}",
        hint=hint or texts("hints")[code],
        code=code,
    )


def check_nodes(query: exp.Expr, dialect: Dialect) -> None:
    """Refuse trees with unlisted nodes."""
    for node in query.walk():
        kind = type(node).__name__
        if isinstance(node, exp.Func):
            stays_in_groups = node.name.casefold() in dialect.probe_functions.of_groups
            if (stays_in_groups or kind not in listed("operators")) and not _may_be_called(
                node, dialect
            ):
                raise refused(
                    "forbidden_function",
                    f"`{_function(node, dialect)}` is not one that a probe may call",
                )
        elif kind not in listed("parts"):
            code = "parameter" if kind in ("Parameter", "Placeholder") else "forbidden_construct"
            raise refused(code, f"it holds {texts('called').get(kind, f'`{node.key}`')}")
        _check_texts(node)
        _check_details(node, dialect)


def _may_be_called(function: exp.Func, dialect: Dialect) -> bool:
    """Whether a call is listed and the warehouse has the function."""
    functions, around = dialect.probe_functions, function.parent
    call = _CALL.fullmatch(function.sql(dialect.name, comments=False))
    if call is None or isinstance(function, exp.Binary):
        return False
    name = call[1].casefold()
    if name in functions.of_windows:
        return isinstance(around, exp.Window | exp.IgnoreNulls | exp.RespectNulls)
    if name in functions.of_groups:
        return isinstance(around, exp.WithinGroup)
    is_source = isinstance(around, exp.Table | exp.Lateral | exp.TableFromRows)
    return name in functions.names or (is_source and name in functions.of_tables)


def _check_texts(node: exp.Expr) -> None:
    """
    Unquoted texts must be one word.

    The parser builds such texts from quoted names: `extract("year from now()), (select …" from
    now())`.
    """
    if isinstance(node, _QUOTED) or (
        isinstance(node, exp.Literal | exp.Identifier)
        and (node.args.get("is_string") or node.args.get("quoted"))
    ):
        return
    for value in node.args.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _PLAIN.fullmatch(text):
                raise refused("not_parsed", "it holds a quoted name where a word belongs")


def _function(node: exp.Func, dialect: Dialect) -> str:
    return node.sql(dialect.name, comments=False).partition("(")[0].lower()[:60]


def _check_details(node: exp.Expr, dialect: Dialect) -> None:
    if isinstance(node, exp.DataType) and node.this in _FORBIDDEN_TYPES:
        raise refused(
            "forbidden_construct", "it casts to a type that is not one of the warehouse's own"
        )
    if isinstance(node, exp.Describe | exp.Summarize) and not (
        isinstance(node.this, exp.Query)
        and isinstance(node.parent, exp.Subquery)
        and not _options(node)
    ):
        raise refused("not_a_query", "it describes something else than a query")
    if isinstance(node, exp.ObjectIdentifier) and not (
        isinstance(node.parent, exp.Cast)
        and node.name.casefold() == "regclass"
        and isinstance(node.parent.this, exp.Literal | exp.Column)
    ):
        raise refused("forbidden_construct", "it looks up something else than a table by its name")
    if isinstance(node, exp.Table):
        _check_table(node, dialect)
    if isinstance(node, exp.Lateral | exp.TableFromRows) and not isinstance(node.this, exp.Query):
        _check_table_function(node.this, dialect)
    if isinstance(node, exp.CTE) and not isinstance(node.this, exp.Query | exp.Values | exp.Pivot):
        raise refused("forbidden_construct", "it names something else than a query with `with`")
    if isinstance(node, exp.From) and isinstance(node.this, exp.Literal | exp.Var | exp.Column):
        raise refused("unknown_table", "it reads something else than a table")


def _options(node: exp.Expr) -> list[str]:
    return [key for key, value in node.args.items() if value and key != "this"]


def _check_table(node: exp.Table, dialect: Dialect) -> None:
    """Only names and table functions; no texts, stages, files or variables."""
    if not isinstance(node.this, exp.Identifier | exp.Dot | exp.Func) or (
        isinstance(node.this, exp.Dot) and node.this.find(exp.Func)
    ):
        raise refused("unknown_table", "it reads something else than a table")
    if any(not isinstance(part, exp.Identifier) for part in node.parts) and not isinstance(
        node.this, exp.Func | exp.Dot
    ):
        raise refused("unknown_table", "it reads a table whose name is not written out")
    if isinstance(node.this, exp.Func):
        _check_table_function(node.this, dialect)
    for key in _TABLE_DETAILS:
        if node.args.get(key):
            raise refused("forbidden_construct", f"it reads a table with `{key}`")


def _check_table_function(function: exp.Expr, dialect: Dialect) -> None:
    """Table functions may read what arguments name, so only known ones are permitted."""
    if not isinstance(function, exp.Func):
        raise refused("unknown_table", "it reads something else than a table")
    if isinstance(function, exp.Unnest | exp.Explode | exp.Inline):
        return
    name = _function(function, dialect).strip('"`')
    if name == "table":
        for inner in function.expressions:
            _check_table_function(inner, dialect)
    elif name not in dialect.probe_functions.of_tables:
        raise refused("forbidden_function", f"`{name}` is not one that a probe may read from")


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
