"""The question: a record of what it names, what values it binds, and what retrieval and ranking make of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linker.catalog.facts import Facts
from linker.ranking.question import QuestionWords, analyse
from linker.ranking.ranker import Ranked
from linker.ranking.reading import QuestionCatalog
from linker.retrieval.hybrid import Retrieved
from linker.text.periods import YEAR, Period, periods_of
from linker.types import Catalog, ColumnRef

# A value that is named this well is meant; what lies below may be a word that happens to be one.
_SURELY_NAMED = 0.9
_MOST_BINDINGS = 12
_FEWEST_LETTERS = 3
_SENTENCE_END = re.compile(r"[.!?:]\s*$")
_CAPITAL = re.compile(r"[A-Z\u00c0-\u00de]")
_NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])")


@dataclass(frozen=True, slots=True)
class Binding:
    """Words of the question, and the column that holds a value of that name."""

    said: str
    ref: ColumnRef
    value: str
    similarity: float

    def __str__(self) -> str:
        return f"{self.said!r} is the value {self.value!r} of {self.ref}"

    @property
    def told(self) -> str:
        """The same, said of the column."""
        if self.said.casefold() == self.value.casefold():
            return f"holds {self.value}"
        return f"“{self.said}” is its value {self.value}"


@dataclass(frozen=True, slots=True)
class Mentions:
    """Things that a question names: literals as they are written, periods, names as in code, and values of columns."""

    question: str
    literals: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    names: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()


def read_mentions(question: str, retrieved: Retrieved, catalog: Catalog) -> Mentions:
    """Everything that the question names, the surest binding first; what the warehouse no longer has is left out."""
    analysed = analyse(question)
    bindings = sorted(_bindings(retrieved, catalog), key=lambda binding: (-binding.similarity, binding.ref))
    return Mentions(
        question=question,
        literals=_literals(analysed, question),
        periods=tuple(periods_of(question)),
        names=tuple(sorted(analysed.spelt)),
        bindings=tuple(bindings[:_MOST_BINDINGS]),
    )


def _bindings(retrieved: Retrieved, catalog: Catalog) -> Iterator[Binding]:
    for hit in retrieved.columns:
        if hit.match and hit.match.similarity >= _SURELY_NAMED and catalog.find(hit.ref):
            yield Binding(hit.match.said, hit.ref, hit.match.value, hit.match.similarity)


def _literals(analysed: QuestionWords, question: str) -> tuple[str, ...]:
    numbers = [found.group() for found in _NUMBER.finditer(question) if not YEAR.fullmatch(found.group())]
    return tuple(dict.fromkeys((*sorted(analysed.quoted), *numbers)))


def is_name(words: str, question: str) -> bool:
    """True if words of the question are written as a name, or are several."""
    inside = inside_sentence(words, question, max(question.find(words), 0)).split()
    if any(_CAPITAL.search(word) or any(letter.isdigit() for letter in word) for word in inside):
        return len(words) >= _FEWEST_LETTERS
    return len(words.split()) > 1 or f'"{words}"' in question or f"'{words}'" in question


def inside_sentence(words: str, question: str, at: int) -> str:
    """Words without the one that has a capital for being the first of a sentence."""
    before = question[:at]
    is_first = not before.strip() or bool(_SENTENCE_END.search(before))
    return words.partition(" ")[2] if is_first else words


@dataclass(frozen=True)
class LinkedQuestion:
    """
    A question, what it names, the catalogue, and what retrieval and ranking make of them.

    `catalog` and `facts` are whole; `read.known` and `ranked` hold of a large catalogue what comes first.
    """

    question: str
    mentions: Mentions
    catalog: Catalog
    facts: Facts
    read: QuestionCatalog
    ranked: Ranked
