"""Columns with values similar to given words or literals."""

from collections.abc import Iterable

from linker.linking.column_selection_prompt import Choosing
from linker.text.escaping import escape_invisible
from linker.text.words import readable
from linker.types import ColumnRef

_SEARCHED = 10
_MAX_SHOWN = 20
_LONGEST = 60


def values_near(choosing: Choosing, texts: Iterable[str]) -> dict[ColumnRef, str]:
    """The value most similar to one of the texts, by column; from the index only."""
    held: dict[ColumnRef, str] = {}
    with choosing.linking.ledger.step("values"):
        for text in dict.fromkeys(texts):
            for hit in choosing.linking.environment.retriever.search(text, limit=_SEARCHED).columns:
                if hit.matches and choosing.question.catalog.find(hit.ref):
                    held.setdefault(hit.ref, hit.matches[0].value)
    return held


def told_values(held: dict[ColumnRef, str]) -> str:
    """These values as a prompt shows them."""
    return "\n".join(
        f"{escape_invisible(ref)} = {readable(value)[:_LONGEST]}"
        for ref, value in list(held.items())[:_MAX_SHOWN]
    )
