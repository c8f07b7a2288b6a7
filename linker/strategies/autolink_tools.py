"""Actions of AutoLink that read: explore rows, retrieve columns, verify a query."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING

from linker.catalog.warehouse import PROBE_ROWS
from linker.errors import BudgetExceeded, GuardError, WarehouseError
from linker.linking.linking import LinkSession
from linker.linking.prompt_sections import columns_view
from linker.linking.tools import MAX_CELLS, Toolbox, cells
from linker.linking.value_linking import LinkedQuestion
from linker.sql_analysis.statements import used_by
from linker.text.numbers import counted
from linker.text.words import readable
from linker.types import ColumnRef
from linker.warehouses import Row

if TYPE_CHECKING:
    from linker.sql_policy.guard import Probe


_QUERY_SECONDS = 120
# Rows may be fast where counting takes minutes.
_COUNT_SECONDS = 5
# Columns per search; the best may be one column of many duplicates.
_RETRIEVED = 3
_LOOKED_THROUGH = 12
_TOKENS_OF_COLUMNS = 600
_LONGEST_ERROR = 400


class Explorer:
    """Actions on one question; `seen` are columns already returned."""

    def __init__(
        self, question: LinkedQuestion, linking: LinkSession, step: str, seen: Iterable[ColumnRef]
    ) -> None:
        self._question, self._names, self._sources = question, linking.names, linking.environment
        self._tools = Toolbox(question, linking, step)
        self.seen = dict.fromkeys(seen)

    def explore(self, sql: str) -> tuple[str, bool]:
        """First rows of a query, with total and duration, or the error."""
        if not self._sources.warehouse.is_profiled:
            return "[error: there are no rows that could be queried]", False
        try:
            return self._observed(sql), True
        except GuardError as error:
            what = f"refused ({error.code}): {error.what}; {error.hint}"
        except (BudgetExceeded, WarehouseError) as error:
            what = readable(error.what)[:_LONGEST_ERROR]
        return f"[error: {what}]", False

    def retrieve(self, like: str) -> tuple[str, bool]:
        """The next columns near a text, each only once."""
        excluded = dict.fromkeys(chain.from_iterable(map(self._copies, self.seen)))
        search = self._sources.retriever.search
        hits = search(like, limit=_LOOKED_THROUGH, excluded=tuple(excluded)).columns
        columns = dict[ColumnRef, None]()
        for hit in hits:
            is_new = columns.keys().isdisjoint(self._copies(hit.ref))
            if is_new and len(columns) < _RETRIEVED and self._question.catalog.find(hit.ref):
                columns[hit.ref] = None
        self.seen.update(columns)
        text = columns_view(self._question, tuple(columns), _TOKENS_OF_COLUMNS).text
        return text or "[no other column is near]", bool(columns)

    def verify(self, sql: str, linked: Collection[ColumnRef]) -> tuple[str, bool]:
        """Result of a query, and its columns that are not linked yet."""
        used = used_by(sql, self._sources.dialect, self._names, self._question.catalog)
        loose = [str(ref) for ref in used.columns if ref not in linked]
        if self._sources.warehouse.is_profiled:
            text, is_done = self.explore(sql)
        else:
            text, is_done = "[not run: there are no rows that could be queried]", not used.problem
        lines = [text]
        # The warehouse's error suffices.
        if is_done or not self._sources.warehouse.is_profiled:
            lines += [f"[error: {used.problem}]"] if used.problem else []
            unknown = ", ".join(used.unknown)
            lines += [f"[error: these do not exist: {unknown}]"] if unknown else []
        lines += [f"[not linked yet: {', '.join(loose)}]"] if loose else []
        return "\n".join(lines), is_done

    def _observed(self, sql: str) -> str:
        probe, bounds = self._tools.admitted(sql, _QUERY_SECONDS)
        started = perf_counter()
        try:
            rows = self._tools.fetched(sql, probe, bounds)
        except WarehouseError:
            if perf_counter() - started < bounds.seconds:
                raise
            # Timeouts differ by warehouse.
            what = f"the query was stopped after {counted(bounds.seconds, 'second')}"
            raise WarehouseError(what, hint="ask for less") from None
        took = perf_counter() - started
        if not rows:
            return f"[no rows were found, {took:.2f} s]"
        total = self._total(probe.original) if len(rows) >= PROBE_ROWS else len(rows)
        return _rows_view(rows, total, took, self._heads(probe, len(rows[0])))

    def _total(self, sql: str) -> int | None:
        """Total rows, if another probe can count them quickly."""
        # The text may end in a comment.
        counting = f"select count(*) from (\n{sql}\n) as counted"  # noqa: S608 - the guard judges it
        try:
            probe, bounds = self._tools.admitted(counting, _COUNT_SECONDS)
            [[total]] = self._tools.fetched(sql, probe, bounds)
        except (WarehouseError, BudgetExceeded):
            return None
        return int(total)

    def _heads(self, probe: "Probe", width: int) -> tuple[str, ...]:
        """Result column names, if the query states them."""
        heads = probe.heads
        if not heads and len(probe.tables) == 1:
            table = self._question.catalog.table_by_ref[probe.tables[0]]
            heads = tuple(column.path for column in table.columns if not column.depth)
        return heads if len(heads) == width else ()

    def _copies(self, ref: ColumnRef) -> tuple[ColumnRef, ...]:
        """A column and the same one in identical tables."""
        siblings = self._question.read.siblings.get(ref.table, ())
        return (ref, *(ColumnRef(sibling, ref.path) for sibling in siblings))


def _rows_view(rows: list[Row], total: int | None, took: float, heads: Sequence[str]) -> str:
    count = f"at least {len(rows)} rows" if total is None else f"{counted(total, 'row')} in all"
    shown = "all" if total == len(rows) else f"the first {len(rows)}"
    lines = [f"[{count}, {took:.2f} s; {shown} are shown]"]
    table: list[Sequence[object]] = [heads, ["---"] * len(heads)] if heads else []
    lines += [f"{cells(row)}{' | …' * (len(row) > MAX_CELLS)}" for row in [*table, *rows]]
    if total is not None and total > len(rows):
        lines.append(f"… {total - len(rows):,} more rows")
    return "\n".join(lines)
