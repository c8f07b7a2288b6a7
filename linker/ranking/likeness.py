"""Likeness of words: the same, a beginning, an abbreviation, a misspelling."""

import re
from bisect import bisect_left
from collections import defaultdict
from functools import lru_cache
from itertools import takewhile

_VOWELS = re.compile(r"(?<!^)[aeiouy]")
_SHORTEST_PREFIX = 3
_SHORTEST_ROOT = 6
_SHORTEST_SKELETON = 2
_MOST_SIMILAR = 25
_LEAST_TRIGRAM_OVERLAP = 0.5


@lru_cache(maxsize=200_000)
def skeleton(word: str) -> str:
    """The first letter and the consonants after it, none of them twice in a row: `amount` is `amnt`."""
    return re.sub(r"(.)\1+", r"\1", _VOWELS.sub("", word))


@lru_cache(maxsize=200_000)
def trigrams(word: str) -> frozenset[str]:
    """The runs of three letters, with the ends marked."""
    marked = f"^{word}$"
    return frozenset(marked[start : start + 3] for start in range(len(marked) - 2))


def similarity(wanted: str, named: str) -> float:
    """The likeness of two words, from 0 to 1: the same, a beginning, an abbreviation, alike."""
    if wanted == named:
        return 1.0
    if wanted.isdigit() or named.isdigit():
        return 0.0
    short, long = sorted((wanted, named), key=len)
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return 0.4 + 0.5 * len(short) / len(long)
    if _abbreviates(short, long):
        return 0.55
    if _has_same_root(short, long):
        return 0.45
    return _trigram_similarity(wanted, named)


def _abbreviates(short: str, long: str) -> bool:
    """`cnt` has the consonants of `count`, `amt` and `qty` some of those of `amount` and `quantity`, first and last."""
    if len(short) < _SHORTEST_SKELETON or len(long) < len(short) + 2 or short[0] != long[0]:
        return False
    bones = skeleton(long)
    if skeleton(short) == bones and len(bones) > 2:
        return True
    has_few_vowels = len(_VOWELS.sub("", short)) == len(short) or short[-1] == "y"
    return len(short) > 2 and has_few_vowels and short[-1] == long[-1] and _is_subsequence(short, long)


def _has_same_root(short: str, long: str) -> bool:
    """`satisfied` and `satisfaction` begin alike for half of the longer."""
    root = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(short, long, strict=False)))
    return root >= _SHORTEST_ROOT and 2 * root >= len(long)


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _trigram_similarity(word: str, other: str) -> float:
    if min(len(word), len(other)) < 4:
        return 0.0
    left, right = trigrams(word), trigrams(other)
    overlap = len(left & right) / len(left | right)
    return 0.75 * overlap if overlap >= _LEAST_TRIGRAM_OVERLAP else 0.0


class SimilarWords:
    """Words by what they have in common; what was asked once is remembered."""

    def __init__(self, named: dict[str, int], known: dict[str, int]) -> None:
        self._named, self._known = named, known
        self._sorted = sorted(word for word in named if not word.isdigit())
        self._by_ends: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_bones: dict[str, list[str]] = defaultdict(list)
        self._by_trigram: dict[str, list[str]] = defaultdict(list)
        for word in self._sorted:
            self._by_ends[word[0], word[-1]].append(word)
            self._by_bones[skeleton(word)].append(word)
            for run in trigrams(word) if len(word) > 3 else ():
                self._by_trigram[run].append(word)
        self._found: dict[str, tuple[tuple[int, float], ...]] = {}

    def of(self, word: str) -> tuple[tuple[int, float], ...]:
        """The numbers of the words alike, with how alike they are."""
        if word not in self._found:
            self._found[word] = self._look_up(word)
        return self._found[word]

    def _look_up(self, word: str) -> tuple[tuple[int, float], ...]:
        exact = ((self._known[word], 1.0),) if word in self._known else ()
        if word.isdigit():
            return exact
        alike = ((similarity(word, other), other) for other in self._candidates(word) if other != word)
        best = sorted((pair for pair in alike if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))[:_MOST_SIMILAR]
        return exact + tuple((self._named[other], degree) for degree, other in best)

    def _candidates(self, word: str) -> set[str]:
        found = {word[:end] for end in range(3, len(word)) if word[:end] in self._named}
        for start in (word, word[:_SHORTEST_ROOT]) if len(word) > 2 else ():
            first = bisect_left(self._sorted, start)
            last = bisect_left(self._sorted, f"{start}\U0010ffff")
            found.update(self._sorted[first : min(last, first + 200)])
        found.update(self._by_bones.get(skeleton(word), ()))
        found.update(other for other in self._by_ends.get((word[0], word[-1]), ()) if abs(len(other) - len(word)) > 1)
        counts: dict[str, int] = defaultdict(int)
        for run in trigrams(word) if len(word) > 3 else ():
            for other in self._by_trigram.get(run, ()):
                counts[other] += 1
        # Half of all trigrams in common is at least a third of those of the word asked.
        found.update(other for other, count in counts.items() if 3 * count >= len(word))
        return found
