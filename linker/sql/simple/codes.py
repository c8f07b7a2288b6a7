"""Codes that a description explains: enter a text as `OK paid, PND pending` and codes, leave what each stands for."""

import re
from collections.abc import Iterable, Iterator

_LONGEST_CODE = 6
# One code with a word behind it may be any sentence; two are a list.
_FEWEST = 2


def explained(description: str | None, codes: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Each code with the words that stand behind it, where a description lists them."""
    found = tuple(_explained(description or "", codes))
    return found if len(found) >= _FEWEST else ()


def _explained(description: str, codes: Iterable[str]) -> Iterator[tuple[str, str]]:
    for code in codes:
        if len(code) > _LONGEST_CODE or not code.isalnum():
            continue
        behind = re.search(
            rf"(?<!\w){re.escape(code)}(?: ?[=:-]| is| means| for)? ([a-z][a-z ]*)(?=[,.;(]|$)", description
        )
        if behind and behind.group(1).strip().casefold() != code.casefold():
            yield code, behind.group(1).strip()
