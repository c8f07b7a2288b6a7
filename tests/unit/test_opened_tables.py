"""The page of a shortlist: likely tables are opened, the others are a line each, and nothing is lost."""

from collections.abc import Sequence

from linker.link.answer import Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.render.table import render_table
from linker.types import Column, Table, TableRef


def linked(name: str, score: float, columns: dict[str, float]) -> LinkedTable:
    """A table of a shortlist with the chances of its columns."""
    found = [Column(path, path, 0, place, "BIGINT", True, None) for place, path in enumerate(columns, start=1)]
    return LinkedTable(
        Table(TableRef("shop", name), "table", None, 3, tuple(found)),
        tuple(LinkedColumn(column, columns[column.path], "its name is asked for") for column in found),
        score=score,
    )


def page(tables: Sequence[LinkedTable], joins: Sequence[Join] = (), *, explain: bool = False) -> list[str]:
    schema = LinkedSchema("How many?", "shop.dev", "shortlist", tuple(tables), tuple(joins), complete=0.8)
    return render_table(schema, width=120, color=False, explain=explain).splitlines()


def join(left: str, right: str) -> Join:
    return Join(TableRef("shop", left), ("id",), TableRef("shop", right), ("id",), "same name")


def lines_of(shown: Sequence[str], word: str) -> list[str]:
    return [line for line in shown if word in line]


def test_an_unlikely_table_is_one_line_with_its_columns() -> None:
    shown = page([linked("orders", 0.9, {"order_id": 0.8}), linked("notes", 0.02, {"note_id": 0.3, "body": 0.01})])
    assert lines_of(shown, "shop.orders") == ["shop.orders   3 rows · 90 % likely"]
    assert lines_of(shown, "shop.notes") == ["  shop.notes  2 %  note_id, body"]


def test_a_person_reads_25_columns_and_how_to_see_the_others() -> None:
    wide = [linked(f"t{table}", 0.5, {f"c{table}_{place}": 0.4 for place in range(10)}) for table in range(6)]
    shown = page(wide)
    assert len(lines_of(shown, "40 %")) == 25
    assert "60 columns of 6 tables" in "\n".join(shown)
    assert lines_of(shown, "--explain shows all of them")
    explained = page(wide, explain=True)
    assert len(lines_of(explained, "40 %")) == 60
    assert not lines_of(explained, "--explain shows all of them")


def test_where_nothing_is_likely_the_best_column_is_opened_all_the_same() -> None:
    shown = page([linked("orders", 0.03, {"order_id": 0.01, "city": 0.04}), linked("notes", 0.02, {"body": 0.01})])
    assert "shop.orders   3 rows · 3 % likely" in shown
    assert [line.split()[0] for line in lines_of(shown, "its name is asked for")] == ["city"]


def test_joins_lead_between_opened_tables_over_others_if_need_be() -> None:
    tables = [
        linked("orders", 0.9, {"id": 0.8}),
        linked("bridge", 0.01, {"id": 0.01}),
        linked("people", 0.5, {"id": 0.3}),
        linked("notes", 0.01, {"id": 0.01}),
        linked("further", 0.01, {"id": 0.01}),
    ]
    joins = [join("orders", "bridge"), join("bridge", "people"), join("people", "notes"), join("notes", "further")]
    shown = page(tables, joins)
    assert [line.strip() for line in lines_of(shown, " = ")] == [str(joins[0]), str(joins[1])]
    assert len(lines_of(page(tables, joins, explain=True), " = ")) == 4
