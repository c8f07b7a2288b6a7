"""What a model is shown does not grow with the catalogue, and nothing of the catalogue is out of reach."""

from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from linker.catalog.facts import NO_FACTS, ColumnFacts
from linker.catalog.indexed import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.catalog.warehouse import ProfiledWarehouse
from linker.link.answer import LinkedSchema
from linker.link.replay import read_trace
from linker.link.views import structure_line
from linker.models import Prompt, estimate_tokens
from linker.pipeline import link
from linker.strategies.evilink import EvilinkStrategy
from linker.types import Catalog, Column, Table, TableRef
from tests.linking.rules import careful, columns_in, shown
from tests.linking.shop import Rule, ShopEnvironment, WordRetriever

THINGS = ("order", "customer", "shipment", "invoice", "ticket", "product", "supplier", "payment", "visit", "contract")
MEASURES = ("amount", "weight", "price", "country", "status", "day", "name", "score", "kind", "note", "owner", "rate")
QUESTION = "What is the total amount of orders by country of the customer in 2024?"
SIZES = (500, 5_000, 100_000)


@cache
def generated(columns: int) -> Catalog:
    """Tables of 25 columns, each named after a thing and a department."""
    tables = []
    for number in range(columns // 25):
        thing, department = THINGS[number % len(THINGS)], number // len(THINGS)
        paths = [f"{thing}_id", *(f"{thing}_{m}" for m in MEASURES), *(f"{m}_{department}_text" for m in MEASURES)]
        made = tuple(Column(path, path, 0, at, "VARCHAR", True, None) for at, path in enumerate(paths, start=1))
        tables.append(Table(TableRef(f"department_{department}", f"{thing}s"), "table", None, None, made))
    return Catalog(tuple(tables), len(tables))


@cache
def profiled(columns: int) -> ProfiledCatalog:
    """The same, about which nothing was measured."""
    return ProfiledCatalog(generated(columns), NO_FACTS)


class WithoutProfiles(ProfiledWarehouse):
    """A warehouse in which dbt never ran."""

    @property
    def is_profiled(self) -> bool:
        return False


class GeneratedEnvironment(ShopEnvironment):
    """A catalogue without rows or profiles."""

    def __init__(self, folder: Path, rule: Rule, columns: int, **settings: Any) -> None:
        super().__init__(folder, rule, **settings)
        self._columns = columns

    @cached_property
    def index(self) -> Index:
        return FixedIndex(profiled(self._columns))

    def _open_warehouse(self) -> ProfiledWarehouse:
        return WithoutProfiles(lambda: self.target, self.settings)

    @cached_property
    def retriever(self) -> Any:
        return WordRetriever(self.indexed.catalog, {})


def busy(prompt: Prompt, answer: type[BaseModel]) -> Any:
    """As many ways as there may be, every column that is shown with its type, and a look in each turn."""
    data = shown(prompt)
    if "disputed" in data:
        return {}
    looks = [{"tool": "list_tables", "like": f"payments {len(prompt.earlier)} {number}"} for number in range(8)]
    if "tables" not in data:
        return {"look": looks}
    tables = columns_in(data["tables"])
    ways = [{"summary": f"way {at}", "tables": tables[at : at + 3]} for at in range(4)]
    return {"hypotheses": ways, "look": looks}


def asked(folder: Path, rule: Rule, columns: int, **settings: Any) -> LinkedSchema:
    with GeneratedEnvironment(folder, rule, columns, **settings) as environment:
        return link(QUESTION, environment, EvilinkStrategy())


def prompts(folder: Path, schema: LinkedSchema) -> list[str]:
    """What each call added to the conversation."""
    events = read_trace(folder / "state", schema.trace).events
    return [event["prompt"]["content"] for event in events if event["event"] == "call"]


@pytest.mark.parametrize("rule", [careful, busy])
def test_tokens_stay_flat_from_five_hundred_to_a_hundred_thousand_columns(tmp_path: Path, rule: Rule) -> None:
    tokens = {}
    for columns in SIZES:
        schema = asked(tmp_path, rule, columns)
        assert schema.warnings == ()
        first, *later = [estimate_tokens(content) for content in prompts(tmp_path, schema)]
        # Five and a half thousand for the panorama, a fourth of it for further tables by name, and the rules.
        assert first <= 7_800
        assert all(more <= 6_000 for more in later), later
        tokens[columns] = first + sum(later)
    # The smallest is shown whole.
    assert tokens[100_000] <= 1.1 * tokens[5_000], tokens
    assert tokens[500] < tokens[5_000]


@pytest.mark.parametrize("budget", [800, 3_000, 20_000])
def test_the_panorama_keeps_to_its_budget_and_counts_what_it_leaves_out(tmp_path: Path, budget: int) -> None:
    schema = asked(tmp_path, careful, 5_000, panorama_tokens=budget)
    [content, *_] = prompts(tmp_path, schema)
    view = shown(Prompt("", content))["tables"]
    assert budget / 2 <= estimate_tokens(view) <= 1.05 * budget
    typed = [line for line in view.splitlines() if line.startswith(" ") and not line.startswith(" also: ")]
    named = [line.removeprefix(" also: ").split(" and ")[0] for line in view.splitlines() if line.startswith(" also: ")]
    count = len(typed) + sum(len(line.split(", ")) for line in named if not line.endswith(" more"))
    assert f"; {5_000 - count} more columns are not shown" in content


def test_a_table_that_is_shown_is_told_to_its_last_column(tmp_path: Path) -> None:
    schema = asked(tmp_path, careful, 5_000, panorama_tokens=3_000)
    view = shown(Prompt("", prompts(tmp_path, schema)[0]))["tables"]
    first = view.split("\ndepartment_")[0]
    assert first.startswith("department_")
    typed = [line.strip().split(" · ")[0] for line in first.splitlines()[1:] if not line.startswith(" also: ")]
    also = next((line for line in first.splitlines() if line.startswith(" also: ")), " also: ")
    names = [*typed, *also.removeprefix(" also: ").split(", ")]
    table = next(one for one in generated(5_000).tables if first.startswith(str(one.ref)))
    assert sorted(filter(None, names)) == sorted(column.path for column in table.columns)


def test_every_column_stands_under_its_own_table_where_the_whole_schema_nearly_fits(tmp_path: Path) -> None:
    schema = asked(tmp_path, careful, 500, panorama_tokens=4_000)
    paths = {str(table.ref): {column.path for column in table.columns} for table in generated(500).tables}
    table, wrong = "", list[str]()
    for line in shown(Prompt("", prompts(tmp_path, schema)[0]))["tables"].splitlines():
        if not line.startswith(" "):
            table = line.split(" ")[0]
        elif not line.startswith(" also: ") and line.strip().split(" · ")[0] not in paths[table]:
            wrong.append(f"{table}: {line}")
    assert wrong == []


def test_a_table_that_no_view_shows_can_still_be_reached(tmp_path: Path) -> None:
    far = "department_399.contracts"

    def reaching(prompt: Prompt, _answer: type[BaseModel]) -> Any:
        data = shown(prompt)
        if "tables" in data:
            assert far not in prompt.content
            return {"look": [{"tool": "list_columns", "table": far}]}
        assert "contract_amount" in data["found"]
        return {"hypotheses": [{"summary": "agreed", "tables": [{"table": far, "columns": ["contract_amount"]}]}]}

    schema = asked(tmp_path, reaching, 100_000)
    [found] = [one for one in schema.tables if str(one.table.ref) == far]
    assert [(one.column.path, one.status) for one in found.columns] == [("contract_amount", "kept")]


def test_a_column_without_a_type_is_told_without_one() -> None:
    column = Column("name", "name", 0, 1, "", is_nullable=True, description=None)
    assert structure_line(column, ColumnFacts(category="text")) == "name · text"
