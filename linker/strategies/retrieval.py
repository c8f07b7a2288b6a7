"""Linking without a language model: ranks tables, then columns, and spends the column budget on the best."""

from collections import defaultdict
from collections.abc import Sequence

from linker.environment import Environment
from linker.ranking.allocation import Allocation, allocate
from linker.ranking.known import Known, know
from linker.ranking.matching import MOST_COLUMNS
from linker.ranking.ranker import Ranked, probability, rank
from linker.ranking.reasons import reason
from linker.ranking.rereading import reread
from linker.ranking.signals import signals_of
from linker.ranking.weights import Weights, read_weights
from linker.store import EVERYWHERE
from linker.types import ColumnRef, Hit, LinkedColumn, LinkedSchema, LinkedTable

# In a catalogue that is looked at as a whole, how near a column lies is known of all columns; otherwise of the nearest.
_NEAREST = 1000


class RetrievalStrategy:
    """Spends the column budget on the columns that the question needs most likely."""

    def __init__(self) -> None:
        self._known: Known | None = None

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The likeliest tables, each with its likeliest columns and the keys by which they join."""
        known = self._know(environment)
        size = len(known.lexicon.columns)
        limit = size if size <= MOST_COLUMNS else _NEAREST
        retrieved = environment.retriever.search(question, limit=max(1, limit), scope=EVERYWHERE)
        there = [hit.ref for hit in retrieved.columns if environment.catalog.find(hit.ref)]
        tables: tuple[LinkedTable, ...] = ()
        # Without an index there is no answer: what is missing must be said, not papered over.
        if there:
            weights = read_weights(environment.settings.ranking_weights)
            ranked = rank(question, known, weights, signals_of(retrieved))
            if environment.reranker:
                ranked = reread(ranked, environment.reranker, environment.texts)
            tables = linked_tables(ranked, allocate(ranked, environment.settings.column_budget), weights)
        chosen = tuple(ColumnRef(one.table.ref, linked.column.path) for one in tables for linked in one.columns)
        return LinkedSchema(
            question=question,
            target=environment.target_key,
            strategy="retrieval",
            tables=tables,
            warnings=_warnings(retrieved.columns, there),
            seen=(("retrieval", tuple(there)), ("budget", chosen)),
        )

    def _know(self, environment: Environment) -> Known:
        """What was worked out of a catalogue serves all questions about it."""
        if self._known is None or self._known.lexicon.catalog is not environment.catalog:
            self._known = know(environment.catalog, environment.facts)
        return self._known


def linked_tables(ranked: Ranked, allocation: Allocation, weights: Weights) -> tuple[LinkedTable, ...]:
    """The chosen columns, table by table, the likeliest table first."""
    matches, lexicon = ranked.evidence.matches, ranked.known.lexicon
    of_table: dict[int, list[int]] = defaultdict(list)
    for column in allocation.columns:
        of_table[int(matches.table_of[column])].append(column)
    chances = probability(ranked.columns)
    ordered = sorted(of_table, key=lambda table: (-float(ranked.tables[table]), table))
    return tuple(
        LinkedTable(
            lexicon.tables[matches.tables[table]],
            tuple(
                LinkedColumn(
                    column=lexicon.columns[matches.columns[column]],
                    score=float(chances[column]),
                    reason=reason(ranked, weights.columns, column, place, is_joining=column in allocation.joining),
                )
                for column in of_table[table]
            ),
            stands_for=ranked.known.copies_of(int(matches.tables[table])),
        )
        for place, table in enumerate(ordered, start=1)
    )


def _warnings(hits: Sequence[Hit], there: Sequence[ColumnRef]) -> tuple[str, ...]:
    lost = len(hits) - len(there)
    if not lost:
        return ()
    return (f"{lost} indexed columns are no longer in the warehouse and were left out; run: linker index",)
