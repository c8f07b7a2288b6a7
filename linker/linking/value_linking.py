"""
The analysed question: its mentions, the values bound to columns (value linking), and its retrieval
and ranking results.

A binding is certain only if the words are unlikely to mean anything else; a common word that
happens to be a value is not bound.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal, TypeVar

from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.catalog.description import ColumnDescription
from linker.ranking.query_analysis import Meaning, is_generic, spelt_names
from linker.ranking.ranker import QuestionCatalog, RankingResult
from linker.ranking.reasons import value_match
from linker.retrieval.hits import Hits, Retrieved
from linker.text.query_parser import ReadText, read_text
from linker.text.quoted_and_codes import Mention, Number
from linker.text.time_expressions import Period
from linker.text.values import month_number
from linker.text.words import EVERYDAY, alnum_key, parts, stem, word_list, words_of_name
from linker.types import Catalog, ColumnRef, Record, TableRef, ValueMatch

Strength = Literal["sure", "likely"]
Words = frozenset[str]
_ItemT = TypeVar("_ItemT", Mention, Number, Period)
# Minimum similarity of a certain match.
_SURELY_NAMED = 0.9
_KEYS = ("identifier", "foreign_key", "code")
_CATEGORIES = ("category", "constant")
_LONG_NUMBER = 5
_OF_YEARS = frozenset(("year", "season", "jahr", "saison", "vintag"))
_ABBREVIATION = 3
# Stems of words for person names.
_OF_PEOPLE = frozenset(map(stem, word_list("naming_people")))
_NEAR = 4
_INFORMATIVE_LETTERS = 4

_MAX_BINDINGS = 12


class QuestionNames:
    """Names of tables and columns near a question."""

    def __init__(self, retrieved: Retrieved) -> None:
        self._retrieved = retrieved
        self._common: dict[str, bool] = {}

    @cached_property
    def _called(self) -> set[str]:
        """Words that are a full name."""
        columns = (ref.path.rpartition(".")[2] for ref in self._retrieved.hits.refs)
        tables = (ref.name for ref in self._retrieved.table_hits.refs)
        return {as_word(name) for name in (*columns, *tables)}

    @cached_property
    def _nouns(self) -> set[str]:
        """Words that occur in a name."""
        columns = (ref.path for ref in self._retrieved.hits.refs)
        tables = (ref.name for ref in self._retrieved.table_hits.refs)
        return set().union(*map(nouns_of, (*columns, *tables)))

    def has(self, word: str) -> bool:
        """Whether a word is the name of a table or column."""
        return word in self._called

    def stands(self, word: str) -> bool:
        """Whether a word occurs in a name."""
        return word in self._nouns

    def is_common(self, words: str) -> bool:
        """Whether words are generic, or the name of a table or column."""
        if words not in self._common:
            self._common[words] = self._is_common(words)
        return self._common[words]

    def _is_common(self, words: str) -> bool:
        joined = as_word(words)
        if words.isupper() and len(words) > 1:
            # Abbreviations such as IT are not common words.
            return self.has(joined)
        is_a_name = any(self.has(f"{joined}{ending}") for ending in ("", "n", "en"))
        stems = map(stem, parts(words))
        return is_a_name or all(
            word in EVERYDAY or is_generic(word) or self.has(word) for word in stems
        )


@lru_cache(maxsize=100_000)
def nouns_of(name: str) -> frozenset[str]:
    """The words of a name."""
    return frozenset(words_of_name(name))


@lru_cache(maxsize=100_000)
def as_word(name: str) -> str:
    """A name as a single word."""
    return stem(alnum_key(name))


class Binding(Record, frozen=True):
    """Words of the question bound to a column with that value, with the certainty."""

    words: str
    ref: ColumnRef
    value: str
    similarity: float
    strength: Strength = "sure"
    where: str = ""

    def __str__(self) -> str:
        verb = "is" if self.is_sure else "may be"
        return f"{self.words!r} {verb} the value {self.value!r} of {self.ref}{self.where}"

    @property
    def is_sure(self) -> bool:
        """Whether it may be stated as a fact."""
        return self.strength == "sure"

    @property
    def fact(self) -> str:
        """As a fact about the column."""
        if self.is_sure and self.words.casefold() == self.value.casefold():
            return f"holds {self.value}{self.where}"
        return (
            f"“{self.words}” {'is' if self.is_sure else 'may be'} its value "
            f"{self.value}{self.where}"
        )

    @property
    def reason(self) -> str:
        """As a reason: `value match: 'Brooklyn' in location_name`."""
        match = f"{value_match(self.value, self.ref)}{self.where}"
        if self.words.casefold() != self.value.casefold():
            match += f", from “{self.words}”"
        return match if self.is_sure else f"possible {match}"


def bindings_of(
    read: ReadText, hits: Hits, near: QuestionNames, catalog: Catalog, facts: Facts
) -> list[Binding]:
    """
    Values that the question names, most certain first; columns that no longer exist are skipped.
    """
    candidates: list[tuple[Binding, list[_Occurrence]]] = []
    for column in sorted(hits.matches):
        ref = hits.refs[column]
        column_facts = facts.get(ref)
        holder = _Holder(ref, column_facts) if catalog.find(ref) else None
        for match in hits.matches[column] if holder else ():
            occurrences = (
                [*_occurrences(read, match, holder, near)]
                if holder and match.similarity >= _SURELY_NAMED
                else []
            )
            strengths = {*map(_strength, occurrences)} - {None}
            if strengths:
                surest: Strength = "sure" if "sure" in strengths else "likely"
                where = column_facts.where(match.value)
                binding = Binding(match.words, ref, match.value, match.similarity, surest, where)
                candidates.append((binding, occurrences))
    sure = list(
        chain.from_iterable(occurrences for binding, occurrences in candidates if binding.is_sure)
    )
    outermost: list[tuple[Binding, list[_Occurrence]]] = []
    for binding, occurrences in candidates:
        if not all(_is_inside(occurrence, sure) for occurrence in occurrences):
            outermost.append((binding, occurrences))
    kept = [
        binding
        for binding, occurrences in outermost
        if not _is_less(binding, occurrences, outermost)
    ]
    return sorted(kept, key=lambda binding: (not binding.is_sure, -binding.similarity, binding.ref))


def bindings_of_terms(meanings: Iterable[Meaning], facts: Facts) -> Iterator[Binding]:
    """Values that glossary terms stand for: a word of a term that one of its columns contains."""
    for meaning in meanings:
        words = {word.casefold() for word in meaning.term.words}
        for ref in meaning.refs:
            if isinstance(ref, ColumnRef):
                column_facts = facts.get(ref)
                matching = (value for value in column_facts.values if value.casefold() in words)
                yield from (
                    Binding(meaning.term.term, ref, value, 1.0, where=column_facts.where(value))
                    for value in matching
                )


class _Holder:
    """A column with a matched value, its metadata, and the nouns of its name and table."""

    def __init__(self, ref: ColumnRef, facts: ColumnFacts) -> None:
        self.category = facts.category
        self.own_nouns = nouns_of(ref.path)
        self.nouns = self.own_nouns | nouns_of(ref.table.name)
        self.is_of_categories = facts.category in _CATEGORIES
        self.is_of_people = not self.own_nouns.isdisjoint(_OF_PEOPLE)


class _Occurrence(Record, frozen=True):
    """An occurrence of a column's value in the question, with the names of tables and columns."""

    read: ReadText
    start: int
    end: int
    value: str
    holder: _Holder
    near: QuestionNames

    @property
    def words(self) -> str:
        """The matched words."""
        return self.read.text[self.start : self.end]

    def is_after_its_noun(self) -> bool:
        """Whether the preceding words name the column or its table."""
        return self._calls(_stems(self.read.text[: self.start])[-_NEAR:])

    def is_beside_its_noun(self) -> bool:
        """Whether adjacent words name the column or its table."""
        return self.is_after_its_noun() or self._calls(_stems(self.read.text[self.end :])[:_NEAR])

    def _calls(self, stems: Sequence[str]) -> bool:
        """Prefix match: `Kunde` names `kundennummer`."""
        long = tuple(word for word in stems if len(word) >= _INFORMATIVE_LETTERS)
        return any(noun in stems or noun.startswith(long) for noun in self.holder.nouns)


