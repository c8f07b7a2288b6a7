"""
Words of names, comments and questions: enters text, leave light stems, the same on both sides of a search.

Postgres' own configurations know one language each, and their dictionaries need extensions for accents.
So words are made here, once when a document is written and once when a question is asked, and Postgres compares them
letter by letter. The endings that are cut are English; a word of another language is only folded.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLURAL_ACRONYM = re.compile(r"(?<=[A-Z][A-Z])s(?![A-Za-z])")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_VOWEL = re.compile("[aeiouy]")
_NO_LETTER = re.compile(r"[\W_]+")
# Postgres refuses a word of more than 2,046 bytes.
_LONGEST_WORD = 100

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
# German ones, and those that are words of English as well: they name nothing where two of the others stand.
GERMAN = frozenset((
    "aber", "alle", "allen", "auf", "aus", "bei", "bis", "das", "dem", "der", "des", "diese", "diesem", "dieser",
    "durch", "ein", "eine", "einem", "einen", "einer", "eines", "es", "gab", "gibt", "haben", "hatte", "hatten", "ich",
    "ihr", "ihre", "ihren", "im", "ist", "jede", "jedem", "jeden", "jeder", "jedes", "kein", "keine", "mehr", "meisten",
    "mit", "nach", "nicht", "noch", "nur", "oder", "pro", "schon", "sich", "sie", "sind", "und", "uns", "unser",
    "unsere", "unserer", "viel", "viele", "vielen", "vom", "von", "waren", "wann", "welche", "welchem", "welchen",
    "welcher", "welches", "wer", "werden", "wie", "wir", "wird", "wo", "wurde", "wurden", "zu", "zum", "zur",
    "zwischen", "über",
))
_GERMAN_AND_ENGLISH = frozenset(("also", "am", "bald", "den", "die", "hat", "man", "so", "war", "was"))
# Words that are values of many columns, and are said for other reasons as well.
_SAID_DAILY = (
    *("active", "inactive", "open", "opened", "closed", "close", "new", "old", "high", "medium", "low", "public"),
    *("private", "general", "standard", "basic", "normal", "regular", "common", "other", "others", "unknown", "main"),
    *("primary", "secondary", "local", "online", "offline", "home", "work", "direct", "current", "former", "final"),
    *("single", "double", "man", "men", "woman", "women", "north", "south", "east", "west", "left", "right", "up"),
    *("in", "out", "start", "end", "early", "late", "day", "night", "morning", "evening", "summer", "winter", "spring"),
    *("autumn", "fall", "on", "off", "yes", "no", "good", "great", "fair", "poor", "bad", "success", "live", "sale"),
    *("return", "order", "service", "support", "website", "web", "store", "product", "customer", "user", "company"),
    *("item", "game", "match", "player", "team", "event", "account", "type", "group", "member", "offen", "neu"),
    *("free", "down", "offene", "neue", "neuen"),
    *("alt", "hoch", "niedrig", "mittel", "aktiv", "aktive", "gut", "schlecht", "frei", "sonstige"),
)
# fmt: on


def saying_nothing(words: Sequence[str]) -> frozenset[str]:
    """The words that name nothing in a question, by the language that it is in."""
    is_german = sum(word in GERMAN for word in set(words)) > 1
    return SAYING_NOTHING | GERMAN | _GERMAN_AND_ENGLISH if is_german else SAYING_NOTHING


def readable(text: str) -> str:
    """A text in one line, without characters that no store can hold or that only a terminal obeys."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(seen.encode("utf-8", "ignore").decode().split())


def unaccented(text: str) -> str:
    """The letters without their accents, in the case they have."""
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def folded(text: str) -> str:
    """A text for which neither case, accents nor the width of blanks matter."""
    return " ".join(unaccented(text).casefold().split())


def parts(text: str) -> list[str]:
    """The parts of names and sentences in lower case: split at camel case, underscores, digits and punctuation."""
    split = unaccented(text)
    # Small letters alone, as in most texts, hold neither camels nor acronyms.
    if not split.islower():
        split = _CAMEL.sub(" ", _PLURAL_ACRONYM.sub(" ", split))
    if split.isascii():
        return _PARTS.findall(split.lower())
    # Folding may add marks, which are no letters: the parts of other scripts are folded after they are found.
    return [part.casefold() for part in _PARTS.findall(split)]


def words_of_name(name: str) -> list[str]:
    """The stems of a name; in a name every word says something."""
    return [stem(part) for part in parts(name)]


def words_of_text(text: str) -> list[str]:
    """The stems of a sentence, without the words that name nothing."""
    return [stem(part) for part in parts(text) if part not in SAYING_NOTHING]


@lru_cache(maxsize=100_000)
def squashed(text: str) -> str:
    """The letters and digits alone: AB-12 is ab12."""
    return _NO_LETTER.sub("", folded(text))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The singular, without -ing, -ed or a last -e where enough is left."""
    word = _singular(word[:_LONGEST_WORD])
    if word.endswith(("ing", "ed")):
        rest = word[:-3] if word.endswith("ing") else word[:-2]
        if len(rest) >= 3 and _VOWEL.search(rest):
            word = rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "ls" else rest
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _singular(word: str) -> str:
    if not word.endswith("s"):
        return word
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


EVERYDAY = frozenset(map(stem, (*SAYING_NOTHING, *_SAID_DAILY)))
