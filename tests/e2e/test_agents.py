"""MCP tools on the demo by the official client, over stdio and HTTP."""

import re
from collections.abc import Callable

from mcp.client import Client

from tests.e2e.agents import called, text

CARRIERS = "Which carrier delivers late most often?"


def test_an_agent_finds_its_way_from_a_question_to_rows(client: Callable[[], Client]) -> None:
    found, held, path, rows, described = map(
        text,
        called(
            client,
            ("search_schema", {"questions": [CARRIERS]}),
            ("search_values", {"texts": ["black friday"]}),
            ("join_path", {"tables": ["logistics.carriers", "sales.customers"]}),
            (
                "run_query",
                {
                    "statements": ["select carrier_name from logistics.carriers order by 1"],
                    "rows": 3,
                },
            ),
            ("describe", {"tables": ["shipments"], "pattern": "promised delivered"}),
        ),
    )
    assert "logistics.carriers" in found
    assert "carrier_name text" in found
    assert held.splitlines()[0].startswith("support.tags.tag_name = 'black-friday', 1 row")
    # Through shipments and their orders, which the call did not name.
    assert path.splitlines()[-1] == "in between: logistics.shipments, sales.orders"
    assert "logistics.shipments.carrier_code = logistics.carriers.carrier_code" in path
    assert rows.splitlines() == [
        "3 rows (the limit of `rows`)",
        "DHL Parcel",
        "DPD",
        "FrostExpress",
    ]
    assert described.splitlines()[1].strip() == "no column has all of these words; nearest:"
    assert [line.split(" ")[2] for line in described.splitlines()[2:]] == [
        "promised_on",
        "delivered_at",
    ]


def test_a_key_is_told_without_its_name_where_that_is_the_same(
    client: Callable[[], Client],
) -> None:
    [described] = called(
        client, ("describe", {"tables": ["logistics.shipments"], "max_chars": 20_000})
    )
    heads = [line.strip().split(";")[0] for line in text(described).splitlines()]
    assert "order_id bigint -> sales.orders" in heads
    [described] = called(
        client, ("describe", {"tables": ["sales.orders"], "pattern": "status rep"})
    )
    heads = [line.strip().split(";")[0] for line in text(described).splitlines()]
    assert "status_code varchar code -> lkp_order_status.code" in heads
    assert "sales_rep_id bigint -> people.employees" in heads


def test_a_column_has_all_words_of_like_or_those_with_most_come_first(
    client: Callable[[], Client],
) -> None:
    whole, nearest, alternatives, none = called(
        client,
        ("describe", {"tables": ["sales.orders"], "pattern": "the date of the order"}),
        ("describe", {"tables": ["sales.orders"], "pattern": "order date status"}),
        ("describe", {"tables": ["sales.orders"], "pattern": "cents at channel express gift"}),
        ("describe", {"tables": ["sales.orders"], "pattern": "zebra"}),
    )
    assert [line.split()[0] for line in text(whole).splitlines()[1:]] == ["order_date_key"]
    remark, *lines = text(nearest).splitlines()[1:]
    assert remark == "  no column has all of these words; nearest:"
    paths = [line.split()[0] for line in lines]
    # Two of the three words, then those with one that is not generic, so without `ordered_at`.
    assert paths == ["order_date_key", "status_code"]
    # Of alternatives each has its turn, however many columns another word has.
    assert {line.split()[0] for line in text(alternatives).splitlines()[2:]} >= {
        "channel_code",
        "express",
        "is_gift",
    }
    assert text(none).splitlines()[1:] == [
        "  no column has any of these words; without `pattern` come 33"
    ]


def test_a_question_about_a_time_shows_the_days_of_its_tables(client: Callable[[], Client]) -> None:
    days = "select min(cast({0} as date)), max(cast({0} as date)) from {1}"
    asked, unasked, tickets, quotes = called(
        client,
        (
            "search_schema",
            {"questions": ["How many support requests came in per channel in 2025?"]},
        ),
        ("search_schema", {"questions": ["How many support requests came in per channel?"]}),
        ("run_query", {"statements": [days.format("created_at", "support.tickets")]}),
        (
            "describe",
            {
                "tables": ["finance.gl_entries_*", "support.tickets"],
                "pattern": "posting created_at",
            },
        ),
    )
    first, last = text(tickets).splitlines()[-1].split(" | ")
    line = f"  created_at timestamp; UTC; {first} to {last}"
    assert line in text(asked).splitlines()
    assert line not in text(unasked).splitlines()
    assert line in text(quotes).splitlines()
    # Of twelve months three were read: their days are not those of the family.
    assert "  posting_date date" in text(quotes).splitlines()


