"""The top-ranked tables with all their columns, up to the column budget; at least one."""

from linker.linking.column_selection_prompt import listed, to_strategy_result
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.prompt_sections import ranked_tables
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import CoreStrategy
from linker.types import ColumnRef


class WholeTablesStrategy(CoreStrategy):
    """Returns whole tables in ranking order."""

    name = "whole_tables"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        """The columns of the tables that fit."""
        budget = linking.environment.settings.most_columns
        chosen: list[ColumnRef] = []
        for table in ranked_tables(asked):
            if chosen and len(chosen) + len(table.columns) > budget:
                break
            chosen += [ColumnRef(table.ref, column.path) for column in table.columns]
        grounding = listed(
            1, "the likeliest tables", tuple(chosen), "its table is one of the likeliest"
        )
        return to_strategy_result(asked, linking, [grounding], is_voted=False)
