"""Descriptions of columns for agents."""

import pytest

from linker.catalog.column_metadata import ColumnFacts
from linker.catalog.description import ColumnDescription
from linker.types import Column, ColumnRef, Columns, Table, TableRef

EMPLOYEES = TableRef("people", "employees")


def described(name: str, facts: ColumnFacts, data_type: str = "VARCHAR") -> ColumnDescription:
    column = Column(name, name, 0, 1, data_type, is_nullable=True, description=None)
    return ColumnDescription(Table(EMPLOYEES, "table", None, 50, Columns((column,))), column, facts)


def key(name: str, table: TableRef, path: str) -> ColumnDescription:
    return described(name, ColumnFacts("foreign_key", 9, points_to=(ColumnRef(table, path),)))


def test_a_constant_empty_text_is_written_with_quotes() -> None:
    column = described("district", ColumnFacts("constant", 1, values=("",)))
    assert column.short_line(column.facts.values) == "district constant; always ''"


def test_nulls_are_counted_where_a_table_is_described() -> None:
    column = described("note", ColumnFacts("text", 20, null_count=1_200))
    assert column.short_line() == "note text"
    assert column.short_line(with_type=True) == "note varchar; 1,200 null"


def test_a_key_leads_to_a_table_without_what_its_name_and_schema_tell() -> None:
    offices, countries = TableRef("people", "offices"), TableRef("geo", "countries")
    assert key("seat", offices, "office_id").leads_to == "-> offices"
    assert key("office_code", offices, "office_code").leads_to == "-> offices"
    assert key("seat", offices, "code").leads_to == "-> offices.code"
    assert key("born_in", countries, "iso").leads_to == "-> geo.countries.iso"
    assert key("office_id", offices, "office_id").names_its_key
    assert not key("country_id", countries, "country_id").names_its_key


@pytest.mark.parametrize(
    ("name", "data_type", "values", "distinct", "named"),
    [
        # 1735689600 is 2025-01-01 in seconds.
        ("printed_at", "BIGINT", ("1735689600",), 90, "printed_at (epoch seconds)"),
        ("launched_on", "INTEGER", ("20210529", "20170403"), 90, "launched_on (20210529)"),
        ("order_date", "VARCHAR(10)", ("18.04.2023",), 90, "order_date ('18.04.2023')"),
        ("fiscal_year", "TEXT", ("FY2025", "FY2026"), 2, "fiscal_year ('FY2025')"),
        ("is_gift", "INTEGER", ("1", "0"), 2, "is_gift (0/1)"),
        ("captured", "VARCHAR", ("Y", "N"), 2, "captured (N/Y)"),
        ("is_used", "VARCHAR", ("1", "0"), 2, "is_used ('0/1')"),
        # The name or the type tells the form, or it is no time.
        ("yyyymm", "INTEGER", ("202305",), 30, "yyyymm"),
        ("fiscal_year", "INTEGER", ("2023",), 30, "fiscal_year"),
        ("ordered_on", "DATE", ("2023-04-18",), 90, "ordered_on"),
        ("is_gift", "BOOLEAN", ("true", "false"), 2, "is_gift"),
        ("on_hand", "INTEGER", ("41", "82"), 90, "on_hand"),
        ("size", "VARCHAR", ("S", "L"), 3, "size"),
        ("made_on", "VARCHAR", (), 90, "made_on"),
    ],
)
def test_a_column_that_is_only_named_has_the_form_of_its_values_unless_name_or_type_tell_it(
    name: str, data_type: str, values: tuple[str, ...], distinct: int, named: str
) -> None:
    facts = ColumnFacts("measure", distinct, values=values)
    assert described(name, facts, data_type).named == named


def test_a_text_of_numbers_tells_its_type_and_an_epoch_that_it_is_a_number() -> None:
    codes = ColumnFacts("code", 9, values=("0092", "0117"))
    assert described("card", codes).head() == "card varchar code"
    assert described("card", codes, "INTEGER").head() == "card code"
    assert described("card", ColumnFacts("code", 9, values=("A1", "7"))).head() == "card code"
    epoch = ColumnFacts("measure", 90, values=("1735689600",))
    assert described("sent_at", epoch, "BIGINT").head() == "sent_at bigint"
