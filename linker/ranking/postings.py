"""Where words stand: enter the words of many texts, leave for each word the texts that hold it, and its weight."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]

_K1 = 1.2
_B = 0.6


class Vocabulary:
    """The words of a catalogue by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, word: str) -> int:
        """The number of a word, a new one where it was not seen."""
        return self.numbers.setdefault(word, len(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Postings:
    """For each word the texts that hold it, with the saturated weight of BM25."""

    starts: Ints
    texts: Ints
    weights: Floats
    size: int

    def of(self, word: int) -> tuple[Ints, Floats]:
        """The texts that hold a word, and its weight in each."""
        if word + 1 >= len(self.starts):
            return self.texts[:0], self.weights[:0]
        here = slice(self.starts[word], self.starts[word + 1])
        return self.texts[here], self.weights[here]


def post(texts: Sequence[Iterable[int]]) -> Postings:
    """The postings of texts of word numbers."""
    numbers: list[int] = []
    places: list[int] = []
    repeats: list[int] = []
    lengths = np.zeros(len(texts), dtype=np.float32)
    for place, text in enumerate(texts):
        counted = Counter(text)
        lengths[place] = counted.total()
        numbers += counted.keys()
        repeats += counted.values()
        places += [place] * len(counted)
    held, at = np.array(numbers, dtype=np.int64), np.array(places, dtype=np.int64)
    order = np.argsort(held, kind="stable")
    times = np.array(repeats, dtype=np.float32)[order]
    told = lengths[lengths > 0]
    usual = float(told.mean()) if len(told) else 1.0
    norm = _K1 * (1 - _B + _B * lengths / usual)
    size = int(held.max()) + 1 if len(held) else 0
    starts = np.searchsorted(held[order], np.arange(size + 1)).astype(np.int64)
    weights = times * (_K1 + 1) / (times + norm[at[order]])
    return Postings(starts, at[order], weights.astype(np.float32), len(texts))


def rarity(holding: Ints, size: int) -> Floats:
    """How telling a word is that so many of all texts hold."""
    rare: Floats = np.log1p((size - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return rare
