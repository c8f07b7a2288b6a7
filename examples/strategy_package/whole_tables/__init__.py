"""The top-ranked tables with all their columns, up to the column budget; at least one."""

from linker.linking.column_selection_prompt import found_of, listed
from linker.linking.linking import Finding, Linking
from linker.linking.prompt_sections import ranked_tables
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import FindingStrategy
from linker.types import ColumnRef


class WholeTablesStrategy(FindingStrategy):
    """Returns whole tables in ranking order."""

    name = "whole_tables"

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
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
        return found_of(asked, linking, [grounding], is_voted=False)
