"""
Read-only tools that a model calls during linking; each answers in text and changes no state.

Statistics come from profiles, lists from catalog and index, and probes go through the guard.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from itertools import chain, islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linker.catalog.description import ColumnDescription, statistics_line
from linker.catalog.profile import column_profile
from linker.errors import GuardError, MissingError, WarehouseError
from linker.identifiers.resolver import Unknown
from linker.linking.actions import GetFieldStats, ListColumns, ListTables, Look, ProbeSql
from linker.linking.linking import LinkSession
from linker.linking.linking_state import ActionResult
from linker.linking.prompt_sections import (
    fitting,
    listed_tables,
    numbered,
    other_columns,
    ranked_columns,
)
from linker.linking.result import Evidence
from linker.linking.value_linking import LinkedQuestion
from linker.models import estimate_tokens
from linker.text.numbers import counted
from linker.text.words import readable, words_of_name
from linker.types import ColumnRef, Ref, Table, TableRef
from linker.warehouses import Row
from linker.warehouses.base import Bounds

if TYPE_CHECKING:
    # Imported late: the SQL parser takes 0.1 s, and most questions probe nothing.
    from linker.sql_policy.guard import Probe

# Tokens of a list.
LISTED = 400
_MAX_FOUND = 40
# Columns that a list describes besides those near the words asked for.
_MIN_DESCRIBED = 10
# Share of a list for their descriptions; the rest names others.
_DESCRIBED = 0.7
MAX_CELLS = 12
_LONGEST_CELL = 60
_LONGEST_PROBE = 600
# Bytes per value by type prefix; other types count as texts of average length.
_WIDTHS = {
    "bool": 1,
    "int": 8,
    "big": 8,
    "small": 8,
    "float": 8,
    "double": 8,
    "real": 8,
    "date": 8,
    "time": 8,
}
_WIDTH_OF_TEXT = 16


class Toolbox:
    """The tools of one question."""

    def __init__(self, question: LinkedQuestion, linking: LinkSession, step: str) -> None:
        self._question, self._names, self._sources = question, linking.names, linking.environment
        self._ledger, self._step = linking.ledger, step
        # Warehouse errors about tables or columns that the catalog still has.
        self.missed = dict[str, None]()

    def use(
        self, lookup: Look, tokens: float = LISTED, named: Collection[TableRef] = ()
    ) -> ActionResult:
        """
        Run a tool. Lists are limited to some tokens, and omit column names of tables that the
        prompt names already. BudgetExceeded beyond the probe limit.
        """
        if isinstance(lookup, ListTables):
            return self._list_tables(lookup, tokens)
        if isinstance(lookup, ListColumns):
            return self._list_columns(lookup, tokens, named)
        return self._stats(lookup) if isinstance(lookup, GetFieldStats) else self._probe(lookup)

    def _list_tables(self, lookup: ListTables, tokens: float) -> ActionResult:
        words = lookup.like.strip() or self._question.question
        hits = self._sources.retriever.search(words, limit=_MAX_FOUND).tables
        tables = [self._question.catalog.table_by_ref.get(hit.ref) for hit in hits]
        there = [table for table in tables if table]
        total = len(self._question.catalog.tables)
        return ActionResult(lookup, listed_tables(self._question, there, total, tokens))

    def _list_columns(
        self, lookup: ListColumns, tokens: float, named: Collection[TableRef]
    ) -> ActionResult:
        ref = self._names.table(lookup.table)
        if isinstance(ref, Unknown):
            return ActionResult(lookup, f"there is no table {ref}", is_done=False)
        columns, near = _nearest_first(ranked_columns(self._question, [ref]), lookup.like)
        firsts = dict[Ref | str, ColumnDescription]()
        for described in map(self._question.describe, columns[: max(near, _MIN_DESCRIBED)]):
            firsts.setdefault(numbered(described), described)
        described_lines = (described.line() for described in firsts.values())
        is_named = ref in named
        lines = list(fitting(described_lines, tokens if is_named else tokens * _DESCRIBED))
        shown = {described.ref for described in islice(firsts.values(), len(lines))}
        rest = [column for column in columns if column not in shown]
        left = 0 if is_named else tokens - sum(map(estimate_tokens, lines))
        others = other_columns(self._question, ref, rest, left)
        return ActionResult(lookup, "\n".join([f"{ref} has", *lines, others]))

    def _stats(self, lookup: GetFieldStats) -> ActionResult:
        lines, evidence, missed = list[str](), list[tuple[Ref, Evidence]](), 0
        days = list[tuple[ColumnRef, date, date]]()
        for name in lookup.columns:
            ref = self._names.column(name)
            if isinstance(ref, Unknown):
                lines.append(f"there is no column {ref}")
                missed += 1
                continue
            column = column_profile(self._sources.profile_of(ref.table), ref.path)
            if column is None:
                lines.append(f"{ref}: nothing was measured")
                continue
            table = self._question.catalog.table_by_ref[ref.table]
            family = table.family
            parts = (
                statistics_line(column, table.column_by_path[ref.path].description),
                family.coverage if family else "",
            )
            statistics = "; ".join(filter(None, parts))
            lines.append(f"{ref.table}.{statistics}")
            evidence.append((ref, Evidence("statistic", statistics)))
            if column.is_shown and column.l3 and column.l3.first_day and column.l3.last_day:
                first = date.fromisoformat(column.l3.first_day)
                days.append((ref, first, date.fromisoformat(column.l3.last_day)))
        is_done = missed < len(lookup.columns)
        return ActionResult(
            lookup, "\n".join(lines), is_done, evidence=tuple(evidence), days=tuple(days)
        )

    def _probe(self, lookup: ProbeSql) -> ActionResult:
        if not self._sources.warehouse.is_profiled:
            return ActionResult(lookup, "there are no rows to probe", is_done=False)
        try:
            probe, bounds = self.admitted(lookup.sql)
            rows = self.fetched(lookup.sql, probe, bounds)
        except GuardError as error:
            reason = f"refused ({error.code}): {error.what}; {error.hint}"
            return ActionResult(lookup, reason, is_done=False)
        except WarehouseError as error:
            what = readable(error.what)[:300]
            if isinstance(error, MissingError):
                self.missed[what] = None
            return ActionResult(lookup, f"the warehouse refused it: {what}", is_done=False)
        text = _rows(rows)
        result = f"{readable(lookup.sql)} -> {'; '.join(text.splitlines())}"
        short = Evidence("probe", result[:_LONGEST_PROBE])
        evidence = tuple((ref, short) for ref in self._probed(lookup, probe))
        return ActionResult(
            lookup, text, evidence=evidence, rows=tuple(tuple(map(str, row)) for row in rows)
        )

    def admitted(self, sql: str, most_seconds: int | None = None) -> "tuple[Probe, Bounds]":
        """Validate and count a probe; GuardError or BudgetExceeded if refused."""
        probe = self._sources.warehouse.guard.check(sql)
        left = self._ledger.admit_probe(self._step)
        seconds = most_seconds or probe.bounds.seconds
        if left is not None:
            seconds = max(1, min(seconds, int(left)))
        return probe, replace(probe.bounds, seconds=seconds)

    def fetched(self, sql: str, probe: "Probe", bounds: Bounds) -> list[Row]:
        """Rows of a probe; bytes read are charged as reported, else estimated."""
        session = self._sources.warehouse.session
        before = session.bytes_read
        try:
            return session.query(probe.sql, (), bounds)
        finally:
            after = session.bytes_read
            read = (
                self._estimated_bytes(sql, probe)
                if before is None or after is None
                else after - before
            )
            self._ledger.add_bytes(self._step, read)

    def _estimated_bytes(self, sql: str, probe: "Probe") -> int:
        """Bytes of the named columns over whole tables; of all columns if none is named."""
        named, read = self._named(sql, probe), 0
        for table in self._tables(probe):
            paths = [column.path for column in named if column.table == table.ref]
            columns = map(table.column_by_path.__getitem__, paths) if paths else table.columns
            width = sum(_width(column.data_type) for column in columns)
            read += (table.row_count_estimate or 0) * width
        return read

    def _tables(self, probe: "Probe") -> list[Table]:
        """Catalog tables of a probe."""
        return [*filter(None, map(self._question.catalog.table_by_ref.get, probe.tables))]

    def _named(self, sql: str, probe: "Probe") -> list[ColumnRef]:
        """Columns of a probe's tables that occur in its SQL."""
        words = {word.casefold() for word in re.findall(r"\w+", sql)}
        refs = chain.from_iterable(table.column_refs for table in self._tables(probe))
        return [ref for ref in refs if ref.path.casefold() in words]

    def _probed(self, lookup: ProbeSql, probe: "Probe") -> list[Ref]:
        """Items that a probe is evidence for: the stated ones, else its tables and columns."""
        if lookup.about is not None:
            meant = (self._names.find(name) for name in lookup.about)
            return [ref for ref in meant if not isinstance(ref, Unknown)]
        tables = [table.ref for table in self._tables(probe)]
        return [*tables, *self._named(lookup.sql, probe)]


