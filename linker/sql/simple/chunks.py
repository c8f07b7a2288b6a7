"""
A question as chunks: enter tokens, leave parts that each do or name one thing, with all that they may mean.

Periods and values that were found in the warehouse come first, then phrases of the language, then names of the schema,
the longest first. What is left is a word without a meaning, and makes the answer uncertain.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from linker.mentions import Mentions, Period, is_name
from linker.sql.simple.codes import explained
from linker.sql.simple.names import Meaning, Names
from linker.sql.simple.phrases import BEGINS, LONGEST_PHRASE, MEASURED, NUMBER_WORDS, PHRASES, SILENT, Role
from linker.sql.simple.tokens import Token
from linker.types import ColumnRef, TableRef
from linker.words import squashed, stem, words_of_name

_TOKENS = re.compile(r"\w+(?:[-&]\w+)*")
_LONGEST_NAME = 4
UNITS = ("year", "quarter", "month", "week", "day")
# From here on words name a part of the schema; a weaker likeness is told as a doubt.
_NAMED, _SURELY_NAMED = 0.6, 0.8
_MOST_MEANINGS = 6
# Words that say nothing by themselves may end a name that is just so: stock value.
_EXACT = 0.95
_RATHER = 0.25
# What ends where a period begins.
_END_OF = re.compile(r"\bend of (?:the )?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a column holds, as the warehouse spells it; `is_told` where a description says what it means."""

    ref: ColumnRef
    value: str
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a question: a phrase with a role, a name, a value, a number or a period."""

    text: str
    first: int
    last: int
    role: Role | None = None
    meanings: tuple[Meaning, ...] = ()
    values: tuple[Value, ...] = ()
    number: float | None = None
    period: Period | None = None
    quoted: str | None = None
    measured: str = ""
    unit: str = ""
    ends_sentence: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it names a part of the schema."""
        return bool(self.meanings) and not self.values

    @property
    def best_table(self) -> Meaning | None:
        """The likeliest table that it may name."""
        return next((one for one in self.meanings if isinstance(one.ref, TableRef)), None)

    @property
    def best_column(self) -> Meaning | None:
        """The likeliest column that it may name."""
        return next((one for one in self.meanings if isinstance(one.ref, ColumnRef)), None)

    def names_table(self, *, rather: bool = False) -> bool:
        """Whether it names a table better than a column; `rather` where a table is expected."""
        table, column = self.best_table, self.best_column
        return bool(table and (not column or table.score >= column.score - (_RATHER if rather else 0.0)))

    @property
    def is_open(self) -> bool:
        """Whether nobody knows what it means."""
        known = (self.role, self.meanings, self.values, self.period, self.quoted, self.measured, self.unit)
        return not any(known) and self.number is None and not self.ends_sentence


