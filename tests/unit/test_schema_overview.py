"""Column lines of the schema overview prompt."""

from itertools import takewhile

import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts, pointing
from linker.catalog.description import label_of
from linker.linking.panorama import panorama
from linker.linking.prompt_sections import bound_view, listed_tables
from linker.linking.value_linking import Binding, LinkedQuestion
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.ranker import rank
from linker.ranking.weights import read_weights
from linker.types import Catalog, ColumnRef, Columns, TableRef
from tests.linking.test_size import WORDS
from tests.prompts import ARCHIVE, CUSTOMERS, ORDERS, question, table


def with_facts(
    path: str, facts: ColumnFacts, data_type: str, comments: tuple[str, ...] = ()
) -> LinkedQuestion:
    """The question about orders, with column metadata and comments."""
    asked = question()
    known = asked.catalog.table_by_ref[ORDERS]
    columns = [
        replace(item, data_type=data_type) if item.path == path else item for item in known.columns
    ]
    columns[: len(comments)] = [
        replace(item, description=comment) for item, comment in zip(columns, comments, strict=False)
    ]
    tables = tuple(
        replace(table, columns=Columns(columns)) if table.ref == ORDERS else table
        for table in asked.catalog.tables
    )
    found = pointing([(ColumnRef(ORDERS, path), facts)], asked.facts.joins)
    return replace(asked, catalog=Catalog(tables, len(tables)), facts=found)


@pytest.mark.parametrize(
    ("data_type", "facts", "line"),
    [
        # The usual type of a kind is left out, other types are shown.
        (
            "DOUBLE",
            ColumnFacts("money", 4, values=("10.5", "20.0")),
            "amount · money; such as 10.5",
        ),
        (
            "VARCHAR",
            ColumnFacts("money", 4, values=("10.5", "20.0")),
            "amount · varchar · money; such as 10.5",
        ),
        (
            "DATE",
            ColumnFacts("date", 4, days=("2025-01-01", "2025-03-09")),
            "amount · date; 2025-01-01 to 2025-03-09",
        ),
        (
            "DATE",
            ColumnFacts("date", 1, days=("2025-01-01", "2025-01-01")),
            "amount · date; 2025-01-01",
        ),
        (
            "INTEGER",
            ColumnFacts("date", 4, values=("20250101",)),
            "amount · integer · date; such as 20250101",
        ),
        # A row number is uninformative, as is the first amount if all are small; a key with letters
        # is informative.
        ("BIGINT", ColumnFacts("identifier", 4, values=("1", "2")), "amount · identifier"),
        (
            "VARCHAR",
            ColumnFacts("identifier", 4, values=("FW-01", "FW-02")),
            "amount · identifier; such as FW-01",
        ),
        ("BIGINT", ColumnFacts("measure", 4, values=("1", "2")), "amount · measure"),
        (
            "BIGINT",
            ColumnFacts("measure", 4, values=("20250101", "2")),
            "amount · measure; such as 20250101",
        ),
        ("BOOLEAN", ColumnFacts("boolean", 2, values=("true", "false")), "amount · boolean"),
        (
            "VARCHAR",
            ColumnFacts("category", 2, values=("a", "b")),
            "amount · category; one of a, b",
        ),
        # What a reader of samples writes for nothing is no value.
        ("DATE", ColumnFacts(values=("NaT", "nan")), "amount · date"),
        ("VARCHAR", ColumnFacts(), "amount · varchar"),
        # Of unmeasured columns a number is uninformative unless it is a year or day, as is a flag;
        # of numbers, dates and long codes one is enough.
        ("DOUBLE", ColumnFacts(values=("2.45", "3.2")), "amount · double"),
        ("BIGINT", ColumnFacts(values=("7566431", "12")), "amount · bigint"),
        ("BIGINT", ColumnFacts(values=("1998",)), "amount · bigint; such as 1998"),
        ("BIGINT", ColumnFacts(values=("20250101",)), "amount · bigint; such as 20250101"),
        ("BOOLEAN", ColumnFacts(values=("false",)), "amount · boolean"),
        ("VARCHAR", ColumnFacts(values=("18", "20")), "amount · varchar; such as 18"),
        ("VARCHAR", ColumnFacts(values=("M01", "M02")), "amount · varchar; such as M01, M02"),
        (
            "VARCHAR",
            ColumnFacts(values=("pub.1141103648", "pub.1144690896")),
            "amount · varchar; such as pub.1141103648",
        ),
        # A hash or UUID is uninformative, a long time is not.
        (
            "VARCHAR",
            ColumnFacts(values=("2548cceb-112c-4e57-9345-67ab1c0d5e11",)),
            "amount · varchar",
        ),
        (
            "VARCHAR",
            ColumnFacts(values=("2021-09-14T21:43:47.0012+00:00",)),
            "amount · varchar; such as 2021-09-14T21:43:47.0012+00:00",
        ),
    ],
)
def test_a_line_tells_what_may_decide(data_type: str, facts: ColumnFacts, line: str) -> None:
    assert (
        with_facts("amount", facts, data_type).describe(ColumnRef(ORDERS, "amount")).line() == line
    )


