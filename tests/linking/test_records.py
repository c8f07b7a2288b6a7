"""Names, hypotheses and mentions, worked out by hand."""

import pytest

from benchmarks.baselines.stepwise.structure import distinct
from linker.catalog.column_metadata import NO_FACTS, ColumnFacts, Facts
from linker.identifiers.resolver import Names, Unknown
from linker.linking.linking_state import Divergence, Hypothesis
from linker.linking.value_linking import read_mentions
from linker.retrieval.hits import Retrieved
from linker.types import (
    Catalog,
    Column,
    ColumnRef,
    Columns,
    Family,
    Hit,
    Table,
    TableRef,
    ValueMatch,
)


def table(schema: str, name: str, *paths: str, family: Family | None = None) -> Table:
    columns = tuple(
        Column(p, p, 0, at, "INT", is_nullable=True, description=None) for at, p in enumerate(paths)
    )
    return Table(TableRef(schema, name), "table", None, None, Columns(columns), family)


DAYS = Family("day", "1", "2", ("visits_20250101", "visits_20250102"), "visits_20250102")
CATALOG = Catalog(
    (
        table("sales", "orders", "order_id", "Amount", "customer_id", "hits.page", "x" * 300),
        table("old", "orders", "order_id"),
        table("crm", "customers", "customer_id", "full_name", "customer_ix"),
        table("web", "visits_*", "visit_id", family=DAYS),
    ),
    5,
)
ORDERS, OLD, CUSTOMERS, VISITS = (one.ref for one in CATALOG.tables)
NAMES = Names(CATALOG)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("sales.orders", ORDERS),
        ("SALES.Orders", ORDERS),
        ('"sales"."orders"', ORDERS),
        ("warehouse.sales.orders", ORDERS),
        ("customers", CUSTOMERS),
        ("crm.custmers", CUSTOMERS),
        ("web.visits_20250101", VISITS),
        ("visits_20250102", VISITS),
        ("web.visits_*", VISITS),
    ],
)
def test_a_table_is_found_where_one_alone_can_be_meant(name: str, found: TableRef) -> None:
    assert NAMES.table(name) == found


@pytest.mark.parametrize("name", ["orders", "sales.nothing_like_it", "", "."])
def test_what_may_be_several_tables_or_none_is_not_guessed(name: str) -> None:
    assert isinstance(NAMES.table(name), Unknown)


@pytest.mark.parametrize(
    ("name", "among", "found"),
    [
        ("sales.orders.amount", (), "Amount"),
        ("sales.orders.hits.page", (), "hits.page"),
        ("sales.orders.custmer_id", (), "customer_id"),
        ("Amount", (ORDERS, CUSTOMERS), "Amount"),
        ("crm.customers.amount", (ORDERS, CUSTOMERS), "Amount"),
        (f"sales.orders.{'x' * 200}…", (), "x" * 300),
        ("db.sales.orders.order_id", (), "order_id"),
    ],
)
def test_a_column_is_found_where_one_alone_can_be_meant(
    name: str, among: tuple[TableRef, ...], found: str
) -> None:
    assert NAMES.column(name, among) == ColumnRef(ORDERS, found)


@pytest.mark.parametrize(
    "name", ["order_id", "crm.customers.customer_iy", "sales.orders.colour", "nothing.at.all"]
)
def test_a_column_that_may_be_several_or_none_is_not_guessed(name: str) -> None:
    assert isinstance(NAMES.column(name, (ORDERS, OLD)), Unknown)


def test_what_a_name_may_have_meant_is_told() -> None:
    unknown = NAMES.table("orders")
    assert isinstance(unknown, Unknown)
    assert set(unknown.near) == {"sales.orders", "old.orders"}


def test_paraphrases_are_one_way_and_what_differs_in_structure_is_another() -> None:
    key = (ColumnRef(ORDERS, "customer_id"), ColumnRef(CUSTOMERS, "customer_id"))
    other = (ColumnRef(ORDERS, "order_id"), ColumnRef(CUSTOMERS, "customer_id"))
    said = Divergence("term", "two meanings")
    ways = distinct(
        [
            Hypothesis(1, "orders of customers", tables=(ORDERS, CUSTOMERS), joins=(key,)),
            Hypothesis(
                2,
                "customers and what they order",
                (said,),
                (CUSTOMERS, ORDERS),
                ((key[1], key[0]),),
            ),
            Hypothesis(3, "joined by another key", tables=(ORDERS, CUSTOMERS), joins=(other,)),
            Hypothesis(4, "with the archive", tables=(ORDERS, CUSTOMERS, OLD), joins=(key,)),
            Hypothesis(
                5,
                "by name",
                tables=(ORDERS, CUSTOMERS),
                joins=(key,),
                columns=(ColumnRef(CUSTOMERS, "full_name"),),
            ),
            Hypothesis(6, "one too many", tables=(VISITS,)),
        ]
    )
    assert [one.summary for one in ways] == [
        "orders of customers",
        "joined by another key",
        "with the archive",
        "by name",
    ]
    assert [one.number for one in ways] == [1, 2, 3, 4]
    assert ways[0].diverges == (said,)


