"""Short notation of answers and gold: `table.path` in the schema `main`."""

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from linker.evaluation import (
    EvaluationRun,
    Gold,
    GoldenQuestion,
    Prediction,
    QuestionOutcome,
    RankedColumn,
)
from linker.evaluation.scoring import score_prediction
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef

CREDIBILITY = re.compile(r"(.*?)(?:=(\d\.\d+))?", re.DOTALL)


def table(name: str) -> TableRef:
    return TableRef("main", name)


def column(name: str) -> ColumnRef:
    table_name, _, path = name.partition(".")
    return ColumnRef(table(table_name), path)


STEPS = (
    ("retrieval", ("t.a", "t.b", "t.c", "t.d")),
    ("hypotheses", ("t.a", "t.b", "t.c")),
    ("voting", ("t.a", "t.b")),
    ("refinement", ("t.a",)),
)
SEEN = tuple((step, tuple(map(column, names))) for step, names in STEPS)


def gold(*fields: str, problems: Sequence[str] = ()) -> Gold:
    """A gold with a field a word; `a.x|b.x` is a field with two alternatives."""
    choices = [tuple(map(column, field.split("|"))) for field in fields]
    tables = dict.fromkeys(map(_tables_of, choices))
    return Gold(tuple(choices), tuple(tables), tuple(problems))


def _tables_of(choice: Sequence[ColumnRef]) -> tuple[TableRef, ...]:
    return tuple(dict.fromkeys(ref.table for ref in choice))


def answer(
    *columns: str,
    question: str = "q1",
    strategy: str = "retrieval",
    budget: int | None = None,
    **others: object,
) -> Prediction:
    """An answer of these columns, best first; `a.x=0.9` is one with a credibility."""
    ranked = []
    for place, written in enumerate(columns):
        name, credibility = CREDIBILITY.fullmatch(written).groups()  # type: ignore[union-attr]
        ranked.append(
            RankedColumn(
                column(name), 1 - place / 1000, float(credibility) if credibility else None
            )
        )
    tables = tuple(dict.fromkeys(one.ref.table for one in ranked))
    return replace(Prediction(question, strategy, budget, tuple(ranked), tables), **others)


def catalog(columns: int = 4) -> Catalog:
    """A catalog of one table with that many columns."""
    paths = [f"c{number}" for number in range(columns)]
    held = tuple(
        Column(path, path, 0, place, "TEXT", True, None)
        for place, path in enumerate(paths, start=1)
    )
    return Catalog((Table(table("t"), "table", None, None, Columns(held)),), 1)


def asked(
    id: str = "q1",  # noqa: A002
    *,
    database: str = "shop",
    text: str = "How many?",
    **others: object,
) -> GoldenQuestion:
    return replace(GoldenQuestion(id, database, text), **others)


def outcome(
    prediction: Prediction, *golds: Gold, size: int = 4, dialect: str = "sqlite", **others: object
) -> QuestionOutcome:
    """A judged answer."""
    question = asked(prediction.question_id, **others)  # type: ignore[arg-type]
    return score_prediction(prediction, golds, question, catalog(size), dialect)


def run_of(
    outcomes: Iterable[QuestionOutcome],
    suite: str = "demo",
    strategy: str = "retrieval",
    label: str = "",
) -> EvaluationRun:
    return EvaluationRun(suite, strategy, tuple(outcomes), label=label)


def measured(strategy: str = "retrieval", *, better: bool = False) -> EvaluationRun:
    """Twelve questions at two budgets, over sizes, dialects and difficulties."""
    outcomes = []
    for number in range(12):
        for budget in (10, 40):
            right = number % 3 > (0 if budget == 40 or better else 1)
            columns = (
                ["t.a=0.9", *(f"t.c{n}=0.4" for n in range(budget - 1))]
                if right
                else ["t.b=0.6", "u.c"]
            )
            outcomes.append(
                outcome(
                    answer(
                        *columns,
                        question=f"q{number:02}",
                        strategy=strategy,
                        budget=budget,
                        seconds=0.5,
                    ),
                    gold("t.a"),
                    size=(50, 200, 500, 1000, 2000, 3000)[number % 6],
                    dialect=("bigquery", "snowflake", "sqlite")[number % 3],
                    difficulty=("challenging", "simple", "moderate", None)[number % 4],
                    text=f"How many {number}?",
                )
            )
    return run_of(outcomes, strategy=strategy)
