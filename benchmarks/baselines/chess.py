"""
CHESS: retrieves values and names by keywords, filters columns one by one, then selects tables and
columns.

Its information retriever and schema selector; one call per retrieved column.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain

from benchmarks.baselines.judging import candidates, relevant
from benchmarks.baselines.values import told_values, values_near
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.prompt_sections import columns_view
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.strategies.bidirectional import keywords_of
from linker.text.words import alnum_key
from linker.types import ColumnRef

# How alike a keyword and the name of a column have to be.
_ALIKE = 0.9


class ChessStrategy(AskingStrategy):
    """Asks for keywords, of each column by itself, for tables and for columns."""

    name = "chess"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing, tokens = Choosing(asked, linking), linking.environment.settings.schema_tokens
        with linking.ledger.step("keywords"):
            keywords = list(chain.from_iterable(keywords_of(choosing.model, asked.question)))
        hints = told_values(values_near(choosing, keywords))
        due = candidates(asked, linking)
        with linking.ledger.step("columns"):
            passed = relevant(asked, linking, choosing.model, due)
        kept = tuple(dict.fromkeys((*passed, *_called(asked, keywords))))
        view = columns_view(asked, tuple(dict.fromkeys((*kept, *_keys(asked, kept)))), tokens)
        with linking.ledger.step("selection"):
            tables = choosing.tables("tables", view, hints=hints)
            among = tables.tables or tuple(dict.fromkeys(ref.table for ref in kept))
            inside = columns_view(
                asked, [ref for ref in view.columns if ref.table in among], tokens
            )
            chosen = choosing.columns("selected", inside, hints=hints)
        # What was found before is not lost where nothing is selected of it.
        selected = (
            chosen
            if chosen.columns
            else Chosen(columns=tuple(ref for ref in kept if ref.table in among))
        )
        return choosing.found(
            view, ("selected", tables + selected, "selected by the language model")
        )


def _called(asked: LinkedQuestion, keywords: Sequence[str]) -> Iterator[ColumnRef]:
    """Retrieved columns named like a keyword or one of its words."""
    parts = [*keywords, *chain.from_iterable(map(str.split, keywords))]
    words = {alnum_key(part).rstrip("s") for part in parts} - {""}
    for ref in asked.read.there:
        name = alnum_key(ref.path).rstrip("s")
        if any(SequenceMatcher(None, name, word).ratio() >= _ALIKE for word in words):
            yield ref


def _keys(asked: LinkedQuestion, columns: Sequence[ColumnRef]) -> Iterator[ColumnRef]:
    """Both sides of the joins between the tables of these columns."""
    tables = {ref.table for ref in columns}
    for pair in asked.facts.joins:
        if {pair.left, pair.right} <= tables:
            yield from (ColumnRef(pair.left, path) for path in pair.left_columns)
            yield from (ColumnRef(pair.right, path) for path in pair.right_columns)
