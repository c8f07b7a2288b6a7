"""Likeness of words: the same, a beginning, an abbreviation, a misspelling."""

import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Set
from functools import lru_cache
from itertools import chain, islice, takewhile
from threading import Lock

_VOWELS = re.compile(r"(?<!^)[aeiouy]")
_SHORTEST_PREFIX = 3
_SHORTEST_ROOT = 6
_SHORTEST_SKELETON = 2
_MOST_SIMILAR = 25
_MOST_BEGINNING = 200
_LEAST_TRIGRAM_OVERLAP = 0.5


@lru_cache(maxsize=200_000)
def skeleton(word: str) -> str:
    """
    The first letter and the consonants after it, none of them twice in a row: `amount` is `amnt`.
    """
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
    """
    `cnt` has the consonants of `count`, `amt` and `qty` some of those of `amount` and `quantity`,
    first and last.
    """
    if len(short) < _SHORTEST_SKELETON or len(long) < len(short) + 2 or short[0] != long[0]:
        return False
    bones = skeleton(long)
    if skeleton(short) == bones and len(bones) > 2:
        return True
    has_few_vowels = len(_VOWELS.sub("", short)) == len(short) or short[-1] == "y"
    return (
        len(short) > 2 and has_few_vowels and short[-1] == long[-1] and _is_subsequence(short, long)
    )


def _has_same_root(short: str, long: str) -> bool:
    """`satisfied` and `satisfaction` begin alike for half of the longer."""
    root = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(short, long, strict=False))
    )
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
    """
    Words by what they have in common; any may be added, and those are found that a catalogue has.
    """

    def __init__(self, words: list[str] | None = None, *groups: dict[str, list[str]]) -> None:
        self._sorted = words or []
        self._known = set(self._sorted)
        self._groups = [defaultdict(list, group) for group in groups or ({}, {}, {})]
        self._by_ends, self._by_bones, self._by_trigram = self._groups
        self._lock = Lock()

    @property
    def parts(self) -> tuple[list[str], *tuple[dict[str, list[str]], ...]]:
        """What it is made of, to make the same again."""
        return self._sorted, *self._groups

    def add(self, words: Iterable[str]) -> None:
        """Let words be found; a number is like no other."""
        with self._lock:
            for word in words:
                if word in self._known or word.isdigit():
                    continue
                self._known.add(word)
                insort(self._sorted, word)
                self._by_ends[word[0] + word[-1]].append(word)
                self._by_bones[skeleton(word)].append(word)
                for run in trigrams(word) if len(word) > 3 else ():
                    self._by_trigram[run].append(word)

    def of(self, word: str, named: Set[str]) -> tuple[tuple[str, float], ...]:
        """
        The others among the named words that are like a word, with how like they are, the most
        first.
        """
        if word.isdigit():
            return ()
        with self._lock:
            candidates = self._candidates(word, named)
        alike = ((similarity(word, other), other) for other in candidates if other != word)
        best = sorted(
            (pair for pair in alike if pair[0] > 0), key=lambda pair: (-pair[0], pair[1])
        )[:_MOST_SIMILAR]
        return tuple((other, degree) for degree, other in best)

    def _candidates(self, word: str, named: Set[str]) -> set[str]:
        found = {word[:end] for end in range(3, len(word))}
        for start in (word, word[:_SHORTEST_ROOT]) if len(word) > 2 else ():
            first = bisect_left(self._sorted, start)
            beginning = islice(self._sorted, first, bisect_left(self._sorted, f"{start}\U0010ffff"))
            found.update(islice((other for other in beginning if other in named), _MOST_BEGINNING))
        found.update(self._by_bones.get(skeleton(word), ()))
        found.update(
            other
            for other in self._by_ends.get(word[0] + word[-1], ())
            if abs(len(other) - len(word)) > 1
        )
        # Half of all trigrams in common is at least a third of those of the word asked.
        runs = trigrams(word) if len(word) > 3 else ()
        counts = Counter(chain.from_iterable(self._by_trigram.get(run, ()) for run in runs))
        found.update(other for other, count in counts.items() if 3 * count >= len(word))
        return found & named
