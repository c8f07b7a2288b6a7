"""
Passages of documents near a question: enter texts, leave the few that speak of what is asked, the
nearest first.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import log
from pathlib import Path

from linker.errors import ConfigError
from linker.text.words import readable, words_of_text

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
_LONGEST_PASSAGE = 400
_MOST_CHARACTERS = 3000
# More are not embedded: of a long document those that share most words with the question.
_MOST_EMBEDDED = 80
_WEIGHT_OF_WORDS = 0.5
# A heading, an item of a list, a row of a table.
_BEGINS = re.compile(r"[#|*•+-]|\d+[.)]\s")
_SENTENCE_ENDS = re.compile(r"(?<=[.;:!?])\s+")


def near_passages(question: str, documents: Iterable[str], nearness: Nearness) -> tuple[str, ...]:
    """
    The passages of files that share most with a question in meaning and words, within 3,000
    characters.
    """
    passages = list(
        dict.fromkeys(passage for path in documents for passage in passages_of(_text_of(path)))
    )
    shared = dict(zip(passages, _shared(question, passages), strict=True))
    best = sorted(passages, key=lambda passage: -shared[passage])[:_MOST_EMBEDDED]
    near = dict(zip(best, nearness(question, best), strict=True)) if best else {}
    chosen, left = list[str](), _MOST_CHARACTERS
    for passage in sorted(
        best, key=lambda passage: -(near[passage] + _WEIGHT_OF_WORDS * shared[passage])
    ):
        if len(passage) <= left:
            chosen.append(passage)
            left -= len(passage)
    return tuple(chosen)


def passages_of(text: str) -> list[str]:
    """Paragraphs, headings, items and rows of a text; a long one is cut between sentences."""
    passages: list[list[str]] = [[]]
    for line in map(readable, text.splitlines()):
        if not line or _BEGINS.match(line):
            passages.append([])
        if line:
            passages[-1].append(line)
    return [
        part for lines in passages for part in _cut(" ".join(lines)) if any(map(str.isalnum, part))
    ]


def _cut(passage: str) -> Iterator[str]:
    part = ""
    for sentence in _SENTENCE_ENDS.split(passage):
        if part and len(part) + len(sentence) >= _LONGEST_PASSAGE:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    yield part


def _shared(question: str, passages: Sequence[str]) -> list[float]:
    """The share of a question's words that each passage says, by their rarity."""
    words = [set(words_of_text(passage)) for passage in passages]
    wanted = set(words_of_text(question))
    holders = Counter(chain.from_iterable(words))
    rarity = {word: log(1 + len(words) / (1 + holders[word])) for word in wanted}
    total = sum(rarity.values()) or 1.0
    return [sum(map(rarity.__getitem__, wanted & held)) / total for held in words]


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError as error:
        raise ConfigError(
            f"cannot read the document {path}: {error.strerror}", hint="name a text file"
        ) from None
