"""
The ranked shortlist without a language model, with its estimated completeness.

    question -> retrieval -> ranking -> as many columns as `recall` asks for -> linked schema

A schema that fits into a prompt is returned whole, relevant columns first.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from msgspec.structs import replace

from linker.config.settings import Settings
from linker.linking.linking import LinkSession
from linker.linking.mschema import described, most_tokens, size_of
from linker.linking.result import LinkedSchema, LinkedTable
from linker.linking.trace import SeenColumns, Trace
from linker.linking.value_linking import LinkedQuestion
from linker.ranking.answerability import check_answerable
from linker.ranking.calibration import likelihoods
from linker.ranking.column_selection import allocate, cut
from linker.ranking.ranker import RankingResult, probability
from linker.retrieval.hits import Retrieved
from linker.strategies import Strategy
from linker.strategies.shortlist_tables import ShortlistBuilder
from linker.strategies.shortlist_warnings import unanswerable, warnings_of
from linker.types import ColumnRef

# Hits and ranks recorded in a trace.
_NOTED = 30
_NEAREST = 5
# Columns of a ranking in view: those of the best tables.
RANKING_STEP = "ranking"
_TABLES_SEEN = 20
_COLUMNS_SEEN = 5
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
        unanswerable=unanswerable(unmatched),
        warnings=(
            *warnings_of(question, unmatched, tables),
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
