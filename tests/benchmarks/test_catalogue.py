"""The generic format of suites, and the paths that the files of suites share."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.suites.column_paths import depth, parent, step, steps
from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.writing import write
from linker.catalog.column_metadata import KeyPair
from linker.errors import ConfigError
from linker.evaluation import GoldenQuestion, Suite
from linker.evaluation.suites import open_suite
from linker.types import TableRef

TABLE = {
    "database": "shop",
    "dialect": "postgres",
    "schema": "public",
    "table": "orders",
    "columns": [{"path": "id", "type": "bigint", "samples": ["17"]}, {"path": "customer_id"}],
    "keys": [{"columns": "customer_id", "to_table": "customers", "to_columns": ["id"]}],
}
QUESTION = {"id": "q1", "database": "shop", "question": "How many?", "gold_sql": "select 1"}


def folder_with(path: Path, tables: list[object], questions: list[object]) -> Path:
    for name, records in (("tables", tables), ("questions", questions)):
        (path / f"{name}.jsonl").write_text(
            "".join(json.dumps(one) + "\n" for one in records), "utf-8"
        )
    return path


def test_the_generic_format_needs_little_and_says_the_rest(tmp_path: Path) -> None:
    suite = open_suite(
        "catalogue",
        folder_with(tmp_path, [TABLE], [QUESTION, {**QUESTION, "id": "q2", "database": "x"}]),
    )
    orders = TableRef("public", "orders")
    columns = (SuiteColumn("id", "bigint", None, ("17",)), SuiteColumn("customer_id", ""))
    key = KeyPair(orders, ("customer_id",), TableRef("public", "customers"), ("id",))
    assert suite.databases == (
        SuiteDatabase("shop", "postgres", (SuiteTable(orders, columns),), (key,)),
    )
    assert suite.questions == (GoldenQuestion("q1", "shop", "How many?", ("select 1",)),)
    assert suite.left_out == ("1 question (q2): their database is not here",)


@pytest.mark.parametrize(
    ("tables", "questions", "message"),
    [
        (
            [{**TABLE, "kolumns": 1}],
            [],
            r"tables\.jsonl, line 1: kolumns: extra inputs are not permitted",
        ),
        ([TABLE, TABLE], [], r"tables\.jsonl, line 2: public\.orders stands there twice"),
        (
            [TABLE, {**TABLE, "table": "a", "dialect": "mysql"}],
            [],
            r"line 2: shop has another dialect before",
        ),
        ([{"database": "shop"}], [], r"line 1: table: field required"),
        (
            [TABLE],
            [QUESTION, QUESTION],
            r"questions\.jsonl, line 2: a question before it has the id q1 too",
        ),
        (
            [TABLE],
            [{**QUESTION, "gold_sql": []}],
            r"line 1: question q1 has neither gold_sql nor gold_columns",
        ),
        (
            [TABLE],
            [{**QUESTION, "document": "no.md"}],
            r"line 1: question q1 names the document no\.md",
        ),
        ([TABLE], ["text"], r"questions\.jsonl, line 1: not an object"),
    ],
)
def test_a_wrong_line_is_named(
    tmp_path: Path, tables: list[object], questions: list[object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        open_suite("catalogue", folder_with(tmp_path, tables, questions))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
COLUMNS = st.builds(
    SuiteColumn, TEXT, TEXT, st.none() | TEXT, st.lists(TEXT, max_size=2).map(tuple)
)


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    names = draw(st.lists(TEXT, min_size=1, max_size=2, unique=True))
    databases = []
    for name in names:
        refs = draw(st.lists(st.builds(TableRef, TEXT, TEXT), min_size=1, max_size=3, unique=True))
        tables = tuple(
            SuiteTable(
                ref,
                draw(st.lists(COLUMNS, max_size=3).map(tuple)),
                draw(st.none() | TEXT),
                draw(st.none() | st.integers(0, 10**12)),
            )
            for ref in refs
        )
        to_tables = st.builds(TableRef, TEXT, TEXT)
        many = st.lists(TEXT, min_size=1, max_size=2).map(tuple)
        # Keys are listed with their table.
        keys = tuple(
            KeyPair(ref, draw(many), draw(to_tables), draw(many))
            for ref in refs
            if draw(st.booleans())
        )
        databases.append(SuiteDatabase(name, draw(TEXT), tables, keys))
    questions = tuple(
        GoldenQuestion(
            key,
            draw(st.sampled_from(names)),
            draw(TEXT),
            (draw(TEXT),),
            (),
            draw(st.none() | TEXT),
            None,
            "hard",
        )
        for key in draw(st.lists(TEXT, max_size=3, unique=True))
    )
    return Suite("catalogue", tuple(databases), questions)


@given(suites())
def test_what_is_written_in_the_generic_format_is_read_back(suite: Suite) -> None:
    with TemporaryDirectory() as folder:
        write(suite, Path(folder))
        assert open_suite("catalogue", Path(folder)) == suite


@given(st.lists(TEXT, min_size=1, max_size=4))
def test_a_path_can_be_taken_apart_again(names: list[str]) -> None:
    path = ".".join(step(name) for name in names)
    assert steps(path) == names
    assert depth(path) == len(names) - 1
    assert parent(path) == (".".join(step(name) for name in names[:-1]) or None)
