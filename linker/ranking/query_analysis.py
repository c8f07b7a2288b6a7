"""
Query analysis: terms, phrases, literals and requested kinds of a question, and its synonyms from
the glossary and business.yml.

business.yml has one concept per block; a YAML parser would take longer to import than ranking
takes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from linker.config.values import Term
from linker.errors import NameLookupError
from linker.identifiers.resolver import find
from linker.ranking.compound_words import split_word
from linker.ranking.table_tokens import Floats
from linker.ranking.thesaurus import near_synonyms
from linker.text.quoted_and_codes import quoted_texts, without_codes
from linker.text.values import YEAR, value_key
from linker.text.words import (
    STOP_WORDS,
    alnum_key,
    casefold_ascii,
    parts,
    stem,
    stop_words,
    word_list,
    words_of_name,
)
from linker.types import Catalog, Record, Ref

_LIST = re.compile(r"^  (say|mean): \[(.*)\]$", re.MULTILINE)
Phrases = Mapping[tuple[str, ...], tuple[str, ...]]

# A dbt metric's columns are one option; a mart may have it precomputed.
_OF_PROJECT = 0.5

_RAW = re.compile(r"[^\s,;:!?()\[\]{}\"“”]+")
# Identifiers: `total_amount`, `orders.id`, `fullVisitorId`.
_SPELT = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9]+(?:[_.][A-Za-z0-9_]+)+|\b[a-z]+(?:[A-Z][a-z0-9]*)+|\b(?:[A-Z][a-z0-9]+){2,}\b"
)
_LONGEST_SPAN = 4
_MAX_WORDS = 150
_LONGEST_VALUE = 6
_ASKING = {
    "time": r"when|date|day|week|month|year|quarter|hour|minute|time|dai?ly|weekly|monthly|yearly|annual\w*|recent\w*"  # noqa: E501
    r"|latest|earliest|newest|oldest|since|period|january|february|march|april|june|july|august|september|october"
    r"|november|december|jan|feb|aug|sept?|oct|nov|dec|age|duration|decade|century|season|trend|\d{4}-\d\d(?:-\d\d)?",
    "name": r"who|whose|names?|named|called|titles?|which|list|identify",
    "place": r"where|locations?|located|city|cities|state|country|countries|county|counties|region|distance|miles"  # noqa: E501
    r"|kilomet\w+|meters?|latitude|longitude|zip|area|boundar\w+|near\w*|inside|within|map|geograph\w+|coordinates?",
    "measure": r"total|sum|average|mean|median|highest|lowest|largest|smallest|maximum|minimum|max|min|most|least|top"  # noqa: E501
    r"|ratio|percent\w*|proportion|rates?|growth|amount|much|greater|less|more|fewer|above|below|deviation|correlation"
    r"|score|exceed\w*|calculate",
    "number": r"how many|number of|counts?|distinct|unique|frequency|frequent\w*",
    "group": r"each|every|per|by|group\w*|categor\w+|types?|kinds?|among|across",
    "all": r"(?:all|full|complete|any)?\s*(?:the )?(?:information|details?|everything|all data|all columns|all fields)"  # noqa: E501
    r" (?:about|of|on|for|regarding)|provide information",
}
_CAPITALS = re.compile(r"\b[^\W\d_a-z]\w*")
_PATTERNS = {
    kind: re.compile(rf"(?<![\w])(?:{pattern})(?![\w])", re.IGNORECASE)
    for kind, pattern in _ASKING.items()
}

# Forms that look like those of another verb: who found a thing did not found it.
_OTHER_VERBS = {"found": "find"}
_SHORTEST_INITIALS = 3
_LONGEST_INITIALS = 5
_GENERIC = 0.2
_LITERAL = 0.25
_WORD = re.compile(r"\w[\w'’-]*|[.?!:\n]|[^\w\s]")
_SENTENCE_ENDS = ".?!:\n"
_LETTER = re.compile(r"[^\W\d_]")
_OF_ANYTHING = frozenset(map(stem, word_list("asked_of_anything")))


def business_words(stems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Synonyms by question word; a phrase is keyed by its first informative word."""
    return words_for(stems, _shipped())


