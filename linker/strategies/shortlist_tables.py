"""Tables, columns, joins and reasons of a shortlist, from a ranking."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from msgspec.structs import replace

from linker.catalog.column_metadata import SURE_ENOUGH
from linker.linking.mschema import as_join, key_pair
from linker.linking.result import Evidence, Join, LinkedColumn, LinkedTable
from linker.linking.value_linking import Binding
from linker.ranking.calibration import likelihoods
from linker.ranking.column_selection import Allocation
from linker.ranking.ranker import RankingResult
from linker.ranking.reasons import join_key, reasons, table_match
from linker.ranking.table_tokens import Floats
from linker.ranking.weights import Weights
from linker.types import ColumnRef, Table, TableRef

# Upstream tables and exposures named in a reason.
_NAMED = 3


@dataclass(eq=False)
class ShortlistBuilder:
    """A ranking with bound values, identical tables and the selection."""

    ranked: RankingResult
    weights: Weights
    siblings: Mapping[TableRef, tuple[TableRef, ...]]
    bindings: tuple[Binding, ...]
    allocation: Allocation

    @cached_property
    def likely(self) -> tuple[Floats, Floats]:
        """Relevance of tables and columns."""
        return likelihoods(self.ranked, self.weights).agreed

    def tables(self) -> tuple[LinkedTable, ...]:
        """Selected columns by table, most relevant table first."""
        lexicon, (chances, _) = self.ranked.index.lexicon, self.likely
        of_table: dict[int, list[int]] = defaultdict(list)
        for column in self.allocation.columns:
            of_table[int(lexicon.table_of[column])].append(column)
        ordered = sorted(of_table, key=lambda table: (-float(chances[table]), table))
        held = {binding.ref: binding.value for binding in reversed(self.bindings)}
        preferred = self.ranked.evidence.matches.preferred
        tables: list[LinkedTable] = []
        for index, number in enumerate(ordered, start=1):
            table = lexicon.tables[number]
            columns = tuple(self._column(column, held) for column in of_table[number])
            tables.append(
                replace(
                    self._table(table),
                    reason=_reason(index, table, preferred, table_match(self.ranked, number)),
                    columns=columns,
                    score=float(chances[number]),
                )
            )
        return tuple(tables)

    def whole(
        self, tables: Sequence[LinkedTable], every: Sequence[Table]
    ) -> tuple[tuple[LinkedTable, ...], tuple[LinkedTable, ...]]:
        """The tables with all columns, and all other tables."""
        likely: dict[TableRef, set[str]] = {}
        for linked in tables:
            likely[linked.table.ref] = {column.column.path for column in linked.columns}
        opened = tuple(
            replace(linked, further=_others(linked.table, likely[linked.table.ref]))
            for linked in tables
        )
        stood_for = set(chain.from_iterable(linked.stands_for for linked in tables))
        besides = (
            table for table in every if table.ref not in likely and table.ref not in stood_for
        )
        return opened, tuple(
            replace(self._table(table), further=_others(table, set())) for table in besides
        )

    def joins(self) -> tuple[Join, ...]:
        """Joins of the answer with all columns of composite keys."""
        lexicon = self.ranked.index.lexicon
        pairs = (
            (lexicon.refs[column], lexicon.refs[other]) for column, other in self.allocation.joins
        )
        return tuple(
            dict.fromkeys(as_join(key_pair(lexicon.facts, left, right)) for left, right in pairs)
        )

    def further_joins(self, further: Sequence[LinkedTable]) -> tuple[Join, ...]:
        """Confident joins of further tables, to each other and to the answer."""
        besides = {linked.table.ref for linked in further}
        pairs = (
            pair for pair in self.ranked.index.lexicon.facts.joins if pair.confidence >= SURE_ENOUGH
        )
        return tuple(as_join(pair) for pair in pairs if {pair.left, pair.right} & besides)

    def _table(self, table: Table) -> LinkedTable:
        return LinkedTable(table, (), stands_for=self.siblings.get(table.ref, ()))

    def _column(self, column: int, held: Mapping[ColumnRef, str]) -> LinkedColumn:
        ref, lexicon = self.ranked.index.lexicon.refs[column], self.ranked.index.lexicon
        bound = [binding.reason for binding in self.bindings if binding.ref == ref][:1]
        why = (*bound, *self._joining(column), *reasons(self.ranked, self.weights.columns, column))
        return LinkedColumn(
            column=lexicon.column(column),
            score=float(self.likely[1][column]),
            reason=why[0],
            evidence=tuple(Evidence("ranking", text) for text in dict.fromkeys(why[1:])),
            examples=(held[ref],) if ref in held else (),
        )

    def _joining(self, column: int) -> Iterator[str]:
        """Tables that a join column references."""
        lexicon = self.ranked.index.lexicon
        for pair in self.allocation.joins if column in self.allocation.joining else ():
            if column in pair:
                other = pair[1] if pair[0] == column else pair[0]
                yield join_key(lexicon, column, lexicon.refs[other].table)


def _reason(index: int, table: Table, preferred: frozenset[TableRef], match: str) -> str:
    parts = [f"rank {index} of the tables"]
    if match:
        parts.append(match)
    if table.ref in preferred:
        parts.append("preferred by the settings")
    if table.dbt.upstream:
        parts.append(f"downstream of {_some(table.dbt.upstream)}")
    if table.dbt.exposures:
        parts.append(f"used by {_some(table.dbt.exposures)}")
    return "; ".join(parts)


def _some(names: Sequence[object]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(map(str, names[:_NAMED]))}{more}"


def _others(table: Table, likely: set[str]) -> tuple[LinkedColumn, ...]:
    return tuple(
        LinkedColumn(column, 0.0, "") for column in table.columns if column.path not in likely
    )
