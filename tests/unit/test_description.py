"""Descriptions of columns for agents."""

from linker.catalog.column_metadata import ColumnFacts
from linker.catalog.description import ColumnDescription
from linker.types import Column, ColumnRef, Table, TableRef

EMPLOYEES = TableRef("people", "employees")


def described(name: str, facts: ColumnFacts) -> ColumnDescription:
    column = Column(name, name, 0, 1, "VARCHAR", is_nullable=True, description=None)
    return ColumnDescription(Table(EMPLOYEES, "table", None, 50, (column,)), column, facts)


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
