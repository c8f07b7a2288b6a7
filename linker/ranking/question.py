"""What a question asks with: enters its text, leave its words, spans, literals and what kind of thing it asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linker.text.words import SAYING_NOTHING, parts, squashed, stem

QUOTED = re.compile(r"[\"“”]([^\"“”]{1,80})[\"“”]|(?<![A-Za-z])['‘`]([^'‘’`]{1,80})['’`](?![A-Za-z])")
_RAW = re.compile(r"[^\s,;:!?()\[\]{}\"“”]+")
# `total_amount`, `orders.id`, `fullVisitorId`: nobody writes so by chance.
_SPELT = re.compile(r"[A-Za-z0-9]+(?:[_.][A-Za-z0-9_]+)+|\b[a-z]+(?:[A-Z][a-z0-9]*)+|\b(?:[A-Z][a-z0-9]+){2,}\b")
# An identifier of rows is no word: `35620978-cabd-48bd`, `f964c0ae`, `1.2.840.10008`.
_CODES = re.compile(r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{6,}(?:-[0-9a-f]{4,})*\b|\b\d+(?:\.\d+){3,}\b")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_LONGEST_SPAN = 4
_MOST_WORDS = 150
_LONGEST_VALUE = 6
_ASKED = {
    "time": r"when|date|day|week|month|year|quarter|hour|minute|time|dai?ly|weekly|monthly|yearly|annual\w*|recent\w*"
    r"|latest|earliest|newest|oldest|since|period|january|february|march|april|june|july|august|september|october"
    r"|november|december|jan|feb|aug|sept?|oct|nov|dec|age|duration|decade|century|season|trend|\d{4}-\d\d(?:-\d\d)?",
    "name": r"who|whose|names?|named|called|titles?|which|list|identify",
    "place": r"where|locations?|located|city|cities|state|country|countries|county|counties|region|distance|miles"
    r"|kilomet\w+|meters?|latitude|longitude|zip|area|boundar\w+|near\w*|inside|within|map|geograph\w+|coordinates?",
    "measure": r"total|sum|average|mean|median|highest|lowest|largest|smallest|maximum|minimum|max|min|most|least|top"
    r"|ratio|percent\w*|proportion|rates?|growth|amount|much|greater|less|more|fewer|above|below|deviation|correlation"
    r"|score|exceed\w*|calculate",
    "number": r"how many|number of|counts?|distinct|unique|frequency|frequent\w*",
    "group": r"each|every|per|by|group\w*|categor\w+|types?|kinds?|among|across",
    "all": r"(?:all|full|complete|any)?\s*(?:the )?(?:information|details?|everything|all data|all columns|all fields)"
    r" (?:about|of|on|for|regarding)|provide information",
}
_PATTERNS = {kind: re.compile(rf"(?<![\w])(?:{pattern})(?![\w])", re.IGNORECASE) for kind, pattern in _ASKED.items()}
KINDS = tuple(_ASKED)


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """A question taken apart. Spans and phrases are texts as names and values are compared with them."""

    text: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    spans: tuple[tuple[str, int], ...]
    phrases: tuple[str, ...]
    quoted: frozenset[str]
    spelt: frozenset[str]
    years: tuple[int, ...]
    asks: frozenset[str]


def analyse(text: str) -> QuestionWords:
    """Take a question apart."""
    found = parts(_CODES.sub(" ", text))
    repeats: dict[str, int] = {}
    for part in found:
        if part not in SAYING_NOTHING:
            word = stem(part)
            repeats[word] = repeats.get(word, 0) + 1
    kept = list(repeats)[:_MOST_WORDS]
    quoted = frozenset(value_key(one or other) for one, other in QUOTED.findall(text))
    return QuestionWords(
        text=text,
        words=tuple(kept),
        # What is said twice matters more, but not twice as much.
        weights=tuple(1.0 + 0.3 * min(repeats[word] - 1, 2) for word in kept),
        spans=tuple(_spans(found).items()),
        phrases=tuple(dict.fromkeys((*quoted, *_phrases(text)))),
        quoted=quoted,
        spelt=frozenset(_spelt(text)),
        years=tuple(sorted({int(year) for year in _YEAR.findall(text)})),
        asks=frozenset(kind for kind, pattern in _PATTERNS.items() if pattern.search(text)),
    )


def value_key(text: str) -> str:
    """A value as it is compared: without case, outer punctuation and doubled blanks."""
    return " ".join(text.casefold().split()).strip(" .,;:!?'\"()")


def _spelt(text: str) -> Iterator[str]:
    """Names that are written as in code, whole and from their last step on."""
    for name in (*_SPELT.findall(text), *re.findall(r"`([^`]+)`", text)):
        yield squashed(name)
        yield squashed(name.rpartition(".")[2])


def _spans(found: list[str]) -> dict[str, int]:
    """Runs of one to four words without separators, with how many of them say something."""
    spans: dict[str, int] = {}
    for start in range(len(found)):
        for end in range(start + 1, min(start + _LONGEST_SPAN, len(found)) + 1):
            run = found[start:end]
            if run[0] in SAYING_NOTHING or run[-1] in SAYING_NOTHING:
                continue
            said = sum(1 for word in run if word not in SAYING_NOTHING)
            for spelt in (run, [stem(word) for word in run]):
                spans.setdefault(squashed("".join(spelt)), said)
    return spans


def _phrases(text: str) -> list[str]:
    """Runs of up to six words as they are written, to be looked up among values."""
    raw = [value_key(one) for one in _RAW.findall(text)]
    raw = [one for one in raw if one]
    found = []
    for start in range(len(raw)):
        for end in range(start + 1, min(start + _LONGEST_VALUE, len(raw)) + 1):
            phrase = " ".join(raw[start:end])
            if end - start > 1 or (phrase not in SAYING_NOTHING and len(phrase) > 1):
                found.append(phrase)
    return found
