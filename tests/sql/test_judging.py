"""Evaluation with SQL: generated and gold statements run in a real warehouse."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from linker.cli import main
from linker.evaluation import GoldenQuestion, JudgedSql, Prediction
from linker.evaluation.results import read_results
from linker.evaluation.running import with_sql
from linker.linking.result import LinkedSchema, Unanswerable
from linker.pipeline import link
from linker.strategies.shortlist import ShortlistStrategy
from tests.contract.model_server import ModelServer, serve_model
from tests.contract.model_wires import OpenAI
from tests.linking.shop import QUESTION, ShopEnvironment
from tests.sql.test_answering import BROKEN, OTHER, RIGHT, SECRET, Writer

BY_COUNTRY = (
    "select country, sum(amount) as total from sales.orders"
    " join crm.customers using (customer_id) group by country"
)
BY_MONTH = "select date_trunc('month', ordered_on) as begun, sum(amount) as total from sales.orders group by begun"
SORTED = f"{BY_COUNTRY} order by total desc"
IN_TURN = BY_COUNTRY.replace("country, sum(amount) as total", "sum(amount), country")


def judged(
    shop: Path, writer: Any, *golds: str, refused: bool = False, text: str = QUESTION
) -> Prediction:
    """The answer to a question with these golds, of which a model writes three statements."""
    question = GoldenQuestion("q", "shop", text, golds)
    with ShopEnvironment(shop, writer, sql_candidates=3) as environment:
        schema = link(QUESTION, environment, ShortlistStrategy())
        if refused:
            schema = LinkedSchema(
                QUESTION, schema.target, "shortlist", (), unanswerable=Unanswerable("nothing")
            )
        return with_sql(Prediction("q", "shortlist", None, (), ()), question, schema, environment)


@pytest.mark.parametrize(
    ("statement", "golds", "verdict"),
    [
        # Of the paid orders Ada's of 10.5 is from Denmark.
        (RIGHT, ["select 10.5"], "right"),
        (RIGHT, ["select 1", "select 10.5"], "right"),
        (OTHER, ["select 10.5"], "wrong"),
        (IN_TURN, [BY_COUNTRY], "right"),
        (f"{BY_COUNTRY} order by total", [BY_COUNTRY], "right"),
        (f"{BY_COUNTRY} order by total", [SORTED], "right"),
        (BY_COUNTRY, ["select 'Denmark' union all select 'France'"], "more columns"),
        ("select distinct country from crm.customers", [BY_COUNTRY], "fewer columns"),
        (
            BY_MONTH,
            [BY_MONTH.replace("date_trunc('month', ordered_on)", "month(ordered_on)")],
            "other labels",
        ),
        (
            BY_MONTH.replace("sum(amount)", "count(*)"),
            [BY_MONTH.replace("date_trunc", "datepart")],
            "wrong",
        ),
        # A column of the warehouse means one thing, and two rows with one label are not
        # distinguished.
        (BY_COUNTRY.replace("country,", "upper(country),"), [BY_COUNTRY], "wrong"),
        (
            "select 'all', sum(amount) from sales.orders group by month(ordered_on)",
            [BY_MONTH],
            "wrong",
        ),
        (BROKEN, [BY_COUNTRY], "failed"),
        (RIGHT, ["select nothing from sales.orders"], "gold did not run"),
        (RIGHT, ["select range from range(6000)"], "gold did not run"),
        # The guard lets no statement read a hidden column.
        (RIGHT, [SECRET], "gold did not run"),
    ],
)
def test_the_rows_of_a_written_statement_are_judged(
    shop: Path, statement: str, golds: list[str], verdict: str
) -> None:
    answer = judged(shop, Writer(*[statement] * 3, corrected=statement), *golds)
    assert answer.judged is not None
    assert answer.judged.verdict == verdict
    assert bool(answer.sql) == (statement != BROKEN)


def test_order_counts_where_the_question_asks_for_it_and_the_gold_gives_it(shop: Path) -> None:
    for statement, gold, verdict in (
        (f"{BY_COUNTRY} order by total", SORTED, "wrong"),
        (f"{IN_TURN} order by 1 desc", SORTED, "right"),
        (f"{BY_COUNTRY} order by total", BY_COUNTRY, "right"),
    ):
        answer = judged(
            shop,
            Writer(*[statement] * 3),
            gold,
            text="Amount of orders by country, sorted by amount",
        )
        assert answer.judged
        assert answer.judged.verdict == verdict


def test_what_is_refused_is_not_written_and_no_model_is_asked(shop: Path) -> None:
    answer = judged(shop, Writer(), "select 10.5", refused=True)
    assert answer.judged == JudgedSql("none written")


QUESTIONS = f"""
- {{id: total, question: "{QUESTION}", gold_sql: select 10.5}}
- {{id: countries, question: amount of orders by country, gold_sql: "{BY_COUNTRY}"}}
- {{id: columns, question: status of orders, gold_columns: [sales.orders.status]}}
- {{id: tall, question: how tall are customers, answerable: false}}
"""


def evaluated(shop: Path, server: ModelServer, folder: Path, *words: str) -> Result:
    """`linker eval golden` over the shop, asking the server for SQL."""
    output = {"type": "duckdb", "path": str(shop / "shop.duckdb"), "schema": "shop"}
    (folder / "profiles.yml").write_text(
        json.dumps({"shop": {"target": "dev", "outputs": {"dev": output}}})
    )
    (folder / "golden.yml").write_text(QUESTIONS)
    variables = {
        "LINKER_STATE_DIR": str(folder / "state"),
        "LINKER_PROFILES_DIR": str(folder),
        "LINKER_PROFILE": "shop",
        "LINKER_MODEL": "openai:any" if server.url else "",
        "LINKER_MODEL_BASE_URL": f"{server.url}/v1" if server.url else "",
        "LINKER_SQL_CANDIDATES": "1",
        "OPENAI_API_KEY": "none",
    }
    command = [
        "eval",
        "golden",
        "--root",
        str(folder / "golden.yml"),
        "--strategy",
        "shortlist",
        "--budget",
        "8",
    ]
    return CliRunner().invoke(main, [*command, "--out", str(folder), *words], env=variables)


def test_a_run_keeps_what_was_judged_and_writes_only_what_is_missing(
    shop: Path, tmp_path: Path
) -> None:
    wire = OpenAI()
    with serve_model() as server:
        # Linked without SQL, then with it; the first statement alone gets an answer.
        assert evaluated(shop, server, tmp_path).exit_code == 0
        server.replies = [wire.by_tool({"sql": RIGHT})]
        first = evaluated(shop, server, tmp_path, "--sql", "--only", "total")
        server.replies = [wire.by_tool({"sql": IN_TURN.replace("sum(amount), country", "country")})]
        second = evaluated(shop, server, tmp_path, "--sql", "--format", "json")
        third = evaluated(shop, server, tmp_path, "--sql")
    assert [done.exit_code for done in (first, second, third)] == [0, 0, 0], (
        first.output + second.output
    )
    assert len(server.requests) == 2
    kept = {
        one.question_id: one.judged
        for one in read_results(tmp_path / "shortlist.jsonl").predictions
    }
    # One of one: P(Beta(2, 1) > 1/2) = 3/4. The server reports 120 tokens read and 30 written.
    assert kept == {
        "total": JudgedSql("right", 0.75, 150, 1),
        "countries": JudgedSql("fewer columns", 0.75, 150, 1),
        "columns": None,
        "tall": None,
    }
    [figures] = [summary["sql"] for summary in json.loads(second.stdout)["summaries"]]
    assert figures["questions"] == 2
    assert figures["verdicts"] == {"right": 1, "fewer columns": 1}
    assert (figures["right"]["value"], figures["right_rows"]["value"]) == (0.5, 1.0)
    assert (figures["tokens"], figures["calls"]) == (150, 1)
    confidence = figures["confidence"]
    # Sure by three quarters of two of which one is right.
    assert (confidence["chance"], confidence["true"]["value"], confidence["expected_error"]) == (
        0.75,
        0.5,
        0.25,
    )
    assert "SQL by execution accuracy" in third.stdout
    assert "fewer columns" in third.stdout


def test_sql_is_not_evaluated_without_a_model_or_a_warehouse(shop: Path, tmp_path: Path) -> None:
    done = evaluated(shop, ModelServer(), tmp_path, "--sql")
    assert done.exit_code == 2
    assert "SQL needs a language model, and none is configured" in done.stderr
    for name, record in (
        ("tables", {"database": "d", "table": "t", "columns": [{"path": "a"}]}),
        ("questions", {"id": "q", "database": "d", "question": "a", "gold_sql": "select a from t"}),
    ):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
    words = [
        "eval",
        "catalogue",
        "--root",
        str(tmp_path),
        "--strategy",
        "bm25",
        "--sql",
        "--model",
        "openai:any",
    ]
    done = CliRunner().invoke(main, [*words, "--state-dir", str(tmp_path / "state")])
    assert done.exit_code == 2
    assert "catalogue has no warehouse to run SQL in" in done.stderr
