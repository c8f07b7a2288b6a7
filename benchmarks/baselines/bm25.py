"""BM25 ranking of a catalog's documents."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_K1 = 1.5
_B = 0.75
# Camel case, digits and everything that is no letter part words.
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")

MatchFeatures = npt.NDArray[np.float64]


# Words that questions have and names have not.
# fmt: off
_SAYING_NOTHING = frozenset((
    "a", "all", "among", "an", "and", "any", "are", "as", (
        "at"
    ), "be", "been", "between", "by", "did", "do",
    "does", "during", "each", "find", "for", "from", "give", (
        "had"
    ), "has", "have", "how", "in", "into",
    "is", "it", "its", "least", "list", "many", "me", "more", (
        "most"
    ), "much", "not", "of", "on", "only", "or",
    "over", "per", "please", "return", "show", "than", (
        "that"
    ), "the", "their", "there", "this", "to",
    "under", "was", "were", "what", "which", "who", "with",
))
# fmt: on


def words(text: str) -> list[str]:
    """Lower-case singular words."""
    found = (part.lower() for part in _PARTS.findall(text))
    return [_singular(word) for word in found if word not in _SAYING_NOTHING]


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class Bm25Index:
    """Postings of all words, with the weight that each has in each document."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(words(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        norm = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0)) if len(texts) else lengths
        postings: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for number, count in enumerate(counts):
            for word, times in count.items():
                postings[word][0].append(number)
                postings[word][1].append(times)
        self._size = len(texts)
        self._postings: dict[str, tuple[npt.NDArray[np.int64], MatchFeatures]] = {}
        for word, (holding, repeats) in postings.items():
            indexes = np.array(holding)
            found = np.array(repeats, dtype=np.float64)
            rarity = np.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
            self._postings[word] = (indexes, rarity * found * (_K1 + 1) / (found + norm[indexes]))

    def scores(self, question: str) -> MatchFeatures:
        """The score of every document."""
        total = np.zeros(self._size)
        for word in words(question):
            if word in self._postings:
                indexes, weights = self._postings[word]
                total[indexes] += weights
        return total
