"""Stored answers: cost, refusal, confidence."""

from msgspec.structs import replace

from linker.budget import Cost
from linker.evaluation import GoldenQuestion
from linker.evaluation.running import prediction_of
from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable, StepCost, Unanswerable
from linker.types import Column, Columns, Table, TableRef


def test_what_an_answer_cost_is_counted() -> None:
    steps = (StepCost("a", Cost(2, 300, 200, completion_tokens=40)), StepCost("b", Cost(probes=3)))
    schema = LinkedSchema("total?", "t", "rsl", tables=(), cost=steps)
    prediction = prediction_of(GoldenQuestion("q", "shop", "total?"), "rsl", None, schema, 1.5)
    assert (prediction.calls, prediction.tokens, prediction.probes, prediction.seconds) == (
        2,
        340,
        3,
        1.5,
    )
    assert prediction.cached_tokens == 200


def test_a_refusal_and_the_chance_of_being_complete_are_kept() -> None:
    question, schema = (
        GoldenQuestion("q", "shop", "total?"),
        LinkedSchema("total?", "t", "shortlist", tables=()),
    )
    likely = prediction_of(question, "shortlist", 8, replace(schema, complete=0.75), 1.5)
    assert (likely.refused, likely.complete) == (False, 0.75)
    strange = prediction_of(
        question, "shortlist", 8, replace(schema, unanswerable=Unanswerable("nothing")), 1.5
    )
    assert (strange.refused, strange.complete) == (True, None)


def test_the_credibility_of_a_column_is_kept() -> None:
    fee = Column("fee", "fee", 0, 1, "DOUBLE", is_nullable=True, description=None)
    table = Table(TableRef("main", "orders"), "table", None, None, Columns((fee,)))
    linked = LinkedTable(table, (LinkedColumn(fee, 0.7, "", credibility=0.875),))
    schema = LinkedSchema("total?", "t", "evilink", tables=(linked,))
    [kept] = prediction_of(
        GoldenQuestion("q", "shop", "total?"), "evilink", None, schema, 1.5
    ).columns
    assert (kept.score, kept.credibility) == (0.7, 0.875)
