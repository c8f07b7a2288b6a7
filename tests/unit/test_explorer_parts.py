"""Parts of catalog UI pages: answers, statements, codes, search, diagrams, lineage."""

from collections.abc import Iterator, Sequence

import duckdb
import pytest

from linker.catalog.column_metadata import Facts, KeyPair
from linker.catalog.snapshot import ProfiledCatalog
from linker.linking.result import Join, LinkedColumn, LinkedSchema, LinkedTable, Status
from linker.serve.code_labels import labelling_column, labels_in_comment
from linker.serve.explorer.answers import ranked_columns, starting_sql, tables_of
from linker.serve.explorer.diagrams import MAX_TABLES, diagram
from linker.serve.explorer.search import meant, similarly_named_tables, why_found, words_known
from linker.serve.lineage import steps_from
from linker.types import Catalog, Column, ColumnRef, Columns, Hit, Table, TableRef, ValueMatch


def table(name: str, *columns: str, description: str = "") -> Table:
    made = [
        Column(path, path.split(".")[0], path.count("."), place, "VARCHAR", True, None)
        for place, path in enumerate(columns)
    ]
    return Table(TableRef(*name.split(".")), "table", description or None, 9, Columns(made))


def linked(of: Table, status: Status | None = None, **scores: float) -> LinkedTable:
    by_path = {path.replace("__", "."): score for path, score in scores.items()}
    columns = tuple(
        LinkedColumn(of.column_by_path[path], score, "", status) for path, score in by_path.items()
    )
    return LinkedTable(of, columns, score=max(by_path.values()), status=status)


ORDERS = table("sales.orders", "order_id", "order", "customer_id", "extra.device")
CUSTOMERS = table("sales.customers", "customer_id", "name")
OTHERS = table("crm.customers", "customer_id", "note")
AWAY = table("hr.people", "name")


def answer(*tables: LinkedTable) -> LinkedSchema:
    joins = (
        Join(ORDERS.ref, ("customer_id",), CUSTOMERS.ref, ("customer_id",), "declared"),
        Join(OTHERS.ref, ("customer_id",), CUSTOMERS.ref, ("customer_id",), "declared"),
    )
    return LinkedSchema("q", "t", "shortlist", tables, joins)


def test_columns_come_by_how_likely_they_are_across_tables() -> None:
    schema = answer(
        linked(CUSTOMERS, name=0.23, customer_id=0.9), linked(ORDERS, order_id=0.07, order=0.5)
    )
    assert [item.column.score for item in ranked_columns(schema)] == [0.9, 0.5, 0.23, 0.07]
    assert [item.table.ref for item in tables_of(ranked_columns(schema))] == [
        CUSTOMERS.ref,
        ORDERS.ref,
    ]


def test_what_a_vote_requires_comes_before_what_is_undecided() -> None:
    schema = answer(
        linked(ORDERS, "pending", order_id=0.9), linked(CUSTOMERS, "required", name=0.1)
    )
    assert [item.column.status for item in ranked_columns(schema)] == ["required", "pending"]


def test_the_statement_to_start_from_runs_and_joins_what_can_be_joined() -> None:
    schema = answer(
        linked(ORDERS, order=0.9, extra__device=0.8),
        linked(OTHERS, note=0.7),
        linked(CUSTOMERS, name=0.1),
        linked(AWAY, name=0.05),
    )
    sql = starting_sql(schema)
    with duckdb.connect() as connection:
        connection.execute(
            """
            create schema sales; create schema crm; create schema hr;
            create table sales.orders as
                select 1 as order_id, 'o' as "order", 7 as customer_id, {'device': 'x'} as extra;
            create table sales.customers as select 7 as customer_id, 'Ann' as name;
            create table crm.customers as select 7 as customer_id, 'vip' as note;
            create table hr.people as select 'Bob' as name;
            """
        )
        assert connection.execute(sql).fetchall() == [("o", {"device": "x"}, "vip", "Ann")]
    assert "hr" not in sql
    assert starting_sql(LinkedSchema("q", "t", "shortlist", ())) == ""


@pytest.mark.parametrize(
    ("comment", "values", "found"),
    [
        ("Status: 1 = open; 2 = closed", "1 2 3", {"1": "open", "2": "closed"}),
        ("'A' -> active, 'B' means blocked (for good)", "A B", {"A": "active", "B": "blocked"}),
        ("0: no, 1: yes", "0 1", {"0": "no", "1": "yes"}),
        ("I in, O out.", "I O", {"I": "in", "O": "out"}),
        ("OK paid, PND pending", "OK PND", {"OK": "paid", "PND": "pending"}),
        ("Levels 1, 2 and 3 of the tree", "1 2 3", {}),
        ("1 when wrapped as a gift", "0 1", {}),
        ("f, m or d.", "f m d", {}),
        ("Between 10 and 100 euros", "10 100", {}),
        ("A regular expression: .* = all", ".* ( [", {}),
        ("", "A B", {}),
    ],
)
def test_a_comment_tells_what_codes_mean(comment: str, values: str, found: dict[str, str]) -> None:
    assert labels_in_comment(comment, values.split()) == found


