"""Prompt size is independent of the catalog, and every item is reachable."""

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import BaseModel

from benchmarks.prompt_lines import names_in
from linker.catalog.column_metadata import NO_FACTS, ColumnFacts, Facts
from linker.catalog.description import ColumnDescription
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.catalog.warehouse import ProfiledWarehouse
from linker.environment import SharedPart
from linker.linking.assemble_result import read_trace
from linker.linking.result import LinkedSchema
from linker.models import Prompt, estimate_tokens
from linker.pipeline import link
from linker.strategies.evilink import EvilinkStrategy
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef
from tests.linking.rules import careful, columns_in, shown
from tests.linking.shop import Rule, ShopEnvironment, WordRetriever

THINGS = (
    "order",
    "customer",
    "shipment",
    "invoice",
    "ticket",
    "product",
    "supplier",
    "payment",
    "visit",
    "contract",
)
MEASURES = (
    "amount",
    "weight",
    "price",
    "country",
    "status",
    "day",
    "name",
    "score",
    "kind",
    "note",
    "owner",
    "rate",
)
QUESTION = "What is the total amount of orders by country of the customer in 2024?"
SIZES = (500, 5_000, 100_000)


@cache
def generated(columns: int) -> Catalog:
    """Tables of 25 columns, each named after a thing and a department."""
    tables = []
    for number in range(columns // 25):
        thing, department = THINGS[number % len(THINGS)], number // len(THINGS)
        paths = [
            f"{thing}_id",
            *(f"{thing}_{m}" for m in MEASURES),
            *(f"{m}_{department}_text" for m in MEASURES),
        ]
        made = tuple(
            Column(path, path, 0, at, "VARCHAR", True, None)
            for at, path in enumerate(paths, start=1)
        )
        tables.append(
            Table(
                TableRef(f"department_{department}", f"{thing}s"),
                "table",
                None,
                None,
                Columns(made),
            )
        )
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

    @SharedPart
    def warehouse(self) -> ProfiledWarehouse:
        return WithoutProfiles(lambda: self.target, self.settings)

    @cached_property
    def retriever(self) -> Any:
        return WordRetriever(self.indexed.catalog, {})


def busy(prompt: Prompt, answer: type[BaseModel]) -> Any:
    """
    As many ways as there may be, every column that is shown with its type, and a look in each turn.
    """
    data = shown(prompt)
    if "disputed" in data:
        return {}
    looks = [
        {"tool": "list_tables", "like": f"payments {len(prompt.earlier)} {number}"}
        for number in range(8)
    ]
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
def test_tokens_stay_flat_from_five_hundred_to_a_hundred_thousand_columns(
    tmp_path: Path, rule: Rule
) -> None:
    tokens = {}
    for columns in SIZES:
        schema = asked(tmp_path, rule, columns)
        assert schema.warnings == ()
        first, *later = [estimate_tokens(content) for content in prompts(tmp_path, schema)]
        # Two thousand for the overview and further tables by name, and the rules.
        assert first <= 3_500
        assert all(more <= 6_000 for more in later), later
        tokens[columns] = first + sum(later)
    # A larger catalogue fills the list of further tables; the smallest is shown whole.
    assert tokens[100_000] <= 1.4 * tokens[5_000], tokens
    assert tokens[500] < tokens[5_000]


@pytest.mark.parametrize("budget", [800, 3_000, 20_000])
def test_all_columns_of_three_tables_and_the_likeliest_of_others_are_named_within_the_budget(
    tmp_path: Path, budget: int
) -> None:
    schema = asked(tmp_path, careful, 5_000, panorama_tokens=budget)
    [content, *_] = prompts(tmp_path, schema)
    view = shown(Prompt("", content))["tables"]
    assert budget / 2 <= estimate_tokens(view) <= 1.1 * budget
    whole = {}
    for table in generated(5_000).tables:
        whole[str(table.ref)] = sorted(column.path for column in table.columns)
    told = {item["table"]: item["columns"] for item in columns_in(view)}
    assert [sorted(told[table]) for table in [*told][:3]] == [whole[table] for table in [*told][:3]]
    for table, columns in told.items():
        assert set(columns) <= set(whole[table])
        assert len(columns) >= min(10, len(whole[table]))
    count = sum(map(len, told.values()))
    assert f"; {5_000 - count} more columns are not shown" in content


@pytest.mark.parametrize("budget", [800, 2_000])
def test_a_wide_table_names_its_likeliest_columns_and_counts_the_others(
    tmp_path: Path, budget: int
) -> None:
    columns = [f"{word}_{letter}" for word in WORDS for letter in "abcdefghijklmnopqrstuvwxyz"]
    contents = list[str]()
    [table] = wide(tmp_path, columns, budget, contents).values()
    assert {f"zebra_{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"} <= set(table)
    assert len(table) < len(columns) == 936
    assert f" and {len(columns) - len(table)} more\n" in contents[0]
    view = shown(Prompt("", contents[0]))["tables"]
    assert budget / 4 <= estimate_tokens(view) <= budget


def test_a_wide_table_is_named_whole_where_it_fits(tmp_path: Path) -> None:
    columns = [f"{word}_{letter}" for word in WORDS for letter in "abcdefghijklmnopqrstuvwxyz"]
    [table] = wide(tmp_path, columns, 8_000).values()
    assert sorted(table) == sorted(columns)


def test_of_columns_that_differ_in_a_number_one_is_described(tmp_path: Path) -> None:
    columns = ["season", *(f"zebra_{number}" for number in range(1, 12))]
    values = {path: ColumnFacts(values=("20160801",)) for path in columns}
    contents = list[str]()
    wide(tmp_path, columns, 4_000, contents, values=values)
    view = shown(Prompt("", contents[0]))["tables"]
    assert view.count("such as 20160801") == 2
    assert view.count("zebra_") == 3, view


def listed_columns(folder: Path, columns: list[str], like: str) -> list[str]:
    """What a list of columns near some words shows."""
    found = list[str]()

    def looking(prompt: Prompt, _answer: type[BaseModel]) -> Any:
        data = shown(prompt)
        found.append(data.get("found", ""))
        look = {"tool": "list_columns", "table": "wide.facts", "like": like}
        return {"look": [look]} if "tables" in data else {}

    wide(folder, columns, 4_000, rule=looking)
    return found[1].splitlines()[2:]


def test_a_column_that_is_looked_up_by_name_comes_first_and_stands_for_other_numbers(
    tmp_path: Path,
) -> None:
    columns = ["country", *(f"year_{year}" for year in range(1960, 2020))]
    lines = listed_columns(tmp_path, columns, "population of year_1998, country")
    assert lines[:2] == ["year_1998 · bigint", "country · bigint"]
    assert lines[2:] == ["also: year_1960 … year_1997, year_1999 … year_2019"]


def test_columns_that_are_listed_on_request_are_named_as_far_as_they_fit(tmp_path: Path) -> None:
    columns = [f"{word}_{letter}" for word in WORDS for letter in "abcdefghijklmnopqrstuvwxyz"]
    lines = listed_columns(tmp_path, columns, "zebra q")
    # A word that fewer columns share counts more: 26 zebras, 36 columns with a q.
    assert lines[0].startswith("zebra_q")
    assert all(line.startswith("zebra_") for line in lines[:26])
    assert all(line.partition(" ")[0].endswith("_q") for line in lines[26:-1])
    told = [line.split(" · ")[0] for line in lines[:-1]]
    names, _, more = lines[-1].removeprefix("also: ").partition(" and ")
    named = [*told, *names_in(names)]
    assert set(named) < set(columns)
    assert more == f"{len(columns) - len(named)} more"
    assert 300 < estimate_tokens("\n".join(lines)) < 450


def test_several_lists_of_a_turn_share_its_tokens(tmp_path: Path) -> None:
    columns = [f"{word}_{letter}" for word in WORDS for letter in "abcdefghijklmnopqrstuvwxyz"]
    lists = [
        {"tool": "list_columns", "table": "wide.facts", "like": f"zebra {letter}"}
        for letter in "abcdefgh"
    ]
    found = list[str]()

    def looking(prompt: Prompt, _answer: type[BaseModel]) -> Any:
        data = shown(prompt)
        found.append(data.get("found", ""))
        return {"look": lists} if "tables" in data else {}

    wide(tmp_path, columns, 4_000, rule=looking)
    assert found[1].count("zebra_") >= 8
    assert estimate_tokens(found[1]) < 1_200


def test_a_list_of_columns_omits_names_that_the_prompt_shows(tmp_path: Path) -> None:
    columns = ["zebra_day", "zebra_count", *(f"{word}_note" for word in WORDS)]
    chosen = {"table": "wide.facts", "columns": ["zebra_count"]}
    look = {"tool": "list_columns", "table": "wide.facts", "like": "zebra"}
    prompts = list[Prompt]()

    def looking(prompt: Prompt, _answer: type[BaseModel]) -> Any:
        prompts.append(prompt)
        if "tables" not in shown(prompt):
            return {}
        return {"hypotheses": [{"summary": "zebras", "tables": [chosen]}], "look": [look]}

    wide(tmp_path, columns, 4_000, rule=looking)
    assert "amber_note" in shown(Prompt("", prompts[1].earlier[0].content))["tables"]
    _, head, *lines = shown(prompts[1])["found"].splitlines()
    assert head == "wide.facts has"
    assert {"zebra_day · bigint", "zebra_count · bigint"} <= set(lines)
    assert lines[-1] == f"{len(columns) - len(lines) + 1} more"


WORDS = (
    "amber",
    "beech",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "larch",
    "marsh",
    "nadir",
    "ocean",
    "prism",
    "quill",
    "ridge",
    "slope",
    "thorn",
    "umbra",
    "vault",
    "wharf",
    "xenon",
    "yacht",
    "zebra",
    "alder",
    "birch",
    "cliff",
    "dunes",
    "eaves",
    "ferns",
    "gorse",
    "hedge",
    "islet",
    "joist",
)


class WideEnvironment(GeneratedEnvironment):
    """One wide table without rows, of which some values are known."""

    def __init__(
        self,
        folder: Path,
        rule: Rule,
        columns: list[str],
        values: Mapping[str, ColumnFacts],
        **settings: Any,
    ) -> None:
        super().__init__(folder, rule, 0, **settings)
        ref = TableRef("wide", "facts")
        self._facts = Facts({ColumnRef(ref, path): facts for path, facts in values.items()})
        made = tuple(
            Column(path, path, 0, at, "BIGINT", True, None)
            for at, path in enumerate(columns, start=1)
        )
        self._catalog = Catalog((Table(ref, "table", None, None, Columns(made)),), 1)

    @cached_property
    def index(self) -> Index:
        return FixedIndex(ProfiledCatalog(self._catalog, self._facts))


def wide(
    folder: Path,
    columns: list[str],
    budget: int,
    contents: list[str] | None = None,
    rule: Rule = careful,
    values: Mapping[str, ColumnFacts] = MappingProxyType({}),
) -> dict[str, list[str]]:
    """The columns that the panorama names of a wide table."""
    with WideEnvironment(folder, rule, columns, values, panorama_tokens=budget) as environment:
        schema = link("How many zebra are there?", environment, EvilinkStrategy())
    first = prompts(folder, schema)[0]
    if contents is not None:
        contents.append(first)
    return {
        item["table"]: item["columns"] for item in columns_in(shown(Prompt("", first))["tables"])
    }


def test_a_table_that_no_view_shows_can_still_be_reached(tmp_path: Path) -> None:
    far = "department_399.contracts"

    def reaching(prompt: Prompt, _answer: type[BaseModel]) -> Any:
        data = shown(prompt)
        if "tables" in data:
            assert far not in prompt.content
            return {"look": [{"tool": "list_columns", "table": far}]}
        assert "contract_amount" in data["found"]
        return {
            "hypotheses": [
                {"summary": "agreed", "tables": [{"table": far, "columns": ["contract_amount"]}]}
            ]
        }

    schema = asked(tmp_path, reaching, 100_000)
    [found] = [one for one in schema.tables if str(one.table.ref) == far]
    assert [(one.column.path, one.status) for one in found.columns] == [("contract_amount", "kept")]


def test_a_column_without_a_type_is_told_without_one() -> None:
    column = Column("name", "name", 0, 1, "", is_nullable=True, description=None)
    table = Table(TableRef("crm", "people"), "table", None, None, Columns((column,)))
    described = ColumnDescription(table, column, ColumnFacts(category="text"))
    assert described.structure() == "name · text"
