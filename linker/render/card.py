"""Profile cards: enter the profile of a table and perhaps a column of it, leave `table` for people or `json`."""

from linker.catalog.profile import ColumnProfile, TableProfile


def render_card(
    profile: TableProfile, column: ColumnProfile | None, form: str, *, width: int = 100, color: bool = False
) -> str:
    """The card of the column, or of the table where no column is given."""
    if form == "json":
        from linker.render.card_json import column_json, table_json

        return table_json(profile) if column is None else column_json(profile, column)
    if column is None:
        from linker.render.table_card import render_table_card

        return render_table_card(profile, width=width, color=color)
    from linker.render.column_card import render_column_card

    return render_column_card(profile, column, width=width, color=color)
