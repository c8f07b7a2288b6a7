"""Notebook output: escaped text, no private values."""

import pytest

from linker.catalog.profile import read_profile
from linker.catalog.read_catalog import Artifacts
from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable, Unanswerable
from linker.output.notebook_results import ShownSchema, column_html, schema_html, shown, table_html
from linker.types import Catalog, Column, Columns, Table, TableRef

MARKUP = "<img src=x onerror=alert(1)>"


def hostile_schema() -> LinkedSchema:
    column = Column(MARKUP, MARKUP, 0, 1, "varchar", True, MARKUP)
    table = Table(TableRef("shop", MARKUP), "table", MARKUP, 3, Columns((column,)))
    linked = LinkedTable(table, (LinkedColumn(column, 0.5, MARKUP),), reason=MARKUP, score=0.5)
    return LinkedSchema(MARKUP, "t", "shortlist", (linked,), unanswerable=Unanswerable(MARKUP))


def test_markup_from_a_warehouse_or_a_question_is_shown_as_text() -> None:
    html = schema_html(hostile_schema())
    assert "<img" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") >= 4


def test_every_card_of_a_table_and_a_column_can_be_drawn(
    artifacts: Artifacts, catalog: Catalog
) -> None:
    for table in catalog.tables:
        profile = read_profile(artifacts, table)
        assert str(table.ref).replace("*", "") in table_html(profile)
        for column in profile.columns:
            assert column_html(profile, column).count("<div") == 1


@pytest.mark.parametrize("path", ["email", "iban"])
def test_values_that_are_masked_or_hidden_are_in_no_notebook(
    artifacts: Artifacts, catalog: Catalog, path: str
) -> None:
    profile = read_profile(artifacts, catalog.table_by_ref[TableRef("crm", "customers")])
    [column] = [column for column in profile.columns if column.path == path]
    assert column.l2.privacy in ("mask", "hide")
    html = column_html(profile, column)
    assert ("masked" if column.l2.privacy == "mask" else "hidden") in html


def test_a_result_that_shows_itself_is_the_same_record() -> None:
    schema = hostile_schema()
    result = shown(ShownSchema, schema)
    assert isinstance(result, LinkedSchema)
    assert result.tables == schema.tables
    assert repr(result) == str(result) == result.text()
    assert result.text("ddl").startswith("create table") or "cannot" in result.text("ddl")
