"""SQL answer JSON validates against its schema, and no text can control a terminal."""

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest


@pytest.mark.parametrize("name", ["voted", "draft", "nothing", "without_model"])
def test_an_answer_in_sql_holds_to_the_published_schema(checkout: Path, name: str) -> None:
    schema = json.loads((checkout / "docs" / "sql-answer.schema.json").read_text("utf-8"))
    text = (checkout / "tests" / "golden" / "render" / "sql" / f"{name}.json.txt").read_text(
        "utf-8"
    )
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(text), schema)
    assert set(schema["required"]) == set(schema["properties"])
    assert "\x1b" not in text
