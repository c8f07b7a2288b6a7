"""Usage sources: files, folders, JSON lines, dbt manifest, warehouse history."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError
from linker.usage.sources import Logged, history_statement, read_files, read_history, source_name
from linker.warehouses.base import USUAL, Bounds, Row
from linker.warehouses.base.read_only import only_reading
from tests.usage.logs import counted, used_tables


def target(kind: str, **options: str) -> Target:
    return Target("shop", "dev", kind, "sales", Path(), options)


def test_a_file_of_sql_is_one_text(tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("select 1; select 2", "utf-8")
    assert read_files(file) == [Logged("select 1; select 2")]


def test_a_folder_brings_all_its_files_in_one_order(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.sql").write_text("select 1", "utf-8")
    (tmp_path / "b.jsonl").write_text('{"query": "select 2"}\n', "utf-8")
    (tmp_path / "c.SQL").write_text("select 3", "utf-8")
    (tmp_path / "notes.md").write_text("no query", "utf-8")
    assert read_files(tmp_path) == [Logged("select 2"), Logged("select 3"), Logged("select 1")]


LINES = {
    '{"query": "select 1"}': Logged("select 1"),
    '{"QUERY_TEXT": "select 1", "COUNT": 7}': Logged("select 1", 7),
    '{"query": "select 1", "calls": 0}': Logged("select 1", 1),
    '{"query": "select 1", "time": "2025-03-04T05:06:07Z"}': Logged(
        "select 1", 1, date(2025, 3, 4)
    ),
    '{"query": "select 1", "start_time": "2025-03-04 05:06:07.123"}': Logged(
        "select 1", 1, date(2025, 3, 4)
    ),
    '{"query": "select 1", "timestamp": 1741064767000}': Logged("select 1", 1, date(2025, 3, 4)),
    '{"query": "select 1", "time": "some day"}': Logged("select 1"),
    '{"text": "select 1"}': Logged(""),
    "no json": Logged(""),
    # Ends of lines elsewhere, and none in JSON.
    '{"query": "select 1\u2028 from t\x85"}': Logged("select 1\u2028 from t\x85"),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_json_tells_a_query_how_often_and_when(tmp_path: Path, line: str) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(f"{line}\n\n", "utf-8")
    assert read_files(file) == [LINES[line]]


def manifest(**nodes: dict[str, object]) -> str:
    models = {
        f"model.shop.{name}": {"resource_type": "model", **node} for name, node in nodes.items()
    }
    return json.dumps({"metadata": {}, "nodes": models})


def test_dbts_manifest_tells_its_models_and_what_its_views_stand_for(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    view, body = '"shop"."sales"."big_orders"', "select order_id, amount from sales.orders"
    file.write_text(
        manifest(
            big={"compiled_code": body, "relation_name": view, "config": {"materialized": "view"}},
            report={
                "compiled_code": f"select amount from {view}",
                "relation_name": '"shop"."sales"."r"',
                "config": {"materialized": "table"},
            },
            ours={"compiled_code": "select city from crm.customers", "package_name": "linker"},
            tested={"compiled_code": "select city from crm.customers", "resource_type": "test"},
        ),
        "utf-8",
    )
    known, told = counted(*read_files(file))
    assert used_tables(known) == {"sales.orders": 2, "sales.big_orders": 1}
    assert told.read == told.used == 2


def test_a_manifest_that_was_only_parsed_says_what_to_run(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(manifest(big={"raw_code": "select 1"}), "utf-8")
    with pytest.raises(ConfigError) as told:
        read_files(file)
    assert told.value.hint == "dbt compile"


@pytest.mark.parametrize("name", ["nowhere.sql", "empty"])
def test_what_is_not_there_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError):
        read_files(tmp_path / name)


def test_a_source_has_one_name_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert {
        source_name(one) for one in ("a.sql", "./a.sql", "x/../a.sql", str(tmp_path / "a.sql"))
    } == {"a.sql"}
    assert source_name("/elsewhere/a.sql") == "/elsewhere/a.sql"


class Answering:
    """A warehouse that answers from a list, and keeps what it was asked."""

    dialect = "postgres"
    bytes_read = 0

    def __init__(self, *answers: list[Row]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    def query(self, sql: str, parameters: object = (), bounds: Bounds = USUAL) -> list[Row]:
        self.asked.append(sql)
        return self._answers.pop(0)

    def relations(self, schema: str) -> dict[str, str]:
        return {}

    def close(self) -> None:
        pass


def test_postgres_tells_its_literals_as_parameters_also_where_sql_takes_none() -> None:
    text = "select extract($1 from placed_on) from sales.orders where placed_on > date $2 - interval $3 and status = $4"
    warehouse = Answering([("public",)], [(text, 5, None)])
    log = read_history(target("postgres"), warehouse)
    known, told = counted(*log, dialect="postgres")
    assert (told.used, told.partly) == (1, 0)
    assert {ref.path for ref in known.columns} == {"placed_on", "status"}
    assert [one.runs for one in known.tables.values()] == [5]


def test_a_postgres_that_does_not_keep_its_queries_says_so() -> None:
    with pytest.raises(WarehouseError, match="pg_stat_statements"):
        read_history(target("postgres"), Answering([]))


def test_a_warehouse_without_a_history_says_so_before_it_is_asked() -> None:
    warehouse = Answering()
    with pytest.raises(ConfigError, match="has no query history"):
        read_history(target("duckdb"), warehouse)
    assert warehouse.asked == []


def test_the_day_of_the_last_run_is_known_from_any_kind_of_time() -> None:
    rows: list[Row] = [
        ("select 1", 3, date(2025, 3, 4)),
        ("select 2", 1, datetime(2025, 3, 5, 6, tzinfo=UTC)),
    ]
    log = read_history(target("snowflake"), Answering(rows))
    assert [(one.runs, one.last) for one in log] == [(3, date(2025, 3, 4)), (1, date(2025, 3, 5))]


@pytest.mark.parametrize("kind", ["postgres", "snowflake", "bigquery"])
def test_the_history_is_read_by_one_statement_that_only_reads(kind: str) -> None:
    statement = history_statement(target(kind, project="my-project", location="EU"))
    assert only_reading(statement, kind)


def test_a_project_cannot_break_out_of_the_statement() -> None:
    with pytest.raises(ConfigError):
        history_statement(target("bigquery", project="p`; drop", location="eu"))
