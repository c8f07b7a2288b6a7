"""Profile data in answers: keys, allowed examples, join measures."""

import pytest

from linker.catalog.column_metadata import ColumnFacts, Facts, KeyPair, read_facts
from linker.catalog.read_catalog import Artifacts
from linker.linking.mschema import described
from linker.linking.result import Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef

ORDERS = TableRef("sales", "orders")
CUSTOMERS = TableRef("crm", "customers")
MEASURED = KeyPair(ORDERS, ("customer_id",), CUSTOMERS, ("id",), 0.9, 0.75, 3.5, "n:1")


def answer(
    table: TableRef, path: str, *examples: str, joins: tuple[Join, ...] = ()
) -> LinkedSchema:
    column = Column(path, path, 0, 1, "VARCHAR", is_nullable=True, description=None)
    linked = LinkedColumn(column, 0.5, "name match: status", examples=examples)
    tables = (LinkedTable(Table(table, "table", None, None, Columns((column,))), (linked,)),)
    return LinkedSchema("which?", "shop.dev", "shortlist", tables, joins)


def only_column(schema: LinkedSchema) -> LinkedColumn:
    [table] = schema.tables
    [column] = table.columns
    return column


def test_a_column_gets_its_key_where_it_leads_and_three_of_its_values() -> None:
    key = ColumnRef(CUSTOMERS, "id")
    known = ColumnFacts(is_primary_key=True, points_to=(key,), values=("A", "B", "C", "D"))
    found = only_column(
        described(answer(ORDERS, "code"), Facts({ColumnRef(ORDERS, "code"): known}))
    )
    assert (found.is_primary_key, found.points_to, found.examples) == (
        True,
        (key,),
        ("A", "B", "C"),
    )


def test_the_value_that_the_question_names_stays_the_first_example() -> None:
    facts = Facts({ColumnRef(ORDERS, "code"): ColumnFacts(values=("A", "B", "C", "D"))})
    assert only_column(described(answer(ORDERS, "code", "D"), facts)).examples == ("D", "A", "B")


@pytest.mark.parametrize("category", ["identifier", "date", "timestamp"])
def test_of_values_that_are_all_alike_one_shows_their_form(category: str) -> None:
    facts = Facts(
        {ColumnRef(ORDERS, "code"): ColumnFacts(category=category, values=("A", "B", "C"))}
    )
    assert only_column(described(answer(ORDERS, "code"), facts)).examples == ("A",)


def test_a_join_gets_what_was_measured_of_it() -> None:
    join = Join(ORDERS, ("customer_id",), CUSTOMERS, ("id",), "confidence 0.90")
    [found] = described(answer(ORDERS, "code", joins=(join,)), Facts(joins=(MEASURED,))).joins
    assert found == Join(
        ORDERS, ("customer_id",), CUSTOMERS, ("id",), "confidence 0.90", 0.75, 3.5, "n:1"
    )


def test_a_join_that_is_written_the_other_way_is_turned_to_the_side_that_was_measured() -> None:
    join = Join(CUSTOMERS, ("id",), ORDERS, ("customer_id",), "by name")
    [found] = described(answer(ORDERS, "code", joins=(join,)), Facts(joins=(MEASURED,))).joins
    assert found == Join(ORDERS, ("customer_id",), CUSTOMERS, ("id",), "by name", 0.75, 3.5, "n:1")


def test_a_join_that_nobody_measured_says_nothing_of_it() -> None:
    join = Join(ORDERS, ("customer_id",), CUSTOMERS, ("number",), "by name")
    assert described(answer(ORDERS, "code", joins=(join,)), Facts(joins=(MEASURED,))).joins == (
        join,
    )


def test_described_twice_an_answer_stays_as_it_is() -> None:
    facts = Facts(
        {ColumnRef(ORDERS, "code"): ColumnFacts(values=("A", "B", "C", "D"))}, (MEASURED,)
    )
    join = Join(CUSTOMERS, ("id",), ORDERS, ("customer_id",), "by name")
    once = described(answer(ORDERS, "code", "D", joins=(join,)), facts)
    assert described(once, facts) == once


def test_masked_and_hidden_columns_give_no_example(artifacts: Artifacts, catalog: Catalog) -> None:
    facts = read_facts(artifacts, catalog)
    kept_back = artifacts.query(
        "select schema_name, table_name, column_path from {linker_profile_l2} where privacy is distinct from 'show'"
    )
    assert len(kept_back) == 2
    for schema, table, path in kept_back:
        assert only_column(described(answer(TableRef(schema, table), path), facts)).examples == ()
    shown = described(answer(TableRef("sales", "orders"), "status"), facts)
    assert len(only_column(shown).examples) > 1
