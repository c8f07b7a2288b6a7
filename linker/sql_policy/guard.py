"""
Checks a statement and returns a runnable probe, or refuses it with one reason.

    guard = Guard(known_tables(catalog, warehouse.dialect, privacy, schema=target.schema))
    probe, rows = guard.run(sql, warehouse)

The statement runs as written, with its tables replaced and its rows limited. Names missing from the
parse tree do not reach the warehouse. Tables with hidden columns become sub-queries without them.
"""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.dialects import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError

from linker.errors import first_line
from linker.sql_policy.allowlist import check_nodes, checked_calls, refused
from linker.sql_policy.columns import check_columns, check_plan
from linker.sql_policy.metadata_commands import as_query
from linker.sql_policy.pii_rewrite import check_reads, hide_private, masked_columns, read_back
from linker.sql_policy.private_literals import has_private_literal
from linker.sql_policy.rewrite import is_understood, limited, replaced, table_name_edits
from linker.sql_policy.tables import replace_tables
from linker.sql_policy.visible_tables import KnownTables
from linker.types import ColumnRef, Record, TableRef
from linker.warehouses import dialect_of
from linker.warehouses.base import Bounds, Row, Warehouse
from linker.warehouses.base.read_only import explained, read_only_text


class ProbeLimits(Record, frozen=True):
    """Cost limits of a probe."""

    rows: int = 100
    seconds: int = 10
    bytes_billed: int = 1_000_000_000
    characters: int = 20_000


class Probe(Record, frozen=True):
    """A permitted statement with the tables it reads, the masked columns it uses, and limits."""

    sql: str
    tables: tuple[TableRef, ...]
    masked: tuple[ColumnRef, ...]
    limits: ProbeLimits
    # The original statement as a query without comments; `show tables` counts.
    original: str
    # A literal may be a value of a private column: show the statement to no one else.
    has_private_literal: bool
    # Output names; empty for a star.
    heads: tuple[str, ...] = ()

    @property
    def bounds(self) -> Bounds:
        """Limits that the session enforces."""
        return Bounds(self.limits.seconds, self.limits.bytes_billed, self.limits.rows)


class Guard:
    """Permits or refuses probes of a target."""

    def __init__(self, known: KnownTables, limits: ProbeLimits | None = None) -> None:
        self._known = known
        self._limits = limits or ProbeLimits()
        self._dialect = dialect_of(known.dialect)
        self._grammar = Grammar.get_or_raise(self._dialect.name)

    def run(self, sql: str, warehouse: Warehouse) -> tuple[Probe, list[Row]]:
        """Check and run; GuardError before, WarehouseError from the warehouse."""
        probe = self.check(sql)
        return probe, warehouse.query(probe.sql, (), probe.bounds)

    def check(self, sql: str) -> Probe:
        """The permitted probe, or GuardError."""
        if len(sql) > self._limits.characters:
            raise refused("too_large", f"it is longer than {self._limits.characters} characters")
        explained_statement = explained(sql, self._known.dialect)
        explain, query = explained_statement or ("", as_query(sql, self._known))
        text, tree = read_only_text(query, self._known.dialect)
        try:
            return self._checked(text, tree, explain)
        except RecursionError:
            raise refused("too_large", "it is nested too deeply") from None

    def _checked(self, original: str, tree: exp.Query | exp.Values, explain: str) -> Probe:
        check_nodes(tree, self._dialect)
        heads = () if not isinstance(tree, exp.Query) or tree.is_star else tuple(self._heads(tree))
        # Version-dependent SQL is compared verbatim.
        written = self._written(tree, unsupported=ErrorLevel.IGNORE)
        is_whole = is_understood(original, tree, written, self._dialect)
        tables = replace_tables(tree, self._known)
        name_edits = table_name_edits(tables, original) if is_whole else None
        uses = check_columns(tree, tables, self._dialect)
        if explain:
            check_plan(uses)
        is_private = has_private_literal(tree, tables, uses)
        allowed = hide_private(tables, uses, self._known)
        if name_edits is None:
            text = self._written(tree)
        else:
            text = replaced(original, tree, tables, name_edits, allowed.replacing, self._dialect)
        final = read_back(text, self._dialect)
        check_nodes(final, self._dialect)
        check_reads(final, allowed, self._known.homes, self._dialect)
        if not explain:
            text = limited(text, final, self._limits.rows)
        text = checked_calls(text, final, self._dialect)
        if explain:
            text, heads, original = f"{explain}{text}", (), f"{explain}{original}"
        refs = tuple(sorted({read.table.ref for read in tables if not read.table.is_system}))
        masked = masked_columns(tables, uses)
        return Probe(text, refs, masked, self._limits, original, is_private, heads)

    def _heads(self, query: exp.Query) -> Iterator[str]:
        """
        Columns of a result by name; expressions as written, since warehouses name them differently.
        """
        for column in query.selects:
            yield column.output_name or self._written(column, unsupported=ErrorLevel.IGNORE)

    def _written(self, query: exp.Expr, unsupported: ErrorLevel = ErrorLevel.RAISE) -> str:
        try:
            text: str = self._grammar.generate(query, comments=False, unsupported_level=unsupported)
            self._grammar.tokenize(text)
        except (SqlglotError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise refused(
                "not_parsed", f"it cannot be written as {self._known.dialect}: {first_line(error)}"
            ) from None
        return text
