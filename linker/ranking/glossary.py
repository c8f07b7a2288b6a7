"""
What the words of a question stand for: terms of the user's glossary, and words of daily business.

The latter stand in business.yml, one concept a block. A reader of YAML would take longer to import
than to rank.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from linker.config.glossary import Term
from linker.errors import NameLookupError
from linker.names.lookup import find
from linker.text.words import SAYING_NOTHING, parts, stem, words_of_name
from linker.types import Catalog, Record, Ref

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


# What a metric of dbt is computed from is one way to answer, and a mart may have it ready.
_OF_PROJECT = 0.5


class Meaning(Record, frozen=True):
    """
    A term that a question touches: the stem of its first word that says something, and what it
    means.

    `unknown` says of each name of it that leads nowhere why.
    """

    term: Term
    head: str
    refs: tuple[Ref, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """How surely its columns are meant, from 0 to 1."""
        return 1.0 if self.term.source == "glossary" else _OF_PROJECT

    @property
    def words(self) -> tuple[str, ...]:
        """The stems of the words that mean the same."""
        return tuple(stem for text in self.term.words for stem in words_of_name(text))


def touched(text: str, terms: Iterable[Term], catalog: Catalog) -> tuple[Meaning, ...]:
    """
    The terms whose words stand side by side in a question; of two with the same words the first.
    """
    # Later ones are overwritten by earlier ones.
    phrases = {tuple(words_of_name(term.term)): term for term in reversed(tuple(terms))}
    if not phrases:
        return ()
    stems = [stem(part) for part in parts(text)]
    spoken = set(runs(stems, max(map(len, phrases))))
    return tuple(
        meaning_of(term, catalog) for phrase, term in reversed(phrases.items()) if phrase in spoken
    )


def meaning_of(term: Term, catalog: Catalog) -> Meaning:
    """A term with the tables and columns that it names."""
    refs, unknown = list[Ref](), list[str]()
    for name in (*term.tables, *term.columns):
        try:
            refs.append(find(name, catalog))
        except NameLookupError as error:
            unknown.append(
                f"the glossary's `{term.term}` names what is not there: {error.what}; {error.hint}"
            )
    stems = words_of_name(term.term)
    head = next((word for word in stems if word not in SAYING_NOTHING), "")
    return Meaning(term, head, tuple(refs), tuple(unknown))
