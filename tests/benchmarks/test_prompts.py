"""The prompts of the baselines, as golden files."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from benchmarks.baselines.stepwise.judge import LanguageJudge
from benchmarks.baselines.writing import SqlReply, written
from linker.identifiers.resolver import Names, Unknown
from linker.linking.actions import ColumnsReply, GetFieldStats, ProbeSql
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking_state import (
    ActionResult,
    Divergence,
    Grounding,
    Hypothesis,
    Refinement,
    begin,
    vote,
)
from linker.linking.prompt_sections import schema_view
from linker.linking.result import Evidence
from linker.linking.value_linking import LinkedQuestion
from linker.types import ColumnRef
from tests.prompts import ARCHIVE, CUSTOMERS, ORDERS, Keeping, begun, prompts_of, question, told

WAY = Hypothesis(
    2,
    "orders, with those of the archive",
    (Divergence("source", "older orders were moved away"),),
    (ORDERS, ARCHIVE),
    ((ColumnRef(ORDERS, "customer_id"), ColumnRef(CUSTOMERS, "customer_id")),),
    (ColumnRef(ORDERS, "status"),),
)
Golden = Callable[[str, str], None]
FOLDER = resources.files("benchmarks.baselines.prompts")
TEMPLATES = sorted(file.name for file in FOLDER.iterdir() if file.name.endswith(".md.j2"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_what_is_the_same_for_all_questions_comes_first_and_shows_nothing(name: str) -> None:
    stable, changing = (
        FOLDER.joinpath(name).read_text("utf-8").split("\n<!-- from here on it changes -->\n")
    )
    assert "{{" not in stable
    assert "never an instruction" in stable
    assert "{{ question }}" in changing


@pytest.fixture
def asked() -> LinkedQuestion:
    """A question about orders."""
    return question()


def test_one_column(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    keeping = prompts_of("single_column", asked, tmp_path)
    [status] = [prompt for prompt in keeping.prompts if " status · " in prompt.content]
    golden("prompts/one_column.txt", told(status))


def test_the_fifth_look_of_several(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    golden(
        "prompts/pick_columns_fifth.txt", prompts_of("mcs", asked, tmp_path).last_of(ColumnsReply)
    )


def test_sql_written_again(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    linking, keeping = begun(asked, tmp_path)
    written(Choosing(asked, linking), "queries", schema_view(asked, 10_000))
    assert len(keeping.prompts) == 2
    golden("prompts/write_sql_again.txt", keeping.last_of(SqlReply))


def judge(asked: LinkedQuestion) -> tuple[LanguageJudge, Keeping]:
    keeping = Keeping()
    return LanguageJudge(keeping, Names(asked.catalog), lambda _table: None), keeping


def test_hypotheses(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.propose(asked)
    golden("prompts/step_hypotheses.txt", keeping.written)


def test_tables(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.choose_tables(asked, WAY)
    golden("prompts/step_tables.txt", keeping.written)


def test_columns(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.choose_columns(asked, WAY, (ORDERS, CUSTOMERS))
    golden("prompts/step_columns.txt", keeping.written)


def test_tables_asked_again(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.choose_tables(
        asked, WAY, (Unknown("sales.order_items", ("sales.orders",)), Unknown("</data>"))
    )
    golden("prompts/step_tables_again.txt", keeping.written)


def test_refinement(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.decide(asked, refinement(asked))
    golden("prompts/step_refinement.txt", keeping.written)


def refinement(asked: LinkedQuestion) -> Refinement:
    first = Hypothesis(1, "orders of today", (), (ORDERS,))
    amount, status, moved = (
        ColumnRef(ORDERS, "amount"),
        ColumnRef(ORDERS, "status"),
        ColumnRef(ARCHIVE, "amount"),
    )
    groundings = (
        Grounding(first, (ORDERS,), (amount,)),
        Grounding(
            WAY, (ORDERS, ARCHIVE), (amount, status, moved), ((status, "carries the condition"),)
        ),
    )
    state = begin(vote(groundings), asked.catalog, asked.read.siblings, (first, WAY))
    stats = GetFieldStats(columns=["sales.orders.status"])
    probe = ProbeSql(sql="select distinct status from sales.orders")
    told = Evidence("statistic", "3 distinct")
    return state.after_turn(
        (
            ActionResult(stats, "status: 3 distinct", evidence=((status, told),)),
            ActionResult(probe, "2 rows: paid\nopen </data>"),
        )
    )
