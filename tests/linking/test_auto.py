"""`auto`: the whole schema where it fits, hypotheses elsewhere; and it says which, and why."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linker.errors import ModelError
from linker.link.answer import LinkedSchema
from linker.link.replay import replay
from linker.pipeline import link
from linker.render.json import render as as_json
from linker.render.table import render_table
from linker.strategies import open_strategy
from tests.linking.linkers import Asked, linked, record, trace
from tests.linking.shop import ShopEnvironment
from tests.linking.test_size import QUESTION as OF_SIZE
from tests.linking.test_size import GeneratedEnvironment


def told_everywhere(shop: Path, schema: LinkedSchema) -> None:
    """Which strategy was taken, and why: in the text, in JSON, in the trace and in what it shows."""
    text = render_table(schema, width=400, color=False)
    shown = " ".join(trace(shop, "show", schema.trace).stdout.split())
    assert f"strategy {schema.strategy}" in text
    assert schema.chosen_because in text
    assert f"strategy {schema.strategy} – {schema.chosen_because}" in shown
    document = json.loads(as_json(schema))
    assert (document["strategy"], document["chosen_because"]) == (schema.strategy, schema.chosen_because)
    end = next(one["run"] for one in record(shop, schema).events if one["event"] == "end")
    assert (end["strategy"], end["chosen_because"]) == (schema.strategy, schema.chosen_because)
    assert replay(record(shop, schema)) == schema


def test_auto_links_by_hypotheses_without_a_model_and_says_so(shop: Path) -> None:
    schema = linked(shop, "auto", None)
    assert (schema.strategy, schema.chosen_because) == ("evilink", "auto: no language model is set")
    told_everywhere(shop, schema)


def test_auto_gives_the_whole_schema_where_it_fits_and_asks_nothing(shop: Path) -> None:
    asked = Asked()
    schema = linked(shop, "auto", asked)
    assert schema.strategy == "full_schema"
    assert "fits into the 20,000 of `schema_tokens`" in schema.chosen_because
    assert asked.prompts == []
    told_everywhere(shop, schema)
    with ShopEnvironment(shop) as environment:
        assert schema.column_count == environment.indexed.catalog.column_count == 20


def test_auto_links_by_hypotheses_where_the_whole_schema_does_not_fit(shop: Path) -> None:
    def nothing(_prompt: Any, _answer: Any) -> Any:
        raise ModelError("it is down", hint="", code="unavailable")

    # 20 columns are 330 tokens by the estimate; 500 is the least `schema_tokens` that can be set.
    schema = linked(shop, "auto", nothing, max_tokens=300)
    assert schema.strategy == "evilink"
    assert schema.chosen_because == "auto: the whole schema has about 330 tokens, and `schema_tokens` allows 300"
    told_everywhere(shop, schema)


@pytest.mark.parametrize(("columns", "strategy"), [(50, "full_schema"), (200, "evilink")])
def test_the_cut_of_auto_is_by_schema_tokens(tmp_path: Path, columns: int, strategy: str) -> None:
    # A column of this catalogue is about ten tokens: 50 are fewer than 1,000, and 200 are more.
    with GeneratedEnvironment(tmp_path, Asked(), columns) as environment:
        environment.settings = replace(environment.settings, schema_tokens=1_000)
        schema = link(OF_SIZE, environment, open_strategy("auto"))
    assert schema.strategy == strategy
    assert "1,000" in schema.chosen_because
