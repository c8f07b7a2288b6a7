"""Tuning: fitted weights, held-out databases, written file."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from linker.cli import main
from linker.config.settings import load_settings
from linker.errors import ConfigError
from linker.evaluation.preparing import prepare
from linker.evaluation.training import GOLDEN, MIN_GOLDEN
from linker.evaluation.tune import fit_weights, folds, gather_examples, rank_held_out
from linker.ranking.calibration import conformal, likelihoods
from linker.ranking.column_selection import cut
from linker.ranking.weights import read_weights, write_weights
from linker.types import Catalog, Column, Columns, Table, TableRef

SHOPS = {
    "books": ("author", "title", "price"),
    "garden": ("plant", "height", "price"),
    "travel": ("city", "night", "price"),
}

NOUNS = ("chair", "kettle", "bicycle", "violin", "ladder", "blanket", "hammer")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three databases of two tables, and a question for each column."""
    folder = tmp_path_factory.mktemp("catalogue")
    tables, questions = [], []
    for database, names in SHOPS.items():
        for table, columns in (
            (f"{database}_item", names),
            (f"{database}_log", ("line", "moment", "level")),
        ):
            paths = [{"path": f"{table}_{column}", "type": "VARCHAR"} for column in columns]
            tables.append({"database": database, "table": table, "columns": paths})
            questions += [
                {
                    "id": f"{table} {column}",
                    "database": database,
                    "question": f"Which {column} has the {table.replace('_', ' ')}?",
                    "gold_sql": f"select {table}_{column} from {table}",
                }
                for column in columns
            ]
    for name, records in (("tables", tables), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text(
            "".join(json.dumps(one) + "\n" for one in records), "utf-8"
        )
    return folder


@pytest.fixture(scope="module")
def state_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


def test_the_command_reports_what_was_held_out_and_writes_weights_that_can_be_used(
    folder: Path, state_dir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "own.json"
    arguments = [
        "tune",
        "--suite",
        "catalogue",
        "--root",
        str(folder),
        "--out",
        str(out),
        "--folds",
        "3",
    ]
    done = CliRunner().invoke(main, [*arguments, "--state-dir", str(state_dir)])
    assert done.exit_code == 0, done.output
    # Everything fits into 40 columns, so every answer is complete.
    assert (
        "catalogue: 100.0 % complete at a budget of 40 (6.0 columns on average, 18 questions)"
        in done.stdout
    )
    assert read_weights(out).command == "linker tune --suite catalogue"
    assert read_weights(out) != read_weights()
    written = out.read_bytes()
    done = CliRunner().invoke(main, [*arguments, "--state-dir", str(state_dir), "--format", "json"])
    report = json.loads(done.stdout)
    assert report.keys() == {"version", "file", "questions", "held_out"}
    assert (report["version"], report["file"], report["questions"]) == (1, str(out), 18)
    figures = {
        "suite": "catalogue",
        "budget": 40,
        "questions": 18,
        "strict_recall": 1.0,
        "columns": 6.0,
    }
    assert figures in report["held_out"]
    assert out.read_bytes() == written


def test_an_example_knows_which_columns_are_right(folder: Path, state_dir: Path) -> None:
    prepared = prepare("catalogue", folder, load_settings({"state_dir": state_dir}, {}))
    examples = gather_examples(prepared, None)
    assert len(examples) == 18
    one = next(example for example in examples if example.question_id == "garden_item height")
    refs = one.evidence.index.lexicon.refs
    assert [str(refs[place]) for place in np.flatnonzero(one.column_labels)] == [
        "main.garden_item.garden_item_height"
    ]
    right = frozenset(int(place) for place in np.flatnonzero(one.column_labels))
    assert one.is_complete(right)
    assert not one.is_complete(frozenset(range(len(refs))) - right)


def test_databases_of_one_vendor_or_with_tables_in_common_share_a_fold() -> None:
    def catalog(*columns: str) -> Catalog:
        held = tuple(
            Column(path, path, 0, place, "TEXT", True, None)
            for place, path in enumerate(columns, start=1)
        )
        return Catalog((Table(TableRef("main", "t"), "table", None, None, Columns(held)),), 1)

    catalogs = {
        "nasdaq_prices": catalog("a", "b", "c", "d"),
        "nasdaq_news": catalog("e", "f", "g", "h"),
        "museum": catalog("i", "j", "k", "l"),
        "gallery": catalog("i", "j", "k", "l"),
        "weather": catalog("m", "n", "o", "p"),
    }
    found = folds(catalogs, dict.fromkeys(catalogs, 1), 3)
    assert found["nasdaq_prices"] == found["nasdaq_news"]
    assert found["museum"] == found["gallery"]
    assert len({found["nasdaq_news"], found["museum"], found["weather"]}) == 3


def test_weights_come_back_from_their_file_to_five_digits(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, read_weights())
    assert read_weights(path) == read_weights()


@pytest.mark.parametrize("text", ["", "[]", '{"tables": {}}'])
def test_a_file_that_holds_no_weights_is_an_error_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="is not a file of ranking weights") as caught:
        read_weights(path)
    assert caught.value.hint == "create it with: linker tune"


def test_a_file_whose_numbers_are_none_is_an_error_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    weights = read_weights()
    write_weights(path, replace(weights, tables=replace(weights.tables, intercept=0.0)))
    assert read_weights(path).tables.intercept == 0.0
    nowhere = tuple(0.0 for _ in weights.tables.deviations)
    write_weights(path, replace(weights, tables=replace(weights.tables, deviations=nowhere)))
    with pytest.raises(ConfigError, match="is not a file of ranking weights"):
        read_weights(path)


def test_of_one_database_the_shipped_ranking_stays_and_its_questions_calibrate_the_claims(
    tmp_path: Path, state_dir: Path
) -> None:
    names = [f"{adjective}_{noun}" for adjective in ["old", "new", "red"] for noun in NOUNS]
    paths = [{"path": name, "type": "VARCHAR"} for name in names]
    table_line = {"database": "things", "table": "stock", "columns": paths}
    (tmp_path / "tables.jsonl").write_text(json.dumps(table_line), "utf-8")
    lines = [
        {
            "id": name,
            "database": "things",
            "question": f"Which {name.replace('_', ' ')} is there?",
            "gold_sql": f"select {name} from stock",
        }
        for name in names
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    prepared = prepare("catalogue", tmp_path, load_settings({"state_dir": state_dir}, {}))
    examples = gather_examples(prepared, None)
    assert rank_held_out(examples, 5) == []

    weights, unseen = fit_weights(examples, [], "linker tune")
    assert weights == replace(read_weights(), command="linker tune")
    assert len(unseen) == len(names) == MIN_GOLDEN + 1

    golden = [replace(example, suite=GOLDEN) for example in examples]
    weights, unseen = fit_weights(golden, [], "linker tune")
    assert list(weights.complete_at) == sorted(weights.complete_at)
    assert len(weights.complete_at) == len(names)
    path = tmp_path / "weights.json"
    write_weights(path, weights)
    assert read_weights(path).complete_at == pytest.approx(weights.complete_at, abs=1e-5)
    complete = 0
    for ranking in unseen:
        answer = cut(ranking.ranked, likelihoods(ranking.ranked, weights), 0.9, lambda _: True)
        complete += ranking.example.is_complete(frozenset(answer.columns))
    assert complete >= 0.9 * len(names)


def test_of_n_golden_questions_one_counts_as_incomplete_at_any_claim() -> None:
    claims = np.array([0.1, 0.2, 0.5, 0.99])
    # Of three questions one was complete at 0.2, two at 0.4 and three at 0.9.
    assert conformal(claims, (0.2, 0.4, 0.9)).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert conformal(claims, ()).tolist() == claims.tolist()
