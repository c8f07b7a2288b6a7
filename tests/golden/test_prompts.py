"""Every prompt as a golden file: stable part and question part."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from linker.linking.actions import TablesReply
from linker.linking.column_selection_prompt import Choosing
from linker.linking.prompt_sections import schema_view
from linker.linking.value_linking import LinkedQuestion
from linker.retrieval.hits import Retrieved
from linker.strategies.autolink import StepReply
from linker.strategies.bidirectional import KeywordsReply, QuestionsReply
from linker.types import ColumnRef, Hit, ValueMatch
from tests.prompts import CUSTOMERS, ORDERS, begun, prompts_of, question, told

Golden = Callable[[str, str], None]


@pytest.fixture
def asked() -> LinkedQuestion:
    """A question about orders."""
    return question()


def test_a_panorama_and_the_turns_after_it(
    asked: LinkedQuestion, golden: Golden, tmp_path: Path
) -> None:
    keeping = prompts_of("evilink", asked, tmp_path)
    first, found, decision = keeping.prompts
    golden("prompts/panorama.txt", told(first))
    # Later turns show the tables that a reply named, and no others.
    again, looked = (exchange.content for exchange in decision.earlier)
    assert looked == found.content
    assert all(name in first.content for name in ("web.visits_*", "crm.customers -"))
    assert not any(name in again for name in ("web.visits_*", "crm.customers -"))
    golden("prompts/panorama_again.txt", again)
    golden(
        "prompts/panorama_turns.txt", f"{found.content}\n\n===== then =====\n\n{decision.content}"
    )


@pytest.fixture
def brought_up(asked: LinkedQuestion) -> LinkedQuestion:
    """The same question, for which the index brought up three columns."""
    named = ValueMatch("paid", "paid", 1.0)
    refs = (
        ColumnRef(ORDERS, "status"),
        ColumnRef(ORDERS, "amount"),
        ColumnRef(CUSTOMERS, "customer_id"),
    )
    hits = tuple(
        Hit(ref, 1.0, (("dense", 0.5),), (named,) if ref.path == "status" else ()) for ref in refs
    )
    return replace(asked, read=replace(asked.read, retrieved=Retrieved(hits, ()), there=refs))


def test_tables_of_a_schema(asked: LinkedQuestion, golden: Golden, tmp_path: Path) -> None:
    linking, keeping = begun(asked, tmp_path)
    Choosing(asked, linking).tables("tables", schema_view(asked, 10_000))
    golden("prompts/pick_tables.txt", keeping.written)


def test_columns_of_a_schema_that_does_not_fit(
    asked: LinkedQuestion, golden: Golden, tmp_path: Path
) -> None:
    linking, keeping = begun(asked, tmp_path)
    Choosing(asked, linking).columns("columns", schema_view(asked, 75))
    golden("prompts/pick_columns.txt", keeping.written)


def test_the_second_turn_of_an_agent(
    brought_up: LinkedQuestion, golden: Golden, tmp_path: Path
) -> None:
    keeping = prompts_of("autolink", brought_up, tmp_path)
    assert len(keeping.prompts) == 2
    golden("prompts/autolink.txt", keeping.last_of(StepReply))


def test_a_question_taken_apart_and_tables_by_columns(
    asked: LinkedQuestion, golden: Golden, tmp_path: Path
) -> None:
    keeping = prompts_of("bidirectional", asked, tmp_path)
    golden("prompts/subquestions.txt", keeping.last_of(QuestionsReply))
    golden("prompts/keywords.txt", keeping.last_of(KeywordsReply))
    # One after another, the direction from columns to tables is the last.
    golden("prompts/pick_tables_by_columns.txt", keeping.last_of(TablesReply))
