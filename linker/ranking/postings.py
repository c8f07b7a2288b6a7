"""Where words stand: enter the words of many texts, leave for each word the texts that hold it, and its weight."""

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

    def number(self, words: Iterable[str]) -> list[int]:
        """The numbers of words, new ones for those that were not seen."""
        numbers = self.numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]

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


def post(texts: Sequence[Sequence[int]]) -> Postings:
    """The postings of texts of word numbers."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    words = np.fromiter((word for text in texts for word in text), dtype=np.int64, count=int(lengths.sum()))
    count = max(len(texts), 1)
    # A pair of word and text is one number, so that sorting puts words together and their texts in order.
    pairs, times = np.unique(words * count + np.repeat(np.arange(len(texts)), lengths), return_counts=True)
    held, at = np.divmod(pairs, count)
    told = lengths[lengths > 0].astype(np.float32)
    usual = float(told.mean()) if len(told) else 1.0
    norm = _K1 * (1 - _B + _B * lengths.astype(np.float32) / usual)
    size = int(held[-1]) + 1 if len(held) else 0
    starts = np.searchsorted(held, np.arange(size + 1)).astype(np.int64)
    repeats = times.astype(np.float32)
    weights = repeats * (_K1 + 1) / (repeats + norm[at])
    return Postings(starts, at, weights.astype(np.float32), len(texts))


def distinct(numbers: Ints) -> Ints:
    """Each number once, in order. Asked for no counts, `np.unique` would import numpy.ma, which takes 20 ms."""
    found: Ints = np.unique(numbers, return_counts=True)[0]
    return found


def rarity(holding: Ints, size: int) -> Floats:
    """How telling a word is that so many of all texts hold."""
    rare: Floats = np.log1p((size - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    return rare
