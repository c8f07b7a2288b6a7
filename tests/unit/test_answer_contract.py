"""Answer JSON validates against its schema, and no text can control a terminal."""

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable
from linker.output import render
from linker.types import Column, Columns, Table, TableRef

GOLDEN = ("linked", "voted", "unanswerable")


@pytest.fixture
def schema(checkout: Path) -> dict[str, Any]:
    """The published schema."""
    read: dict[str, Any] = json.loads((checkout / "docs" / "answer.schema.json").read_text("utf-8"))
    return read


@pytest.fixture(params=GOLDEN)
def document(checkout: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """A golden answer."""
    path = checkout / "tests" / "golden" / "render" / request.param / "json.txt"
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def test_an_answer_holds_to_the_published_schema(
    schema: dict[str, Any], document: dict[str, Any]
) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)


def test_every_field_of_an_answer_is_required_by_the_schema_and_on_the_page(
    schema: dict[str, Any], document: dict[str, Any], checkout: Path
) -> None:
    page = (checkout / "docs" / "answer.md").read_text("utf-8")
    records = [schema, *schema["$defs"].values()]
    assert all(set(record["properties"]) == set(record["required"]) for record in records)
    known = {name for record in records for name in record["properties"]}
    used = _fields(document)
    assert used <= known
    assert all(f"| `{name}` |" in page for name in known)


@pytest.mark.parametrize(
    "change", [{"version": "1"}, {"tables": None}, {"strategy": None}, {"seconds": "long"}]
)
def test_what_breaks_the_contract_is_seen_by_the_schema(
    change: dict[str, Any], schema: dict[str, Any], document: dict[str, Any]
) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, **change}, schema)


def test_a_field_that_a_later_release_adds_breaks_no_reader(
    schema: dict[str, Any], document: dict[str, Any]
) -> None:
    tables = [{**table, "later": 1} for table in document["tables"]]
    assert (
        list(
            jsonschema.Draft202012Validator(schema).iter_errors(
                {**document, "tables": tables, "later": 1}
            )
        )
        == []
    )


def test_marks_that_a_terminal_obeys_are_escaped_and_read_back_as_they_were() -> None:
    hostile = "a\x1b[2J b\x9b31m c\u202egnirts\u2066 d\u2028e\x7f"
    column = Column("note", "note", 0, 1, "VARCHAR", is_nullable=True, description=hostile)
    table = Table(TableRef("shop", "orders"), "table", hostile, None, Columns((column,)))
    linked = LinkedTable(
        table, (LinkedColumn(column, 0.5, "its name is asked for", examples=(hostile,)),)
    )
    text = render(LinkedSchema(hostile, "shop.dev", "shortlist", (linked,)), "json")
    assert not set("\x1b\x9b\u202e\u2066\u2028\x7f") & set(text)
    document = json.loads(text)
    assert document["question"] == document["tables"][0]["columns"][0]["examples"][0] == hostile


def _fields(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(_fields(one) for one in value.values()))
    return set[str]().union(*(_fields(one) for one in value)) if isinstance(value, list) else set()
