"""What a model is shown does not grow with the catalogue, and nothing of the catalogue is out of reach."""

from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from linker.catalog.facts import NO_FACTS, ColumnFacts
from linker.catalog.indexed import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.catalog.warehouse import ProfiledWarehouse
from linker.link.answer import LinkedSchema
from linker.link.evidence import LOCKED, OUTCOMES, UNDECIDED
from linker.link.judges.language import SaidHypotheses, SaidTables, SaidTurn
from linker.link.replay import read_trace
from linker.link.views import COLUMNS, TABLES, TABLES_FOR_HYPOTHESES, structure_line
from linker.models import Prompt, estimate_tokens
from linker.pipeline import link
from linker.strategies.evilink import EvilinkStrategy
from linker.types import Catalog, Column, Table, TableRef
from tests.linking.rules import careful, shown, tables_in, undecided
from tests.linking.shop import Rule, ShopEnvironment, WordRetriever

THINGS = ("order", "customer", "shipment", "invoice", "ticket", "product", "supplier", "payment", "visit", "contract")
MEASURES = ("amount", "weight", "price", "country", "status", "day", "name", "score", "kind", "note", "owner", "rate")
QUESTION = "What is the total amount of orders by country of the customer in 2024?"
SIZES = (500, 5_000, 100_000)


def generated(columns: int) -> Catalog:
    """Tables of 25 columns, each named after a thing and a department."""
    tables = []
    for number in range(columns // 25):
        thing, department = THINGS[number % len(THINGS)], number // len(THINGS)
        paths = [f"{thing}_id", *(f"{thing}_{m}" for m in MEASURES), *(f"{m}_{department}_text" for m in MEASURES)]
        made = tuple(Column(path, path, 0, at, "VARCHAR", True, None) for at, path in enumerate(paths, start=1))
        tables.append(Table(TableRef(f"department_{department}", f"{thing}s"), "table", None, None, made))
    return Catalog(tuple(tables), len(tables))


class WithoutProfiles(ProfiledWarehouse):
    """A warehouse in which dbt never ran."""

    @property
    def is_profiled(self) -> bool:
        return False


class GeneratedEnvironment(ShopEnvironment):
    """A catalogue without rows or profiles."""

    def __init__(self, folder: Path, rule: Rule, columns: int) -> None:
        super().__init__(folder, rule)
        self._columns = columns

    @cached_property
    def index(self) -> Index:
        return FixedIndex(ProfiledCatalog(generated(self._columns), NO_FACTS))

    def _open_warehouse(self) -> ProfiledWarehouse:
        return WithoutProfiles(lambda: self.target, self.settings)

    @cached_property
    def retriever(self) -> Any:
        return WordRetriever(self.indexed.catalog, {})


def busy(prompt: Prompt, answer: type[BaseModel]) -> Any:
    """As many ways as there may be, every table and column that is shown, and four turns that look."""
    data = shown(prompt)
    if answer is SaidHypotheses:
        tables = tables_in(data["tables"])
        return {"hypotheses": [{"summary": f"way {at}", "tables": tables[at : at + 3]} for at in range(4)]}
    if answer is SaidTables:
        return {"tables": tables_in(data["tables"])[: 4 + len(data["way"]) % 3]}
    if answer is not SaidTurn:
        return careful(prompt, answer)
    turn = int(prompt.content.split("Turn ")[1].split(" ")[0])
    items = undecided(data["undecided"])
    looks = [
        {"tool": "list_tables", "like": f"payments {turn}"},
        {"tool": "list_columns", "table": items[0], "like": str(turn)},
        {"tool": "keep", "items": items[:3]},
    ]
    return {"actions": looks if turn < 5 and items else []}


def asked(folder: Path, rule: Rule, columns: int) -> LinkedSchema:
    with GeneratedEnvironment(folder, rule, columns) as environment:
        return link(QUESTION, environment, EvilinkStrategy())


@pytest.mark.parametrize("rule", [careful, busy])
def test_tokens_stay_flat_from_five_hundred_to_a_hundred_thousand_columns(tmp_path: Path, rule: Rule) -> None:
    tokens = {}
    for columns in SIZES:
        schema = asked(tmp_path, rule, columns)
        tokens[columns] = sum(one.cost.prompt_tokens for one in schema.cost)
        assert schema.warnings == ()
        for event in read_trace(tmp_path / "state", schema.trace).events:
            if event["event"] == "call":
                assert _changing(event) <= 2_600, event["step"]
    assert max(tokens.values()) <= 20_000 * (1 if rule is careful else 1.5), tokens
    assert max(tokens.values()) <= 1.25 * min(tokens.values()), tokens


def _changing(event: dict[str, Any]) -> int:
    """The tokens of a prompt that are new with every call."""
    return estimate_tokens(event["prompt"]["content"])


def test_views_keep_to_their_budgets(tmp_path: Path) -> None:
    schema = asked(tmp_path, busy, 5_000)
    most = {"tables": max(TABLES, TABLES_FOR_HYPOTHESES), "columns": COLUMNS, "undecided": UNDECIDED, "locked": LOCKED}
    for event in read_trace(tmp_path / "state", schema.trace).events:
        if event["event"] == "call":
            data = shown(Prompt("", event["prompt"]["content"]))
            for name, tokens in most.items():
                # What is said of the rest is not part of the budget.
                assert estimate_tokens(data.get(name, "")) <= 1.15 * tokens + 20, name
            assert estimate_tokens(data.get("outcomes", "")) <= 1.3 * OUTCOMES


def test_a_table_that_no_view_shows_can_still_be_reached(tmp_path: Path) -> None:
    far = "department_399.contracts"
    seen = list[str]()

    def reaching(prompt: Prompt, answer: type[BaseModel]) -> Any:
        if answer is not SaidTurn:
            if answer is SaidTables:
                seen.append(prompt.content)
            return busy(prompt, answer)
        if "Turn 1 of" in prompt.content:
            return {"actions": [{"tool": "list_columns", "table": far}]}
        if "Turn 2 of" in prompt.content:
            assert "contract_amount" in shown(prompt)["outcomes"]
            return {"actions": [{"tool": "keep", "items": [f"{far}.contract_amount"], "reason": "the amounts agreed"}]}
        return {"actions": []}

    schema = asked(tmp_path, reaching, 100_000)
    assert not any(far in one for one in seen)
    [found] = [one for one in schema.tables if str(one.table.ref) == far]
    assert ("contract_amount", "kept") in {(one.column.path, one.status) for one in found.columns}


def test_a_column_without_a_type_is_told_without_one() -> None:
    column = Column("name", "name", 0, 1, "", is_nullable=True, description=None)
    assert structure_line(column, ColumnFacts(category="text")) == "name · text"
