"""External documents: relevant passages are found and their names count."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from linker.errors import ConfigError
from linker.linking.prompt_sections import PASSAGES, bound_view
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.lexical_match import RetrievalSignals
from linker.ranking.ranker import rank
from linker.ranking.weights import read_weights
from linker.retrieval.passages import near_passages, passages_of
from linker.types import Catalog, Column, Columns, Table, TableRef
from tests.prompts import question as linked_question

TERMS = """# Terms of the shop

Bad debt is what stands in replacement_cost of a film
that nobody brought back.

- A dormant customer has rented nothing for a year.
- Overdue is what came back late.

| word | meaning |
|------|---------|
| churn | customers lost in a month |
"""


def equally_near(_text: str, others: Sequence[str]) -> list[float]:
    return [0.5] * len(others)


def test_paragraphs_with_headings_items_and_rows_are_passages() -> None:
    assert passages_of(TERMS) == [
        "# Terms of the shop Bad debt is what stands in replacement_cost of a film that nobody brought back.",
        "- A dormant customer has rented nothing for a year.",
        "- Overdue is what came back late.",
        "| word | meaning |",
        "| churn | customers lost in a month |",
    ]


def test_items_of_a_few_words_stay_with_what_introduces_them() -> None:
    text = """## Our focus

Groups of chemistry:
- A01H
- B01J
## Returns

| True |
|------|
Nothing is null.
"""
    assert passages_of(text) == [
        "## Our focus Groups of chemistry: - A01H - B01J",
        "## Returns | True |",
        "Nothing is null.",
    ]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentence = "x" * 150 + "."
    assert passages_of(" ".join([sentence] * 3)) == [f"{sentence} {sentence}", sentence]


def test_the_passage_that_says_the_words_of_the_question_comes_first_and_all_are_limited(
    tmp_path: Path,
) -> None:
    path = tmp_path / "terms.md"
    path.write_text(
        TERMS + "\n\n".join(f"Filler {number} {'y' * 300}" for number in range(100)), "utf-8"
    )
    found = near_passages("How many dormant accounts?", [str(path)], equally_near)
    assert found[0] == "- A dormant customer has rented nothing for a year."
    assert 2500 < sum(map(len, found)) <= 3000


def test_a_document_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the document .*nowhere\.md"):
        near_passages("debt", [str(tmp_path / "nowhere.md")], equally_near)


def test_a_column_that_a_near_passage_names_is_likelier() -> None:
    columns = tuple(
        Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
        for place, path in enumerate(("film_id", "rental_rate", "replacement_cost"), start=1)
    )
    known = build_catalog_index(
        Catalog((Table(TableRef("shop", "film"), "table", None, None, Columns(columns)),), 1)
    )
    plain = rank("bad debt", known, read_weights()).columns
    read = rank(
        "bad debt",
        known,
        read_weights(),
        RetrievalSignals(passages=("Bad debt is what replacement_cost says.",)),
    ).columns
    assert read[2] > plain[2]
    assert read[:2].tolist() == pytest.approx(plain[:2].tolist(), abs=0.6)
    assert read[2] - plain[2] > max(read[:2] - plain[:2])


def test_a_model_reads_the_nearest_passages_within_a_limit() -> None:
    question = linked_question()
    passages = ("Paid means settled.", *("z" * 400 for _ in range(9)))
    shown = bound_view(replace(question, read=replace(question.read, passages=passages)))
    assert "from a document: Paid means settled." in shown.splitlines()
    assert shown.count("z") == 3 * 400 < PASSAGES
