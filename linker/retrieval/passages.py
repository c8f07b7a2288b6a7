"""The passages of documents that are near to a question."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import log
from pathlib import Path

from linker.errors import ConfigError
from linker.text.words import readable, words_of_text

_LONGEST_PASSAGE = 400
Nearness = Callable[[str, Sequence[str]], Sequence[float]]
_MAX_CHARACTERS = 3000
# Of a long document the passages that share most words are embedded.
_MAX_EMBEDDED = 80
_WEIGHT_OF_WORDS = 0.5
# Headings, list items, table rows.
_BEGINS = re.compile(r"[#|*•+-]|\d+[.)]\s")
_FEW_WORDS = 3
_SENTENCE_ENDS = re.compile(r"(?<=[.;:!?])\s+")


def near_passages(question: str, documents: Iterable[str], nearness: Nearness) -> tuple[str, ...]:
    """Nearest passages of files by meaning and words, up to 3,000 characters."""
    texts = map(_text_of, documents)
    passages = list(dict.fromkeys(chain.from_iterable(map(passages_of, texts))))
    shared = dict(zip(passages, _shared(question, passages), strict=True))
    best = sorted(passages, key=lambda passage: -shared[passage])[:_MAX_EMBEDDED]
    near = dict(zip(best, nearness(question, best), strict=True)) if best else {}
    chosen, left = list[str](), _MAX_CHARACTERS
    for passage in sorted(
        best, key=lambda passage: -(near[passage] + _WEIGHT_OF_WORDS * shared[passage])
    ):
        if len(passage) <= left:
            chosen.append(passage)
            left -= len(passage)
    return tuple(chosen)


def passages_of(text: str) -> list[str]:
    """
    Paragraphs with their headings, items and rows; long ones are split at sentences, items of a few
    words stay together.
    """
    passages: list[list[str]] = [[]]
    for line in map(readable, text.splitlines()):
        words = [word for word in line.split() if any(map(str.isalnum, word))]
        is_heading, begins = line.startswith("#"), _BEGINS.match(line)
        only_headings = all(before.startswith("#") for before in passages[-1])
        if not only_headings and (is_heading or not words or (begins and len(words) > _FEW_WORDS)):
            passages.append([])
        if words:
            passages[-1].append(line)
    return list(chain.from_iterable(_cut(" ".join(lines)) for lines in passages if lines))


def _cut(passage: str) -> Iterator[str]:
    part = ""
    for sentence in _SENTENCE_ENDS.split(passage):
        if part and len(part) + len(sentence) >= _LONGEST_PASSAGE:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    yield part


def _shared(question: str, passages: Sequence[str]) -> list[float]:
    """Rarity-weighted share of the question's words in each passage."""
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
