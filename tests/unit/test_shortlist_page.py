"""The shortlist page: a line per relevant column within 25 lines."""

from collections.abc import Sequence

from msgspec.structs import replace

from linker.linking.result import Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.output.table import render_table
from linker.ranking.reasons import KINDS
from linker.types import Column, Columns, Table, TableRef


def linked(name: str, score: float, columns: dict[str, float]) -> LinkedTable:
    """A table of a shortlist with the chances of its columns."""
    found = [
        Column(path, path, 0, place, "BIGINT", True, None)
        for place, path in enumerate(columns, start=1)
    ]
    return LinkedTable(
        Table(TableRef("shop", name), "table", None, 3, Columns(found)),
        tuple(LinkedColumn(column, columns[column.path], "name match: city") for column in found),
        score=score,
    )


def page(
    tables: Sequence[LinkedTable], joins: Sequence[Join] = (), *, explain: bool = False
) -> list[str]:
    return render_table(
        schema_of(tables, joins), width=120, color=False, explain=explain
    ).splitlines()


def schema_of(tables: Sequence[LinkedTable], joins: Sequence[Join]) -> LinkedSchema:
    return LinkedSchema(
        "How many?", "shop.dev", "shortlist", tuple(tables), tuple(joins), complete=0.8
    )


def join(left: str, right: str) -> Join:
    return Join(TableRef("shop", left), ("id",), TableRef("shop", right), ("id",), "same name")


def lines_of(shown: Sequence[str], word: str) -> list[str]:
    return [line for line in shown if word in line]


def test_the_most_relevant_table_is_shown_although_none_of_its_columns_is_sure() -> None:
    sure = {f"column_{number}": 0.6 for number in range(6)}
    shown = page(
        [
            linked("orders", 0.7, sure),
            linked("parcels", 0.65, sure),
            linked("countries", 0.9, {"name": 0.1, "code": 0.08}),
        ]
    )
    assert lines_of(shown, "shop.countries") == ["shop.countries   3 rows · relevance 0.90"]


def test_unlikely_tables_share_a_line() -> None:
    shown = page(
        [
            linked("orders", 0.9, {"order_id": 0.8}),
            *(linked(f"notes_{n}", 0.02, {"body": 0.3}) for n in range(3)),
        ]
    )
    assert lines_of(shown, "shop.orders") == ["shop.orders   3 rows · relevance 0.90"]
    assert lines_of(shown, "shop.notes") == [
        "other tables  shop.notes_0 0.02, shop.notes_1 0.02, shop.notes_2 0.02"
    ]


def test_a_person_reads_25_lines_and_how_to_see_the_others() -> None:
    wide = []
    for table in range(6):
        wide.append(linked(f"t{table}", 0.5, {f"c{table}_{place}": 0.4 for place in range(10)}))
    joins = [join(f"t{table}", f"t{other}") for table in range(6) for other in range(table)]
    schema = replace(
        schema_of(wide, joins), chosen_because="auto: so", trace="1", further_tables=tuple(wide[:1])
    )
    shown = render_table(schema, width=120, color=False).splitlines()
    assert len(shown) <= 25
    assert "60 columns of 6 tables" in "\n".join(shown)
    assert lines_of(shown, "--explain shows all columns")
    explained = page(wide, joins, explain=True)
    assert len(lines_of(explained, "0.40")) == 60
    assert not lines_of(explained, "--explain shows all columns")


def test_the_likeliest_columns_are_opened_in_the_order_of_the_answer() -> None:
    chances = {f"c{place}": place / 100 for place in range(6, 40)}
    shown = page([linked("orders", 0.9, chances), linked("notes", 0.6, {"body": 0.5})])
    opened = [line.split()[0] for line in shown if "name match: city" in line]
    assert opened == [*(f"c{place}" for place in range(31, 40)), "body"]
    assert lines_of(shown, "25 more columns: c6, c7, ")


def test_no_key_of_an_unlikely_table_comes_before_a_likelier_table() -> None:
    films = linked("films", 0.9, {f"f{place}": 0.4 for place in range(9)})
    shown = page(
        [films, linked("rentals", 0.3, {"rented": 0.25}), linked("actors", 0.2, {"film_id": 0.45})]
    )
    assert [line.split()[0] for line in shown if "relevance" in line] == [
        "shop.films",
        "shop.rentals",
    ]
    assert lines_of(shown, "other tables") == ["other tables  shop.actors 0.20"]


def test_where_nothing_is_likely_the_best_column_is_opened_all_the_same() -> None:
    shown = page(
        [
            linked("orders", 0.03, {"order_id": 0.01, "city": 0.04}),
            linked("notes", 0.02, {"body": 0.01}),
        ]
    )
    assert "shop.orders   3 rows · relevance 0.03" in shown
    assert [line.split()[0] for line in lines_of(shown, "name match: city")] == ["city"]


def test_joins_lead_between_opened_tables_over_others_if_need_be() -> None:
    tables = [
        linked("orders", 0.9, {"id": 0.8}),
        linked("bridge", 0.01, {"id": 0.01}),
        linked("people", 0.5, {"id": 0.3}),
        linked("notes", 0.01, {"id": 0.01}),
        linked("further", 0.01, {"id": 0.01}),
    ]
    joins = [
        join("orders", "bridge"),
        join("bridge", "people"),
        join("people", "notes"),
        join("notes", "further"),
    ]
    shown = page(tables, joins)
    assert [line.removeprefix("joins").strip() for line in lines_of(shown, " = ")] == [
        str(joins[0]),
        str(joins[1]),
    ]
    assert len(lines_of(page(tables, joins, explain=True), " = ")) == 4


def test_where_opened_tables_join_each_other_no_other_way_is_told() -> None:
    tables = [
        linked("orders", 0.9, {"id": 0.8}),
        linked("bridge", 0.01, {"id": 0.0}),
        linked("people", 0.5, {"id": 0.3}),
    ]
    joins = [join("orders", "bridge"), join("bridge", "people"), join("orders", "people")]
    [told] = lines_of(page(tables, joins), " = ")
    assert told.removeprefix("joins").strip() == str(joins[2])


def test_a_reason_has_at_most_six_words() -> None:
    assert [words for words in KINDS if len(words.split()) > 6] == []
