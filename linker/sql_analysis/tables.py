"""
Resolves dotted table names in SQL against a database.

Qualifiers compare from the right as far as both sides have them: `schema.table`,
`project.dataset.table`. Of a BigQuery wildcard, a query reads the tables that its conditions on
`_TABLE_SUFFIX` keep. DuckDB evaluates constant conditions; anything else is null, and a condition
that evaluates to null keeps every table.
https://cloud.google.com/bigquery/docs/querying-wildcard-tables#filtering_selected_tables_using_table_suffix
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import TypeAlias

import duckdb
from sqlglot import exp

from linker.identifiers.table_index import Fit, TableIndex, TableName, fit, members, names_of
from linker.sql_analysis.values import Node, nodes_of
from linker.types import Catalog, Record, TableRef

# Without schemas any qualifier is accepted.
_NO_SCHEMA = "main"
_ANY_FIT = frozenset(Fit)


class MergedTables(Record, frozen=True):
    """
    Tables of a database by written name, in its dialect.

    `logical` maps physical tables to logical ones.
    """

    dialect: str
    catalog: Catalog
    logical: Mapping[TableRef, TableRef]

    @classmethod
    def create(cls, dialect: str, catalog: Catalog) -> "MergedTables":
        """From a catalog with families."""
        logical_tables = {table.ref: table.ref for table in catalog.tables}
        logical_tables |= {
            TableRef(member.schema, member.name): member.table
            for member in names_of(catalog, members)
        }
        return cls(dialect, catalog, logical_tables)


@dataclass(eq=False)
class Tables:
    """Physical tables by name; indexes are built on demand."""

    database: MergedTables

    def resolve(self, name: str) -> list[TableRef]:
        """Physical tables that a name may mean, several if ambiguous."""
        last_step = name.rpartition(".")[2]
        matches = self._index.resolve(name, _ANY_FIT) or [
            named.table for named in self._index.named(last_step) if named.schema == _NO_SCHEMA
        ]
        return [table for table in matches if str(table).endswith(name)] or matches

    def sibling_shards(self, name: str) -> list[TableRef]:
        """Shards that a name would belong to, for catalogs with only some of a family."""
        written = name.casefold()
        shape = _shape(written.rpartition(".")[2])
        if "0" not in shape:
            return []
        alike = [table for table in self._physical if _shape(table.name.casefold()) == shape]
        shards = [
            table for table in alike if _fits(table.schema.casefold(), written.rpartition(".")[0])
        ]
        return shards if len(shards) > 1 else []

    def by_prefix(self, prefix: str) -> list[tuple[TableRef, str]]:
        """Physical tables by prefix, with the part matched by `*`."""
        qualifier, _, start = prefix.casefold().rpartition(".")
        matching = [
            (table, table.name[len(start) :])
            for table in self._physical
            if table.name.casefold().startswith(start)
        ]
        return [
            (table, rest) for table, rest in matching if _fits(table.schema.casefold(), qualifier)
        ]

    def logical(self, table: TableRef) -> TableRef:
        """The logical table of a physical one."""
        return self.database.logical[table]

    def nodes(self, table: TableRef) -> tuple[Node, ...]:
        """Columns of a logical table."""
        if table not in self._nodes:
            self._nodes[table] = nodes_of(self.database.catalog.table_by_ref[table])
        return self._nodes[table]

    @cached_property
    def _nodes(self) -> dict[TableRef, tuple[Node, ...]]:
        return {}

    @cached_property
    def _physical(self) -> list[TableRef]:
        """Tables without names of families, which a catalog may list beside shards."""
        families = {
            table.ref
            for table in self.database.catalog.tables
            if table.family and table.ref.name not in table.family.members
        }
        return [table for table in self.database.logical if table not in families]

    @cached_property
    def _index(self) -> TableIndex[TableRef]:
        return TableIndex(
            TableName(table.schema, table.name, table) for table in self.database.logical
        )


def _shape(name: str) -> str:
    return re.sub(r"\d", "0", name)


def _fits(schema: str, qualifier: str) -> bool:
    return schema == _NO_SCHEMA or fit(schema, qualifier) is not None


# Constant script variables.
Constants: TypeAlias = Mapping[str, exp.Expr | None]

_SUFFIX = "_table_suffix"
_WRITTEN = (exp.Literal, exp.RawString, exp.Boolean, exp.Identifier, exp.DataType, exp.Var)
_CONDITIONS = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Between,
    exp.In,
    exp.Like,
    exp.RegexpLike,
    exp.StartsWith,
    exp.Not,
    exp.And,
    exp.Or,
    exp.Paren,
)
_VALUES = (
    exp.Concat,
    exp.DPipe,
    exp.Substring,
    exp.Cast,
    exp.Date,
    exp.TsOrDsToDate,
    exp.DateFromParts,
    exp.StrToDate,
    exp.TimeToStr,
    exp.DateAdd,
    exp.DateSub,
    exp.Interval,
)


def conjuncts(condition: exp.Expr) -> Iterable[exp.Expr]:
    """The conditions that `and` connects, or the only one."""
    return condition.flatten() if isinstance(condition, exp.And) else (condition,)


def on_suffix(conditions: Iterable[exp.Expr]) -> list[exp.Expr]:
    """Conditions on the suffix, with `and` split."""
    parts = chain.from_iterable(map(conjuncts, conditions))
    return [part for part in parts if _names_the_suffix(part)]


def _names_the_suffix(part: exp.Expr) -> bool:
    return any(name.name.casefold() == _SUFFIX for name in part.find_all(exp.Column))


def constant(expression: exp.Expr, constants: Constants) -> exp.Expr:
    """The expression with null for everything that is not constant."""

    def known(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            name = node.name.casefold()
            return exp.column(_SUFFIX) if name == _SUFFIX else constants.get(name) or exp.null()
        is_query = isinstance(node, exp.In) and not node.expressions
        return (
            node
            if isinstance(node, (*_WRITTEN, *_CONDITIONS, *_VALUES)) and not is_query
            else exp.null()
        )

    return expression.transform(known)


def may_read(
    suffixes: Sequence[str], conditions: Iterable[exp.Expr], constants: Constants
) -> Set[str]:
    """Suffixes that may satisfy all conditions."""
    filters = [
        f"coalesce(try({constant(condition, constants).sql('duckdb')}), true)"
        for condition in conditions
    ]
    if not filters:
        return set(suffixes)
    return _those(suffixes, " and ".join(filters))


def passing(names: Sequence[str], pattern: str) -> Set[str]:
    """Names that match a regular expression; all if it is invalid."""
    return _those(names, f"regexp_matches({_SUFFIX}, ?)", pattern)


def _those(texts: Sequence[str], condition: str, *parameters: str) -> Set[str]:
    statement = f"select {_SUFFIX} from (select unnest(?) as {_SUFFIX}) where {condition}"  # noqa: S608
    with _calculator().cursor() as cursor:
        try:
            rows = cursor.execute(statement, [list(texts), *parameters]).fetchall()
        except duckdb.Error:
            # Not supported by DuckDB.
            return set(texts)
    return {text for [text] in rows}


@cache
def _calculator() -> duckdb.DuckDBPyConnection:
    """An empty, isolated DuckDB; cached, since opening takes 40 times as long as a query."""
    return duckdb.connect(config={"enable_external_access": False})