def test_a_column_of_which_nothing_is_known_is_named_with_the_key_that_it_leads_to() -> None:
    asked = with_facts("amount", ColumnFacts("money", 4, values=("10.5",)), "DOUBLE")
    lines = panorama(asked, 4_000).tables.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("sales.orders "))
    assert lines[start + 1 : start + 5] == [
        " status; How far the order is. <DATA>",
        " amount, money; such as 10.5",
        " keys: customer_id -> crm.customers",
        " also: order_id, ordered_on",
    ]


def test_a_long_comment_that_several_columns_have_is_said_once() -> None:
    comment = (
        "Number of the loading job that wrote the row last; only the team of the platform needs it"
    )
    asked = with_facts("amount", ColumnFacts(), "DOUBLE", comments=(comment, comment))
    assert panorama(asked, 4_000).tables.count(comment) == 1


def test_a_long_comment_is_cut() -> None:
    comment = f"{'word ' * 30}end"
    asked = with_facts("amount", ColumnFacts(), "DOUBLE", comments=(comment,))
    lines = panorama(asked, 4_000).tables.splitlines()
    [line] = [line for line in lines if line.startswith(" order_id, ")]
    _, shown = line.split("; ")
    assert shown.startswith("word word ")
    assert shown.endswith("…")
    assert len(shown) <= 100


def test_of_tables_in_play_with_the_same_columns_one_has_them() -> None:
    in_play = (ARCHIVE, CUSTOMERS, ORDERS)
    view = panorama(question(), 4_000, in_play)
    headings = [line for line in view.tables.splitlines() if not line.startswith(" ")]
    assert len(headings) == 2
    [heading] = [line for line in headings if "same columns" in line]
    assert str(ORDERS) in heading
    assert str(ARCHIVE) in heading
    # Of four tables only the family of visits is not in play.
    assert view.further == 1


def test_a_list_of_tables_names_the_same_columns_once() -> None:
    asked = question()
    tables = [asked.catalog.table_by_ref[ref] for ref in (ORDERS, ARCHIVE, CUSTOMERS)]
    first, second, third, rest = listed_tables(asked, tables, 4, tokens=1_000).splitlines()
    assert first.startswith(f"{ORDERS} - One row per order: ")
    assert second == f"{ARCHIVE}: same columns as {ORDERS}"
    assert third.startswith(f"{CUSTOMERS} - People with an account: ")
    assert rest == "1 more; say other words"


def test_names_of_tables_with_as_many_copies_share_a_note() -> None:
    asked = question()
    refs = [TableRef("old", name) for name in ("goods", "bills", "fees", "rents", "taxes")]
    words = " ".join(WORDS)
    tables = (*asked.catalog.tables, *(table(ref, words) for ref in refs))
    index = build_catalog_index(Catalog(tables, len(tables)), asked.facts)
    siblings = {ref: (TableRef("older", ref.name),) for ref in refs[1:]}
    asked = replace(
        asked,
        catalog=Catalog(tables, len(tables)),
        read=replace(asked.read, index=index, siblings=siblings),
        ranked=rank(asked.question, index, read_weights()),
    )
    [line] = [line for line in panorama(asked, 220).names.splitlines() if line.startswith("old: ")]
    names = line.removeprefix("old: ").split("; ")
    [alike] = [text for text in names if "with the same columns" in text]
    assert alike.endswith(" (each and 1 with the same columns)")
    assert alike.count(", ") >= 1
    assert "goods" not in alike


def test_a_copy_has_the_keys_that_were_measured_of_the_table_that_it_is_a_copy_of() -> None:
    asked = question()
    key = (ColumnRef(CUSTOMERS, "customer_id"),)
    assert asked.facts.get(ColumnRef(ARCHIVE, "customer_id")).points_to == ()
    assert asked.facts_of(ColumnRef(ARCHIVE, "customer_id")).points_to == key
    assert asked.facts_of(ColumnRef(ORDERS, "customer_id")).points_to == key
    assert asked.facts_of(ColumnRef(ORDERS, "amount")).points_to == ()
    assert replace(asked, facts=Facts()).facts_of(ColumnRef(ARCHIVE, "customer_id")).points_to == ()


def test_the_legend_of_codes_is_whole_and_stands_wherever_they_do() -> None:
    legend = "State of the order: " + ", ".join(f"C{at} = state number {at}" for at in range(15))
    facts = ColumnFacts(category="code", distinct_count=15, values=("C0", "C14"))
    asked = with_facts("status", facts, "VARCHAR", ("", "", legend, legend))
    both = [(ColumnRef(ORDERS, path), facts) for path in ("status", "amount")]
    asked = replace(asked, facts=pointing(both, asked.facts.joins))
    assert panorama(asked, 5_000).tables.count(legend) == 2


