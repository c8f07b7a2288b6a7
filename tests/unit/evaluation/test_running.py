"""A run over a small suite: questions, stored answers, resuming."""

import dataclasses
import json
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from linker.cli import main
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.errors import ConfigError
from linker.evaluation.preparing import Prepared, prepare
from linker.evaluation.results import read_results
from linker.evaluation.running import RunOptions, for_question, run, text_of
from linker.evaluation.scoring import all_golds, score_file
from linker.evaluation.summary import summarise
from linker.strategies import open_strategy, strategy_names
from tests.contract.model_server import serve_model
from tests.contract.model_wires import OpenAI

TABLES: list[dict[str, Any]] = [
    {
        "database": "shop",
        "table": "orders",
        "columns": [
            {"path": "order_id", "type": "BIGINT"},
            {"path": "customer_id", "type": "BIGINT"},
            {"path": "shipping_fee", "type": "DOUBLE", "description": "What the parcel cost."},
        ],
    },
    {
        "database": "shop",
        "table": "customers",
        "columns": [
            {"path": "customer_id", "type": "BIGINT"},
            {"path": "birthday", "type": "DATE"},
        ],
    },
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "fee",
        "database": "shop",
        "question": "total shipping fee",
        "gold_sql": "select sum(shipping_fee) from orders",
    },
    {
        "id": "birth",
        "database": "shop",
        "question": "birthday list",
        "gold_sql": "select birthday from customers",
    },
    {
        "id": "broken",
        "database": "shop",
        "question": "customer id",
        "gold_sql": "select nothing_like_it from orders",
    },
    {
        "id": "far",
        "database": "shop",
        "question": "asdf qwer",
        "answerable": False,
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The two files of the generic format."""
    for name, records in (("tables", TABLES), ("questions", QUESTIONS)):
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps(one) + "\n" for one in records), "utf-8"
        )
    return tmp_path


@pytest.fixture(scope="session")
def state_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture
def prepared(folder: Path, state_dir: Path) -> Prepared:
    return prepare("catalogue", folder, load_settings({"state_dir": state_dir}, {}))


def options(*budgets: int) -> RunOptions:
    return RunOptions("bm25", budgets)


def answered(path: Path) -> list[tuple[str, int | None]]:
    return [(one.question_id, one.budget) for one in read_results(path).predictions]


def test_every_question_is_answered_once_a_budget(prepared: Prepared, tmp_path: Path) -> None:
    path = tmp_path / "bm25.jsonl"
    progress = run(prepared, prepared.questions[:2], options(1, 3), path)
    assert (progress.done, progress.due, progress.errors) == (4, 4, 0)
    assert answered(path) == [("fee", 1), ("fee", 3), ("birth", 1), ("birth", 3)]


def test_a_question_without_an_answer_is_asked_once_at_the_largest_budget(
    prepared: Prepared, tmp_path: Path
) -> None:
    path = tmp_path / "shortlist.jsonl"
    unanswerable = [question for question in prepared.questions if not question.is_answerable]
    run(prepared, (*unanswerable, prepared.questions[0]), RunOptions("shortlist", (3, 1)), path)
    assert answered(path) == [("far", 3), ("fee", 3), ("fee", 1)]
    scored = score_file(prepared, path, all_golds(prepared))
    assert [one.question.id for one in scored.outcomes] == ["fee", "fee"]
    assert [(one.question_id, one.refused) for one in scored.unanswerable] == [("far", True)]
    assert scored.unscored == ()


def test_a_column_budget_gives_so_many_columns_and_all_of_a_smaller_one(
    prepared: Prepared, tmp_path: Path
) -> None:
    path = tmp_path / "shortlist.jsonl"
    run(prepared, prepared.questions[:1], RunOptions("shortlist", (1, 2, 3, 4)), path)
    answers = []
    for one in read_results(path).predictions:
        answers.append({column.ref for column in one.columns})
    assert [*map(len, answers)] == [1, 2, 3, 4]
    assert all(less < more for less, more in pairwise(answers))


def test_without_budgets_a_strategy_with_a_size_of_its_own_is_asked_for_that_too(
    prepared: Prepared, tmp_path: Path
) -> None:
    prepared = dataclasses.replace(prepared, settings=replace(prepared.settings, recall=0.2))
    for strategy, budgets in (
        ("shortlist", [40, 80, 120, 160, None]),
        ("bm25", [40, 80, 120, 160]),
    ):
        path = tmp_path / f"{strategy}.jsonl"
        run(prepared, prepared.questions[:1], RunOptions(strategy), path)
        assert answered(path) == [("fee", budget) for budget in budgets]
    asked, *others = summarise(
        score_file(prepared, tmp_path / "shortlist.jsonl", all_golds(prepared))
    )
    assert [one.name for one in (asked, others[0])] == ["shortlist as asked", "shortlist @40"]
    # With a budget too it ends where the wished recall is reached, as `linker ask` does.
    assert asked.overall.columns.count.value == others[0].overall.columns.count.value < 5


@pytest.mark.parametrize("strategy", ["evilink", "auto"])
def test_hypotheses_have_no_budget_so_that_a_model_is_asked_once(
    strategy: str, prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    # No server listens there: the answers are errors, and stored as such.
    settings = replace(
        prepared.settings, model="openai:any", model_base_url="http://127.0.0.1:9/v1"
    )
    path = tmp_path / "run.jsonl"
    run(
        dataclasses.replace(prepared, settings=settings),
        prepared.questions[:1],
        RunOptions(strategy),
        path,
    )
    assert answered(path) == [("fee", None)]


def test_questions_of_two_databases_wait_for_a_model_at_the_same_time(
    folder: Path, state_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    records = {"tables": TABLES + [table | {"database": "shop_2"} for table in TABLES]}
    records["questions"] = [QUESTIONS[0], QUESTIONS[0] | {"database": "shop_2", "id": "fee_2"}]
    for name, lines in records.items():
        (folder / f"{name}.jsonl").write_text(
            "".join(json.dumps(one) + "\n" for one in lines), "utf-8"
        )
    with serve_model() as server:
        # Each request waits until two are there, so that one after the other would never end well.
        server.meeting = threading.Barrier(2)
        server.replies = [
            OpenAI().by_tool({"tables": [{"table": "orders", "columns": ["shipping_fee"]}]})
        ] * 2
        settings = load_settings(
            {"state_dir": state_dir, "model": "openai:any", "model_base_url": f"{server.url}/v1"},
            {},
        )
        prepared = prepare("catalogue", folder, settings)
        progress = run(
            prepared, prepared.questions, RunOptions("din_sql", workers=2), tmp_path / "run.jsonl"
        )
    assert (progress.done, progress.errors, server.most_at_once) == (2, 0, 2)


def test_the_column_that_the_question_names_comes_first(prepared: Prepared, tmp_path: Path) -> None:
    path = tmp_path / "bm25.jsonl"
    run(prepared, prepared.questions[:2], options(1), path)
    first = {one.question_id: str(one.columns[0].ref) for one in read_results(path).predictions}
    assert first == {"fee": "main.orders.shipping_fee", "birth": "main.customers.birthday"}


def test_a_run_that_was_stopped_asks_only_what_is_missing(
    prepared: Prepared, tmp_path: Path
) -> None:
    path = tmp_path / "bm25.jsonl"
    run(prepared, prepared.questions[:1], options(1, 3), path)
    kept = path.read_bytes()
    path.write_bytes(kept[:-20])  # a kill in the middle of the last line
    progress = run(prepared, prepared.questions[:2], options(1, 3), path)
    assert progress.done == 4
    assert sorted(answered(path)) == [("birth", 1), ("birth", 3), ("fee", 1), ("fee", 3)]
    assert path.read_bytes().startswith(kept[: kept[:-20].rindex(b"\n")])


@pytest.mark.parametrize("name", strategy_names())
def test_every_strategy_is_evaluated_or_says_before_what_it_lacks(
    prepared: Prepared, tmp_path: Path, name: str
) -> None:
    path = tmp_path / f"{name}.jsonl"
    strategy, asked = open_strategy(name), RunOptions(name, (1, 3))
    needs = {"needs_model": "language model", "needs_reranker": "cross-encoder"}
    lacks = [told for need, told in needs.items() if getattr(strategy, need, False)]
    if lacks:
        with pytest.raises(
            ConfigError, match=f"`{name}` needs a {lacks[0]}, and none is configured"
        ):
            run(prepared, prepared.questions[:2], asked, path)
        assert not path.exists()
        return
    assert run(prepared, prepared.questions[:2], asked, path).errors == 0
    # What no budget changes is asked once.
    budgets: list[int | None] = [None] if name in ("full_schema", "dail_sql") else [1, 3]
    assert answered(path) == [
        (question, budget) for question in ("fee", "birth") for budget in budgets
    ]
    judged = score_file(prepared, path, all_golds(prepared))
    assert all(one.score.columns.is_complete for one in judged.at(budgets[-1]))


@pytest.mark.parametrize(
    "changed", [{"embedder": "another"}, {"column_budget": 7}, {"documents": ("terms.md",)}]
)
def test_answers_of_other_settings_are_not_mixed_in(
    prepared: Prepared, folder: Path, tmp_path: Path, changed: dict[str, Any]
) -> None:
    path = tmp_path / "bm25.jsonl"
    run(prepared, prepared.questions[:1], options(1), path)
    other = prepare("catalogue", folder, replace(prepared.settings, **changed))
    with pytest.raises(Exception, match="has results of another configuration"):
        run(other, other.questions[:1], options(1), path)


def test_what_has_no_gold_is_named_and_not_scored(prepared: Prepared, tmp_path: Path) -> None:
    path = tmp_path / "bm25.jsonl"
    golds = all_golds(prepared)
    run(prepared, [one for one in prepared.questions if one.id in golds], options(1), path)
    judged = score_file(prepared, path, golds)
    assert {one.question.id: one.score.columns.is_complete for one in judged.outcomes} == {
        "fee": True,
        "birth": True,
    }
    [line] = judged.unscored
    assert line.startswith("broken: ")
    assert "nothing_like_it" in line


def test_the_command_evaluates_reports_and_compares(
    folder: Path, state_dir: Path, tmp_path: Path
) -> None:
    common = ["--root", str(folder), "--state-dir", str(state_dir)]
    out = tmp_path / "answers"
    words = [
        "eval",
        "catalogue",
        *common,
        "--strategy",
        "bm25",
        "--budget",
        "1",
        "--budget",
        "2",
        "--out",
        str(out),
    ]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "bm25 @1" in done.stdout
    assert "100.0" in done.stdout
    assert "not scored: broken" in done.stderr
    answers = str(out / "bm25.jsonl")
    compared = CliRunner().invoke(main, ["eval", "compare", answers, answers, *common])
    assert compared.exit_code == 0, compared.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["catalogue"], "missing --root for suite catalogue"),
        (["catalogue", "--root", "nowhere"], "nowhere is not the folder of catalogue"),
        (
            ["catalogue", "--root", "{folder}", "--strategy", "psychic"],
            "there is no strategy `psychic`",
        ),
        (
            ["catalogue", "--root", "{folder}", "--strategy", "bm25", "--only", "q99"],
            "no question or database",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    words: list[str], said: str, folder: Path, state_dir: Path
) -> None:
    filled = [word.format(folder=folder) for word in words]
    done = CliRunner().invoke(main, ["eval", *filled, "--state-dir", str(state_dir)])
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_sample_is_the_same_for_the_same_seed_and_other_for_another(prepared: Prepared) -> None:
    from linker.cli.eval_agent import chosen_questions

    def drawn(seed: int) -> list[str]:
        asked = {"only": (), "sample": 2, "seed": seed, "limit": None}
        return [one.id for one in chosen_questions(prepared.questions, asked)]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(20)}) > 1


def test_all_questions_of_a_run_ask_over_the_connections_of_one_model(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    steps = (("panorama", "openai:other"),)
    prepared = dataclasses.replace(
        prepared, settings=replace(prepared.settings, model="openai:any", model_by_step=steps)
    )
    [database] = prepared.databases
    with Environment(prepared.settings) as parts:
        environment = prepared.environment(database, parts)
        for question in prepared.questions[:2]:
            assert for_question(question, environment, 3).model is parts.model
        assert parts.model is not None
        assert environment.models_of_steps["panorama"] is parts.models_of_steps["panorama"]


def test_a_suite_has_documents_of_its_own_and_its_rows_lie_in_duckdb(prepared: Prepared) -> None:
    [database] = prepared.databases
    with Environment(prepared.settings) as parts:
        environment = prepared.environment(database, parts)
        assert (environment.target_key, environment.dialect) == ("eval/catalogue/shop", "duckdb")


def test_a_question_has_settings_of_its_own(prepared: Prepared, tmp_path: Path) -> None:
    (tmp_path / "terms.md").write_text("A fee is a price.", "utf-8")
    question = replace(prepared.questions[0], evidence="in euros", document=tmp_path / "terms.md")
    with Environment(prepared.settings) as environment:
        settings = for_question(question, environment, 7).settings
        assert (settings.column_budget, settings.recall) == (7, None)
        assert settings.documents == (str(tmp_path / "terms.md"),)
        settings = for_question(question, environment, with_evidence=False).settings
        assert settings == environment.settings == prepared.settings
    assert text_of(question, with_evidence=True) == "total shipping fee\nin euros"
    assert text_of(question, with_evidence=False) == "total shipping fee"


def test_a_strategy_that_needs_a_model_is_not_run_without_one(
    prepared: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="`rsl` needs a language model"):
        run(prepared, prepared.questions[:1], RunOptions("rsl", (1,)), tmp_path / "rsl.jsonl")
    assert not (tmp_path / "rsl.jsonl").exists()
