"""
Tokenises and stems names, comments and questions identically for indexing and search.

PostgreSQL's text search configurations cover one language each and need extensions for accents, so
tokens are made here and PostgreSQL compares them literally. Stemming is English; other languages
are only case-folded.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLURAL_ACRONYM = re.compile(r"(?<=[A-Z][A-Z])s(?![A-Za-z])")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_VOWEL = re.compile("[aeiouy]")
_NO_LETTER = re.compile(r"[\W_]+")
# Suffixes of stems of derived nouns: suffix, replacement, and minimum number of letters before it,
# as shorter words only look derived (`station`, `order`).
_DERIVED = (
    ("cription", "crib", 2),
    ("ication", "y", 4),
    ("tration", "ter", 4),
    ("ation", "", 4),
    ("ment", "", 4),
    ("anc", "", 4),
    ("enc", "", 4),
    ("ery", "er", 4),
    ("ion", "", 5),
    ("ial", "ia", 3),
    ("al", "", 4),
    ("ur", "", 4),
    ("ier", "y", 4),
    ("er", "", 4),
    ("or", "", 5),
    ("ye", "y", 4),
    ("i", "y", 4),
)
# `organisation`, but not `analysis`.
_BRITISH_IS = re.compile(r"(?<=[a-z]{3})is(?=(?:e|ed|er|ing|ation)s?$)")
_SAME_IN_PLURAL = frozenset({"lens", "news", "series", "species"})
# Postgres rejects words of more than 2,046 bytes.
_LONGEST_WORD = 100


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


@cache
def word_list(name: str) -> frozenset[str]:
    """A list of words.toml, where each is documented."""
    return frozenset(_lists()[name].split())


def word_values(name: str) -> Mapping[str, int]:
    """An ordered mapping of words.toml to numbers."""
    pairs = (item.split("=") for item in _lists()[name].split())
    return {word: int(value) for word, value in pairs}


STOP_WORDS = word_list("stop_words")
_INFORMATIVE_ENGLISH = word_list("telling_english")


def is_english(text: str) -> bool:
    """False if script or stop words show another language; names alone are inconclusive."""
    letters = [letter for letter in unaccented(text) if letter.isalpha()]
    if sum(letter.isascii() for letter in letters) < len(letters) / 2:
        return False
    spoken = parts(text)
    other = word_list("telling_other_languages") | word_list("telling_german")
    shared = word_list("shared")
    others = sum(word in other and word not in shared for word in spoken)
    return others == 0 or others <= sum(word in _INFORMATIVE_ENGLISH for word in spoken)


def stop_words(words: Sequence[str]) -> frozenset[str]:
    """Stop words by language."""
    german = word_list("german")
    is_german = len(german.intersection(words)) > 1
    return STOP_WORDS | german | word_list("german_and_english") if is_german else STOP_WORDS


def readable(text: str) -> str:
    """One line without characters that stores reject or terminals obey."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(text.split())


def unaccented(text: str) -> str:
    """Remove accents, keep case."""
    if text.isascii():
        return text
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(letter)
    )


def casefold_ascii(text: str) -> str:
    """Ignore case, accents and width of spaces."""
    return " ".join(unaccented(text).casefold().split())


def parts(text: str) -> list[str]:
    """Lower-case parts: split at camel case, underscores, digits and punctuation."""
    split = unaccented(text)
    # Fast path: lower case or capitalised text has no camel case or acronyms.
    if not (split[1:].islower() or split.istitle()):
        split = _CAMEL.sub(" ", _PLURAL_ACRONYM.sub(" ", split))
    if split.isascii():
        return _PARTS.findall(split.lower())
    # Folding may add combining marks, so fold after splitting.
    return [part.casefold() for part in _PARTS.findall(split)]


def words_of_name(name: str) -> list[str]:
    """Stems of a name, without stop word removal."""
    return [*map(stem, parts(name))]


def words_of_text(text: str) -> list[str]:
    """Stems of a text without stop words."""
    return [*filter(None, map(_telling, parts(text)))]


@lru_cache(maxsize=100_000)
def _telling(part: str) -> str:
    """The stem, or empty for a stop word."""
    return "" if part in STOP_WORDS else stem(part)


@lru_cache(maxsize=100_000)
def alnum_key(text: str) -> str:
    """Letters and digits only: AB-12 is ab12."""
    return _NO_LETTER.sub("", casefold_ascii(text))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """
    Strip plurals, -ing, -ed and final -e if enough remains; British spellings have the stem of
    American ones.
    """
    stripped = _stripped(_BRITISH_IS.sub("iz", word[:_LONGEST_WORD]))
    return _american_stems().get(stripped, stripped)


@cache
def _american_stems() -> dict[str, str]:
    """Stems of British spellings, each with the American one."""
    pairs = (item.split("=") for item in _lists()["american_spellings"].split())
    return {_stripped(british): _stripped(american) for british, american in pairs}


def _stripped(word: str) -> str:
    word = _singular(word)
    if word.endswith("eed"):
        # `agreed` is of `agree`, but `speed` of nothing shorter.
        return word[:-2] if _VOWEL.search(word[:-3]) else word
    if word.endswith(("ing", "ed")):
        rest = word[:-3] if word.endswith("ing") else word[:-2]
        if len(rest) >= 3 and _VOWEL.search(rest):
            word = (
                rest[:-1]
                if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "ls"
                else rest
            )
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _singular(word: str) -> str:
    if not word.endswith("s") or word in _SAME_IN_PLURAL:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=100_000)
def root(word: str) -> str:
    """
    Root of a stem, shared with derived words: `rent` for `rental` and `rented`, `pay` for `payment`
    and `paid`.
    """
    word = _irregular_forms().get(word, word)
    for suffix, ending, least in _DERIVED:
        if word.endswith(suffix) and len(word) - len(suffix) >= least:
            return root(word[: -len(suffix)] + ending)
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


@cache
def _irregular_forms() -> dict[str, str]:
    """Stems of irregular forms, each with the stem of its verb."""
    pairs = (item.split("=") for item in _lists()["irregular_forms"].split())
    return {stem(form): stem(verb) for form, verb in pairs}


EVERYDAY = frozenset(map(stem, STOP_WORDS | word_list("said_daily")))
