"""
Words of names and sentences: enters text, leave stems, and the shapes by which abbreviations are recognised.

The rules are of English spelling and of how names are written; none knows a word of any database.
"""

import re
from functools import lru_cache

# Camel case, digits and everything that is no letter part words; `UIDs` is UID in the plural, `VMs` is VM.
_PARTS = re.compile(r"[A-Z]{2,}(?=s(?![a-z]))|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_PLURAL_ACRONYM = re.compile(r"(?<=[A-Z])s(?![a-z])")
_VOWELS = re.compile(r"(?<!^)[aeiouy]")
_SHORTEST_PREFIX = 3
_SHORTEST_SKELETON = 2
_LEAST_TRIGRAM_OVERLAP = 0.5

# Words that questions have and that name nothing.
# fmt: off
SAYING_NOTHING = frozenset((
    "a", "about", "after", "all", "also", "am", "among", "an", "and", "any", "are", "as", "at", "based", "be", "been",
    "before", "being", "between", "both", "but", "by", "calculate", "calculated", "can", "consider", "considering",
    "could", "did", "determine", "do", "does", "doing", "during", "each", "ensure", "etc", "every", "exclude",
    "excluding", "find", "following", "for", "from", "get", "give", "given", "had", "has", "have", "having", "help",
    "how", "i", "identify", "if", "in", "include", "including", "into", "is", "it", "its", "least", "let", "list",
    "many", "me", "mention", "more", "most", "much", "must", "need", "no", "not", "of", "on", "only", "or", "other",
    "our", "out", "over", "per", "please", "present", "provide", "refer", "refers", "report", "retrieve", "return",
    "s", "show", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "to", "under", "up", "use", "using", "want", "was", "we", "were", "what", "when", "where",
    "whether", "which", "while", "who", "whose", "will", "with", "within", "without", "would", "you", "your",
))
# fmt: on


def parts(text: str) -> list[str]:
    """The parts of a name or a sentence in lower case, in order."""
    return [part.lower() for part in _PARTS.findall(_PLURAL_ACRONYM.sub(" ", text))]


def words(text: str) -> list[str]:
    """The stems of a text, without the words that name nothing."""
    return [stem(part) for part in parts(text) if part not in SAYING_NOTHING]


def name_words(name: str) -> list[str]:
    """The stems of a name; in a name every word says something."""
    return [stem(part) for part in parts(name)]


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """A light stem: the singular, without -ing and -ed where enough is left."""
    word = _singular(word)
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and re.search("[aeiouy]", rest):
            return _undoubled(rest)
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _undoubled(word: str) -> str:
    """`stopp` is `stop`, but `pass` stays."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        return word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def squashed(text: str) -> str:
    """A name without its separators and in lower case."""
    return re.sub(r"[\W_]+", "", text).lower()


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


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _trigram_similarity(one: str, other: str) -> float:
    if min(len(one), len(other)) < 4:
        return 0.0
    left, right = trigrams(one), trigrams(other)
    overlap = len(left & right) / len(left | right)
    return 0.75 * overlap if overlap >= _LEAST_TRIGRAM_OVERLAP else 0.0
