"""MAC-SQL selector: per table, keep all columns, drop it, or keep six. One call."""

from collections.abc import Iterator

from pydantic import Field

from benchmarks.baselines.composing import picked, showing
from benchmarks.baselines.prompting import telling
from linker.catalog.column_metadata import ColumnFacts
from linker.identifiers.resolver import Unknown
from linker.linking.actions import ColumnsReply, Text, whole_name
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.prompt_sections import View
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.types import ColumnRef

# A table is kept whole if it has no more columns than this, else cut to the first of these.
MAX_WHOLE = 10
MAX_OF_TABLE = 6


class SelectionReply(ColumnsReply):
    """Tables kept whole, and columns of others; unnamed tables are dropped."""

    whole: list[Text] = Field(default=[])


class MacSqlStrategy(AskingStrategy):
    """Asks what may be dropped."""

    name = "mac_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("selector"):
            chosen = _selected(choosing, view)
        keys = list[ColumnRef]()
        for table in chosen.all_tables:
            refs = (
                ColumnRef(table, column.path)
                for column in asked.catalog.table_by_ref[table].columns
            )
            keys += (ref for ref in refs if _is_key(asked.facts.get(ref)))
        return choosing.found(
            view,
            ("selector", chosen + Chosen(columns=tuple(keys)), "kept by the selector"),
        )


def _is_key(facts: ColumnFacts) -> bool:
    return facts.is_primary_key or facts.is_foreign_key


def _selected(choosing: Choosing, view: View) -> Chosen:
    def names(unknown: str) -> Iterator[str]:
        prompt = telling("select_or_drop", unknown=unknown)(**showing(choosing, view))
        reply = choosing.model.ask("selector", prompt, SelectionReply) or SelectionReply(tables=[])
        for name in reply.whole:
            table = choosing.linking.names.table(name)
            if isinstance(table, Unknown):
                yield name
                continue
            columns = choosing.question.catalog.table_by_ref[table].columns
            if len(columns) <= MAX_WHOLE:
                yield from (str(ColumnRef(table, column.path)) for column in columns)
        for selected in reply.tables:
            columns_of_table = selected.columns[:MAX_OF_TABLE]
            yield from (whole_name(selected.table, name) for name in columns_of_table)

    return picked(choosing, view, names)
