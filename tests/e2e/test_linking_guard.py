"""
Regression test of recall and answer size against `expected_linking.json`.

Questions are a fixed part of the demo's, and of a generated catalog of 150 similar tables. Values
may rise; nothing may fall by more than the tolerance.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
EXPECTED = json.loads(Path(__file__).with_name("expected_linking.json").read_text("utf-8"))
# One question of the smaller set, and a tenth of the characters.
RECALL_TOLERANCE = 0.05
SIZE_TOLERANCE = 1.1
# fmt: off
ENTITIES = (
    "anchor", "badge", "candle", "donkey", "engine", "flute", "garden", "hammer", "island", "jacket",
    "kettle", "ladder", "magnet", "needle", "orchid", "parrot", "quiver", "rocket", "saddle", "tunnel",
    "urchin", "violin", "window", "yogurt", "zipper",
)
# fmt: on
PLACES = ("north", "south", "east", "west", "head", "branch")
MEASURES = ("weight", "price", "height", "age", "speed", "depth")


def figures(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    [summary] = json.loads(done.stdout)["summaries"]
    overall: dict[str, Any] = summary["overall"]
    return overall


@pytest.fixture(scope="session")
def large_catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,350 columns: one table per entity and place, with the entity's measures."""
    folder = tmp_path_factory.mktemp("large")
    tables, questions = [], []
    for entity in ENTITIES:
        for place in PLACES:
            columns = [f"{entity}_{measure}" for measure in MEASURES] + [
                f"{entity}_id",
                "site_id",
                "loaded_at",
            ]
            described = [{"path": name, "type": "BIGINT"} for name in columns]
            tables.append(
                {"database": "large", "table": f"{place}_{entity}s", "columns": described}
            )
    for number, entity in enumerate(ENTITIES):
        place, measure = PLACES[number % len(PLACES)], MEASURES[number % len(MEASURES)]
        questions.append(
            {
                "id": f"q{number}",
                "database": "large",
                "question": f"What is the average {measure} of {entity}s in the {place}?",
                "gold_sql": f"select avg({entity}_{measure}) from {place}_{entity}s",
            }
        )
    for name, records in (("tables", tables), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text(
            "".join(json.dumps(one) + "\n" for one in records), "utf-8"
        )
    return folder


@pytest.mark.usefixtures("demo")
def test_the_demo_questions_are_linked_as_well_as_before(linker_command: Run) -> None:
    chosen = [word for key in EXPECTED["demo"]["questions"] for word in ("--only", key)]
    found = figures(linker_command("eval", "demo", *chosen, "--budget", "30", "--format", "json"))
    assert found["questions"] == len(EXPECTED["demo"]["questions"])
    assert found["errors"] == 0
    assert found["columns"]["recall"]["value"] >= EXPECTED["demo"]["recall"] - RECALL_TOLERANCE
    assert (
        found["columns"]["strict_recall"]["value"]
        >= EXPECTED["demo"]["strict_recall"] - RECALL_TOLERANCE
    )
    assert found["columns"]["count"]["value"] <= 30


@pytest.mark.slow
def test_a_catalogue_of_look_alikes_is_linked_as_well_as_before(
    linker_command: Run, large_catalogue: Path
) -> None:
    words = (
        "eval",
        "catalogue",
        "--root",
        str(large_catalogue),
        "--budget",
        "30",
        "--format",
        "json",
    )
    found = figures(linker_command(*words))
    assert found["questions"] == len(ENTITIES)
    assert (
        found["columns"]["strict_recall"]["value"]
        >= EXPECTED["large"]["strict_recall"] - RECALL_TOLERANCE
    )
    assert found["columns"]["count"]["value"] <= 30


@pytest.mark.usefixtures("demo")
def test_what_goes_into_a_prompt_does_not_grow(linker_command: Run) -> None:
    question = "Which carrier broke its promised delivery day most often in 2025?"
    done = linker_command(
        "ask", "--target", "demo", "--format", "mschema", "--column-budget", "30", question
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) <= EXPECTED["demo"]["prompt_characters"] * SIZE_TOLERANCE