def test_a_table_without_a_comment_says_what_it_is(client: Callable[[], Client]) -> None:
    found, kept = called(
        client,
        ("search_schema", {"questions": ["How many units of each product were sold per month?"]}),
        (
            "describe",
            {
                "tables": [
                    "logistics.shipments_archive",
                    "support.agg_ticket_daily",
                    "sales.orders_old",
                ]
            },
        ),
    )
    assert "sales.agg_product_month - figures by yyyymm, product_id" in text(found).splitlines()
    heads = [
        line.partition("; about")[0] for line in text(kept).splitlines() if not line.startswith(" ")
    ]
    assert heads[:2] == [
        "logistics.shipments_archive - kept beside logistics.shipments",
        "support.agg_ticket_daily - figures by day, channel",
    ]
    # A comment says it better.
    assert "kept beside" not in heads[2]


def test_beside_a_key_stands_what_names_the_thing_and_the_number_that_people_type(
    client: Callable[[], Client],
) -> None:
    [found] = called(
        client,
        ("search_schema", {"questions": ["How many pieces do we have in stock, by warehouse?"]}),
    )
    lines = [
        line
        for line in text(found).splitlines()
        if line.startswith("  site_id -> logistics.sites;")
    ]
    assert lines
    assert all("named by site_name (site_code)" in line for line in lines)


def test_a_wide_table_keeps_the_comments_that_fit_and_no_column_is_left_out(
    client: Callable[[], Client],
) -> None:
    short, whole, names, both = called(
        client,
        ("describe", {"tables": ["sales.orders"]}),
        ("describe", {"tables": ["sales.orders"], "max_chars": 20_000}),
        ("describe", {"tables": ["sales.orders"], "names_only": True}),
        ("describe", {"tables": ["sales.customers", "sales.orders"]}),
    )
    told = text(whole).splitlines()[1:]
    paths = [line.split()[0] for line in told]
    _, *lines, remark = text(short).splitlines()
    details = [line for line in lines if not line.startswith("  also ")]
    # In their order, the comment of the first that have one among them.
    assert details == [line for line in told if line in details]
    assert "  order_number varchar identifier; Number the shopper sees, FW plus year" in details
    named = [
        head.split()[0]
        for line in lines
        if line not in details
        for head in line.removeprefix("  also ").split(", ")
    ]
    assert sorted([*named, *(line.split()[0] for line in details)]) == sorted(paths)
    assert remark.startswith(
        f"… {len(named)} columns in short: for their comments say words of theirs in `pattern`"
    )
    assert len(text(short)) < 1_600 < len(text(whole))
    # Of two wide tables the names fit, and each has all of its own.
    assert [
        name.split()[0] for line in text(names).splitlines()[1:] for name in line.split(", ")
    ] == paths
    orders = text(both).partition("\nsales.orders")[2]
    listed = [line.removeprefix("  ") for line in orders.splitlines()[1:-1]]
    in_both = list[str]()
    for line in listed:
        names_in_line = (
            line.removeprefix("also ").split(", ") if line.startswith("also ") else [line]
        )
        in_both += [name.split()[0] for name in names_in_line]
    assert sorted(in_both) == sorted(paths)
    assert any("; " in line for line in listed)


def test_a_figure_that_the_question_speaks_of_is_shown_however_unlikely(
    client: Callable[[], Client],
) -> None:
    asked, unasked = called(
        client,
        (
            "search_schema",
            {
                "questions": [
                    "Why did we lose offers that were prepared in 2024, and how much money was in them?"
                ]
            },
        ),
        ("search_schema", {"questions": ["Why did we lose offers that were prepared in 2024?"]}),
    )
    line = "  total_eur money; Sum of the positions, without tax"
    assert line in text(asked).splitlines()
    assert line not in text(unasked).splitlines()


def test_found_tables_come_with_the_way_between_them_and_keys_with_what_names_their_things(
    client: Callable[[], Client],
) -> None:
    question = "How many people applied to each department in 2025, and what yearly salary did they have in mind?"
    [found] = called(client, ("search_schema", {"questions": [question]}))
    lines = text(found).splitlines()
    # Applicants reach a department only through their posting, which was not requested.
    assert [line for line in lines if line.startswith("join ")] == [
        "join people.job_postings.department_id = people.departments.department_id (n:1)",
        "join people.applicants.posting_id = people.job_postings.posting_id (n:1)",
    ]
    # Less relevant ones are only named, with the table that they reference.
    assert [
        line
        for line in lines
        if line.startswith("  also ") and " posting_id -> job_postings," in line
    ]
    # If the name has its own line, the key's line omits it.
    assert "  department_name text; such as People" in lines
    assert not [line for line in lines if line.startswith("  department_id key; named by")]
    keys = "cost_center_code (key), owner_employee_id -> people.employees"
    assert [line for line in lines if line.startswith(f"  also {keys}, cost_center_name")]