@lru_cache(maxsize=1_000)
def _stems(text: str) -> tuple[str, ...]:
    """
    Stems of a text; cached, as all columns with these words share the question's start and end.
    """
    return tuple(map(stem, parts(text)))


def _occurrences(
    read: ReadText, match: ValueMatch, holder: _Holder, near: QuestionNames
) -> Iterator[_Occurrence]:
    is_abbreviation = len(match.value) <= _ABBREVIATION and match.value.isupper()
    if match.words.isupper() or not is_abbreviation:
        for occurrence_match in re.finditer(rf"(?<!\w){re.escape(match.words)}(?!\w)", read.text):
            yield _Occurrence(read, *occurrence_match.span(), match.value, holder, near)


def _strength(occurrence: _Occurrence) -> Strength | None:
    """How certain the words are this value; None if they mean something else."""
    mention = _across(occurrence.read.things, occurrence)
    number = _across(occurrence.read.numbers, occurrence)
    period = _across(occurrence.read.periods, occurrence)
    if mention and mention.kind != "name":
        return _of_literal(occurrence, mention)
    if number and (number.role in ("threshold", "count") or number.words == occurrence.words):
        return _of_number(occurrence) if number.role == "plain" else None
    if period and period.start <= occurrence.start and occurrence.end <= period.end:
        return _of_period(occurrence, period)
    return _of_words(occurrence, mention)


