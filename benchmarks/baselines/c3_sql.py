"""Asks for several rankings and takes the majority."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from benchmarks.baselines.composing import orders_of, several
from benchmarks.baselines.prompting import telling
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.types import ColumnRef, TableRef

_RANKED = 4
_KEPT = 5


class C3SqlStrategy(AskingStrategy):
    """Asks for rankings, and takes what leads most of them."""

    name = "c3_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        views = orders_of(choosing)
        with linking.ledger.step("tables"):
            ranked = several(
                choosing,
                views,
                lambda _, view: choosing.tables("tables", view, render=telling("rank_tables")),
            )
            tables = _commonest([chosen_tables.tables[:_RANKED] for chosen_tables in ranked])
        chosen = sum(ranked, Chosen())
        with linking.ledger.step("columns"):
            of_tables = orders_of(choosing, tables) if tables else []
            columns = several(
                choosing,
                of_tables,
                lambda _, view: choosing.columns("columns", view, render=telling("rank_columns")),
            )
        rankings = [answer.columns for answer in columns]
        kept = tuple(chain.from_iterable(_first(table, rankings) for table in tables))
        unknown = (chosen + sum(columns, Chosen())).unknown
        return choosing.found(
            views[0],
            ("ranked", Chosen(tables, kept, unknown), "ranked first by most answers"),
        )


def _commonest(answers: Sequence[tuple[TableRef, ...]]) -> tuple[TableRef, ...]:
    """The most frequent set of tables."""
    counts = Counter(frozenset(tables) for tables in answers if tables)
    best = counts.most_common(1)[0][0] if counts else frozenset[TableRef]()
    return next((tables for tables in answers if frozenset(tables) == best), ())


def _first(table: TableRef, answers: Sequence[tuple[ColumnRef, ...]]) -> list[ColumnRef]:
    counts = Counter[ColumnRef]()
    for answer in answers:
        counts.update([ref for ref in answer if ref.table == table][:_RANKED])
    return [ref for ref, _ in counts.most_common(_KEPT)]