def test_values_that_are_named_bind_their_columns_and_what_is_gone_does_not() -> None:
    hits = (
        Hit(ColumnRef(ORDERS, "Amount"), 1.0, (), (ValueMatch("paid", "PAID", 1.0),)),
        Hit(ColumnRef(ORDERS, "order_id"), 1.0, (), (ValueMatch("paid", "pay", 0.5),)),
        Hit(ColumnRef(ORDERS, "gone"), 1.0, (), (ValueMatch("paid", "paid", 1.0),)),
    )
    mentions = read_mentions("'paid' orders above 1,000.50", Retrieved(hits, ()), CATALOG, NO_FACTS)
    assert [(one.words, str(one.ref)) for one in mentions.bindings] == [
        ("paid", "sales.orders.Amount")
    ]
    assert [(number.words, number.role) for number in mentions.numbers] == [
        ("1,000.50", "threshold")
    ]


def test_a_common_word_may_be_a_value_and_is_told_so() -> None:
    hit = Hit(ColumnRef(ORDERS, "Amount"), 1.0, (), (ValueMatch("open", "open", 1.0),))
    facts = Facts({ColumnRef(ORDERS, "Amount"): ColumnFacts("category", 3)})
    near = read_mentions("How many orders are open?", Retrieved((hit,), ()), CATALOG, facts)
    assert [str(one) for one in near.bindings] == [
        "'open' may be the value 'open' of sales.orders.Amount"
    ]
    assert (near.facts, near.unbound) == ((), ())
    assert (
        read_mentions("How long do shops open?", Retrieved((hit,), ()), CATALOG, facts).bindings
        == ()
    )
    for word in ("shop", "separate"):
        held = Hit(ColumnRef(ORDERS, "Amount"), 1.0, (), (ValueMatch(word, word, 1.0),))
        said = f"What do people type in our {word} search box?"
        assert read_mentions(said, Retrieved((held,), ()), CATALOG, facts).bindings == ()


def test_a_word_of_a_name_nearby_is_no_value_of_another_column() -> None:
    status, other = ColumnRef(ORDERS, "Amount"), ColumnRef(ORDERS, "order_id")
    facts = Facts({status: ColumnFacts("category", 3), other: ColumnFacts("text", 3)})
    held = ValueMatch("customs", "customs", 1.0)
    hits = (Hit(status, 1.0, (), (held,)), Hit(other, 1.0, (), (held,)))
    text = "How long do the customs take?"
    named = Hit(ColumnRef(CUSTOMERS, "customs_value"), 1.0, (), ())
    alone, beside = (
        read_mentions(text, Retrieved(found, ()), CATALOG, facts)
        for found in (hits, (*hits, named))
    )
    assert [str(one) for one in alone.bindings] == [
        "'customs' is the value 'customs' of sales.orders.Amount",
        "'customs' may be the value 'customs' of sales.orders.order_id",
    ]
    assert [str(one) for one in beside.bindings] == [
        "'customs' may be the value 'customs' of sales.orders.Amount"
    ]
    near_its_noun = read_mentions(
        "How many customs orders?", Retrieved((*hits, named), ()), CATALOG, facts
    )
    assert [one.is_sure for one in near_its_noun.bindings] == [True, False]


def test_names_that_no_column_holds_are_told_and_names_of_columns_are_not() -> None:
    columns = tuple(
        Hit(ColumnRef(CUSTOMERS, path), 1.0, ()) for path in ("full_name", "customer_ix")
    )
    mentions = read_mentions(
        "Which FULL_NAME has Jane Smith or 'Acme' with AB-123?",
        Retrieved(columns, ()),
        CATALOG,
        NO_FACTS,
    )
    assert mentions.unbound == ("Jane Smith", "Acme", "AB-123")
