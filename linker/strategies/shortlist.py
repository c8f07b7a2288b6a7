"""
The ranked shortlist without a language model, with its estimated completeness.

    question -> retrieval -> ranking -> as many columns as `recall` asks for -> linked schema

A schema that fits into a prompt is returned whole, relevant columns first.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from linker.catalog.column_metadata import SURE_ENOUGH
from linker.config.settings import Settings
from linker.linking.linking import LinkSession
from linker.linking.mschema import MAX_EXAMPLES, as_join, described, key_pair, most_tokens, size_of
from linker.linking.result import (
    UNMATCHED_TERMS,
    Evidence,
    Join,
    LinkedColumn,
    LinkedSchema,
    LinkedTable,
    Unanswerable,
)
from linker.linking.trace import SeenColumns, Trace
from linker.linking.value_linking import Binding, LinkedQuestion
from linker.ranking.answerability import UnmatchedTerms, check_answerable
from linker.ranking.calibration import likelihoods
from linker.ranking.column_selection import Allocation, allocate, cut
from linker.ranking.ranker import RankingResult, probability
from linker.ranking.reasons import join_key, reasons, table_match
from linker.ranking.table_tokens import Floats
from linker.ranking.weights import Weights
from linker.retrieval.hits import Retrieved
from linker.strategies import Strategy
from linker.text.words import is_english, words_of_text
from linker.types import ColumnRef, Ref, Table, TableRef

# Hits and ranks recorded in a trace.
_NOTED = 30
_NEAREST = 5
# Columns of a ranking in view: those of the best tables.
RANKING_STEP = "ranking"
_TABLES_SEEN = 20
_COLUMNS_SEEN = 5
# Upstream tables and exposures named in a reason.
_NAMED = 3
_DOUBT = "the question may be out of scope"
_MAY_BE_VALUES = "possibly values that are not listed"
# Warning for questions in other languages, where word matches are unreliable.
_LANGUAGE = "the question is not in English; without a language model, English questions work best"
# Average prompt tokens of a column with type and values.
_TOKENS_OF_COLUMN = 16


class ShortlistStrategy(Strategy):
    """Returns the top of the ranking."""

    name = "shortlist"
    has_own_size = True

    def answer(self, question: LinkedQuestion, linking: LinkSession) -> LinkedSchema:
        _note_found(linking.trace, question.read.retrieved)
        _note_ranking(linking.trace, question.ranked)
        schema = replace(
            described(_listed(question, linking), question.facts),
            chosen_because=linking.because,
            seconds=linking.seconds,
            trace=linking.kept_trace,
        )
        linking.trace.note(
            "end",
            answer=replace(schema, seen=()),
            seen=[SeenColumns.create(*shown) for shown in schema.seen],
        )
        return schema


def _listed(question: LinkedQuestion, linking: LinkSession) -> LinkedSchema:
    environment = linking.environment
    settings = linking.environment.settings
    ranked = question.ranked
    likely, unmatched = likelihoods(ranked, linking.weights), check_answerable(ranked)
    most_columns = _most_columns(settings)
    if unmatched.is_no_question:
        # Only the nearest columns, none marked as relevant.
        allocation = allocate(ranked, _NEAREST)
    else:
        allocation = cut(
            ranked, likely, _recall(settings), lambda columns: len(columns) <= most_columns
        )
    listing = ShortlistBuilder(
        ranked, linking.weights, question.read.siblings, question.mentions.bindings, allocation
    )
    tables, joins, further = listing.tables(), listing.joins(), tuple[LinkedTable, ...]()
    most = most_tokens(settings)
    size = environment.derive(size_of, most)
    if not (unmatched.is_no_question or size.is_least or size.tokens > most):
        tables, further = listing.whole(tables, question.catalog.tables)
        joins = (*joins, *listing.further_joins(further))
    chosen = tuple(chain.from_iterable(linked.column_refs for linked in tables))
    return LinkedSchema(
        question.question,
        environment.target_key,
        linking.strategy,
        tables=tables,
        further_tables=further,
        joins=joins,
        # Out of scope: completeness is undefined.
        complete=None
        if unmatched.is_out_of_scope or unmatched.is_no_question
        else allocation.complete,
        unanswerable=_unanswerable(unmatched),
        warnings=(
            *_warnings(question, unmatched, tables),
            *linking.warnings,
            *environment.index.warnings(),
        ),
        degraded=linking.degraded,
        seen=(
            ("retrieval", question.read.there),
            (RANKING_STEP, _ranked_columns(ranked, chosen)),
            ("shortlist", chosen),
        ),
    )


def _ranked_columns(ranked: RankingResult, chosen: Sequence[ColumnRef]) -> tuple[ColumnRef, ...]:
    """The best columns of the best tables, and those of the answer."""
    lexicon, refs = ranked.index.lexicon, list[ColumnRef]()
    for table in np.argsort(-ranked.tables, kind="stable")[:_TABLES_SEEN].tolist():
        inside = np.arange(lexicon.starts[table], lexicon.starts[table + 1])
        best = inside[np.argsort(-ranked.columns[inside], kind="stable")[:_COLUMNS_SEEN]]
        refs += [lexicon.refs[column] for column in best.tolist()]
    return tuple(dict.fromkeys((*refs, *chosen)))


def _recall(settings: Settings) -> float | None:
    """Target recall; None if only a column budget is set."""
    if settings.recall is None and settings.column_budget is not None:
        return 1.0
    return settings.recall


def _most_columns(settings: Settings) -> int:
    """Column limit of settings and prompt size."""
    fitting = max(1, most_tokens(settings) // _TOKENS_OF_COLUMN)
    return fitting if settings.column_budget is None else min(settings.column_budget, fitting)


class ShortlistBuilder(Struct, dict=True, eq=False):
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
    parts = [f"rank {index} of the tables", *([match] if match else [])]
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


def _unanswerable(unmatched: UnmatchedTerms) -> Unanswerable | None:
    if not unmatched.is_no_question:
        return None
    missing = ", ".join(f"“{phrase}”" for phrase in unmatched.phrases) or "the whole question"
    nearest: tuple[Ref, ...] = (*unmatched.nearest_tables[:2], *unmatched.nearest[:3])
    return Unanswerable(f"no table, column or value matches {missing}", nearest)


def _warnings(
    question: LinkedQuestion, unmatched: UnmatchedTerms, tables: Sequence[LinkedTable]
) -> tuple[str, ...]:
    if unmatched.is_no_question or not (unmatched.phrases or unmatched.has_low_confidence):
        return ()
    if not is_english(question.question):
        if not unmatched.is_far:
            return ()
        warnings = [_LANGUAGE]
    elif unmatched.phrases and not _are_shown(unmatched.phrases, question, tables):
        # Terms that match separately are no warning by themselves.
        warnings = [_doubt(unmatched)]
    else:
        return ()
    # Unread shards may contain the value.
    families = ((linked.table.ref, linked.table.family) for linked in tables)
    warnings += [
        f"{ref}: {family.coverage}" for ref, family in families if family and family.coverage
    ]
    return tuple(warnings)


def _are_shown(
    phrases: Sequence[str], question: LinkedQuestion, tables: Sequence[LinkedTable]
) -> bool:
    """Whether shown values contain all words of the phrases."""
    values = list[str]()
    for linked in tables:
        for item in linked.columns:
            column_values = question.facts_of(ColumnRef(linked.table.ref, item.column.path)).values
            values += column_values[:MAX_EXAMPLES]
    return set(words_of_text(" ".join(values))).issuperset(words_of_text(" ".join(phrases)))


def _doubt(unmatched: UnmatchedTerms) -> str:
    parts = [f"{UNMATCHED_TERMS} {', '.join(f'“{phrase}”' for phrase in unmatched.phrases)}"]
    if unmatched.may_be_values:
        parts.append(_MAY_BE_VALUES)
    elif unmatched.has_low_confidence:
        parts.append(_DOUBT)
    return "; ".join(parts)


def _note_found(trace: Trace, hits: Retrieved) -> None:
    """Trace the top hits of each search."""
    columns, tables = hits.columns[:_NOTED], hits.tables[:_NOTED]
    trace.note(
        "found",
        columns=columns,
        tables=tables,
        column_count=len(hits.columns),
        table_count=len(hits.tables),
    )


def _note_ranking(trace: Trace, ranked: RankingResult) -> None:
    """Trace the top tables and columns."""
    lexicon = ranked.index.lexicon
    best = {
        "tables": ([table.ref for table in lexicon.tables], ranked.tables),
        "columns": (lexicon.refs, ranked.columns),
    }
    ranking = {}
    for kind, (refs, odds) in best.items():
        indexes = np.argsort(-odds, kind="stable")[:_NOTED]
        chances = probability(odds[indexes])
        ranking[kind] = [
            (refs[index], round(float(chance), 4))
            for index, chance in zip(indexes, chances, strict=True)
        ]
    trace.note("ranking", **ranking)