@pytest.mark.parametrize(
    ("code", "label"),
    [
        ("O", "open"),
        ("C", "cancelled"),
        ("X", "on hold"),
        ("D", "done"),
        ("US", "United States"),
        ("S", ""),
        ("", ""),
        ("(", ""),
    ],
)
def test_a_code_has_the_label_that_its_comment_gives_it(code: str, label: str) -> None:
    comment = (
        "State: O = open, C = cancelled; X: on hold and D - done. Country: US -> United States"
    )
    assert label_of(code, comment) == label
    assert label_of(code, None) == ""


def test_a_value_that_is_a_code_is_told_with_its_label() -> None:
    facts = ColumnFacts(category="code", distinct_count=2, values=("P", "O"))
    asked = with_facts("status", facts, "VARCHAR", ("", "", "P = paid, O = open, not yet paid"))
    bound = Binding("waiting", ColumnRef(ORDERS, "status"), "O", 1.0)
    asked = replace(asked, mentions=replace(asked.mentions, bindings=(bound,)))
    assert "'waiting' is the value 'O' of sales.orders.status (there open)" in bound_view(asked)


def lines_of(asked: LinkedQuestion, table: str) -> list[str]:
    """The lines of a table of the overview."""
    lines = panorama(asked, 4_000).tables.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(table))
    inside = takewhile(lambda line: line.startswith(" "), lines[start + 1 :])
    return [lines[start], *inside]


def test_a_table_without_rows_is_marked_where_rows_were_counted() -> None:
    asked = question()
    tables = tuple(
        replace(table, row_count_estimate=0) if table.ref == CUSTOMERS else table
        for table in asked.catalog.tables
    )
    asked = replace(asked, catalog=Catalog(tables, len(tables)))
    assert lines_of(asked, "crm.customers")[0].startswith("crm.customers (no rows) - ")
    assert "(no rows)" not in lines_of(asked, "sales.orders")[0]


@pytest.mark.parametrize(("confidence", "arrow"), [(0.97, "->"), (0.8, "->"), (0.7, "~>")])
def test_a_key_that_may_be_a_chance_has_another_arrow(confidence: float, arrow: str) -> None:
    asked = question()
    (pair,) = asked.facts.joins
    known = ((ref, replace(facts, points_to=())) for ref, facts in asked.facts.columns.items())
    asked = replace(asked, facts=pointing(known, (replace(pair, confidence=confidence),)))
    assert f" keys: customer_id {arrow} crm.customers" in lines_of(asked, "sales.orders")


def test_a_small_lookup_table_shows_all_its_values() -> None:
    countries = tuple(f"Country {letter}" for letter in "ABCDEFGHIJKL")
    asked = question()
    facts = Facts({ColumnRef(CUSTOMERS, "country"): ColumnFacts("text", 12, values=countries)})
    large = replace(asked, facts=facts)
    assert " country, varchar text; such as Country A" not in lines_of(large, "crm.customers")
    assert "Country L" not in panorama(large, 4_000).tables
    tables = tuple(
        replace(table, row_count_estimate=12) if table.ref == CUSTOMERS else table
        for table in asked.catalog.tables
    )
    small = replace(large, catalog=Catalog(tables, len(tables)))
    assert f" country, text; one of {', '.join(countries)}" in lines_of(small, "crm.customers")


def test_tables_in_play_are_shown_with_all_columns_and_no_others() -> None:
    again = panorama(question(), 500, (CUSTOMERS,))
    assert again.tables.startswith("crm.customers - People with an account")
    assert {ref.table for ref in again.columns} == {CUSTOMERS}
    assert (again.names, again.further) == ("", 3)


def test_values_of_some_members_of_a_family_are_not_told_as_all() -> None:
    asked = question()
    ref = ColumnRef(TableRef("web", "visits_*"), "page")
    facts = Facts({ref: ColumnFacts("category", 2, values=("home", "list"))})
    whole = replace(asked, facts=facts)
    assert whole.describe(ref).line() == "page · category; one of home, list"
    table = asked.catalog.table_by_ref[ref.table]
    assert table.family
    read = replace(
        table.family,
        members=("visits_20250101", "visits_20250102"),
        members_read=("visits_20250101",),
    )
    tables = tuple(
        replace(table, family=read) if item.ref == ref.table else item
        for item in asked.catalog.tables
    )
    part = replace(whole, catalog=Catalog(tables, len(tables)))
    assert part.describe(ref).line() == "page · category; such as home, list"


def test_tables_without_rows_are_marked_with_their_columns_and_by_name() -> None:
    asked = question()
    goods, bills = (table(TableRef("old", name), " ".join(WORDS)) for name in ("goods", "bills"))
    tables = (*asked.catalog.tables, goods, replace(bills, row_count_estimate=0))
    catalog = Catalog(tables, len(tables))
    index = build_catalog_index(catalog, asked.facts)
    asked = replace(asked, catalog=catalog, ranked=rank(asked.question, index, read_weights()))
    small, large = panorama(asked, 220), panorama(asked, 8_000)
    assert small.names == "old: bills (no rows)"
    assert "old.bills (no rows)" in large.tables
    assert "no rows" not in small.tables
    assert large.tables.count("no rows") == 1
