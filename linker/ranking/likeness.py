"""How far one word may stand for another: the same, a beginning, an abbreviation, a misspelling."""

import re
from functools import lru_cache
from itertools import takewhile

_VOWELS = re.compile(r"(?<!^)[aeiouy]")
_SHORTEST_PREFIX = 3
SHORTEST_ROOT = 6
_SHORTEST_SKELETON = 2
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


def similarity(asked: str, named: str) -> float:
    """How far one word may stand for the other, from 0 to 1: the same, a beginning, an abbreviation, alike."""
    if asked == named:
        return 1.0
    if asked.isdigit() or named.isdigit():
        return 0.0
    short, long = sorted((asked, named), key=len)
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return 0.4 + 0.5 * len(short) / len(long)
    if _abbreviates(short, long):
        return 0.55
    if _has_same_root(short, long):
        return 0.45
    return _trigram_similarity(asked, named)


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
    return root >= SHORTEST_ROOT and 2 * root >= len(long)


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _trigram_similarity(one: str, other: str) -> float:
    if min(len(one), len(other)) < 4:
        return 0.0
    left, right = trigrams(one), trigrams(other)
    overlap = len(left & right) / len(left | right)
    return 0.75 * overlap if overlap >= _LEAST_TRIGRAM_OVERLAP else 0.0
