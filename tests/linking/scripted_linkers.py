"""A rule that answers every prompt of the strategies, and records them."""

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from pydantic import BaseModel

from benchmarks.baselines.composing import DroppedReply
from benchmarks.baselines.judging import ColumnReply
from benchmarks.baselines.mac_sql import SelectionReply
from benchmarks.baselines.reforce import TableReply
from benchmarks.baselines.row_sampling import QueriesReply
from benchmarks.baselines.stepwise.judge import HypothesesReply, TurnReply
from benchmarks.baselines.thinking import LinksReply, TextReply
from benchmarks.baselines.writing import SqlReply
from linker.cli import main
from linker.linking.actions import ColumnsReply, PanoramaReply, TablesReply
from linker.linking.assemble_result import TraceRecord, read_trace
from linker.linking.result import LinkedSchema
from linker.models import Prompt
from linker.pipeline import link
from linker.strategies import open_strategy, strategy_names
from linker.strategies.autolink import StepReply
from linker.strategies.bidirectional import KeywordsReply, QuestionsReply
from linker.text.words import words_of_text
from tests.linking.rules import careful, columns_in, shown, tables_in, without_etl
from tests.linking.shop import QUESTION, Rule, ShopEnvironment

QUERY = (
    "select c.country, sum(o.amount) from sales.orders as o "
    "join crm.customers as c on o.customer_id = c.customer_id where o.status = 'paid' group by c.country"
)
# What the query reads.
NEEDED = {
    "sales.orders.amount",
    "sales.orders.customer_id",
    "sales.orders.status",
    "crm.customers.country",
    "crm.customers.customer_id",
}
# Those of the product and those that benchmarks/ registers, but for the easy methods, which explain
# nothing.
LINKERS = tuple(
    name for name in strategy_names() if name not in ("bm25", "rank-fusion", "whole-tables")
)
WITH_MODEL = tuple(name for name in LINKERS if getattr(open_strategy(name), "needs_model", False))
# It asks a model where one is set.
WITH_EITHER = ("auto",)
WITHOUT_MODEL = tuple(name for name in LINKERS if name not in (*WITH_MODEL, *WITH_EITHER))


# Replies that are the same whatever the prompt shows.
SAME: dict[type[BaseModel], Any] = {
    SqlReply: {"sql": QUERY},
    StepReply: {"thought": "all is there", "actions": [{"tool": "stop"}]},
    QuestionsReply: {"questions": ["Which customers live in Denmark?", "What did they pay?"]},
    KeywordsReply: {"keywords": ["total amount", "orders"], "conditions": ["paid", "in Denmark"]},
    QueriesReply: {"queries": ["select distinct status from sales.orders"]},
    TextReply: {"text": "The orders that were paid, of customers in Denmark."},
}


class Asked:
    """Two tables, all columns but bookkeeping, one query; answers can be set by type."""

    def __init__(self, **answers: Any) -> None:
        self._answers = answers
        self.prompts: list[tuple[str, Prompt]] = []

    def __call__(self, prompt: Prompt, answer: type[BaseModel]) -> Any:
        self.prompts.append((answer.__name__, prompt))
        given = self._answers.get(answer.__name__)
        if given is None:
            return usual(prompt, answer)
        said = given(prompt) if callable(given) else given
        if isinstance(said, Exception):
            raise said
        return said

    @property
    def kinds(self) -> list[str]:
        """The requests, in order."""
        return [kind for kind, _ in self.prompts]

    def get(self, kind: str) -> list[Prompt]:
        """The prompts of one kind."""
        return [prompt for one, prompt in self.prompts if one == kind]


def usual(prompt: Prompt, answer: type[BaseModel]) -> Any:
    """What a sensible model might say."""
    data = shown(prompt)
    if answer in (HypothesesReply, TurnReply, PanoramaReply) or "way" in data:
        return careful(prompt, answer)
    return _of_a_linker(data, answer)


def _of_a_linker(data: dict[str, str], answer: type[BaseModel]) -> Any:
    if answer is TablesReply:
        return {
            "tables": [
                one for one in tables_in(data["tables"]) if one in ("sales.orders", "crm.customers")
            ]
        }
    if answer is DroppedReply:
        return {
            "tables": [
                {**one, "columns": ["etl_batch"]}
                for one in columns_in(data["columns"])
                if "etl_batch" in one["columns"]
            ]
        }
    if answer in (ColumnsReply, LinksReply, SelectionReply):
        found = [
            one
            for one in columns_in(data["columns"])
            if one["table"] in ("sales.orders", "crm.customers")
        ]
        return {"tables": list(map(without_etl, found))}
    if answer is TableReply:
        [table] = columns_in(data["columns"])
        return {
            "relevant": table["table"] in ("sales.orders", "crm.customers"),
            "columns": table["columns"],
        }
    if answer is ColumnReply:
        name = data["column"].splitlines()[-1].strip().split(" ")[0]
        return {"relevant": any(one.endswith(f".{name}") for one in NEEDED)}
    assert answer in SAME, f"give a sensible reply to {answer.__name__} here"
    return SAME[answer]


class WordReranker:
    """Reads a text for words of the question."""

    def scores(self, question: str, texts: list[str]) -> list[float]:
        asked = set(words_of_text(question))
        return [float(len(asked & set(words_of_text(text)))) for text in texts]


def linked(
    shop: Path, strategy: str, rule: Rule | None, question: str = QUESTION, **settings: Any
) -> LinkedSchema:
    """The answer of a strategy in the shop."""
    with ShopEnvironment(shop, rule, **settings) as environment:
        if strategy == "cross_encoder":
            environment.__dict__["reranker"] = WordReranker()
        return link(question, environment, open_strategy(strategy))


def record(shop: Path, schema: LinkedSchema) -> TraceRecord:
    """The trace of an answer."""
    return read_trace(shop / "state", schema.trace)


def names(schema: LinkedSchema) -> set[str]:
    """The columns of an answer."""
    return {
        f"{one.table.ref}.{inside.column.path}" for one in schema.tables for inside in one.columns
    }


def standing(schema: LinkedSchema) -> dict[str, tuple[str | None, float | None]]:
    """The status and the credibility of each column of an answer."""
    return {
        f"{t.table.ref}.{c.column.path}": (c.status, c.credibility)
        for t in schema.tables
        for c in t.columns
    }


def calls(schema: LinkedSchema) -> int:
    """How many requests a model got."""
    return sum(one.cost.calls for one in schema.cost)


def steps(*turns: Any) -> Any:
    """An agent that takes these turns, and then stops."""

    def answer(prompt: Prompt) -> Any:
        number = int(prompt.content.rsplit("This is turn ", 1)[1].split(" ")[0])
        actions = turns[number - 1] if number <= len(turns) else [{"tool": "stop"}]
        return {"thought": f"thought {number}", "actions": actions}

    return answer


__all__ = [
    "LINKERS",
    "NEEDED",
    "QUERY",
    "WITHOUT_MODEL",
    "WITH_EITHER",
    "WITH_MODEL",
    "Asked",
    "calls",
    "linked",
    "names",
    "record",
    "standing",
    "steps",
]


def trace(shop: Path, *words: str) -> Result:
    """What `linker trace` does in the shop."""
    return CliRunner().invoke(main, ["trace", *words, "--state-dir", str(shop / "state")])
