"""
DSR-SQL: drafts vote for tables, and sampled rows drop uninformative columns.

Its adaptive context state: six calls, and small queries over the chosen tables.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from benchmarks.baselines.composing import orders_of, several
from benchmarks.baselines.prompting import render_prompt
from benchmarks.baselines.row_sampling import explored
from benchmarks.baselines.thinking import text_of
from benchmarks.baselines.writing import written
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.prompt_sections import columns_view
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.types import ColumnRef, TableRef

_DRAFTS = 3
_ENOUGH = 2
_MAX_QUERIES = 5


class DsrSqlStrategy(AskingStrategy):
    """Asks for drafts, for small queries, for what they say, and for a query."""

    name = "dsr_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        with linking.ledger.step("drafts"):
            views = orders_of(choosing, answers=_DRAFTS)
            drafts = several(choosing, views, lambda _, view: written(choosing, "drafts", view))
        tables = _agreed(drafts)
        kept = list(chain.from_iterable(_telling(asked, table, drafts) for table in tables))
        view = (
            columns_view(asked, kept, linking.environment.settings.schema_tokens)
            if tables
            else views[0]
        )
        with linking.ledger.step("alignment"):
            rows = explored(choosing, "exploration", [view], _MAX_QUERIES)
            prompt = render_prompt("sum_up_rows", question=asked.question, rows=rows or "nothing")
            aligned = text_of(choosing.model, "alignment", prompt)
        with linking.ledger.step("query"):
            used = written(choosing, "query", view, aligned)
        selected = Chosen(tables, view.columns if tables else ())
        return choosing.found(
            views[0],
            ("tables of drafts", selected, "its table stands in most drafts of the language model"),
            ("aligned query", used, "a query of the language model uses it"),
        )


def _agreed(drafts: Sequence[Chosen]) -> tuple[TableRef, ...]:
    """Tables that most drafts use, else all tables of drafts."""
    counts = Counter(chain.from_iterable(draft.all_tables for draft in drafts))
    return tuple(table for table, count in counts.items() if count >= _ENOUGH) or tuple(counts)


def _telling(
    asked: LinkedQuestion, table: TableRef, drafts: Sequence[Chosen]
) -> Iterator[ColumnRef]:
    """Columns with at least two values, or used by a draft."""
    for column in asked.catalog.table_by_ref[table].columns:
        ref = ColumnRef(table, column.path)
        values = asked.facts.get(ref).distinct_count
        if values is None or values > 1 or any(ref in draft.columns for draft in drafts):
            yield ref
