"""MCP tools on a small railway warehouse: tables, lineage, codes, and joins that multiply rows."""

import asyncio
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import duckdb
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from msgspec.structs import replace

from linker.config.settings import load_settings
from linker.environment import Environment
from tests.e2e.agents import called, failure, text
from tests.e2e.conftest import Run
from tests.e2e.serving import COMMAND

STATEMENTS = (
    "create schema rail",
    "create schema report",
    "create schema depot",
    "create schema hire",
    *(
        f"create table depot.stock_202401{day:02} as select range as part_id, "
        "'Part ' || range as part_name, range * 10 as pieces from range(200)"
        for day in range(1, 6)
    ),
    """create table rail.trips as
       select range as trip_id, range % 7 as line_id, date '2024-01-01' + cast(range % 300 as int) as ran_on,
           timestamp '2024-01-01 08:00:00' + interval (range) hour as left_at,
           ['ON', 'LT', 'X7'][1 + range % 3] as state_code, range * 1.5 as fare_eur, range % 2 as class_code,
           case when range % 50 = 0 then 'Y' end as was_refunded, now() as _loaded_at
       from range(300)""",
    """create table rail.trip_states as select *
       from (values ('ON', 'On time'), ('LT', 'Late'), ('X7', 'Fraud hold')) as states(code, label)""",
    """create table rail.lines as
       select range as line_id, 'Line ' || range as line_name, range * 100 as length_km,
           ['N', 'S'][1 + range % 2] as region_code from range(7)""",
    """create table rail.repairs as
       select range as repair_id, range % 7 as line_id, range * 10 as cost_eur from range(50)""",
    """create table hire.branches as
       select range as branch_id, 'Branch ' || range as branch_name from range(4)""",
    """create table hire.clerks as select range as clerk_id, range % 4 as branch_id, range % 3 as grade
       from range(20)""",
    """create table hire.renters as
       select range as renter_id, (range + 1) % 4 as branch_id, 'renter' || range || '@example.org' as email,
           cast(range % 5 > 0 as integer) as active, 'Remark number ' || range || repeat(' and more', 6) as remark
       from range(100)""",
    """create table hire.rentals as
       select range as rental_id, range % 100 as renter_id, range % 20 as clerk_id,
           timestamp '2024-01-01 08:00:00' + interval (range) hour as taken_at,
           case when range % 10 > 0 then timestamp '2024-01-02 08:00:00' + interval (range) hour end as returned_at
       from range(400)""",
    "create table rail.lines_2019 as select * from rail.lines",
    "comment on table rail.lines_2019 is 'Obsolete, replaced by lines'",
    "comment on column rail.trips.class_code is '0 second class, 1 first class'",
    "comment on column rail.trips._loaded_at is 'When the row was written by the loader'",
    "comment on column rail.trips.fare_eur is 'Price of all tickets of the trip'",
    """create view report.late_trips as select t.trip_id, l.line_name, t.fare_eur
       from rail.trips as t join rail.lines as l using (line_id) where t.state_code = 'LT'""",
    "create view report.late_by_line as select line_name, count(*) as late from report.late_trips group by 1",
    """create view report.known_renters as select renter_id, branch_id from hire.renters
       where active = 1 and email <> 'renter7@example.org'""",
)
QUERIES = """
select l.line_name, sum(t.fare_eur) from rail.trips t join rail.lines l on t.line_id = l.line_id group by 1;
select count(*) from rail.trips t join rail.lines l on t.line_id = l.line_id where l.line_name = 'Line 1';
"""


@pytest.fixture(scope="module")
def railway(tmp_path_factory: pytest.TempPathFactory, linker_command: Run) -> partial[Client]:
    """Makes a client of the railway, which was profiled, and whose queries were learned."""
    folder = tmp_path_factory.mktemp("railway")
    with duckdb.connect(str(folder / "network.duckdb")) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
    output = f"{{type: duckdb, path: {folder / 'network.duckdb'}, schema: main}}"
    profile = f"rail:\n  target: dev\n  outputs:\n    dev: {output}\n"
    (folder / "profiles.yml").write_text(profile, "utf-8")
    (folder / "queries.sql").write_text(QUERIES, "utf-8")
    flags = ("--profile", "rail", "--profiles-dir", str(folder))
    for words in (("refresh",), ("learn", "queries.sql")):
        done: subprocess.CompletedProcess[str] = linker_command(*words, *flags, cwd=folder)
        assert done.returncode == 0, done.stderr
    parameters = StdioServerParameters(
        command=COMMAND, args=["mcp", *flags], cwd=folder, env={**os.environ, "HOME": str(folder)}
    )
    return partial(_client, parameters, folder=folder)