def test_words_that_are_found_one_by_one_or_within_a_value_raise_no_doubt(
    client: Callable[[], Client],
) -> None:
    apart, within, nowhere, german = called(
        client,
        ("search_schema", {"questions": ["How much money did GoCardless collect for us in 2025?"]}),
        (
            "search_schema",
            {"questions": ["In which offices do our second line product experts sit?"]},
        ),
        ("search_schema", {"questions": ["How many followers did we have on Instagram?"]}),
        ("search_schema", {"questions": ["Welche Kunden kaufen am meisten?"]}),
    )
    assert "unmatched terms:" not in text(apart)
    assert "such as Second line product experts" in text(within)
    assert "unmatched terms:" not in text(within)
    assert "unmatched terms: “followers”" in text(nowhere)
    # The right tables are found, whatever the language.
    assert "English questions work best" not in text(german)
    assert "sales.customers" in text(german)


def test_a_doubt_about_a_question_is_not_cut_where_its_tables_are(
    client: Callable[[], Client],
) -> None:
    questions = ["How many grams of CO2 per parcel?", CARRIERS, "How many followers on Instagram?"]
    [cut] = called(client, ("search_schema", {"questions": questions, "max_chars": 700}))
    lines = text(cut).splitlines()
    heads = [place for place, line in enumerate(lines) if line.startswith("== ")]
    assert len(heads) == len(questions)
    assert lines[heads[0] + 1] == "unmatched terms: “CO2”"
    assert "unmatched terms: “followers”" in lines[heads[2] + 1]


def test_a_text_that_is_the_name_of_a_column_and_no_value_is_said_to_be_one(
    client: Callable[[], Client],
) -> None:
    [held] = called(client, ("search_values", {"texts": ["Auslauf", "zebra"]}))
    _, missing, named, _, unknown = text(held).splitlines()
    for line in (missing, unknown):
        assert line.startswith(
            "no frequent value is like it; run_query looks at all: `where lower("
        )
    assert named == "in the name of product.Legacy Katalog.Auslauf?"


def test_what_an_earlier_question_told_is_only_named(client: Callable[[], Client]) -> None:
    [once, twice] = called(
        client,
        ("search_schema", {"questions": [CARRIERS]}),
        ("search_schema", {"questions": [CARRIERS, CARRIERS], "columns": 8}),
    )
    assert "as above" not in text(once)
    first, again = (part for part in text(twice).split(f"== {CARRIERS}\n") if part)
    assert first.splitlines() == text(once).splitlines()
    assert "  as above: carrier_" in again
    assert "Companies that carry our parcels" not in again
    # Of eight columns at most an agent reads what they are, of those that are unlikely the names.
    described = text(once).partition("\nfurther tables:")[0]
    details = [line for line in described.splitlines() if re.match("  (?!also |and |copies)", line)]
    assert 3 < len(details) <= 8


def test_a_code_that_only_a_comment_explains_is_found(client: Callable[[], Client]) -> None:
    [held] = called(client, ("search_values", {"texts": ["goodwill"]}))
    comment = "RT return, GW goodwill, PD price difference, ER wrong invoice."
    assert f"finance.credit_notes.reason_code, by its comment: {comment}" in text(held).splitlines()


def test_values_that_say_a_text_in_part_are_left_out_beside_those_that_say_all(
    client: Callable[[], Client],
) -> None:
    [held] = called(client, ("search_values", {"texts": ["Fernweh Pro"], "limit": 100}))
    # Complete ones.
    values = [value for value in re.findall("= '(.*)'", text(held)) if len(value) < 60]
    assert "Fernweh Pro" in values
    assert [value for value in values if "pro" not in value.casefold()] == []


