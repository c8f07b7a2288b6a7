"""
The two places that the agent of `autolink` looks at: enters what it asks for, leaves an observation
in words.

The database runs a query through the guard and tells rows, how many there are in all, and how long
it took, or that there are none, or what went wrong. The index finds columns that were not seen
before.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linker.catalog.warehouse import PROBE_ROWS
from linker.environment import Environment
from linker.errors import GuardError, LimitReached, WarehouseError
from linker.link.linking import Linking
from linker.link.question import LinkedQuestion
from linker.link.schema_view import columns_view
from linker.link.tools import Toolbox
from linker.text.words import readable
from linker.types import ColumnRef
from linker.warehouses import Row

if TYPE_CHECKING:
    from linker.guard import Probe

QUERY_SECONDS = 120
# Rows can be shown at once that take minutes to be counted.
_COUNT_SECONDS = 5
# How many columns one search brings.
RETRIEVED = 3
# Among them may be the same column of many siblings.
_LOOKED_THROUGH = 12
_TOKENS = 600
_MOST_CELLS, _LONGEST_CELL, _LONGEST_ERROR = 12, 60, 400


class Database:
    """Rows and metadata of the warehouse."""

    def __init__(self, question: LinkedQuestion, linking: Linking, step: str) -> None:
        self._question, self._environment = question, linking.environment
        self._ledger, self._step = linking.ledger, step
        self._tools = Toolbox(question, linking, step)

    @property
    def has_rows(self) -> bool:
        """True if anything can be run."""
        return self._environment.warehouse.is_profiled

    def observe(self, sql: str) -> tuple[str, bool]:
        """Run a query: the text of its rows or of its error, and whether it ran."""
        if not self.has_rows:
            return "[error: there are no rows that could be queried]", False
        try:
            return self._run(sql), True
        except GuardError as error:
            what = f"refused ({error.code}): {error.what}; {error.hint}"
        except (LimitReached, WarehouseError) as error:
            what = readable(error.what)[:_LONGEST_ERROR]
        return f"[error: {what}]", False

    def _run(self, sql: str) -> str:
        probe = self._environment.warehouse.guard.check(sql)
        seconds = _at_most(QUERY_SECONDS, self._ledger.admit_probe(self._step))
        started = perf_counter()
        try:
            rows = self._tools.rows(sql, probe, replace(probe.bounds, seconds=seconds))
        except WarehouseError:
            if perf_counter() - started < seconds:
                raise
            # Each warehouse has its own words for it.
            duration = f"{seconds} second{'s' * (seconds != 1)}"
            raise WarehouseError(
                f"the query was stopped after {duration}", hint="ask for less"
            ) from None
        took = perf_counter() - started
        if not rows:
            return f"[no rows were found, {took:.2f} s]"
        total = self._total(probe.original) if len(rows) >= PROBE_ROWS else len(rows)
        return _result_text(rows, total, took, self._heads(probe, len(rows[0])))

    def _total(self, sql: str) -> int | None:
        """The number of rows in all, where one more probe can soon tell."""
        from sqlglot import exp

        from linker.warehouses.base.read_only import read_only_query

        dialect = self._environment.dialect
        query = read_only_query(sql, dialect)
        counting = exp.select("count(*)").from_(
            exp.Subquery(this=query, alias=exp.to_identifier("counted"))
        )
        try:
            probe = self._environment.warehouse.guard.check(counting.sql(dialect))
            seconds = _at_most(_COUNT_SECONDS, self._ledger.admit_probe(self._step))
            [[total]] = self._tools.rows(sql, probe, replace(probe.bounds, seconds=seconds))
        except (WarehouseError, LimitReached):
            return None
        return int(total)

    def _heads(self, probe: "Probe", width: int) -> tuple[str, ...]:
        """Names of the columns of a result, where its query tells."""
        from sqlglot import exp, parse_one

        query = parse_one(probe.sql, read=self._environment.dialect)
        heads = tuple(query.named_selects) if isinstance(query, exp.Query) else ()
        if heads == ("*",) and len(probe.tables) == 1:
            table = self._question.catalog.table_by_ref[probe.tables[0]]
            heads = tuple(column.path for column in table.columns if not column.depth)
        return heads if len(heads) == width and "*" not in heads else ()


class ExploredIndex:
    """Columns by what they mean; each is brought once."""

    def __init__(
        self, question: LinkedQuestion, environment: Environment, seen: Sequence[ColumnRef]
    ) -> None:
        self._question, self._environment = question, environment
        self.seen: dict[ColumnRef, None] = dict.fromkeys(seen)

    def observe(self, like: str) -> tuple[str, tuple[ColumnRef, ...]]:
        """The next columns near these words, under their tables."""
        excluded = tuple(dict.fromkeys(column for ref in self.seen for column in self._alike(ref)))
        hits = self._environment.retriever.search(
            like, limit=_LOOKED_THROUGH, excluded=excluded
        ).columns
        found: dict[ColumnRef, None] = {}
        for hit in hits:
            is_new = self._question.catalog.find(hit.ref) and found.keys().isdisjoint(
                self._alike(hit.ref)
            )
            if is_new and len(found) < RETRIEVED:
                found[hit.ref] = None
        self.seen.update(found)
        return columns_view(
            self._question, tuple(found), _TOKENS
        ).text or "[no other column is near]", tuple(found)

    def _alike(self, ref: ColumnRef) -> Iterator[ColumnRef]:
        """A column and the same one of siblings of its table: the heading names the siblings."""
        yield ref
        for sibling in self._question.read.siblings.get(ref.table, ()):
            yield ColumnRef(sibling, ref.path)


def _result_text(rows: list[Row], total: int | None, took: float, heads: tuple[str, ...]) -> str:
    is_all = total == len(rows)
    count = (
        f"{total:,} row{'s' * (total != 1)} in all"
        if total is not None
        else f"at least {len(rows)} rows"
    )
    lines = [f"[{count}, {took:.2f} s; {'all' if is_all else f'the first {len(rows)}'} are shown]"]
    if heads:
        lines += [_line(heads), _line(["-" * 3] * len(heads))]
    lines += [_line(row) for row in rows]
    if total is not None and not is_all:
        lines.append(f"… {total - len(rows):,} more rows")
    return "\n".join(lines)


def _line(cells: Sequence[object]) -> str:
    texts = [readable(str(cell))[:_LONGEST_CELL] for cell in cells[:_MOST_CELLS]]
    return " | ".join([*texts, "…"] if len(cells) > _MOST_CELLS else texts)


def _at_most(seconds: int, left: float | None) -> int:
    return seconds if left is None else max(1, min(seconds, int(left)))
