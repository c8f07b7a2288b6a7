"""
Guard of probes: enters the text of one, leaves the statement that may run, or a refusal with one
reason and a code.

What runs is written anew from the tree that was checked: nothing that the parser overlooked can
reach the warehouse. Hidden columns are not part of what a probe sees: their tables are replaced by
queries that do not select them.
"""

from sqlglot import exp
from sqlglot.dialects import Dialect as Grammar
from sqlglot.errors import ErrorLevel, SqlglotError

from linker.errors import first_line
from linker.guard.allowed import check_nodes
from linker.guard.calls import checked_calls
from linker.guard.columns import check_columns
from linker.guard.exploring import as_query
from linker.guard.known import KnownTables
from linker.guard.listed import refused
from linker.guard.private import check_reads, hide_private, masked_columns, read_back
from linker.guard.tables import replace_tables
from linker.types import ColumnRef, Record, TableRef
from linker.warehouses import dialect_of
from linker.warehouses.base import Bounds, Row, Warehouse
from linker.warehouses.base.read_only import read_only_query


class ProbeLimits(Record, frozen=True):
    """Limits of what one probe may cost."""

    rows: int = 100
    seconds: int = 10
    bytes_billed: int = 1_000_000_000
    characters: int = 20_000


class Probe(Record, frozen=True):
    """
    A statement that may run, what it reads, the columns of which it shows only that they are there,
    its limits.
    """

    sql: str
    tables: tuple[TableRef, ...]
    masked: tuple[ColumnRef, ...]
    limits: ProbeLimits
    # The statement as it came, as a query: `show tables` is one, too.
    original: str
    # Names of what it selects; none where a star selects.
    heads: tuple[str, ...] = ()

    @property
    def bounds(self) -> Bounds:
        """Bounds that the session holds the statement to, whatever it says itself."""
        return Bounds(self.limits.seconds, self.limits.bytes_billed, self.limits.rows)


class Guard:
    """Passes or refuses probes of one target."""

    def __init__(self, known: KnownTables, limits: ProbeLimits | None = None) -> None:
        self._known = known
        self._limits = limits or ProbeLimits()
        self._dialect = dialect_of(known.dialect)
        self._grammar = Grammar.get_or_raise(self._dialect.name)

    def run(self, sql: str, warehouse: Warehouse) -> tuple[Probe, list[Row]]:
        """
        The probe and its rows; raises GuardError before it runs, WarehouseError when the warehouse
        refuses it.
        """
        probe = self.check(sql)
        return probe, warehouse.query(probe.sql, (), probe.bounds)

    def check(self, sql: str) -> Probe:
        """The probe that may run; raises GuardError."""
        if len(sql) > self._limits.characters:
            raise refused("too_large", f"it is longer than {self._limits.characters} characters")
        original = as_query(sql, self._known)
        tree = read_only_query(original, self._known.dialect)
        try:
            return self._checked(original, tree)
        except RecursionError:
            raise refused("too_large", "it is nested too deeply") from None

    def _checked(self, original: str, tree: exp.Query | exp.Values) -> Probe:
        check_nodes(tree, self._dialect)
        heads = () if not isinstance(tree, exp.Query) or tree.is_star else tuple(tree.named_selects)
        tables = replace_tables(tree, self._known)
        compared = check_columns(tree, tables, self._dialect)
        allowed = hide_private(tables, compared, self._known)
        query = limited(tree, self._limits.rows)
        text = self._written(query)
        written = read_back(text, self._dialect)
        check_nodes(written, self._dialect)
        text = checked_calls(text, written, self._dialect)
        check_reads(written, allowed, self._known.homes, self._dialect)
        refs = tuple(sorted({table.known.ref for table in tables if not table.known.is_system}))
        return Probe(text, refs, masked_columns(tables), self._limits, original, heads)

    def _written(self, query: exp.Query) -> str:
        try:
            text: str = self._grammar.generate(
                query, comments=False, copy=False, unsupported_level=ErrorLevel.RAISE
            )
            self._grammar.tokenize(text)
        except (SqlglotError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise refused(
                "not_parsed", f"it cannot be written as {self._known.dialect}: {first_line(error)}"
            ) from None
        return text


def limited(query: exp.Query | exp.Values, rows: int) -> exp.Query:
    """
    The query with its own limit where that is lower, and else with this one; an offset stays as it
    is.
    """
    while isinstance(query, exp.Subquery) and query.is_wrapper:
        query = query.this
    if isinstance(query, exp.Values):
        query = exp.select("*").from_(
            exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("given")))
        )
    if isinstance(query, exp.Subquery) and not query.args.get("limit"):
        query.set("this", limited(query.this, rows + _skipped(query)))
    query.set(
        "limit",
        exp.Limit(expression=exp.Literal.number(min(rows, _own(query.args.get("limit"), rows)))),
    )
    return query


def _own(limit: exp.Expr | None, rows: int) -> int:
    """The number of rows that a query asks for, where it says it as a plain number."""
    if limit is None:
        return rows
    options = limit.args.get("limit_options")
    count = (
        limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.args.get("expression")
    )
    is_plain = isinstance(count, exp.Literal) and not count.is_string and count.name.isdecimal()
    if not is_plain or (options and (options.args.get("percent") or options.args.get("with_ties"))):
        return rows
    return int(count.name) if count is not None else rows


def _skipped(query: exp.Query) -> int:
    offset = query.args.get("offset")
    skipped = offset.expression if offset else None
    return int(skipped.name) if isinstance(skipped, exp.Literal) and skipped.name.isdecimal() else 0
