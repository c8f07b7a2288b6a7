"""Character limits shared between several questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.serve.column_text import (
    AnswerPart,
    Heading,
    ToolResponse,
    of_parts,
    shared_out,
    truncate,
)

FURTHER = "ask for less"


def part(name: str, lines: int) -> AnswerPart:
    return AnswerPart(tuple(f"{name} line {number:03}" for number in range(lines)), f"== {name}")


def test_a_small_part_is_whole_and_the_large_ones_share_what_it_leaves() -> None:
    assert shared_out([10, 500, 300], 210) == [10, 100, 100]
    assert shared_out([10, 90, 300], 250) == [10, 90, 150]
    answer = truncate(of_parts((part("a", 1), part("b", 90), part("c", 90)), "ask for less"), 400)
    lines = answer.text.splitlines()
    assert lines[:2] == ["== a", "a line 000"]
    headings = [line for line in lines if line.startswith("== ")]
    assert [heading.split(" (")[0] for heading in headings] == ["== a", "== b", "== c"]
    counts = []
    for name in "bc":
        counts.append(sum(line.startswith(f"{name} line") for line in lines))
    assert counts[0] == counts[1] > 5
    assert headings[1] == f"== b (… {90 - counts[0]} more lines)"
    assert lines[-1] == f"… {180 - sum(counts)} more lines: ask for less"
    assert answer.left_out == 180 - sum(counts)


def test_lines_with_headings_among_them_are_shared_out_like_parts() -> None:
    parts = (part("a", 40), part("b", 40))
    lines = [line for item in parts for line in (Heading(item.heading), *item.lines)]
    assert truncate(ToolResponse(tuple(lines), FURTHER), 300) == truncate(
        of_parts(parts, FURTHER), 300
    )


@pytest.mark.parametrize("characters", [200, 1_000])
def test_twenty_long_questions_keep_their_headings_however_few_characters_there_are(
    characters: int,
) -> None:
    parts = tuple(part(f"question {number:02} {'x' * 200}", 9) for number in range(20))
    lines = truncate(of_parts(parts, FURTHER), characters).text.splitlines()
    for number in range(20):
        assert any(line.startswith(f"== question {number:02}") for line in lines)


def test_where_kinds_do_not_fit_some_details_stay_beside_names_alone() -> None:
    def tell(details: int, with_kinds: bool) -> tuple[list[str], int]:
        lines = [f"  column {number}; with a comment" for number in range(details)]
        kind = " of a kind" if with_kinds else ""
        others = ", ".join(f"column {number}{kind}" for number in range(details, 20))
        return [*lines, f"  also {others}"], 20 - details

    whole = tuple(tell(20, True)[0])
    card = AnswerPart(whole, "a table", tell, 20)
    for characters, details, has_kinds in ((450, 2, True), (330, 5, False), (230, 0, False)):
        lines = truncate(ToolResponse(card.whole, FURTHER, (card,)), characters).text.splitlines()
        assert sum("with a comment" in line for line in lines) == details, characters
        assert ("of a kind" in lines[-2]) == has_kinds
        assert all(f"column {number}" in "\n".join(lines) for number in range(20))


@given(st.lists(st.integers(0, 900), max_size=30), st.integers(0, 5_000))
def test_shares_are_no_larger_than_needed_and_together_than_the_whole(
    sizes: list[int], whole: int
) -> None:
    shares = shared_out(sizes, whole)
    assert sum(shares) <= whole
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    if sum(sizes) <= whole:
        assert shares == sizes
