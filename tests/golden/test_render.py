"""Every output format of linked schemas as golden files."""

import json
import re
from collections.abc import Callable

import duckdb
import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from linker.linking.result import LinkedColumn, LinkedSchema
from linker.output import FORMATS, render

Golden = Callable[[str, str], None]
# A strategy that ranks, one that votes, and a question without an answer.
ANSWERS = ("linked", "voted", "unanswerable")


@pytest.fixture(params=ANSWERS)
def answer(request: pytest.FixtureRequest) -> LinkedSchema:
    """Each of the three."""
    schema: LinkedSchema = request.getfixturevalue(f"{request.param}_schema")
    return schema


@pytest.mark.parametrize("form", FORMATS)
def test_the_form_is_as_the_golden_file_shows_it(
    form: str, answer: LinkedSchema, golden: Golden, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["answer"]
    golden(f"render/{name}/{form}.txt", render(answer, form, explain=form == "json"))


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("explain", [False, True])
def test_people_see_what_the_golden_file_shows(
    width: int, explain: bool, voted_schema: LinkedSchema, golden: Golden
) -> None:
    name = f"table_{width}_explained" if explain else f"table_{width}"
    golden(f"render/voted/{name}.txt", render(voted_schema, "table", width=width, explain=explain))


@pytest.mark.parametrize("width", [60, 70, 80, 100, 160])
@pytest.mark.parametrize("explain", [False, True])
def test_the_table_fits_the_width_it_is_given(
    width: int, explain: bool, answer: LinkedSchema
) -> None:
    lines = render(answer, "table", width=width, explain=explain).splitlines()
    assert max(cell_len(line) for line in lines) <= width


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_nothing_of_a_wide_answer_is_cut(width: int, voted_schema: LinkedSchema) -> None:
    paths = [f"totals.of_all_{number}_visits.{'very_' * number}long_name" for number in range(12)]
    [first, _] = voted_schema.tables
    wide = [
        replace(first.columns[1], column=replace(first.columns[1].column, path=path))
        for path in paths
    ]
    schema = replace(
        voted_schema, tables=(replace(first, columns=tuple(wide)),), joins=(), discarded=()
    )
    lines = render(schema, "table", width=width, explain=True).splitlines()
    start = next(number for number, line in enumerate(lines) if paths[0][:12] in line)
    # Text that is too long for its cell continues in the same cell of the next line; names have a
    # third of the page.
    names = "".join(line[2 : 2 + width // 3].strip() for line in lines[start:])
    assert all(path in names for path in paths)
    reasons = lines[start].index("it leads")
    said = " ".join(line[reasons:].strip() for line in lines[start:])
    assert [said.count(one.text) for one in wide[0].evidence] == [12, 12, 12, 12]


def test_both_sides_of_a_long_join_are_on_the_page(linked_schema: LinkedSchema) -> None:
    [join, *_] = linked_schema.joins
    long = replace(join, left_columns=("a_column_with_a_name_as_long_as_a_warehouse_lets_it_be",))
    page = render(replace(linked_schema, joins=(long,)), "table", width=80)
    words = "".join(page.partition("\njoins")[2].split())
    assert f"{long.left_columns[0]}=" in words
    assert f".{long.right_columns[0]}" in words


def test_paths_of_one_column_stand_under_it(linked_schema: LinkedSchema) -> None:
    [first, _] = linked_schema.tables
    shown = tuple(
        LinkedColumn(first.table.columns[place], 0.5, "keyword match: page") for place in (0, 3, 5)
    )
    lines = render(
        replace(linked_schema, tables=(replace(first, columns=shown, further=()),)), "table"
    ).splitlines()
    start = next(number for number, line in enumerate(lines) if line.split()[:1] == ["visit_id"])
    assert [line.split()[0] for line in lines[start : start + 4]] == [
        "visit_id",
        "hits",
        ".page.title",
        ".seconds",
    ]


def test_a_status_is_a_word_and_a_mark_and_not_a_colour_alone(voted_schema: LinkedSchema) -> None:
    shown = render(voted_schema, "table", color=False)
    assert all(said in shown for said in ("● required", "◐ kept", "○ pending"))


def test_colours_change_nothing_but_the_colours(answer: LinkedSchema) -> None:
    plain, coloured = (render(answer, "table", color=color) for color in (False, True))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert "\x1b" not in plain
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


@pytest.mark.parametrize("form", FORMATS)
def test_text_from_the_warehouse_cannot_steer_the_terminal(form: str, answer: LinkedSchema) -> None:
    assert "\x1b" not in render(answer, form)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_ddl_is_sql_that_makes_just_the_columns_of_the_answer(
    name: str, request: pytest.FixtureRequest
) -> None:
    connection = duckdb.connect()
    connection.execute("create schema web; create schema sales")
    connection.execute(render(request.getfixturevalue(f"{name}_schema"), "ddl"))
    made = connection.execute(
        "select table_name, column_name, data_type from duckdb_columns() where not internal order by all"
    ).fetchall()
    orders = [
        ("Bestellungen 2025", "Preis (€)", "DECIMAL(10,2)"),
        ("Bestellungen 2025", "order", "BIGINT"),
    ]
    # The shortlist of a schema that fits hands over the rest of it as well.
    whole = 'STRUCT(page STRUCT(title VARCHAR, path VARCHAR), "seconds" BIGINT)[]'
    hits = whole if name == "linked" else "STRUCT(page STRUCT(title VARCHAR))[]"
    sessions = [("sessions_20250103", "hits", hits), ("sessions_20250103", "visit_id", "VARCHAR")]
    shops = [("shops", "shop_id", "BIGINT")] if name == "linked" else []
    assert made == (sessions if name == "unanswerable" else orders + sessions + shops)


def test_the_json_names_its_version_and_every_column_with_its_reason(
    linked_schema: LinkedSchema,
) -> None:
    document = json.loads(render(linked_schema, "json"))
    assert document["version"] == 2
    assert [table["name"] for table in document["tables"]] == ["sessions_*", "Bestellungen 2025"]
    assert document["tables"][0]["family"]["member_count"] == 3
    assert all(column["reason"] for table in document["tables"] for column in table["columns"])


def test_the_json_is_one_line_without_evidence_unless_all_is_explained(
    voted_schema: LinkedSchema,
) -> None:
    short, whole = render(voted_schema, "json"), render(voted_schema, "json", explain=True)
    assert short.count("\n") == 0
    assert len(short) < 0.6 * len(whole)
    told, all_told = json.loads(short), json.loads(whole)
    assert set(told) == set(all_told)
    assert told["discarded"] == []
    assert all_told["discarded"]
    columns = [column for table in all_told["tables"] for column in table["columns"]]
    assert any(column["evidence"] for column in columns)
    assert [column | {"evidence": []} for column in columns] == [
        column for table in told["tables"] for column in table["columns"]
    ]
