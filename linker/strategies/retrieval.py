"""Linking without a language model: ranks tables, then columns, and spends the column budget on the best."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from linker.catalog.documents import column_texts
from linker.catalog.facts import KeyPair
from linker.environment import Environment
from linker.link.answer import BY_NAME, Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.link.description import described
from linker.link.trace import SeenColumns, Trace, saved
from linker.ranking.allocation import Allocation, allocate
from linker.ranking.matching import signals_of
from linker.ranking.ranker import Ranked, probability, rank, reason, reread
from linker.ranking.reading import read_question
from linker.ranking.weights import Weights, read_weights
from linker.retrieval.hybrid import Retrieved
from linker.types import ColumnRef, TableRef, ValueMatch

# So many of what was found, and of what it was ranked to, a trace tells.
_NOTED = 30


class RetrievalStrategy:
    """Spends the column budget on the columns that the question needs most likely."""

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The likeliest tables, each with its likeliest columns and the keys by which they join; and the trace."""
        started, trace, settings = perf_counter(), Trace(question), environment.settings
        # Where nothing is indexed there is nothing to trace.
        facts = environment.indexed.facts
        try:
            schema = self._linked(question, environment, trace)
            schema = replace(
                described(schema, facts),
                warnings=(*schema.warnings, *environment.index.doubts()),
                seconds=perf_counter() - started,
                trace=trace.id if settings.kept_traces else "",
            )
            if schema.tables:
                trace.note(
                    "end", answer=replace(schema, seen=()), seen=[SeenColumns.of(*shown) for shown in schema.seen]
                )
        finally:
            problem = trace.save(settings.state_dir, settings.kept_traces)
        return saved(schema, problem)

    def _linked(self, question: str, environment: Environment, trace: Trace) -> LinkedSchema:
        settings = environment.settings
        read = read_question(question, environment)
        _note_found(trace, read.retrieved)
        tables: tuple[LinkedTable, ...] = ()
        joins: tuple[Join, ...] = ()
        # Without an index there is no answer: what is missing must be said, not papered over.
        if read.there:
            weights = read_weights(settings.ranking_weights)
            ranked = rank(question, read.known, weights, signals_of(read.retrieved))
            if environment.reranker:
                ranked = reread(ranked, environment.reranker, environment.derive(column_texts))
            _note_ranking(trace, ranked)
            matches = {hit.ref: hit.match for hit in read.retrieved.columns}
            explained = Explained(ranked, weights, read.siblings, matches)
            allocation = allocate(ranked, settings.column_budget)
            tables, joins = explained.tables(allocation), explained.joins(allocation)
        chosen = tuple(
            ColumnRef(linked_table.table.ref, linked.column.path)
            for linked_table in tables
            for linked in linked_table.columns
        )
        return LinkedSchema(
            question=question,
            target=environment.target_key,
            strategy="retrieval",
            tables=tables,
            joins=joins,
            warnings=_warnings(len(read.retrieved.columns) - len(read.there)),
            seen=(("retrieval", read.there), ("budget", chosen)),
        )


@dataclass(frozen=True)
class Explained:
    """A ranking with all that says why: its weights, the siblings of tables, the values that the question names."""

    ranked: Ranked
    weights: Weights
    siblings: Mapping[TableRef, tuple[TableRef, ...]]
    matches: Mapping[ColumnRef, ValueMatch | None]

    def tables(self, allocation: Allocation) -> tuple[LinkedTable, ...]:
        """The chosen columns, table by table, the likeliest table first."""
        lexicon, odds = self.ranked.known.lexicon, self.ranked.tables
        of_table: dict[int, list[int]] = defaultdict(list)
        for column in allocation.columns:
            of_table[int(lexicon.table_of[column])].append(column)
        ordered = sorted(of_table, key=lambda table: (-float(odds[table]), table))
        return tuple(
            LinkedTable(
                lexicon.tables[table],
                tuple(self._column(column, place, column in allocation.joining) for column in of_table[table]),
                stands_for=self.siblings.get(lexicon.tables[table].ref, ()),
                reason=f"place {place} among the tables",
            )
            for place, table in enumerate(ordered, start=1)
        )

    def joins(self, allocation: Allocation) -> tuple[Join, ...]:
        """The joins of the answer; where a key has several columns, all of them."""
        lexicon = self.ranked.known.lexicon
        found: dict[Join, None] = {}
        for column, other in allocation.joins:
            left, right = lexicon.refs[column], lexicon.refs[other]
            join = next((_of_pair(pair) for pair in lexicon.facts.joins if _joins(pair, left, right)), None)
            found[join or Join(left.table, (left.path,), right.table, (right.path,), BY_NAME)] = None
        return tuple(found)

    def _column(self, column: int, table_rank: int, is_joining: bool) -> LinkedColumn:
        lexicon = self.ranked.known.lexicon
        match = self.matches.get(lexicon.refs[column])
        return LinkedColumn(
            column=lexicon.columns[column],
            score=float(probability(self.ranked.columns[column])),
            reason=reason(self.ranked, self.weights.columns, column, table_rank, match, is_joining=is_joining),
            examples=(match.value,) if match else (),
        )


def _note_found(trace: Trace, found: Retrieved) -> None:
    """The best of what each way to search brought up."""
    columns, tables = found.columns[:_NOTED], found.tables[:_NOTED]
    trace.note("found", columns=columns, tables=tables, column_count=len(found.columns), table_count=len(found.tables))


def _note_ranking(trace: Trace, ranked: Ranked) -> None:
    """The likeliest tables and columns, before the budget was spent."""
    lexicon = ranked.known.lexicon
    best = {
        "tables": ([table.ref for table in lexicon.tables], ranked.tables),
        "columns": (lexicon.refs, ranked.columns),
    }
    ranking = {}
    for kind, (refs, odds) in best.items():
        places = np.argsort(-odds, kind="stable")[:_NOTED]
        chances = probability(odds[places])
        ranking[kind] = [(refs[place], round(float(chance), 4)) for place, chance in zip(places, chances, strict=True)]
    trace.note("ranking", **ranking)


def _joins(pair: KeyPair, left: ColumnRef, right: ColumnRef) -> bool:
    columns = {*zip(pair.left_columns, pair.right_columns, strict=True)}
    if (pair.left, pair.right) == (left.table, right.table):
        return (left.path, right.path) in columns
    return (pair.left, pair.right) == (right.table, left.table) and (right.path, left.path) in columns


def _of_pair(pair: KeyPair) -> Join:
    reason = f"confidence {pair.confidence:.2f}"
    return Join(pair.left, pair.left_columns, pair.right, pair.right_columns, reason)


def _warnings(lost: int) -> tuple[str, ...]:
    if not lost:
        return ()
    which, left_out = ("column is", "was") if lost == 1 else ("columns are", "were")
    return (f"{lost} indexed {which} no longer in the warehouse and {left_out} left out; run: linker index",)
