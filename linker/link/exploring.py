"""
The looks of a model that explores: the first rows of a query, the next columns near some words, and
whether a whole query finds all that it names.

Each answers in words, and whether it found anything; what goes wrong is an answer, too.
"""

from collections.abc import Collection, Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from linker.catalog.warehouse import PROBE_ROWS
from linker.errors import GuardError, LimitReached, WarehouseError
from linker.lineage.statements import used_by
from linker.link.linking import Linking
from linker.link.question import LinkedQuestion
from linker.link.schema_view import columns_view
from linker.link.tools import MOST_CELLS, Toolbox, cells, counted
from linker.text.words import readable
from linker.types import ColumnRef
from linker.warehouses import Row

if TYPE_CHECKING:
    from linker.guard import Probe

_QUERY_SECONDS = 120
# Rows can be shown at once that take minutes to be counted.
_COUNT_SECONDS = 5
# How many columns one search brings; among the best may be the same column of many siblings.
_RETRIEVED = 3
_LOOKED_THROUGH = 12
_TOKENS_OF_COLUMNS = 600
_LONGEST_ERROR = 400


class Explorer:
    """The looks, for one question; of columns it remembers those that were `seen`."""

    def __init__(
        self, question: LinkedQuestion, linking: Linking, step: str, seen: Iterable[ColumnRef]
    ) -> None:
        self._question, self._names, self._sources = question, linking.names, linking.environment
        self._tools = Toolbox(question, linking, step)
        self.seen = dict.fromkeys(seen)

    def explore(self, sql: str) -> tuple[str, bool]:
        """
        The first rows of a query, how many there are in all, and how long it took, or why there are
        none.
        """
        if not self._sources.warehouse.is_profiled:
            return "[error: there are no rows that could be queried]", False
        try:
            return self._observed(sql), True
        except GuardError as error:
            what = f"refused ({error.code}): {error.what}; {error.hint}"
        except (LimitReached, WarehouseError) as error:
            what = readable(error.what)[:_LONGEST_ERROR]
        return f"[error: {what}]", False

    def retrieve(self, like: str) -> tuple[str, bool]:
        """The next columns near some words, under their tables; each is brought once."""
        excluded = dict.fromkeys(same for ref in self.seen for same in self._copies(ref))
        search = self._sources.retriever.search
        hits = search(like, limit=_LOOKED_THROUGH, excluded=tuple(excluded)).columns
        found = dict[ColumnRef, None]()
        for hit in hits:
            is_new = found.keys().isdisjoint(self._copies(hit.ref))
            if is_new and len(found) < _RETRIEVED and self._question.catalog.find(hit.ref):
                found[hit.ref] = None
        self.seen.update(found)
        text = columns_view(self._question, tuple(found), _TOKENS_OF_COLUMNS).text
        return text or "[no other column is near]", bool(found)

    def verify(self, sql: str, linked: Collection[ColumnRef]) -> tuple[str, bool]:
        """The rows of a query where there are any, and which of its columns are not linked yet."""
        used = used_by(sql, self._sources.dialect, self._names, self._question.catalog)
        loose = [str(ref) for ref in used.columns if ref not in linked]
        if self._sources.warehouse.is_profiled:
            text, is_done = self.explore(sql)
        else:
            text, is_done = "[not run: there are no rows that could be queried]", not used.problem
        lines = [text]
        # The warehouse that refuses a query says by itself what is wrong.
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
            # Each warehouse has its own words for it.
            duration = f"{bounds.seconds} second{'s' * (bounds.seconds != 1)}"
            what = f"the query was stopped after {duration}"
            raise WarehouseError(what, hint="ask for less") from None
        took = perf_counter() - started
        if not rows:
            return f"[no rows were found, {took:.2f} s]"
        total = self._total(probe.original) if len(rows) >= PROBE_ROWS else len(rows)
        return _rows_view(rows, total, took, self._heads(probe, len(rows[0])))

    def _total(self, sql: str) -> int | None:
        """The number of rows in all, where one more probe can soon tell."""
        # A comment may end the text.
        counting = f"select count(*) from (\n{sql}\n) as counted"  # noqa: S608 - the guard judges it
        try:
            probe, bounds = self._tools.admitted(counting, _COUNT_SECONDS)
            [[total]] = self._tools.fetched(sql, probe, bounds)
        except (WarehouseError, LimitReached):
            return None
        return int(total)

    def _heads(self, probe: "Probe", width: int) -> tuple[str, ...]:
        """Names of the columns of a result, where its query tells."""
        heads = probe.heads
        if not heads and len(probe.tables) == 1:
            table = self._question.catalog.table_by_ref[probe.tables[0]]
            heads = tuple(column.path for column in table.columns if not column.depth)
        return heads if len(heads) == width else ()

    def _copies(self, ref: ColumnRef) -> tuple[ColumnRef, ...]:
        """A column and the same one of siblings of its table: the heading names the siblings."""
        siblings = self._question.read.siblings.get(ref.table, ())
        return (ref, *(ColumnRef(sibling, ref.path) for sibling in siblings))


def _rows_view(rows: list[Row], total: int | None, took: float, heads: Sequence[str]) -> str:
    count = f"at least {len(rows)} rows" if total is None else f"{counted(total)} in all"
    shown = "all" if total == len(rows) else f"the first {len(rows)}"
    lines = [f"[{count}, {took:.2f} s; {shown} are shown]"]
    table: list[Sequence[object]] = [heads, ["---"] * len(heads)] if heads else []
    lines += [f"{cells(row)}{' | …' * (len(row) > MOST_CELLS)}" for row in [*table, *rows]]
    if total is not None and total > len(rows):
        lines.append(f"… {total - len(rows):,} more rows")
    return "\n".join(lines)
