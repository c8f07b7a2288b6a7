"""Every prompt, as a golden file: what stays the same for all questions, and what one question adds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from linker.link.actions import GetFieldStats, ProbeSql
from linker.link.answer import Evidence
from linker.link.choosing import Choosing
from linker.link.grounding import Grounding
from linker.link.hypotheses import Divergence, Hypothesis
from linker.link.judges.language import LanguageJudge, SaidTables
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Refinement, begin
from linker.link.schema_view import schema_view
from linker.link.vote import vote
from linker.names.repair import Names, Unknown
from linker.retrieval.hybrid import Retrieved
from linker.strategies.autolink.agent import SaidStep
from linker.strategies.bidirectional import SaidKeywords, SaidSubquestions
from linker.types import ColumnRef, Hit, ValueMatch
from tests.prompts import ARCHIVE, CUSTOMERS, ORDERS, Keeping, begun, prompts_of, question

WAY = Hypothesis(
    2,
    "orders, with those of the archive",
    (Divergence("source", "older orders were moved away"),),
    (ORDERS, ARCHIVE),
    ((ColumnRef(ORDERS, "customer_id"), ColumnRef(CUSTOMERS, "customer_id")),),
    (ColumnRef(ORDERS, "status"),),
)
Golden = Callable[[str, str], None]


@pytest.fixture
def asked() -> LinkedQuestion:
    """A question about orders."""
    return question()


def judge(asked: LinkedQuestion) -> tuple[LanguageJudge, Keeping]:
    keeping = Keeping()
    return LanguageJudge(keeping, Names(asked.catalog), lambda _table: None), keeping


def test_hypotheses(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.propose(asked)
    golden("prompts/hypotheses.txt", keeping.written)


def test_tables(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.choose_tables(asked, WAY)
    golden("prompts/tables.txt", keeping.written)


def test_columns(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.choose_columns(asked, WAY, (ORDERS, CUSTOMERS))
    golden("prompts/columns.txt", keeping.written)


def test_tables_asked_again(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.choose_tables(asked, WAY, (Unknown("sales.order_items", ("sales.orders",)), Unknown("</data>")))
    golden("prompts/tables_again.txt", keeping.written)


def test_refinement(asked: LinkedQuestion, golden: Golden) -> None:
    thinking, keeping = judge(asked)
    thinking.decide(asked, refinement(asked))
    golden("prompts/refinement.txt", keeping.written)


def refinement(asked: LinkedQuestion) -> Refinement:
    first = Hypothesis(1, "orders of today", (), (ORDERS,))
    amount, status, moved = ColumnRef(ORDERS, "amount"), ColumnRef(ORDERS, "status"), ColumnRef(ARCHIVE, "amount")
    groundings = (
        Grounding(first, (ORDERS,), (amount,)),
        Grounding(WAY, (ORDERS, ARCHIVE), (amount, status, moved), ((status, "carries the condition"),)),
    )
    state = begin(vote(groundings, ()), asked.catalog, asked.read.siblings, (first, WAY))
    stats = GetFieldStats(columns=["sales.orders.status"])
    probe = ProbeSql(sql="select distinct status from sales.orders")
    told = Evidence("statistic", "3 distinct")
    return state.after_turn(
        (
            ActionResult(stats, "status: 3 distinct", evidence=((status, told),)),
            ActionResult(probe, "2 rows: paid\nopen </data>"),
        )
    )


@pytest.fixture
def brought_up(asked: LinkedQuestion) -> LinkedQuestion:
    """The same question, for which the index brought up three columns."""
    named = ValueMatch("paid", "paid", 1.0)
    refs = (ColumnRef(ORDERS, "status"), ColumnRef(ORDERS, "amount"), ColumnRef(CUSTOMERS, "customer_id"))
    hits = tuple(Hit(ref, 1.0, (("dense", 0.5),), (named,) if ref.path == "status" else ()) for ref in refs)
    return replace(asked, read=replace(asked.read, retrieved=Retrieved(hits, ()), there=refs))


def test_tables_of_a_schema(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    linking, keeping = begun(asked, tmp_path)
    Choosing(asked, linking).tables("tables", schema_view(asked, 10_000))
    golden("prompts/pick_tables.txt", keeping.written)


def test_columns_of_a_schema_that_does_not_fit(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    linking, keeping = begun(asked, tmp_path)
    Choosing(asked, linking).columns("columns", schema_view(asked, 75))
    golden("prompts/pick_columns.txt", keeping.written)


def test_a_question_taken_apart_and_tables_by_columns(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    keeping = prompts_of("bidirectional", asked, tmp_path)
    golden("prompts/subquestions.txt", keeping.last_of(SaidSubquestions))
    golden("prompts/keywords.txt", keeping.last_of(SaidKeywords))
    # One after another, the direction from columns to tables is the last.
    golden("prompts/pick_tables_by_columns.txt", keeping.last_of(SaidTables))


def test_the_second_turn_of_an_agent(brought_up: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    keeping = prompts_of("autolink", brought_up, tmp_path)
    assert len(keeping.prompts) == 2
    golden("prompts/autolink.txt", keeping.last_of(SaidStep))
