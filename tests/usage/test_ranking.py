"""Effect of usage on ranking and answers; none without usage."""

import numpy as np
from msgspec.structs import replace

from linker.catalog.column_metadata import Facts, KeyPair, PriorUse, Use
from linker.linking.mschema import described
from linker.linking.result import Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.weights import read_weights
from linker.types import Catalog, ColumnRef, TableRef
from tests.usage.logs import table, use

ORDERS, OLD, PEOPLE, TOWNS = (
    TableRef("shop", name) for name in ("orders", "orders_old", "people", "towns")
)
TABLES = (
    table("shop.orders", "order_no", "who", "total", "total_net"),
    table("shop.orders_old", "order_no", "buyer", "total", "total_net"),
    table("shop.people", "person", "full_name", "place"),
    table("shop.towns", "town", "inhabitants"),
)
JOIN = KeyPair(ORDERS, ("who",), PEOPLE, ("person",), 0.95, overlap=1.0)


def ranked(
    question: str, prior_use: PriorUse | None = None, joins: tuple[KeyPair, ...] = (JOIN,)
) -> RankingResult:
    facts = Facts(joins=joins, prior_use=prior_use or PriorUse())
    return rank(question, build_catalog_index(Catalog(TABLES, len(TABLES)), facts), read_weights())


def odds_of_table(found: RankingResult, ref: TableRef) -> float:
    return float(found.tables[[one.ref for one in found.index.lexicon.tables].index(ref)])


def odds_of_column(found: RankingResult, ref: ColumnRef) -> float:
    return float(found.columns[found.index.lexicon.refs.index(ref)])


def edges(found: RankingResult) -> dict[tuple[str, str], float]:
    graph, refs = found.index.graph, found.index.lexicon.refs
    return {
        (str(refs[one]), str(refs[other])): round(float(sure), 3)
        for one, other, sure in zip(
            graph.left_column, graph.right_column, graph.confidence, strict=True
        )
    }


def used(ref: TableRef, queries: int, *paths: str) -> PriorUse:
    """So many queries of one table, each with these columns."""
    count = Use(queries, queries)
    return PriorUse(queries, {ref: count}, {ColumnRef(ref, path): count for path in paths})


def test_where_nothing_was_learned_every_number_is_what_it_was() -> None:
    question = "What is the total of all orders by place?"
    plain = rank(
        question,
        build_catalog_index(Catalog(TABLES, len(TABLES)), Facts(joins=(JOIN,))),
        read_weights(),
    )
    found = ranked(question, PriorUse())
    assert found.index.prior is None
    assert np.array_equal(found.tables, plain.tables)
    assert np.array_equal(found.columns, plain.columns)
    assert edges(found) == edges(plain)


def test_of_two_tables_that_fit_alike_the_one_that_people_query_comes_first() -> None:
    question = "What is the total of all orders?"
    for ref, other in ((ORDERS, OLD), (OLD, ORDERS)):
        found, before = ranked(question, used(ref, 20, "total")), ranked(question)
        gained = odds_of_table(found, ref) - odds_of_table(before, ref)
        assert gained > odds_of_table(found, other) - odds_of_table(before, other)


def test_of_two_columns_of_a_table_the_one_that_people_use_gains() -> None:
    net, gross = ColumnRef(ORDERS, "total_net"), ColumnRef(ORDERS, "total")
    question = "What is the total of all orders?"
    found, before = ranked(question, used(ORDERS, 20, "total_net")), ranked(question)
    gains = [odds_of_column(found, ref) - odds_of_column(before, ref) for ref in (net, gross)]
    assert gains[0] > gains[1]


def test_one_query_says_less_than_twenty() -> None:
    question = "What is the total of all orders?"
    once, often = (
        odds_of_table(ranked(question, used(OLD, count, "total")), OLD) for count in (1, 20)
    )
    assert odds_of_table(ranked(question), OLD) < once < often


