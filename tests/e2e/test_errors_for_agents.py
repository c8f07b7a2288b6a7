"""Errors of MCP tools: flagged, with nearest names, and partial results kept."""

import asyncio
from collections.abc import Callable

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from tests.e2e.agents import called, failure, text


def test_a_call_of_which_nothing_worked_is_an_error_with_the_nearest_names(
    client: Callable[[], Client],
) -> None:
    table, column, lost, path, refused, missing, slip, wildcard, empty, blank = map(
        failure,
        called(
            client,
            ("describe", {"tables": ["sales.orders_all"]}),
            ("column_values", {"columns": ["sales.orders.store"]}),
            ("column_values", {"columns": ["sales.ordres.status_code"]}),
            ("join_path", {"tables": ["sales.orders", "sales.xyzzy"]}),
            ("run_query", {"statements": ["drop table sales.orders"]}),
            ("run_query", {"statements": ["select 1 from sales.ordres"]}),
            ("run_query", {"statements": ["select sttus_code from sales.orders"]}),
            ("run_query", {"statements": ["select count(*) from web.sessions_*"]}),
            ("search_schema", {"questions": [""]}),
            ("search_values", {"texts": ["  ", "?!"]}),
        ),
    )
    assert table.startswith("there is no table sales.orders_all; did you mean sales.order")
    assert column.startswith("there is no column sales.orders.store; did you mean store_id")
    assert lost == (
        "there is no column sales.ordres.status_code; did you mean sales.orders.status_code?"
    )
    assert path.startswith("there is no table sales.xyzzy; ")
    assert refused.startswith("refused (not_a_query): it is not a query")
    assert "there is no table sales.ordres; did you mean sales.orders" in missing
    assert slip.endswith("there is no column sttus_code; did you mean status_code?")
    assert "web.sessions_* stands for 365 tables: write web.sessions_20251231" in wildcard
    assert empty == "the text is empty; say in words what is looked for"
    assert blank.splitlines() == [empty, "“?!” has no words; say in words what is looked for"]
    for line in (table, column, lost, path, refused, missing, slip, wildcard, empty):
        assert "\n" not in line


def test_what_worked_stays_beside_what_failed_in_the_order_of_the_call(
    client: Callable[[], Client],
) -> None:
    described, counted, probed, found = called(
        client,
        ("describe", {"tables": ["sales.xyzzy", "logistics.carriers"]}),
        ("column_values", {"columns": ["logistics.carriers.mode", "logistics.carriers.zebra"]}),
        ("run_query", {"statements": ["select 1 as one", "select 1 from sales.xyzzy", "select 2"]}),
        ("search_schema", {"questions": ["late carriers", ""]}),
    )
    lines = text(described).splitlines()
    assert lines[0].startswith("there is no table sales.xyzzy; ")
    assert lines[1].startswith("logistics.carriers - Companies")
    assert text(counted).splitlines()[0].startswith("logistics.carriers.mode: ")
    assert (
        text(counted).splitlines()[-1].startswith("there is no column logistics.carriers.zebra; ")
    )
    assert text(probed).splitlines()[2:5] == [
        "1",
        "== select 1 from sales.xyzzy",
        "refused (unknown_table): there is no table sales.xyzzy; use a table of the schema that was shown",
    ]
    assert text(probed).splitlines()[-1] == "2"
    assert text(found).splitlines()[-2:] == [
        "== ",
        "the text is empty; say in words what is looked for",
    ]


def test_a_name_that_was_corrected_is_said_and_one_in_another_case_is_none(
    client: Callable[[], Client],
) -> None:
    slip, same, column, path = map(
        text,
        called(
            client,
            ("describe", {"tables": ["sales.ordres"]}),
            ("describe", {"tables": ["SALES.Orders", "carriers", "web.sessions_20250101"]}),
            ("column_values", {"columns": ["sales.orders.statuscode"]}),
            ("join_path", {"tables": ["sales.order_line", "sales.orders", "sales.xyzzy"]}),
        ),
    )
    remark, first, *_ = slip.splitlines()
    assert remark == "sales.ordres: did you mean sales.orders? shown below"
    assert first.startswith("sales.orders - ")
    assert "did you mean" not in same
    assert column.splitlines()[0] == (
        "sales.orders.statuscode: did you mean sales.orders.status_code? shown below"
    )
    lines = path.splitlines()
    assert lines[0] == "sales.order_line: did you mean sales.order_lines? shown below"
    assert lines[1].startswith("there is no table sales.xyzzy; ")
    assert lines[2].startswith("sales.order_lines.order_id = sales.orders.order_id (")
    assert "nothing joins" not in path


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        (
            "search_schema",
            {"questions": 5},
            "`search_schema`: `questions` takes a list of texts, not 5",
        ),
        (
            "search_schema",
            {"question": "x"},
            "`search_schema` has no argument `question`; did you mean `questions`?",
        ),
        ("search_schema", {}, "`search_schema`: `questions` is missing"),
        ("describe", {"tables": [1]}, "`describe`: `tables` takes text, not 1"),
        (
            "run_query",
            {"statements": ["select 1"], "rows": 200},
            "`run_query`: `rows` is at most 100, not 200",
        ),
        (
            "column_values",
            {"columns": ["a.b.c"], "limit": "many", "statistics": "perhaps"},
            "`column_values`: `limit` takes a whole number, not 'many'; "
            "`statistics` is true or false, not 'perhaps'",
        ),
        (
            "search_schema",
            {"questions": ["a"] * 21},
            "`search_schema`: `questions` takes at most 20; there are 21",
        ),
    ],
)
def test_wrong_arguments_are_told_in_a_sentence(
    client: Callable[[], Client], tool: str, arguments: dict[str, object], sentence: str
) -> None:
    [result] = called(client, (tool, arguments))
    assert failure(result) == sentence


def test_a_tool_that_is_not_there_is_told_with_those_that_are(
    client: Callable[[], Client],
) -> None:
    [result] = called(client, ("query", {}))
    assert failure(result).startswith("there is no tool `query`; there are search_schema, ")


def test_the_card_of_an_unknown_table_is_an_error_that_says_so(
    client: Callable[[], Client],
) -> None:
    async def session() -> str:
        async with client() as opened:
            with pytest.raises(MCPError) as caught:
                await opened.read_resource("table://sales.xyzzy")
            return str(caught.value)

    error = asyncio.run(session())
    assert "there is no table sales.xyzzy" in error