def words_for(stems: Sequence[str], phrases: Phrases) -> dict[str, tuple[str, ...]]:
    """Synonyms by word, from phrases in a text."""
    synonyms: dict[str, tuple[str, ...]] = {}
    for phrase in runs(stems, max(map(len, phrases), default=0)):
        if phrase in phrases and (
            head := next((word for word in phrase if word not in STOP_WORDS), None)
        ):
            synonyms[head] = tuple(dict.fromkeys((*synonyms.get(head, ()), *phrases[phrase])))
    return synonyms


def runs(stems: Sequence[str], longest: int) -> Iterator[tuple[str, ...]]:
    """All runs of consecutive words."""
    for start in range(len(stems)):
        for end in range(start + 1, min(start + longest, len(stems)) + 1):
            yield tuple(stems[start:end])


@cache
def _shipped() -> Phrases:
    """Shipped synonyms, as stems."""
    business = files(__package__).joinpath("business.yml").read_text("utf-8")
    lists = [texts.split(", ") for _, texts in _LIST.findall(business)]
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    for say, mean in zip(lists[::2], lists[1::2], strict=True):
        meant = list(chain.from_iterable(map(words_of_name, mean)))
        for text in say:
            phrase = tuple(words_of_name(text))
            others = (word for word in (*phrases.get(phrase, ()), *meant) if (word,) != phrase)
            phrases[phrase] = tuple(dict.fromkeys(others))
    return phrases