def _client(parameters: StdioServerParameters, folder: Path) -> Client:
    return Client(stdio_client(parameters))


@pytest.fixture
def railway_environment(railway: partial[Client]) -> Iterator[Environment]:
    """The same railway without a server."""
    folder = railway.keywords["folder"]
    settings = {"profile": "rail", "profiles_dir": folder, "state_dir": folder / ".linker"}
    with Environment(load_settings({**settings, "kept_traces": 0})) as environment:
        yield environment


def test_tables_are_listed_by_schema_and_pattern_with_those_out_of_use_last(
    railway: Callable[[], Client],
) -> None:
    schemas, rail, like, several, missing = called(
        railway,
        ("list_tables", {}),
        ("list_tables", {"patterns": ["rail.*"]}),
        ("list_tables", {"patterns": "%LINE%"}),
        ("list_tables", {"patterns": ["report", "zebra"], "max_chars": 2_000}),
        ("list_tables", {"patterns": ["zebra*"]}),
    )
    head, *counts = text(schemas).splitlines()
    assert head.startswith("13 tables in 4 schemas, as of the last scan, 20")
    assert counts == ["depot: 1 table", "hire: 4 tables", "rail: 5 tables", "report: 3 tables"]
    assert text(rail).splitlines() == [
        "rail.*: 5 tables",
        "rail.lines; about 7 rows",
        "rail.repairs; about 50 rows",
        "rail.trip_states; about 3 rows",
        "rail.trips; about 300 rows",
        "rail.lines_2019 - Obsolete, replaced by lines; about 7 rows",
    ]
    assert [line.split(";")[0].split(" - ")[0] for line in text(like).splitlines()[1:]] == [
        "rail.lines",
        "report.late_by_line",
        "rail.lines_2019",
    ]
    assert text(several).splitlines()[0] == "report: 3 tables"
    assert text(several).splitlines()[-1] == (
        "no table is like zebra; there are the schemas depot, hire, rail, report"
    )
    assert (
        failure(missing)
        == "no table is like zebra*; there are the schemas depot, hire, rail, report"
    )


def test_a_table_tells_where_it_comes_from_who_reads_it_and_how_often_it_is_used(
    railway: Callable[[], Client],
) -> None:
    view, table, plain = map(
        text,
        called(
            railway,
            ("describe", {"tables": ["report.late_trips"], "lineage": True}),
            ("describe", {"tables": ["rail.lines"], "lineage": True}),
            ("describe", {"tables": ["rail.lines"]}),
        ),
    )
    assert view.splitlines()[1:3] == [
        "  made from: rail.lines, rail.trips",
        "  made from it: report.late_by_line",
    ]
    assert "  made from it: report.late_trips" in table.splitlines()
    assert "made from" not in plain
    assert "  used in 2 queries, mostly with rail.trips" in plain.splitlines()
    assert "  joined by rail.lines.line_id = rail.trips.line_id, used in 2 queries" in plain


def test_a_view_tells_its_filters_and_its_grain_unless_a_filter_reads_masked_values(
    railway: Callable[[], Client],
) -> None:
    late, by_line, known, found = map(
        text,
        called(
            railway,
            ("describe", {"tables": ["report.late_trips"]}),
            ("describe", {"tables": ["report.late_by_line"]}),
            ("describe", {"tables": ["report.known_renters"]}),
            ("search_schema", {"questions": ["fare of late trips by line name"]}),
        ),
    )
    head = "report.late_trips - view; only rows with state_code = 'LT'"
    assert late.splitlines()[0] == head
    assert head in found.splitlines()
    assert by_line.splitlines()[0].endswith("; one row per line_name")
    assert known.splitlines()[0].endswith("; only rows with active = 1 and more")
    assert "example.org" not in known


def test_a_search_asks_no_warehouse_for_what_a_view_holds(railway: Callable[[], Client]) -> None:
    [found] = map(
        text,
        called(railway, ("search_schema", {"questions": ["fare of late trips by line name"]})),
    )
    assert "report.late_trips - view" in found.splitlines()


