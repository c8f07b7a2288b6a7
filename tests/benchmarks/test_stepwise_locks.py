"""Lock rules of the stepwise flow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.baselines.stepwise.locks import refusal
from linker.types import ColumnRef
from tests.linking.test_refinement import NORTH, REASON, SOUTH, started

NOTE = ColumnRef(NORTH, "note")


def test_what_is_required_kept_or_discarded_is_locked() -> None:
    state = started({NOTE}, {ColumnRef(SOUTH, "DAY")})
    assert refusal(state, NOTE, REASON).endswith("is locked: most ways to answer need it")
    assert refusal(state, ColumnRef(SOUTH, "DAY"), REASON) == ""
    kept, _ = state.keep(ColumnRef(SOUTH, "DAY"))
    assert refusal(kept, ColumnRef(SOUTH, "DAY"), REASON).endswith("was kept before, and stays")
    gone, _ = state.discard(ColumnRef(SOUTH, "DAY"), REASON)
    assert refusal(gone, ColumnRef(SOUTH, "DAY"), REASON).endswith("was discarded before")


@pytest.mark.parametrize(
    "reason",
    [
        "",
        "   ",
        "no",
        "not needed",
        "the question does not mention this column",
        "another column already covers it",
        "redundant with the other date",
        "this is probably not needed here",
    ],
)
def test_silence_likeness_and_feelings_are_no_reasons(reason: str) -> None:
    assert "reason" in refusal(started(set(), {NOTE}), NOTE, reason)


@given(
    st.text(alphabet="abc ", min_size=12, max_size=30).filter(
        lambda text: len([w for w in text.split() if len(w) > 1]) >= 3
    )
)
def test_any_words_about_the_item_are_a_reason(reason: str) -> None:
    assert refusal(started(set(), {NORTH}), NORTH, reason) == ""