def test_a_table_that_is_used_with_the_likeliest_gains() -> None:
    both = Use(5, 5)
    prior_use = PriorUse(5, {ORDERS: both, TOWNS: both}, {}, {(ORDERS, TOWNS): both}, {})
    alone = replace(prior_use, together={})
    question = "What is the total of all orders by who?"
    assert odds_of_table(ranked(question, prior_use), TOWNS) > odds_of_table(
        ranked(question, alone), TOWNS
    )


def test_joins_of_queries_are_edges_as_sure_as_the_queries_are_many() -> None:
    pair = ColumnRef(PEOPLE, "place"), ColumnRef(TOWNS, "town")
    names = (str(pair[0]), str(pair[1]))
    assert names not in edges(ranked("towns"))
    for queries, sure in ((1, 0.8), (2, 0.9), (10, 0.98)):
        found = edges(ranked("towns", PriorUse(queries, joins={pair: Use(queries, queries)})))
        assert found[names] == found[names[::-1]] == sure


def test_a_join_that_was_measured_stays_as_sure_as_it_was() -> None:
    pair = ColumnRef(ORDERS, "who"), ColumnRef(PEOPLE, "person")
    found = edges(ranked("towns", PriorUse(1, joins={pair: Use(1, 1)})))
    assert found[str(pair[0]), str(pair[1])] == 0.95


def test_what_was_learned_of_tables_that_are_gone_is_passed_over() -> None:
    gone = TableRef("shop", "gone")
    pair = ColumnRef(gone, "a"), ColumnRef(ORDERS, "who")
    count = Use(3, 3)
    prior_use = PriorUse(3, {gone: count}, {pair[0]: count}, {(gone, ORDERS): count}, {pair: count})
    assert edges(ranked("towns", prior_use)) == edges(ranked("towns"))


def answer(join: Join) -> LinkedSchema:
    tables = [one for one in TABLES if one.ref in (ORDERS, PEOPLE)]
    linked = []
    for item in tables:
        columns = tuple(LinkedColumn(column, 0.5, "fits") for column in item.columns)
        linked.append(LinkedTable(item, columns))
    return LinkedSchema("which?", "shop.dev", "shortlist", tuple(linked), (join,))


PAIR = ColumnRef(ORDERS, "who"), ColumnRef(PEOPLE, "person")
COUNT = Use(14, 90)
FACTS = Facts(
    joins=(JOIN,),
    prior_use=PriorUse(
        14, {ORDERS: COUNT}, {PAIR[0]: COUNT}, {(ORDERS, PEOPLE): Use(9, 9)}, {PAIR: Use(9, 9)}
    ),
)


def test_an_answer_says_how_many_queries_use_its_tables_columns_and_joins() -> None:
    measured = Join(ORDERS, ("who",), PEOPLE, ("person",), "confidence 0.95")
    found = described(answer(measured), FACTS)
    orders, people = found.tables
    assert [one.text for one in orders.evidence] == ["used in 14 queries, mostly with shop.people"]
    texts = {}
    for column in orders.columns:
        texts[column.column.path] = [evidence.text for evidence in column.evidence]
    assert texts == {"order_no": [], "who": ["used in 14 queries"], "total": [], "total_net": []}
    assert people.evidence == ()
    assert [join.reason for join in found.joins] == ["used in 9 queries; confidence 0.95"]
    assert described(found, FACTS) == found


def test_a_join_that_only_queries_tell_is_as_sure_as_they_are_many() -> None:
    by_name = Join(PEOPLE, ("person",), ORDERS, ("who",), "by name")
    [found] = described(answer(by_name), replace(FACTS, joins=())).joins
    assert found.reason == "used in 9 queries; confidence 0.98"


def test_as_much_is_kept_of_it_as_an_answer_needs() -> None:
    known = use(
        "select o.amount from sales.orders o join crm.customers c using (customer_id)",
        "select device.kind from web.visits",
    )
    amount = ColumnRef(TableRef("sales", "orders"), "amount")
    part = known.get([amount])
    assert list(part.columns) == [amount]
    assert list(part.tables) == [amount.table]
    assert part.joins == {}
    assert (
        part.summary(amount.table)
        == known.summary(amount.table)
        == "used in 1 query, mostly with crm.customers"
    )
