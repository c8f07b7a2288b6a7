"""
Words of names without separators: `careunit` is `care unit`, `CITYLOCALNAME` is `city local name`.

A part of a name is split if it is no English word itself and consists of two or three of them.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice, takewhile

from linker.embedders.offline import vocabulary
from linker.text.words import STOP_WORDS, parts, root, stem, word_list

_SHORTEST = 6
_MOST_WORDS = 3
# Words of three letters are often endings or abbreviations by chance: one is enough, and a frequent
# one at the end.
_SHORTEST_WORD = 3
_FREQUENT = 8000
_FREQUENT_AT_END = 3000
_NEVER = 1_000_000
# Letters by which the root of a word may differ from its beginning.
_ENDING = 2
_NAMING = frozenset().union(
    *(
        word_list(f"naming_{kind}")
        for kind in ("keys", "names", "times", "places", "groups", "amounts", "people")
    )
)
_NO_PLURALS = ("ss", "us", "is")
_ENDINGS = frozenset(("able", "less", "ness", "ship"))
_NO_PARTS = STOP_WORDS - {"other"}
# Short words that begin names: `isactive`, `ipaddress`, `uspatent`.
_BEGINNINGS = frozenset(("db", "eu", "ip", "is", "uk", "us"))


def name_parts(name: str) -> list[str]:
    """Lower-case words of a name."""
    words = list[str]()
    for part in parts(name):
        words += split_word(part)
    return words


def name_stems(name: str) -> list[str]:
    """Stems of a name's words."""
    return [*map(stem, name_parts(name))]


@lru_cache(maxsize=100_000)
def split_word(part: str) -> tuple[str, ...]:
    """The words of a lower-case part, or the part itself; a plural is split as its singular."""
    if len(part) < _SHORTEST or not part.isascii() or not part.isalpha() or _is_word(part):
        return (part,)
    if part.endswith("s") and not part.endswith(_NO_PLURALS):
        *first, last = split_word(part[:-1])
        return (*first, f"{last}s")
    if part[:2] in _BEGINNINGS and (_is_word(part[2:]) or len(split_word(part[2:])) > 1):
        return part[:2], *split_word(part[2:])
    splits = (words for words in _splits(part, _MOST_WORDS) if sum(map(_is_short, words)) < 2)
    return min(splits, key=_cost, default=(part,))


def _splits(letters: str, most: int) -> Iterator[tuple[str, ...]]:
    """All ways to split into two words or more."""
    for end in range(_SHORTEST_WORD, len(letters) - 1) if most > 1 else ():
        first, rest = letters[:end], letters[end:]
        if _rank(first) < _rarest(first, _FREQUENT):
            if rest == "id" or _rank(rest) < _rarest(rest, _FREQUENT_AT_END):
                yield first, rest
            for others in _splits(rest, most - 1):
                yield first, *others


def _cost(words: tuple[str, ...]) -> tuple[int, int]:
    """Few and frequent words are best."""
    return len(words), sum(map(_rank, words))


def _is_short(word: str) -> bool:
    return len(word) <= _SHORTEST_WORD and word not in _NAMING


def _rarest(word: str, of_short: int) -> int:
    """The rank below which a word counts."""
    return of_short if _is_short(word) else _NEVER


def _rank(word: str) -> int:
    """Rank of an English word."""
    if len(word) < _SHORTEST_WORD or word in _ENDINGS or word in _NO_PARTS:
        return _NEVER
    if word in _NAMING:
        return 0
    return rank_by_word().get(word, _NEVER)


def _is_word(word: str) -> bool:
    """Whether a word or one with its root is English, or names columns."""
    return word in _NAMING or word in rank_by_word() or _has_root(root(stem(word)))


@cache
def rank_by_word() -> dict[str, int]:
    """English words; the vocabulary begins with frequent ones."""
    words = (word for word in vocabulary() if word.isalpha())
    return {word: rank for rank, word in enumerate(words)}


@cache
def _ordered() -> list[str]:
    return sorted(rank_by_word())


def _has_root(target: str) -> bool:
    """
    Whether an English word has this root; only words that begin alike are tried, since the roots of
    all take a tenth of a second.
    """
    beginning = target[: max(_SHORTEST_WORD, len(target) - _ENDING)]
    words = _ordered()
    alike = takewhile(
        lambda word: word.startswith(beginning), islice(words, bisect_left(words, beginning), None)
    )
    return any(root(stem(word)) == target for word in alike)