class Meaning(Record, frozen=True):
    """
    A glossary term in the question: the stem of its first informative word, and its meaning.

    `unknown` gives the reason for each unresolved name.
    """

    term: Term
    head: str
    refs: tuple[Ref, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """How certainly its columns are meant, from 0 to 1."""
        return 1.0 if self.term.source == "glossary" else _OF_PROJECT

    @property
    def words(self) -> tuple[str, ...]:
        """Stems of its synonyms."""
        return tuple(chain.from_iterable(map(words_of_name, self.term.words)))


def terms_in_question(text: str, terms: Iterable[Term], catalog: Catalog) -> tuple[Meaning, ...]:
    """Terms that occur contiguously; of equal ones the first."""
    # Earlier terms override later ones.
    phrases = {tuple(words_of_name(term.term)): term for term in reversed(tuple(terms))}
    if not phrases:
        return ()
    stems = [stem(part) for part in parts(text)]
    spoken = set(runs(stems, max(map(len, phrases))))
    return tuple(
        meaning_of(term, catalog) for phrase, term in reversed(phrases.items()) if phrase in spoken
    )


def meaning_of(term: Term, catalog: Catalog) -> Meaning:
    """A term with its resolved tables and columns."""
    refs, unknown = list[Ref](), list[str]()
    for name in (*term.tables, *term.columns):
        try:
            refs.append(find(name, catalog))
        except NameLookupError as error:
            unknown.append(
                f"glossary term `{term.term}` names an unknown table or column: {error.what}; "
                f"{error.hint}"
            )
    stems = words_of_name(term.term)
    head = next((word for word in stems if word not in STOP_WORDS), "")
    return Meaning(term, head, tuple(refs), tuple(unknown))


class QuestionWords(Record, frozen=True):
    """
    An analysed question; spans and phrases are normalised as names and values are.

    `synonyms` maps words to those in names, `given` those of the user's glossary and the parts of
    words written as one, and `initials` those of phrases that begin with it. `near_synonyms`
    are words of similar meaning, with similarity.
    """

    text: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    synonyms: tuple[tuple[str, ...], ...]
    given: tuple[tuple[str, ...], ...]
    initials: tuple[tuple[str, ...], ...]
    near_synonyms: tuple[tuple[tuple[str, float], ...], ...]
    spans: tuple[tuple[str, int], ...]
    phrases: tuple[str, ...]
    quoted: frozenset[str]
    spelt: frozenset[str]
    years: tuple[int, ...]
    asks: frozenset[str]
    names_place: bool = False


def analyse(text: str, meanings: Sequence[Meaning] = ()) -> QuestionWords:
    """Analyse a question; `meanings` are its glossary terms."""
    tokens = parts(without_codes(text))
    unsaid = stop_words(tokens)
    repeats: dict[str, int] = {}
    for part in tokens:
        if part not in unsaid:
            word = stem(part)
            repeats[word] = repeats.get(word, 0) + 1
    kept = list(repeats)[:_MAX_WORDS]
    synonyms = business_words([stem(_OTHER_VERBS.get(part, part)) for part in tokens])
    given: dict[str, list[str]] = {}
    for meaning in meanings:
        given.setdefault(meaning.head, []).extend(meaning.words)
    for part in tokens:
        if len(words := split_word(part)) > 1:
            given.setdefault(stem(part), []).extend(map(stem, words))
    initials = _initials(tokens)
    near = _near_synonyms(text, tokens)
    quoted = frozenset(map(value_key, quoted_texts(text)))
    return QuestionWords(
        text=text,
        words=tuple(kept),
        # Repetition raises the weight, less than proportionally.
        weights=tuple(1.0 + 0.3 * min(repeats[word] - 1, 2) for word in kept),
        synonyms=tuple(synonyms.get(word, ()) for word in kept),
        given=tuple(tuple(given.get(word, ())) for word in kept),
        initials=tuple(tuple(initials.get(word, ())) for word in kept),
        near_synonyms=tuple(near.get(word, ()) for word in kept),
        spans=tuple(_spans(tokens).items()),
        phrases=tuple(dict.fromkeys((*quoted, *_phrases(text)))),
        quoted=quoted,
        spelt=frozenset(spelt_names(text)),
        years=tuple(sorted({int(year) for year in YEAR.findall(text)})),
        asks=frozenset(kind for kind, pattern in _PATTERNS.items() if pattern.search(text)),
        names_place=_names_place(text),
    )


def _initials(tokens: list[str]) -> dict[str, list[str]]:
    """Initials of phrases by the stem of their first word: `los` for `length of stay`."""
    initials: dict[str, list[str]] = {}
    for start, first in enumerate(tokens):
        for size in range(_SHORTEST_INITIALS, _LONGEST_INITIALS + 1):
            run = tokens[start : start + size]
            informative = [word for word in run if word != "of"]
            is_phrase = len(run) == size and "of" not in (first, run[-1])
            if is_phrase and all(map(str.isalpha, run)) and STOP_WORDS.isdisjoint(informative):
                initials.setdefault(stem(first), []).append("".join(word[0] for word in run))
    return initials


def _near_synonyms(text: str, tokens: Sequence[str]) -> dict[str, tuple[tuple[str, float], ...]]:
    """Words of similar meaning by stem, without those of generic words and names."""
    names = _names_in(text)
    near: dict[str, tuple[tuple[str, float], ...]] = {}
    for part in dict.fromkeys(tokens):
        if not _is_generic(part) and stem(part) not in names:
            near.setdefault(stem(part), near_synonyms(part))
    return near


def _names_place(text: str) -> bool:
    """Whether a country, continent or state is named, with a capital letter."""
    capitals = list(map(casefold_ascii, _CAPITALS.findall(text)))
    return not word_list("places").isdisjoint((*capitals, *map("_".join, pairwise(capitals))))


def spelt_names(text: str) -> Iterator[str]:
    """Identifiers, whole and their last part."""
    for name in (*_SPELT.findall(text), *re.findall(r"`([^`]+)`", text)):
        yield alnum_key(name)
        yield alnum_key(name.rpartition(".")[2])


def _spans(tokens: list[str]) -> dict[str, int]:
    """Runs of one to four words without separators, with their informative words."""
    spans: dict[str, int] = {}
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _LONGEST_SPAN, len(tokens)) + 1):
            run = tokens[start:end]
            if run[0] in STOP_WORDS or run[-1] in STOP_WORDS:
                continue
            count = sum(1 for word in run if word not in STOP_WORDS)
            for spelt in (run, [stem(word) for word in run]):
                spans.setdefault(alnum_key("".join(spelt)), count)
    return spans