def test_rows_of_several_columns_have_the_names_of_what_was_selected(
    client: Callable[[], Client],
) -> None:
    several = "select carrier_name as named, count(*) as shipped from logistics.carriers group by 1 order by 1"
    whole = "select * from logistics.carriers order by 1"
    named, starred = called(
        client, *(("run_query", {"statements": [sql], "rows": 1}) for sql in (several, whole))
    )
    assert text(named).splitlines() == [
        "1 row (the limit of `rows`)",
        "named | shipped",
        "DHL Parcel | 1",
    ]
    _, names, row = text(starred).splitlines()
    assert names.split(" | ")[:2] == ["carrier_code", "carrier_name"]
    assert len(names.split(" | ")) == len(row.split(" | "))


def test_what_does_not_fit_is_counted_and_the_way_to_it_is_said(
    client: Callable[[], Client],
) -> None:
    [result] = called(
        client, ("describe", {"tables": ["sales.customers", "sales.orders"], "max_chars": 500})
    )
    found = text(result)
    assert result.structured_content
    left_out = result.structured_content["left_out"]
    assert found.splitlines()[-1].startswith(
        f"… {left_out} more lines: for their comments say words of theirs"
    )
    assert len("\n".join(found.splitlines()[:-1])) <= 500
    [whole] = called(
        client, ("describe", {"tables": ["sales.customers", "sales.orders"], "max_chars": 50_000})
    )
    assert text(whole).count("\n") + 1 == len(found.splitlines()) - 1 + left_out


def test_one_text_is_a_list_of_one(client: Callable[[], Client]) -> None:
    alone, listed = called(
        client,
        ("search_values", {"texts": "black friday"}),
        ("search_values", {"texts": ["black friday"]}),
    )
    assert text(alone) == text(listed)


def test_a_text_that_is_longer_than_anybody_asks_is_refused_in_one_line(
    client: Callable[[], Client],
) -> None:
    long = "a" * 3_000_000
    refused = called(
        client,
        ("search_schema", {"questions": [CARRIERS, long]}),
        ("link", {"questions": [long]}),
        ("search_values", {"texts": [long]}),
        ("describe", {"tables": ["logistics.carriers"], "pattern": long}),
        ("column_values", {"columns": [long]}),
        ("join_path", {"tables": ["logistics.carriers", long]}),
    )
    for result in refused:
        assert result.is_error
        [content] = result.content
        line = getattr(content, "text", "")
        assert "may have at most 2,000 characters; this one has 3,000,000" in line
        assert len(line) < 200
        assert "\n" not in line


def test_tables_that_the_question_names_in_other_words_are_among_the_further_ones(
    client: Callable[[], Client],
) -> None:
    questions = (
        "How many purchases were made online on Black Friday, 28 November 2025?",
        "How many articles of the old German catalogue were marked as being phased out?",
    )
    orders, catalogue = map(
        text,
        called(client, *(("search_schema", {"questions": [question]}) for question in questions)),
    )
    assert re.search(r"sales\.orders\b", orders)
    assert "Legacy Katalog" in catalogue


def test_two_keys_that_lead_to_one_lookup_are_compared_directly(
    client: Callable[[], Client],
) -> None:
    tables = ["sales.customers", "support.sla_policies"]
    [found] = called(client, ("join_path", {"tables": tables}))
    first, caution = text(found).splitlines()
    assert first == (
        "sales.customers.segment_code = support.sla_policies.segment_code "
        "(both keys of sales.lkp_segment, n:m)"
    )
    assert caution.startswith("caution: ")


def test_rows_have_a_name_for_each_column(client: Callable[[], Client]) -> None:
    statement = "select carrier_code, count(*) from logistics.carriers group by 1"
    [found] = called(client, ("run_query", {"statements": [statement]}))
    assert text(found).splitlines()[1] == "carrier_code | COUNT(*)"


def test_a_further_table_is_told_with_its_best_columns(client: Callable[[], Client]) -> None:
    question = "Which of our products sold the most pieces in 2025?"
    [found] = called(client, ("search_schema", {"questions": [question]}))
    [line] = [item for item in text(found).splitlines() if "logistics.stock_movements:" in item]
    columns = line.partition(": ")[2].split(", ")
    assert set(columns) == {"product_id", "qty", "movement_type"}


def test_counts_of_a_family_say_how_many_of_its_tables_were_read(
    client: Callable[[], Client],
) -> None:
    counts, held = map(
        text,
        called(
            client,
            ("column_values", {"columns": ["finance.gl_entries_*.document_type"]}),
            ("search_values", {"texts": ["DR"], "limit": 100}),
        ),
    )
    assert counts.splitlines()[0].endswith(": 3 distinct (3 of 12 read)")
    [line] = [line for line in held.splitlines() if ".document_type = 'DR'" in line]
    assert line.endswith(" rows (3 of 12 read)")
