"""Precision and recall of default PII detection on labelled columns."""

from pathlib import Path

import pytest
from msgspec import Struct

from tests.profile.privacy_corpus import Labelled, columns
from tests.profile.statements import ScannedTable, Scanner

FIRST = "<!-- figures: tests/profile/test_privacy_corpus.py -->"
LAST = "<!-- end of figures -->"
WORDS = {
    "name": "names of people",
    "birth_date": "dates of birth",
    "address": "street addresses",
    "phone": "telephone numbers",
    "email": "e-mail addresses",
    "ip": "IP addresses",
    "national_id": "national ids, passports",
    "card": "payment cards",
    "iban": "IBANs",
    "health": "health",
    "belief": "belief and origin",
    "credential": "credentials",
}


class Judged(Struct, frozen=True):
    """A labelled column, and the kind for which it is withheld; none if it is shown."""

    column: Labelled
    found: str | None

    @property
    def is_right(self) -> bool:
        return (self.found is not None) == (self.column.kind is not None)


@pytest.fixture(scope="module")
def judged(checkout: Path, corpus_scanner: Scanner) -> list[Judged]:
    """The whole corpus, in one run of statements; each column is a table's only one."""
    labelled = list(columns())
    tables = []
    for number, column in enumerate(labelled):
        name = f"c{number}_{column.table}"
        corpus_scanner.connection.execute(
            f'create table {name} ("{column.name}" {column.data_type})'
        )
        corpus_scanner.connection.executemany(
            f"insert into {name} values (?)", [[value] for value in column.values]
        )
        tables.append(ScannedTable(name, len(column.values)))
    found = corpus_scanner.execute(corpus_scanner.statements(*tables))
    results = []
    for table, column in zip(tables, labelled, strict=True):
        scanned = found[table.name, column.name]
        kind = {"show": None, "mask": scanned["personal_data"], "hide": "credential"}[
            scanned["privacy"]
        ]
        # A telephone number may be taken for a card, and is masked nevertheless; a credential must
        # be hidden.
        is_enough = column.kind != "credential" or scanned["privacy"] == "hide"
        results.append(Judged(column, kind if is_enough else None))
    return results


def precision_and_recall(judged: list[Judged]) -> tuple[float, float]:
    found = [one for one in judged if one.found]
    personal = [one for one in judged if one.column.kind]
    return sum(one.is_right for one in found) / len(found), sum(
        one.is_right for one in personal
    ) / len(personal)


def wrong(judged: list[Judged]) -> list[tuple[str, str, str | None, str | None]]:
    return [
        (one.column.table, one.column.name, one.column.kind, one.found)
        for one in judged
        if not one.is_right
    ]


def test_the_corpus_is_large_and_half_of_it_is_of_nobody() -> None:
    labelled = list(columns())
    personal = [column for column in labelled if column.kind]
    assert len(labelled) >= 400
    assert 0.45 <= len(personal) / len(labelled) <= 0.55
    assert 0.4 <= sum(column.is_held_back for column in labelled) / len(labelled) <= 0.5


@pytest.mark.parametrize("is_held_back", [False, True])
def test_nearly_all_that_is_personal_is_kept_back_and_little_else(
    judged: list[Judged], is_held_back: bool
) -> None:
    half = [one for one in judged if one.column.is_held_back == is_held_back]
    precision, recall = precision_and_recall(half)
    assert recall >= 0.95, wrong(half)
    assert precision >= 0.9, wrong(half)


def test_the_page_has_the_figures(judged: list[Judged], checkout: Path) -> None:
    page = (checkout / "docs" / "privacy.md").read_text("utf-8")
    written = page[page.index(FIRST) + len(FIRST) : page.index(LAST)].strip()
    assert written == table_of(judged)


def table_of(judged: list[Judged]) -> str:
    """Recall and precision by kind."""
    lines = [
        "| what | columns | kept back | recall | kept back for it | of these personal | precision |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for kind, words in WORDS.items():
        holding = [one for one in judged if one.column.kind == kind]
        kept = [one for one in holding if one.found]
        found = [one for one in judged if one.found == kind]
        right = [one for one in found if one.column.kind]
        lines.append(
            f"| {words} | {len(holding)} | {len(kept)} | {len(kept) / len(holding):.2f}"
            f" | {len(found)} | {len(right)} | {len(right) / len(found):.2f} |"
        )
    for words, half in (
        (
            "**all, which the rules were made with**",
            [one for one in judged if not one.column.is_held_back],
        ),
        ("**all, held back**", [one for one in judged if one.column.is_held_back]),
    ):
        personal = [one for one in half if one.column.kind]
        found = [one for one in half if one.found]
        right = [one for one in found if one.column.kind]
        precision, recall = precision_and_recall(half)
        recalled = f"{len(personal)} | {len(right)} | {recall:.2f}"
        lines.append(f"| {words} | {recalled} | {len(found)} | {len(right)} | {precision:.2f} |")
    return "\n".join(lines)