def _width(data_type: str) -> int:
    return next(
        (width for name, width in _WIDTHS.items() if data_type.lower().startswith(name)),
        _WIDTH_OF_TEXT,
    )


def _rows(rows: list[Row]) -> str:
    if not rows:
        return "no rows"
    first, *others = map(cells, rows)
    return "\n".join([f"{counted(len(rows), 'row')}: {first}", *others])


def cells(row: Sequence[object]) -> str:
    """The first cells of a row, one line each, truncated."""
    return " | ".join(readable(str(cell))[:_LONGEST_CELL] for cell in row[:MAX_CELLS])


def _nearest_first(columns: Sequence[ColumnRef], like: str) -> tuple[list[ColumnRef], int]:
    """
    Columns by name and by the words that their names share with `like`, rare ones counting more;
    and how many share any, all of them without words.
    """
    names, wanted = set(re.split(r"[\s,]+", like.casefold())), set(words_of_name(like))
    shared = {column: wanted & set(words_of_name(column.path)) for column in columns}
    holders = Counter(chain.from_iterable(shared.values()))

    def distance(column: ColumnRef) -> tuple[bool, float]:
        is_other = column.path.casefold() not in names
        return is_other, -sum(1 / holders[word] for word in shared[column])

    near = sum(map(bool, shared.values())) if wanted else len(columns)
    return sorted(columns, key=distance), near
