"""
Allow-list of SQL syntax (`allowlist.yml`) and its check.

Unlisted expressions are refused, so that syntax of newer parser versions is refused until reviewed.
A function is judged by the name that will be called, not by the parser's class.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from sqlglot import exp

from linker.errors import REFUSED, GuardError
from linker.warehouses.base.dialect import Dialect, words

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