def test_codes_have_their_labels_and_a_comment_that_explains_them_stands_beside(
    railway: Callable[[], Client],
) -> None:
    states, stolen, fraud, classes, lines = map(
        text,
        called(
            railway,
            ("column_values", {"columns": ["rail.trips.state_code"]}),
            ("column_values", {"columns": ["rail.trips.state_code"], "pattern": "stolen"}),
            ("column_values", {"columns": ["rail.trips.state_code"], "pattern": "fraud"}),
            ("column_values", {"columns": ["rail.trips.class_code"]}),
            ("column_values", {"columns": ["rail.lines.region_code"]}),
        ),
    )
    # A name beside a code that several rows have is not the label of the code.
    assert "Line" not in lines
    assert {"  X7 = Fraud hold (100)", "  LT = Late (100)"} < {*states.splitlines()}
    assert fraud.splitlines()[1] == "  X7 = Fraud hold (100)"
    # Where none is like it, those that there are say what to look for.
    assert "no value has “stolen” in it; there are " in stolen
    assert sorted(stolen.rpartition("there are ")[2].split(", ")) == ["LT", "ON", "X7"]
    # As its comment says, "0 second class, 1 first class".
    assert {"  0 = second class (150)", "  1 = first class (150)"} < {*classes.splitlines()}


def test_statistics_say_each_thing_once_and_times_as_days(railway: Callable[[], Client]) -> None:
    [result] = called(
        railway,
        ("column_values", {"columns": ["rail.trips.left_at"], "statistics": True, "limit": 2}),
    )
    head, *values = text(result).splitlines()
    assert head.count("distinct") == 1
    assert "most frequent" not in head
    assert "quantiles 2024-01-01, 2024-01-04, 2024-01-07, 2024-01-10, 2024-01-13" in head
    assert all("rail.trips.left_at" not in line for line in values)


def test_joins_that_multiply_rows_are_cautioned_of(railway: Callable[[], Client]) -> None:
    one, two = map(
        text,
        called(
            railway,
            ("join_path", {"tables": ["rail.repairs", "rail.lines"]}),
            ("join_path", {"tables": ["rail.repairs", "rail.lines", "rail.trips"]}),
        ),
    )
    assert "rail.repairs.line_id = rail.lines.line_id (confidence 0.98, n:1" in one
    assert (
        "caution: a row of rail.lines comes once for each of rail.repairs: "
        "do not add up its figures after the join"
    ) in one
    [caution] = [line for line in two.splitlines() if line.startswith("caution: ")]
    assert caution.endswith(
        "each have several rows for one of rail.lines: add up each by itself before you join"
    )
    assert "rail.trips" in caution
    assert "rail.repairs" in caution


def test_words_of_like_may_be_alternatives_and_amounts_keep_their_comments_longest(
    railway: Callable[[], Client],
) -> None:
    either, short = map(
        text,
        called(
            railway,
            ("describe", {"tables": ["rail.trips"], "pattern": "price|ran"}),
            ("describe", {"tables": ["rail.trips"], "max_chars": 560}),
        ),
    )
    assert [line.split()[0] for line in either.splitlines()[1:]] == ["ran_on", "fare_eur"]
    assert "Price of all tickets" in short
    assert "written by the loader" not in short


def test_a_pattern_finds_no_chance_letters_and_says_which_alternative_has_no_column(
    railway: Callable[[], Client],
) -> None:
    chance, one, near = map(
        text,
        called(
            railway,
            ("describe", {"tables": ["rail.lines"], "pattern": "eng"}),
            ("describe", {"tables": ["rail.trips"], "pattern": "zebra|price"}),
            ("describe", {"tables": ["rail.trips"], "pattern": "name of the state"}),
        ),
    )
    # `length_km` has the letters and not the word.
    assert chance.splitlines()[1:] == [
        "  no column has any of these words; without `pattern` come 4"
    ]
    assert [line.split(";")[0] for line in one.splitlines()[1:]] == [
        "  no column has “zebra”",
        "  fare_eur decimal(21,1) money",
    ]
    # A column with a generic word alone is not near: `line_id` for `name`.
    assert near.splitlines()[1] == "  no column has all of these words; nearest:"
    assert [line.split()[0] for line in near.splitlines()[2:]] == ["state_code"]


