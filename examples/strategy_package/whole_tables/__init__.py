"""The likeliest tables with all their columns, as many as the column budget lets; at least one."""

from linker.link.choosing import found_of, listed
from linker.link.frame import Found, Frame, Linking
from linker.link.question import Asked
from linker.link.views import ranked_tables
from linker.types import ColumnRef


class WholeTablesStrategy(Frame):
    """Takes tables whole, the likeliest first."""

    name = "whole_tables"

    def find(self, asked: Asked, linking: Linking) -> Found:
        """The columns of the tables that fit."""
        budget = linking.environment.settings.column_budget
        chosen: list[ColumnRef] = []
        for table in ranked_tables(asked):
            if chosen and len(chosen) + len(table.columns) > budget:
                break
            chosen += [ColumnRef(table.ref, column.path) for column in table.columns]
        grounding = listed(1, "the likeliest tables", tuple(chosen), "its table is one of the likeliest")
        return found_of(asked, linking, [grounding], is_voted=False)