def test_a_lookup_has_one_column_that_says_what_a_row_is() -> None:
    assert labelling_column(table("s.lkp_state", "code", "label", "sort_order")) == "label"
    assert labelling_column(table("s.people", "id", "first_name", "last_name")) == ""
    assert labelling_column(table("s.pairs", "left_id", "right_id")) == ""


def known() -> ProfiledCatalog:
    tables = (
        table("sales.orders", "order_id", "status", description="Everything that was bought"),
        table("sales.order_lines", "line"),
        table("logistics.shipments", "carrier"),
    )
    return ProfiledCatalog(Catalog(tables, 3), Facts())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ordr", "order"),
        ("shipmnts by carier", "shipments by carrier"),
        ("orders", ""),
        ("ordering", ""),
        ("xyzzy", ""),
        ("or", ""),
    ],
)
def test_a_search_knows_which_words_were_meant(text: str, found: str) -> None:
    assert meant(text, words_known(known())) == found


def test_tables_whose_names_are_alike_are_named() -> None:
    names = [str(item.ref) for item in similarly_named_tables("ordrs", known())]
    assert names[0] == "sales.orders"
    assert similarly_named_tables("orders", known()) == []


def test_why_a_table_was_found_is_said() -> None:
    orders = known().catalog.tables[0]
    status = ColumnRef(orders.ref, "status")
    value = Hit(status, 1.0, (), (ValueMatch("open", "open", 1.0),))
    assert why_found("orders", orders, (), known()) == "name match: orders"
    assert why_found("what was bought", orders, (), known()) == "description match: bought"
    assert why_found("open", orders, [value], known()) == "value match: 'open' in status"
    assert why_found("status", orders, [Hit(status, 1.0, ())], known()) == "column status"
    assert why_found("revenue", orders, (), known()) == "semantic match"


def pair(left: str, right: str, confidence: float = 1.0) -> KeyPair:
    ends = (TableRef("s", left), ("id",), TableRef("s", right), ("id",))
    return KeyPair(*ends, confidence=confidence, cardinality="n:1")


def refs(*names: str) -> list[TableRef]:
    return [TableRef("s", name) for name in names]


def test_a_diagram_leads_from_left_to_right_and_survives_circles() -> None:
    edges = [pair("lines", "orders"), pair("orders", "people"), pair("people", "orders", 0.7)]
    drawn = diagram(refs("lines", "orders", "people", "alone"), [*edges, pair("lines", "lines")])
    x_by_name = {box.ref.name: box.x for box in drawn.boxes}
    assert x_by_name["lines"] < x_by_name["orders"] < x_by_name["people"]
    assert len(drawn.lines) == 2
    assert {end[2] for line in drawn.lines for end in line.ends} == {"n", "1"}
    circle = diagram(refs("a", "b", "c"), [pair("a", "b"), pair("b", "c"), pair("c", "a")])
    assert len(circle.boxes) == len(circle.lines) == 3


def test_boxes_lie_apart_within_the_picture_and_many_tables_are_left_out() -> None:
    names = [f"t{number}" for number in range(MAX_TABLES + 12)]
    edges = [pair(names[number], names[number // 3]) for number in range(1, len(names))]
    drawn = diagram(refs(*names), edges)
    assert len(drawn.boxes) == MAX_TABLES
    assert drawn.left_out == 12
    for place, box in enumerate(drawn.boxes):
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + drawn.box_width <= drawn.width
        assert box.y + box.height <= drawn.height
        for other in drawn.boxes[place + 1 :]:
            is_beside = abs(box.x - other.x) >= drawn.box_width
            is_below = box.y + box.height <= other.y or other.y + other.height <= box.y
            assert is_beside or is_below
    assert diagram(refs("a"), []).boxes == ()


def test_steps_lead_on_and_end_in_circles() -> None:
    raw, staged, mart, report = refs("raw", "staged", "mart", "report")
    built_from = {staged: (raw,), mart: (staged, raw), report: (mart,), raw: (report,)}

    def parents(here: Sequence[TableRef]) -> Iterator[TableRef]:
        for ref in here:
            yield from built_from.get(ref, ())

    assert steps_from(mart, parents) == ((staged, raw), (report,))
    assert steps_from(report, parents) == ((mart,), (staged, raw))
    assert steps_from(TableRef("s", "alone"), parents) == ()
