"""ReFoRCE schema linking: tables one by one, the answer format, sampled rows, and a final query."""

from collections.abc import Iterator

from benchmarks.baselines.composing import picked, showing
from benchmarks.baselines.prompting import render_prompt, telling
from benchmarks.baselines.row_sampling import explored
from benchmarks.baselines.thinking import text_of
from benchmarks.baselines.writing import written
from linker.linking.actions import Reply, Text, whole_name
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.prompt_sections import columns_view, ranked_tables
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.types import TableRef

_MAX_TABLES = 40
_MAX_QUERIES = 10


class TableReply(Reply):
    """Whether one table is relevant, and its columns that are."""

    relevant: bool
    columns: list[Text]


class ReforceStrategy(AskingStrategy):
    """Asks of each of the likeliest tables by itself, and then looks."""

    name = "reforce"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        tables = list(_likeliest(asked))
        if (
            left := len(asked.catalog.tables)
            - sum(1 + len(asked.read.siblings.get(ref, ())) for ref in tables)
        ) > 0:
            linking.warn(
                f"{left:,} tables were not asked for: one call each is made for the likeliest "
                f"{_MAX_TABLES}"
            )
        with linking.ledger.step("tables"):
            answers = choosing.model.together(
                *(lambda ref=ref: _relevant(choosing, ref) for ref in tables)
            )
        linked = sum(answers, Chosen())
        view = columns_view(asked, linked.columns, linking.environment.settings.schema_tokens)
        view = view if view.columns else choosing.schema()
        with linking.ledger.step("exploration"):
            form = text_of(
                choosing.model, "format", render_prompt("form_of_answer", question=asked.question)
            )
            rows = explored(choosing, "exploration", [view], _MAX_QUERIES, form)
        with linking.ledger.step("query"):
            used = written(choosing, "query", view, "\n".join(filter(None, (form, rows))))
        return choosing.found(
            view,
            ("table by table", linked, "called relevant by the language model"),
            ("query", used, "a query of the language model uses it"),
        )


def _likeliest(asked: LinkedQuestion) -> Iterator[TableRef]:
    """The most relevant tables, one per group of identical ones."""
    seen, count = set[TableRef](), 0
    for table in ranked_tables(asked):
        if table.ref not in seen and count < _MAX_TABLES:
            count += 1
            seen |= {table.ref, *asked.read.siblings.get(table.ref, ())}
            yield table.ref


def _relevant(choosing: Choosing, table: TableRef) -> Chosen:
    view = choosing.schema([table])

    def names(unknown: str) -> Iterator[str]:
        prompt = telling("one_table", unknown=unknown)(**showing(choosing, view))
        reply = choosing.model.ask("tables", prompt, TableReply)
        if reply and reply.relevant:
            yield from (whole_name(str(table), name) for name in reply.columns)

    return picked(choosing, view, names)
