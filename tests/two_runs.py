"""Two judged runs for reports."""

from typing import Any

from linker.evaluation import EvaluationRun, JudgedSql, Prediction, QuestionOutcome
from linker.evaluation.statistics import BootstrapSample
from tests.evaluations import answer, column, gold, outcome

FEW = BootstrapSample(count=100)
SEEN = (
    ("retrieval", (column("orders.city"), column("orders.total"))),
    ("hypotheses", (column("orders.city"), column("orders.total"))),
    ("voting", (column("orders.city"),)),
)


def judged(prediction: Prediction) -> QuestionOutcome:
    """Answers to three questions: small and easy, large and hard, with two correct statements."""
    place = {"q1": 0, "q2": 1, "q3": 2}[prediction.question_id]
    return outcome(
        prediction,
        *(
            (gold("orders.city"),),
            (gold("orders.city", "orders.total"),),
            (gold("people.age", "p2024.x|p2025.x"), gold("people.born")),
        )[place],
        size=(40, 2600, 450)[place],
        dialect=("sqlite", "bigquery", "bigquery")[place],
        difficulty=("simple", "challenging", None)[place],
        text=("Which cities?", "What <b>total</b> has each city?", "How old are people?")[place],
        database=("shop", "shop", "people")[place],
        evidence="old means age" if place == 2 else None,
        gold_sql=("select city from orders where total < 10 & 'ä' = 'ä'",) if place == 0 else (),
    )


def two_runs() -> tuple[EvaluationRun, EvaluationRun]:
    """Two strategies: one with budgets; one that chooses, gives confidence, and failed once."""
    plain = tuple(
        judged(answer(*columns, question=question, strategy="bm25", budget=budget, seconds=0.02))
        for budget, extra in ((10, ()), (20, ("orders.total",)))
        for question, columns in (
            ("q1", ("orders.city", "orders.id", *extra)),
            ("q2", ("orders.city", "orders.id", *extra)),
            ("q3", ("people.name", "p2025.x", *extra)),
        )
    )
    spent: dict[str, Any] = {
        "strategy": "evilink",
        "tokens": 12_345,
        "calls": 4,
        "probes": 1,
        "seconds": 8.5,
    }
    sure = (
        judged(
            answer(
                "orders.city=0.97",
                question="q1",
                seen=SEEN,
                judged=JudgedSql("right", 0.94, 900, 3),
                **spent,
            )
        ),
        judged(
            answer(
                "orders.city=0.97",
                "orders.id=0.5",
                question="q2",
                seen=SEEN,
                sql="select 1",
                judged=JudgedSql("more columns", 0.5, 1500, 5),
                **spent,
            )
        ),
        judged(
            answer(
                "people.born=0.81",
                question="q3",
                warnings=("no probe ran",),
                judged=JudgedSql("gold did not run", 0.94, 900, 3),
                **spent,
            )
        ),
    )
    return (
        EvaluationRun(
            "spider2-lite", "bm25", plain, unscored=("q4: the statement cannot be parsed",)
        ),
        EvaluationRun("spider2-lite", "evilink", sure),
    )