class Chunker:
    """Cuts one question into chunks."""

    def __init__(self, tokens: Sequence[Token], mentions: Mentions, names: Names) -> None:
        self._tokens, self._mentions, self._names = tokens, mentions, names
        self._bound = self._values_by_words()

    def chunks(self) -> list[Chunk]:
        """All chunks in their order; silent words are left out."""
        return list(self._cut())

    def _cut(self) -> Iterator[Chunk]:
        place = 0
        while place < len(self._tokens):
            chunk = self._at(place)
            if chunk:
                yield chunk
            place = chunk.last + 1 if chunk else place + 1

    def _tells_a_time(self, place: int) -> bool:
        """Whether a word says which time a period is of: what was ordered in 2025 has an `ordered_at` in 2025."""
        token = self._tokens[place]
        if not self._mentions.periods or not (token.low.endswith("ed") or token.stem in BEGINS):
            return False
        near = range(place + 2, min(place + 4, len(self._tokens)))
        if any(self._period(at) for at in near) and token.stem in BEGINS:
            return True
        times = (ref for table in self._names.tables for ref in self._names.times_of(table))
        return any(token.stem in words_of_name(ref.path) for ref in times)

    def _at(self, place: int) -> Chunk | None:
        token = self._tokens[place]
        if self._tells_a_time(place):
            # Who applied is an applicant: a deed may name the table of those who did it.
            doers = tuple(one for one in self._meanings(place, place) if isinstance(one.ref, TableRef))
            return Chunk(token.text, place, place, meanings=doers) if doers else None
        if token.ends_sentence:
            return Chunk(token.text, place, place, ends_sentence=True)
        return (
            self._unit(place)
            or self._rate(place)
            or self._period(place)
            or self._value(place)
            or self._phrase_or_name(place)
            or self._word(place)
        )

    def _word(self, place: int) -> Chunk | None:
        """A word by itself: a number, a quotation, a comparison, or one without a meaning; nothing for a silent one."""
        token = self._tokens[place]
        number = token.number if token.number is not None else NUMBER_WORDS.get(token.low)
        if number is not None:
            return Chunk(token.text, place, place, number=number)
        if token.is_quoted:
            return Chunk(token.text, place, place, quoted=token.text)
        if token.low in MEASURED:
            return Chunk(token.text, place, place, measured=token.low)
        is_said = token.is_word and len(token.low) > 1 and token.low not in SILENT
        return Chunk(token.text, place, place) if is_said and token.stem not in self._names.schema_words else None

    def _unit(self, place: int) -> Chunk | None:
        """The unit of time by which rows are grouped, unless a column is called so."""
        token = self._tokens[place]
        before = tuple(one.low for one in self._tokens[max(0, place - 1) : place])
        if token.low not in UNITS or not before or (PHRASES.get(before) != "group" and before != ("by",)):
            return None
        # Years often are a column of their own; what is called month may be one of any kind.
        named = self._meanings(place, place) if token.low == "year" else []
        is_column = bool(named) and named[0].score >= _SURELY_NAMED
        return None if is_column else Chunk(token.text, place, place, unit=token.low)

    def _rate(self, place: int) -> Chunk | None:
        """How many times a day something happens, where a column keeps just that."""
        words = [token.low for token in self._tokens[place : place + 5]]
        if words[:3] != ["how", "many", "times"] or len(words) < 5 or words[3] not in ("a", "per", "each", "every"):
            return None
        rates = [ref for ref in self._names.all_columns if words_of_name(ref.path)[-2:] == ["per", stem(words[4])]]
        meanings = tuple(Meaning(ref, _NAMED) for ref in rates if self._names.is_measure(ref))
        return Chunk(self._text(place, place + 4), place, place + 4, meanings=meanings) if meanings else None

    def _period(self, place: int) -> Chunk | None:
        start = self._tokens[place].start
        text = self._mentions.question
        for period in self._mentions.periods:
            if text.startswith(period.said, start):
                end = start + len(period.said)
                last = max(at for at, token in enumerate(self._tokens) if token.start < end)
                if _END_OF.search(text[:start]):
                    return Chunk(period.said, place, last, period=replace(period, first=period.last))
                return Chunk(period.said, place, last, period=period, number=_year(period))
        return None

    def _value(self, place: int) -> Chunk | None:
        """The longest run of words that a column holds."""
        for last in range(min(place + 5, len(self._tokens)) - 1, place - 1, -1):
            words = tuple(token.low for token in self._tokens[place : last + 1])
            values = self._bound.get(words, ())
            if place == last and self._tokens[place].text.islower():
                # A small word is a value where that is spelt like it: people are not the department People.
                values = tuple(one for one in values if one.is_told or one.value.islower())
            if values and self._is_meant(place, last, words):
                quoted = self._tokens[place].text if place == last and self._tokens[place].is_quoted else None
                return Chunk(self._text(place, last), place, last, values=values, quoted=quoted)
        return None

    def _is_meant(self, place: int, last: int, words: tuple[str, ...]) -> bool:
        """Not where the same words are built with, or name a part of the schema better than any value."""
        token = self._tokens[place]
        if token.is_quoted or place < last:
            return True
        if token.number is not None or token.low in SILENT or words in PHRASES:
            return False
        named, name = self._meanings(place, last), self._name(place)
        if name and name.last > last and _best(name) >= _SURELY_NAMED:
            return False
        best = named[0].score if named else 0.0
        is_capital = token.text[:1].isupper() and place > 0 and is_name(token.text, self._mentions.question)
        return best < _SURELY_NAMED or (is_capital and best < 1.0)

    def _phrase_or_name(self, place: int) -> Chunk | None:
        """The longer one of a phrase and a name; of equal ones the phrase."""
        name = self._name(place)
        for last in range(min(place + LONGEST_PHRASE, len(self._tokens)) - 1, place - 1, -1):
            words = tuple(token.low for token in self._tokens[place : last + 1])
            role = PHRASES.get(words)
            if role is None or any(token.is_quoted for token in self._tokens[place : last + 1]):
                continue
            if name and name.last > last and _best(name) >= _SURELY_NAMED:
                return name
            return Chunk(self._text(place, last), place, last, role=role)
        return name

    def _name(self, place: int) -> Chunk | None:
        found: Chunk | None = None
        for last in range(min(place + _LONGEST_NAME, len(self._tokens)) - 1, place - 1, -1):
            run = self._tokens[place : last + 1]
            if not all(token.is_word for token in run) or run[0].low in SILENT - {"table", "record", "order", "list"}:
                continue
            meanings = self._meanings(place, last)
            if run[-1].low in SILENT and place != last and not (meanings and meanings[0].score >= _EXACT):
                continue
            if (
                meanings
                and place == last
                and meanings[0].score < _SURELY_NAMED
                and run[0].stem in self._names.schema_words
            ):
                continue
            if meanings and (found is None or meanings[0].score > _best(found) + 0.15):
                chunk = Chunk(self._text(place, last), place, last, meanings=tuple(meanings[:_MOST_MEANINGS]))
                if meanings[0].score >= _SURELY_NAMED:
                    return chunk
                found = found or chunk
        return found

    def _meanings(self, place: int, last: int) -> list[Meaning]:
        run = self._tokens[place : last + 1]
        found = self._names.meanings([token.stem for token in run], [token.low for token in run])
        least = _NAMED if place < last else 0.45
        return [one for one in found if one.score >= least and one.score >= found[0].score - 0.3]

    def _values_by_words(self) -> Mapping[tuple[str, ...], tuple[Value, ...]]:
        """The values that the question names, by the words that name them."""
        found: dict[tuple[str, ...], dict[Value, None]] = {}
        for ref in self._names.all_columns:
            held = list(self._names.of(ref).values) if ref in self._names.columns else []
            held += [one.value for one in self._mentions.bindings if one.ref == ref]
            for value in dict.fromkeys(held):
                for words in self._saying(value):
                    found.setdefault(words, {})[Value(ref, value)] = None
        for words, told in self._explained_values():
            if words not in found or all(one.is_told for one in found[words]):
                found.setdefault(words, {})[told] = None
        return {words: tuple(values) for words, values in found.items()}

    def _explained_values(self) -> Iterator[tuple[tuple[str, ...], Value]]:
        """Codes that the question says by what a description tells of them."""
        for ref, column in self._names.columns.items():
            for code, meaning in explained(column.description, self._names.of(ref).values):
                for words in self._saying(meaning):
                    yield words, Value(ref, code, is_told=True)

    def _saying(self, value: str) -> Iterator[tuple[str, ...]]:
        """The runs of words that say a value."""
        size, letters = len(_TOKENS.findall(value)), squashed(value)
        if not letters or letters.isdigit():
            return
        singular = stem(letters)
        for place, token in enumerate(self._tokens):
            run = self._tokens[place : place + 1] if token.is_quoted else self._tokens[place : place + size]
            said = squashed("".join(one.low for one in run))
            if said == letters or (not token.is_quoted and stem(said) == singular):
                yield tuple(one.low for one in run)

    def _text(self, first: int, last: int) -> str:
        if first == last:
            return self._tokens[first].text
        return self._mentions.question[self._tokens[first].start : self._tokens[last].end]


def _best(chunk: Chunk) -> float:
    return chunk.meanings[0].score if chunk.meanings else 0.0


def _year(period: Period) -> float | None:
    """The year, where a period is just one: it may be a plain number as well."""
    return float(period.said) if period.said.isdigit() else None
