"""`auto`: hypotheses with a language model, else the shortlist; it reports its choice."""

import json
from pathlib import Path

import pytest

from linker.linking.assemble_result import replay
from linker.linking.result import LinkedSchema
from linker.output.json import render as as_json
from linker.output.table import render_table
from tests.linking.scripted_linkers import Asked, linked, record, trace


def told_everywhere(shop: Path, schema: LinkedSchema) -> None:
    """
    Which strategy was taken, and why: in the text, in JSON, in the trace and in what it shows.
    """
    text = render_table(schema, width=400, color=False)
    shown = " ".join(trace(shop, "show", schema.trace).stdout.split())
    assert f"strategy {schema.strategy}" in text
    assert schema.chosen_because in text
    assert f"strategy {schema.strategy} ({schema.chosen_because})" in shown
    document = json.loads(as_json(schema))
    assert (document["strategy"], document["chosen_because"]) == (
        schema.strategy,
        schema.chosen_because,
    )
    end = next(
        one.get("run") or one["answer"]
        for one in record(shop, schema).events
        if one["event"] == "end"
    )
    assert (end["strategy"], end["chosen_because"]) == (schema.strategy, schema.chosen_because)
    assert replay(record(shop, schema)) == schema


def test_auto_gives_a_shortlist_without_a_model_and_says_so(shop: Path) -> None:
    schema = linked(shop, "auto", None)
    assert (schema.strategy, schema.chosen_because) == (
        "shortlist",
        "no language model configured",
    )
    told_everywhere(shop, schema)


def test_auto_links_by_hypotheses_with_a_model_and_says_so(shop: Path) -> None:
    asked = Asked()
    schema = linked(shop, "auto", asked)
    assert (schema.strategy, schema.chosen_because) == (
        "evilink",
        "language model scripted:rule configured",
    )
    assert "PanoramaReply" in asked.kinds
    told_everywhere(shop, schema)


def test_a_reply_that_says_what_is_missing_needs_no_hypothesis(shop: Path) -> None:
    lacking = {"hypotheses": [], "missing": "there are no tickets here"}
    schema = linked(shop, "evilink", Asked(PanoramaReply=lacking))
    assert schema.unanswerable is not None
    assert schema.unanswerable.missing == "there are no tickets here"
    assert not any("hypothesis" in warning for warning in schema.warnings)
    assert schema.degraded == ()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"hypotheses": []}, "the language model gave no hypothesis"),
        (
            {"hypotheses": [{"summary": "s", "tables": [{"table": "no.such", "columns": ["x"]}]}]},
            "no hypothesis of the language model names an existing table or column",
        ),
    ],
)
def test_a_reply_that_says_nothing_is_told(shop: Path, reply: object, reason: str) -> None:
    schema = linked(shop, "evilink", Asked(PanoramaReply=reply))
    assert schema.degraded == (f"{reason}; the answer falls back to the ranking",)
    assert schema.degraded[0] in schema.warnings
