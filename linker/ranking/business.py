"""
Words of daily business: enter the words of a question, leave those that names of tables and columns
use for the same.

They stand in business.yml, one concept a block. A reader of YAML would take longer to import than
to rank.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from linker.text.words import SAYING_NOTHING, words_of_name

_LIST = re.compile(r"^  (say|mean): \[(.*)\]$", re.MULTILINE)
Phrases = Mapping[tuple[str, ...], tuple[str, ...]]


def business_words(stems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """
    By word of a question what names may say for it; of a phrase its first word that says something
    stands for it.
    """
    return words_for(stems, _shipped())


def words_for(stems: Sequence[str], phrases: Phrases) -> dict[str, tuple[str, ...]]:
    """By word what the phrases that stand in a text mean."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in runs(stems, max(map(len, phrases), default=0)):
        if phrase in phrases and (
            head := next((word for word in phrase if word not in SAYING_NOTHING), None)
        ):
            found[head] = tuple(dict.fromkeys((*found.get(head, ()), *phrases[phrase])))
    return found


def runs(stems: Sequence[str], longest: int) -> Iterator[tuple[str, ...]]:
    """Words in a row."""
    for start in range(len(stems)):
        for end in range(start + 1, min(start + longest, len(stems)) + 1):
            yield tuple(stems[start:end])


@cache
def _shipped() -> Phrases:
    """What ships with linker, as stems."""
    lists = [
        texts.split(", ")
        for _, texts in _LIST.findall(
            files(__package__).joinpath("business.yml").read_text("utf-8")
        )
    ]
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    for say, mean in zip(lists[::2], lists[1::2], strict=True):
        meant = [word for text in mean for word in words_of_name(text)]
        for text in say:
            phrase = tuple(words_of_name(text))
            others = (word for word in (*phrases.get(phrase, ()), *meant) if (word,) != phrase)
            phrases[phrase] = tuple(dict.fromkeys(others))
    return phrases