def _across(items: Iterable[_ItemT], occurrence: _Occurrence) -> _ItemT | None:
    """The first item that overlaps the occurrence."""
    return next(
        (item for item in items if item.start < occurrence.end and occurrence.start < item.end),
        None,
    )


def _of_literal(occurrence: _Occurrence, mention: Mention) -> Strength | None:
    """Quoted texts and codes match whole values; a part of a quotation may be part of a name."""
    if not (occurrence.start <= mention.start and mention.end <= occurrence.end):
        return "likely" if mention.kind == "quoted" and occurrence.holder.is_of_people else None
    return _of_number(occurrence) if mention.kind == "code" and mention.words.isdigit() else "sure"


def _of_number(occurrence: _Occurrence) -> Strength | None:
    """A number matches only codes of its kind, a short one only after their noun."""
    category = occurrence.holder.category
    if category not in (None, *_KEYS, *_CATEGORIES, "year", "text", "phone"):
        return None
    if occurrence.is_after_its_noun():
        return "sure" if category else "likely"
    return (
        "likely"
        if occurrence.end - occurrence.start >= _LONG_NUMBER and category in _KEYS
        else None
    )


def _of_period(occurrence: _Occurrence, period: Period) -> Strength | None:
    """
    A year may name a season, a month its name; part of a period, or a period that continues, is a
    time.
    """
    if (period.start, period.end) != (occurrence.start, occurrence.end):
        return None
    holder = occurrence.holder
    is_of_years = holder.category == "year" or not holder.own_nouns.isdisjoint(_OF_YEARS)
    return "likely" if is_of_years or (period.first is None and holder.is_of_categories) else None


def _of_words(occurrence: _Occurrence, mention: Mention | None) -> Strength | None:
    """Names and several words match; a common word only beside its column's noun."""
    words, holder = occurrence.words, occurrence.holder
    is_whole = (
        mention is None
        or mention.words in words
        or occurrence.near.is_common(mention.words.replace(words, " "))
    )
    if month_number(words) or (words.islower() and holder.is_of_people):
        return None
    if (
        mention
        and mention.is_sure
        and (holder.is_of_people or (is_whole and not occurrence.near.is_common(words)))
    ):
        return "sure"
    if occurrence.near.is_common(words):
        return "likely" if is_whole and occurrence.is_beside_its_noun() else None
    if not is_whole:
        return "likely"
    # `edge` may not mean `Edge`.
    is_distinct_word = (
        not words.islower() or occurrence.value.islower() or occurrence.is_beside_its_noun()
    )
    is_category_value = holder.is_of_categories and len(words) >= _ABBREVIATION and is_distinct_word
    # `customs` may be part of `customs_value`.
    if (
        words.islower()
        and occurrence.near.stands(as_word(words))
        and not occurrence.is_beside_its_noun()
    ):
        return "likely" if is_category_value else None
    return "sure" if " " in words or is_category_value else "likely"