def _phrases(text: str) -> list[str]:
    """Runs of up to six words as written, for value lookup."""
    raw = [value_key(text) for text in _RAW.findall(text)]
    raw = [text for text in raw if text]
    phrases = []
    for start in range(len(raw)):
        for end in range(start + 1, min(start + _LONGEST_VALUE, len(raw)) + 1):
            phrase = " ".join(raw[start:end])
            if end - start > 1 or (phrase not in STOP_WORDS and len(phrase) > 1):
                phrases.append(phrase)
    return phrases


class TermWeights(Record, frozen=True):
    """
    Term weights, names among the terms, and adjacent pairs of informative words.

    `phrases` are runs of informative words as written, with word indexes.
    """

    weights: Floats
    is_literal: npt.NDArray[np.bool_]
    pairs: tuple[tuple[int, int], ...]
    phrases: tuple[tuple[str, tuple[int, ...]], ...]

    def with_names(self, rows: Sequence[int]) -> "TermWeights":
        """A copy in which these words are parts of names, which need not occur in the catalog."""
        weights = self.weights.copy()
        weights[rows] = np.minimum(weights[rows], _LITERAL)
        return replace(self, weights=weights)


def term_weights(question: QuestionWords) -> TermWeights:
    """Weight the terms of a question."""
    names = _names_in(question.text)
    things = {stem(part) for part in parts(question.text) if part.endswith("ings")}
    weights = np.array(
        [_weight(word, names, is_thing=word in things) for word in question.words],
        dtype=np.float32,
    )
    index = {word: number for number, word in enumerate(question.words)}
    about = {word: number for word, number in index.items() if weights[number] == 1.0}
    spoken = [stem(part) for part in parts(question.text)]
    pairs = [
        (about[left], about[right])
        for left, right in pairwise(spoken)
        if {left, right} <= about.keys()
    ]
    return TermWeights(
        weights=weights if weights.any() else np.full(len(weights), 0.5, dtype=np.float32),
        is_literal=np.array([word in names for word in question.words], dtype=bool),
        pairs=tuple(dict.fromkeys(pairs)),
        phrases=tuple(dict.fromkeys(_informative_phrases(question.text, index))),
    )


def _weight(word: str, names: frozenset[str], *, is_thing: bool) -> float:
    if word.isdigit():
        return 0.0
    if word in _OF_ANYTHING and not is_thing:
        return _GENERIC
    return _LITERAL if word in names else 1.0


def _names_in(text: str) -> frozenset[str]:
    """Quoted words, and capitalised ones that do not start a sentence."""
    capital: set[str] = set()
    small: set[str] = set()
    is_first = True
    for written in _WORD.findall(text):
        if written in _SENTENCE_ENDS:
            is_first = True
        elif _LETTER.match(written):
            stems = {stem(part) for part in parts(written)}
            if written[0].islower():
                small |= stems
            elif not is_first:
                capital |= stems
            is_first = False
    quoted = chain.from_iterable(map(parts, quoted_texts(text)))
    return frozenset((capital - small) | set(map(stem, quoted)))


def _informative_phrases(text: str, index: dict[str, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Consecutive informative words."""
    run, indexes = list[str](), list[int]()
    for written in [*_WORD.findall(text), "."]:
        informative_parts = [part for part in parts(written) if not _is_generic(part)]
        positions = [index[stem(part)] for part in informative_parts if stem(part) in index]
        if positions:
            run.append(written)
            indexes += positions
        elif run:
            yield " ".join(run), tuple(indexes)
            run, indexes = [], []


def _is_generic(part: str) -> bool:
    """Whether a word is generic; `toppings` are more than `top`."""
    return is_generic(stem(part)) and not part.endswith("ings")


def is_generic(word: str) -> bool:
    """Whether a stem is generic."""
    return word.isdigit() or word in _OF_ANYTHING or word in STOP_WORDS
