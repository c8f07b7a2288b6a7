"""Feedback on answers: how it is stored and used."""

from pathlib import Path

import numpy as np
import pytest

from linker.errors import ConfigError, NameLookupError
from linker.evaluation import GoldenQuestion
from linker.evaluation.golden import feedback_file, feedback_on, keep_feedback
from linker.evaluation.preparing import from_catalog
from linker.evaluation.scoring import golds_of
from linker.evaluation.suites import open_suite
from linker.evaluation.training import example_of
from linker.linking.assemble_result import read_trace
from linker.pipeline import link
from linker.ranking.ranker import read_question
from linker.sql.answering import answer_in_sql
from linker.strategies import AutoStrategy
from linker.strategies.shortlist import ShortlistStrategy
from tests.linking.shop import QUESTION, ShopEnvironment, build
from tests.sql.test_answering import RIGHT, Writer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the shop."""
    build(tmp_path)
    return tmp_path


def test_a_right_statement_is_gold(folder: Path) -> None:
    with ShopEnvironment(folder, Writer(RIGHT), sql_candidates=1) as environment:
        answer_in_sql(link(QUESTION, environment, AutoStrategy()), environment)
        record = read_trace(environment.settings.state_dir, "last")
        entry = feedback_on(record, (), environment.indexed.catalog).entry
    assert entry.keys() == {"id", "question", "gold_sql"}
    assert (entry["id"], entry["question"]) == (record.id, QUESTION)
    assert "'Denmark'" in entry["gold_sql"]


def test_what_an_answer_lacked_is_gold_and_its_other_columns_are_unsure(folder: Path) -> None:
    with ShopEnvironment(folder, column_budget=4) as environment:
        schema = link("amount of orders", environment, ShortlistStrategy())
        given = {f"{of.table.ref}.{col.column.path}" for of in schema.tables for col in of.columns}
        record = read_trace(environment.settings.state_dir, "last")
        catalog = environment.indexed.catalog
        lacking = feedback_on(record, ["visits.visited_on"], catalog)
        right = feedback_on(record, (), catalog)
        with pytest.raises(ConfigError, match="the answer has"):
            feedback_on(record, ["sales.orders.amount"], catalog)
        with pytest.raises(NameLookupError, match="is a table"):
            feedback_on(record, ["sales.orders"], catalog)
        with pytest.raises(NameLookupError):
            feedback_on(record, ["sales.orders.colour"], catalog)
        assert (keep_feedback(environment.settings, right), right.is_right) == (1, True)
        assert keep_feedback(environment.settings, lacking) == 1
        path = feedback_file(environment.settings)
    assert "sales.orders.amount" in given
    assert lacking.needed == ("crm.visits.visited_on",)
    assert set(lacking.unsure) == given
    assert "sales.orders.amount" in right.needed
    assert {*right.needed, *right.unsure} == given
    [question] = open_suite("feedback", path).questions
    assert (question.text, question.gold_columns) == ("amount of orders", lacking.needed)
    assert question.unsure_columns == lacking.unsure
    assert not path.stat().st_mode & 0o077


def test_unsure_columns_are_neither_right_nor_wrong_to_learn_from(folder: Path) -> None:
    question = GoldenQuestion(
        "q",
        "shop",
        "amount of orders",
        gold_columns=("sales.orders.amount",),
        unsure_columns=("sales.orders.status", "crm.visits.visited_on", "sales.orders.gone"),
    )
    with ShopEnvironment(folder) as environment:
        read = read_question(question.text, environment)
        golds = golds_of(question, from_catalog("shop", "duckdb", environment.indexed.catalog))
        example = example_of("golden", question, read.index, golds, read.signals)
    lexicon = example.evidence.index.lexicon
    names = [str(ref) for ref in lexicon.refs]
    unsure = {names[at] for at in np.flatnonzero(example.column_importance == 0)}
    assert unsure == {"sales.orders.status", "crm.visits.visited_on"}
    assert [names[at] for at in np.flatnonzero(example.column_labels)] == ["sales.orders.amount"]
    tables = [str(table.ref) for table in lexicon.tables]
    # A table of which a column is needed is needed, whatever its others are.
    assert [tables[at] for at in np.flatnonzero(example.table_importance == 0)] == ["crm.visits"]
    assert [tables[at] for at in np.flatnonzero(example.table_labels)] == ["sales.orders"]