def _is_less(
    binding: Binding,
    occurrences: list[_Occurrence],
    candidates: list[tuple[Binding, list[_Occurrence]]],
) -> bool:
    """Whether another table holds more parts of the name: a first name Mary for `Mary Smith`."""
    for mention in (_across(occurrence.read.things, occurrence) for occurrence in occurrences):
        if mention and mention.kind == "name" and " " in mention.words:
            held: dict[TableRef, set[str]] = defaultdict(set)
            for other, others in candidates:
                if any(
                    mention.start <= occurrence.start and occurrence.end <= mention.end
                    for occurrence in others
                ):
                    held[other.ref.table].add(other.words)
            return any(held[binding.ref.table] < words for words in held.values())
    return False


def _is_inside(occurrence: _Occurrence, others: Iterable[_Occurrence]) -> bool:
    """`Leipzig` within `Leipzig distribution centre` names the same thing."""
    length = occurrence.end - occurrence.start
    return any(
        other.start <= occurrence.start
        and occurrence.end <= other.end
        and other.end - other.start > length
        for other in others
    )


class Mentions(Record, frozen=True):
    """
    What a question names: quotations, codes, names, periods, numbers, and values of columns.

    `names` are identifiers.
    """

    question: str
    things: tuple[Mention, ...] = ()
    periods: tuple[Period, ...] = ()
    numbers: tuple[Number, ...] = ()
    names: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()

    @property
    def facts(self) -> tuple[Binding, ...]:
        """Certain bindings."""
        return tuple(binding for binding in self.bindings if binding.is_sure)

    @property
    def unbound(self) -> tuple[str, ...]:
        """Texts, codes and names without any binding, even an uncertain one."""
        words = (thing.words for thing in self.things if thing.is_sure and not self._binds(thing))
        return tuple(dict.fromkeys(words))

    def _binds(self, thing: Mention) -> bool:
        """Whether it is a name, a period, or part of a binding."""
        own = thing.words.casefold()
        bound = (binding.words.casefold() for binding in self.bindings)
        return (
            alnum_key(thing.words) in self.names
            or any(entry.start < thing.end and thing.start < entry.end for entry in self.periods)
            or any(words in own or own in words for words in bound)
        )


def read_mentions(
    question: str,
    retrieved: Retrieved,
    catalog: Catalog,
    facts: Facts,
    meanings: Iterable[Meaning] = (),
) -> Mentions:
    """All mentions, most certain binding first; `meanings` are glossary terms in the question."""
    read, near = read_text(question), QuestionNames(retrieved)
    bindings = (
        *bindings_of_terms(meanings, facts),
        *bindings_of(read, retrieved.hits, near, catalog, facts),
    )
    things = (
        thing
        for thing in read.things
        if thing.kind != "name" or not near.has(stem(alnum_key(thing.words)))
    )
    return Mentions(
        question=question,
        things=tuple(things),
        periods=read.periods,
        numbers=read.numbers,
        names=tuple(sorted(set(spelt_names(question)))),
        bindings=bindings[:_MAX_BINDINGS],
    )


class LinkedQuestion(Record, frozen=True):
    """
    A question with mentions, catalog, retrieval and ranking.

    `catalog` and `facts` are complete; `read.index` and `ranked` hold the top tables of a large
    catalog.
    """

    question: str
    mentions: Mentions
    catalog: Catalog
    facts: Facts
    read: QuestionCatalog
    ranked: RankingResult

    def facts_of(self, ref: ColumnRef) -> ColumnFacts:
        """Metadata of a column, including keys that only a duplicate of its table references."""
        own = self.facts.get(ref)
        copies = () if own.points_to else self.read.siblings.get(ref.table, ())
        targets = (self.facts.get(ColumnRef(copy, ref.path)).points_to for copy in copies)
        keys = next(filter(None, targets), ())
        return replace(own, points_to=keys) if keys else own

    def describe(self, ref: ColumnRef) -> ColumnDescription:
        table = self.catalog.table_by_ref[ref.table]
        return ColumnDescription(table, table.column_by_path[ref.path], self.facts_of(ref))
