"""With 200 values in the profile instead of 25, no text or page is longer, and more are found."""

import json
from pathlib import Path

import duckdb
import pytest

from linker.catalog.snapshot import as_indexed, pack, unpack
from linker.pipeline import ask
from linker.ranking.catalog_index import build_catalog_index
from linker.serve.value_search import search_values
from tests.linking.shop import ShopEnvironment, build
from tests.linking.test_hidden_values import PASSCODE, texts_of

VALUES = [f"sesame {number}" for number in range(200)]
LIMIT_OF_LOOKUP = 50


def with_values(folder: Path, kept: int, category: str) -> ShopEnvironment:
    """A column of 200 values, of which a profile keeps some."""
    columns = [
        ("account_id", "BIGINT", "identifier", "show", list(range(200))),
        ("passcode", "VARCHAR", category, "show", VALUES),
    ]
    folder.mkdir()
    build(folder, {"crm.accounts": columns})
    counts = [{"value": value, "count": 2} for value in VALUES[:kept]]
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(
            "update shop_linker.linker_profile_l2 set representative_values = ?, distinct_is_exact = true"
            " where column_path = 'passcode'",
            [json.dumps(counts)],
        )
    return ShopEnvironment(folder)


@pytest.mark.parametrize("category", ["category", "text", "code", "identifier"])
def test_no_text_gets_longer(tmp_path: Path, category: str) -> None:
    found = []
    for kept in (25, 200):
        with with_values(tmp_path / str(kept), kept, category) as environment:
            found.append(dict(texts_of(environment)))
    few, many = found
    # A lookup has as many values as are asked for, and the index document holds all for search.
    assert many.pop("values").count("\n  sesame") == LIMIT_OF_LOOKUP
    few.pop("values")
    [few_document, many_document] = [texts.pop("document").partition("(")[0] for texts in found]
    assert few_document == many_document
    assert {name for name in few if few[name] != many[name]} == set()


def test_a_value_beyond_the_most_frequent_25_is_found(tmp_path: Path) -> None:
    with with_values(tmp_path / "all", 200, "category") as environment:
        [line, *_] = search_values(environment, ["sesame 180"], 4).lines
        assert "passcode" in line
        schema = ask("How many accounts have sesame 180?", environment)
    [table] = schema.tables
    [passcode] = [linked for linked in table.columns if linked.column.path == "passcode"]
    assert "sesame 180" in str(passcode.evidence)


def test_the_index_keeps_25_values_beside_those_of_search(tmp_path: Path) -> None:
    with with_values(tmp_path / "all", 200, "category") as environment:
        profiled = environment.warehouse.profiled
    packed = unpack(pack(profiled))
    assert packed
    assert len(profiled.facts.get(PASSCODE).values) == 200
    assert packed.facts.get(PASSCODE).values == tuple(VALUES[:25])
    assert as_indexed(profiled).facts.get(PASSCODE) == packed.facts.get(PASSCODE)


def test_words_of_the_most_frequent_25_values_are_keywords(tmp_path: Path) -> None:
    with with_values(tmp_path / "all", 200, "category") as environment:
        profiled = environment.warehouse.profiled
        lexicon = build_catalog_index(profiled.catalog, profiled.facts).lexicon
    [column] = [number for number, ref in enumerate(lexicon.refs) if ref == PASSCODE]
    held = {value for value in VALUES if column in lexicon.values_at.get(value).tolist()}
    assert held == set(VALUES[:25])