def test_a_probe_says_that_there_are_more_rows_only_where_there_are(
    railway: Callable[[], Client],
) -> None:
    all_, more = map(
        text,
        called(
            railway,
            ("run_query", {"statements": ["select line_name from rail.lines"], "rows": 7}),
            ("run_query", {"statements": ["select line_name from rail.lines"], "rows": 6}),
        ),
    )
    assert all_.splitlines()[0] == "7 rows"
    assert more.splitlines()[0] == "6 rows (the limit of `rows`)"
    assert len(more.splitlines()) == 7


def test_rows_that_a_star_selects_have_the_names_of_their_columns(
    railway: Callable[[], Client],
) -> None:
    whole, joined, merged, excluded = map(
        text,
        called(
            railway,
            ("run_query", {"statements": ["select * from rail.lines"], "rows": 1}),
            (
                "run_query",
                {
                    "statements": [
                        "with late as (select *, fare_eur * 2 as twice from rail.trips) "
                        "select s.*, l.twice from late as l "
                        "join rail.trip_states as s on s.code = l.state_code"
                    ],
                    "rows": 1,
                },
            ),
            (
                "run_query",
                {
                    "statements": ["select * from rail.lines join rail.repairs using (line_id)"],
                    "rows": 1,
                },
            ),
            (
                "run_query",
                {"statements": ["select * exclude (length_km) from rail.lines"], "rows": 1},
            ),
        ),
    )
    assert whole.splitlines()[1:] == [
        "line_id | line_name | length_km | region_code",
        "0 | Line 0 | 0 | N",
    ]
    assert joined.splitlines()[1] == "code | label | twice"
    assert excluded.splitlines()[1] == "line_id | line_name | region_code"
    # Where a join merges columns their order is the warehouse's own: no name is better than a wrong one.
    assert len(merged.splitlines()) == 2


def test_codes_have_their_labels_where_tables_are_found_and_described_once_in_an_answer(
    railway: Callable[[], Client],
) -> None:
    found, described = map(
        text,
        called(
            railway,
            (
                "search_schema",
                {"questions": ["What did trips with a fraud hold earn, by state code?"]},
            ),
            ("describe", {"tables": ["rail.trips"], "max_chars": 20_000}),
        ),
    )
    assert found.count("X7 = Fraud hold") == 1
    [line] = [line for line in described.splitlines() if line.startswith("  state_code ")]
    pairs = line.rpartition("; ")[2].split(", ")
    assert sorted(pairs) == ["LT = Late", "ON = On time", "X7 = Fraud hold"]
    # Matches of the question come first.
    [line] = [line for line in found.splitlines() if "Fraud hold" in line and " = " in line]
    assert line.rpartition("; ")[2].startswith("X7 = Fraud hold")


def test_of_a_column_that_is_nearly_empty_nothing_is_said_to_be_always_there(
    railway: Callable[[], Client],
) -> None:
    [described] = called(railway, ("describe", {"tables": ["rail.trips"], "max_chars": 20_000}))
    [line] = [line for line in text(described).splitlines() if " was_refunded" in line]
    assert line.endswith("; empty or Y; 294 null")


def test_the_first_answer_of_a_later_scan_than_that_of_the_instructions_ends_with_its_time(
    railway: Callable[[], Client], railway_environment: Environment
) -> None:
    history, key = railway_environment.store.history, railway_environment.target_key
    call = ("column_values", {"columns": ["rail.trips.state_code"]})

    async def session() -> tuple[str, str, str, str, str]:
        async with railway() as opened:
            before = text(await opened.call_tool(*call))
            [last] = history.runs(key, limit=1)
            number = history.begin(key, "refresh")
            assert last.ended_at
            ended = last.ended_at + timedelta(days=1)
            scan = replace(last, kind="refresh", number=number, ended_at=ended)
            history.end(key, scan, None)
            after = text(await opened.call_tool(*call))
            again = text(await opened.call_tool(*call))
            history.delete(key, number)
            return str(opened.instructions), before, after, again, f"{ended:%Y-%m-%d %H:%M} UTC"

    instructions, before, after, again, later = asyncio.run(session())
    assert "the first answer of a later scan ends with its time" in instructions
    assert after == f"{before}\nscan of {later}"
    assert again == before


def test_a_probe_of_snapshots_says_that_the_newest_is_read_alone(
    railway: Callable[[], Client],
) -> None:
    family, member = map(
        text,
        called(
            railway,
            ("run_query", {"statements": ['select count(*) from depot."stock_*"']}),
            ("run_query", {"statements": ["select count(*) from depot.stock_20240101"]}),
        ),
    )
    assert family.splitlines() == [
        "1 row",
        "depot.stock_* was read as its newest snapshot, stock_20240105, alone",
        "200",
    ]
    assert member.splitlines() == ["1 row", "200"]


