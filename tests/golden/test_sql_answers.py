"""Output formats and prompts of SQL answers as golden files."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from pydantic import BaseModel

from benchmarks.scripted import RuleModel
from linker.budget import Cost
from linker.linking.result import LinkedSchema, StepCost, Unanswerable
from linker.models import AnswerT, Prompt
from linker.output import SQL_FORMS, render_answer
from linker.sql import Attempt, Candidate, Result, SqlAnswer
from linker.sql.candidates import CandidateRequest, ChoiceReply, SqlReply, candidates, chosen
from linker.sql.comparing import ResultGroup
from linker.types import ColumnRef, Family, TableRef

Golden = Callable[[str, str], None]
ORDERS = TableRef("sales", "orders")
SQL = "SELECT\n  status,\n  SUM(amount) AS amount\nFROM sales.orders\nGROUP BY\n  status"
COST = (
    StepCost("grounding", Cost(2, 3210, 1024, 210, seconds=0.8)),
    StepCost("sql", Cost(6, 9000, 0, 700, probes=5, seconds=1.5)),
)


def voted() -> SqlAnswer:
    rows = (("paid", 17.75), ("open", 20), ("\x1b[2Jcancelled", None))
    attempt = Attempt(
        SQL,
        SQL.replace("\n", " "),
        Result(("status", "amount"), rows),
        used=(ColumnRef(ORDERS, "amount"),),
    )
    failed = Attempt("select nothing", error="there is no column nothing")
    return SqlAnswer(
        question="Total amount of orders by status?",
        target="shop.dev",
        dialect="duckdb",
        outcome="answered",
        sql=attempt.sql,
        runs=attempt.runs,
        result=attempt.result,
        used=(ColumnRef(ORDERS, "amount"), ColumnRef(ORDERS, "status")),
        masked=(ColumnRef(ORDERS, "note"),),
        confidence=57 / 64,
        votes=4,
        of=5,
        candidates=(
            Candidate(1, (attempt,)),
            Candidate(2, (failed, attempt)),
            Candidate(3, error="the model is away"),
        ),
        warnings=("1 of 5 candidates are missing: the model is away",),
        strategy="evilink",
        cost=COST,
        seconds=2.3,
        trace="20251121-101500-3f2a",
    )


def draft() -> SqlAnswer:
    rows = tuple((f"day {number}", number * 1234.5678) for number in range(1, 26))
    return replace(
        voted(),
        outcome="draft",
        result=Result(("day", "amount"), rows, is_cut=True),
        confidence=5 / 16,
        votes=2,
        candidates=(),
        doubts=("only 2 of 5 candidates gave these rows",),
        masked=(),
        warnings=(),
        cost=(StepCost("sql", Cost(probes=1, seconds=0.25)),),
        trace="",
    )


def nothing() -> SqlAnswer:
    nearest = Unanswerable("no table tells of the weather", (ORDERS,))
    bare = SqlAnswer("Does it rain?", "shop.dev", "duckdb", "unanswerable", seconds=0.4)
    return replace(bare, unanswerable=nearest)


def without_model() -> SqlAnswer:
    return SqlAnswer(
        "Total amount?",
        "shop.dev",
        "duckdb",
        "needs_model",
        missing="SQL needs a language model",
        strategy="evilink",
    )


ANSWERS = {
    "voted": voted(),
    "draft": draft(),
    "nothing": nothing(),
    "without_model": without_model(),
}


@pytest.mark.parametrize("form", SQL_FORMS)
@pytest.mark.parametrize("name", ANSWERS)
def test_forms(name: str, form: str, linked_schema: LinkedSchema, golden: Golden) -> None:
    golden(f"render/sql/{name}.{form}.txt", render_answer(ANSWERS[name], linked_schema, form))


@dataclass
class Refusing:
    """Statements of a dialect, of which none runs."""

    dialect: str = "duckdb"

    def attempt(self, sql: str) -> Attempt:
        return Attempt(sql, error="there is no column </data> nothing")


class Keeping:
    """A model that replies by schema and records the prompts."""

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []
        self._model = RuleModel(self._answer)

    def reply(self, step: str, prompt: Prompt, answer: type[AnswerT]) -> AnswerT:
        return self._model.complete(prompt, answer).answer

    def _answer(self, prompt: Prompt, answer: type[BaseModel]) -> object:
        self.prompts.append(prompt)
        answers: dict[type[BaseModel], object] = {
            SqlReply: {"sql": "select nothing"},
            ChoiceReply: {"better": "second"},
        }
        return answers[answer]


def written(prompt: Prompt) -> str:
    return f"{prompt.instructions}\n\n===== what changes =====\n\n{prompt.content}"


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery"])
def test_prompts(linked_schema: LinkedSchema, dialect: str, golden: Golden) -> None:
    keeping = Keeping()
    asking = CandidateRequest(linked_schema, keeping, Refusing(dialect), lambda _warning: None)  # type: ignore[arg-type]
    candidates(asking, 1)
    asked, corrected = keeping.prompts[:2]
    golden(f"prompts/sql_candidate_{dialect}.txt", written(asked))
    if dialect == "duckdb":
        golden("prompts/sql_correction.txt", written(corrected))


@pytest.mark.parametrize(("days", "is_told"), [(100, False), (101, True)])
def test_of_a_large_family_the_tables_that_are_needed_are_to_be_named(
    linked_schema: LinkedSchema, days: int, *, is_told: bool
) -> None:
    names = tuple(f"visits_{day:03}" for day in range(days))
    first = linked_schema.tables[0]
    family = Family("days", "000", names[-1][-3:], names, names[-1])
    table = replace(first.table, ref=TableRef("web", "visits_*"), family=family)
    schema = replace(linked_schema, tables=(replace(first, table=table),))
    asking = CandidateRequest(schema, Keeping(), Refusing(), lambda _warning: None)  # type: ignore[arg-type]
    lines = [line for line in asking.shown_schema.splitlines() if line.startswith("web.visits_*:")]
    assert (
        lines
        == ["web.visits_*: read at most 100 of its tables, by their own names, with `union all`"]
        * is_told
    )


def test_the_prompt_of_a_tie(linked_schema: LinkedSchema, golden: Golden) -> None:
    keeping = Keeping()
    asking = CandidateRequest(linked_schema, keeping, Refusing(), lambda _warning: None)  # type: ignore[arg-type]
    one = Candidate(1, (Attempt("select 1 as x", "select 1", Result(("x",), ((1,),))),))
    other = Candidate(2, (Attempt("select 2 as x", "select 2", Result(("x",), ())),))
    assert chosen(asking, (ResultGroup((one,)), ResultGroup((other,)))).representative.number == 2
    golden("prompts/sql_choice.txt", written(keeping.prompts[0]))
