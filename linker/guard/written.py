"""
Reads once more what will run: enters the text that was written from a checked tree, refuses it where it says more.

What the warehouse gets is a text, and a writer may make other SQL of a tree than a reader made the tree of. So the text
is parsed like one from a stranger, and may read nothing but the tables that the tree was left with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.guard.nodes import check_nodes
from linker.guard.refusal import refused
from linker.guard.tables import definition, is_path
from linker.warehouses.base.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Allowed:
    """The tables that may be read as they are, by their names, and the queries that stand in place of others."""

    tables: frozenset[tuple[str, ...]]
    queries: frozenset[str]


def check_written(text: str, allowed: Allowed, homes: frozenset[str], dialect: Dialect) -> None:
    """Refuse a text that reads a table by any other way than it was left."""
    try:
        tree = sqlglot.parse_one(text, dialect=dialect.name)
    except SqlglotError:
        raise refused("not_parsed", f"it cannot be written as {dialect.name}") from None
    check_nodes(tree, dialect)
    for node in tree.find_all(exp.Table):
        if isinstance(node.this, exp.Identifier | exp.Dot) and not _may_be_read(node, allowed, homes, dialect):
            raise refused("unknown_table", f"written anew it would read {'.'.join(names_of(node))}")


def _may_be_read(node: exp.Table, allowed: Allowed, homes: frozenset[str], dialect: Dialect) -> bool:
    if definition(node, dialect) is not None or names_of(node) in allowed.tables or is_path(node, homes, dialect):
        return True
    select = node.find_ancestor(exp.Select)
    return (
        select is not None and node.parent is select.args.get("from_") and select.sql(dialect.name) in allowed.queries
    )


def read_back(query: exp.Select, dialect: Dialect) -> str:
    """A query as it is written after it was read: some parsers take names with dots together."""
    return sqlglot.parse_one(query.sql(dialect.name), dialect=dialect.name).sql(dialect.name)


def names_of(node: exp.Table) -> tuple[str, ...]:
    """The name of a table, step by step."""
    parts: Sequence[exp.Expr] = node.parts
    return tuple(step.name for part in parts for step in (part.flatten() if isinstance(part, exp.Dot) else [part]))