def test_several_paths_of_keys_between_two_tables_are_named(railway: Callable[[], Client]) -> None:
    several, one, found = map(
        text,
        called(
            railway,
            ("join_path", {"tables": ["hire.rentals", "hire.branches"]}),
            ("join_path", {"tables": ["hire.renters", "hire.branches"]}),
            ("search_schema", {"questions": ["rentals by branch"]}),
        ),
    )
    line = (
        "hire.rentals to hire.branches by different join paths: "
        "clerk_id -> hire.clerks.branch_id; renter_id -> hire.renters.branch_id"
    )
    assert line in several.splitlines()
    assert "different join paths" not in one
    assert line in found.splitlines()


def test_a_key_that_is_only_named_comes_first_and_tells_where_it_leads(
    railway: Callable[[], Client],
) -> None:
    [found] = called(
        railway, ("search_schema", {"questions": ["remarks of renters"], "columns": 1})
    )
    lines = text(found).splitlines()
    [line] = [line for line in lines if line.startswith("  also ") and "branch_id" in line]
    assert line == "  also renter_id (key), branch_id, active (0/1), email"


def test_nulls_of_a_time_are_counted_where_it_is_described_and_those_of_all_beside_values(
    railway: Callable[[], Client],
) -> None:
    described, found, values = map(
        text,
        called(
            railway,
            ("describe", {"tables": ["hire.rentals"]}),
            ("search_schema", {"questions": ["When were rentals returned?"]}),
            ("column_values", {"columns": ["hire.rentals.returned_at", "rail.trips.was_refunded"]}),
        ),
    )
    for answer in (described, found):
        [line] = [line for line in answer.splitlines() if line.startswith("  returned_at ")]
        assert line.endswith("; 40 null")
        assert answer.count(" null") == 1
    heads = [line for line in values.splitlines() if not line.startswith("  ")]
    assert heads == [
        "hire.rentals.returned_at: 360 distinct; 40 null",
        "rail.trips.was_refunded: 1 distinct; 294 null",
    ]


def test_an_integer_of_zeros_and_ones_is_a_flag(railway: Callable[[], Client]) -> None:
    [described] = called(railway, ("describe", {"tables": ["hire.renters"]}))
    assert "  active integer boolean" in text(described).splitlines()


def test_a_masked_column_says_so_and_how_to_compare_it(railway: Callable[[], Client]) -> None:
    described, values, missing, code, unlisted = map(
        text,
        called(
            railway,
            ("describe", {"tables": ["hire.renters"], "pattern": "email"}),
            ("column_values", {"columns": ["hire.renters.email"]}),
            ("search_values", {"texts": ["renter7@example.org"]}),
            ("search_values", {"texts": ["zebra 4711"]}),
            ("column_values", {"columns": ["hire.renters.remark"], "pattern": "zebra"}),
        ),
    )
    assert described.splitlines()[1:] == ["  email varchar email; masked"]
    assert values == "hire.renters.email: 100 distinct; masked, compare with `=`"
    # The advice names columns whose values look like the text: addresses, or words with numbers.
    masked = "no frequent value is like it; masked, compare with `=`: hire.renters.email"
    assert missing == masked
    looks = "run_query looks at all: `where lower(depot.stock_*.part_name) like '%…%'`"
    assert code == f"no frequent value is like it; {looks}, also hire.renters.remark"
    assert (
        "no frequent value has “zebra” in it: "
        "run_query `where lower(remark) like '%…%'` looks at all; there are Remark number "
    ) in unlisted
    assert unlisted.endswith(" and 95 more")


def test_a_refused_statement_stops_no_other_of_its_call(railway: Callable[[], Client]) -> None:
    like = "select count(*) from hire.renters where email like '%7%'"
    one, both = called(
        railway,
        ("run_query", {"statements": [like, "select count(*) as all_of_them from hire.renters"]}),
        ("run_query", {"statements": [like, like.replace("7", "8")]}),
    )
    head, refused, *others = text(one).splitlines()
    assert head == f"== {like}"
    assert refused.startswith("refused (masked_column): hire.renters.email is masked; ")
    assert others[-2:] == ["1 row", "100"]
    assert failure(both).startswith("refused (masked_column): hire.renters.email is masked; ")
    assert failure(both).endswith(" (2 times)")
