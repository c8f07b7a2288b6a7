"""
How the words of a question meet a catalogue: enter both, leave for each word and column how strongly it is met.

Only a pool of tables is looked at closely. In a small catalogue that is all of them; in a large one those whose columns
and name together meet most of the question.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from linker.ranking.lexicon import Lexicon
from linker.ranking.postings import Floats, Ints, Postings
from linker.ranking.question import Question
from linker.ranking.signals import Signals

RefT = TypeVar("RefT")

MOST_COLUMNS = 4000
_TABLE_NAME_SHARE = 0.5
_DENSE_SHARE = 0.15


@dataclass(frozen=True)
class Matches:
    """One row a word of the question. Columns are those of the pool; `columns` and `tables` lead to the catalogue."""

    question: Question
    lexicon: Lexicon
    tables: Ints
    columns: Ints
    starts: Ints
    table_of: Ints
    names: Floats
    paths: Floats
    descriptions: Floats
    values: Floats
    table_names: Floats
    table_descriptions: Floats
    near: Floats | None
    near_tables: Floats | None
    named: Floats

    @property
    def sizes(self) -> Ints:
        """How many columns each table of the pool has."""
        sizes: Ints = np.diff(self.starts)
        return sizes

    def best_in_table(self, of_columns: Floats) -> Floats:
        """The largest of each table, along the last axis."""
        best: Floats = np.maximum.reduceat(of_columns, self.starts[:-1], axis=-1)
        return best

    def sum_in_table(self, of_columns: Floats) -> Floats:
        """The sum of each table, along the last axis."""
        total: Floats = np.add.reduceat(of_columns, self.starts[:-1], axis=-1)
        return total


def match(question: Question, lexicon: Lexicon, signals: Signals, most_columns: int = MOST_COLUMNS) -> Matches:
    """Meet the words of the question with the columns of the best tables."""
    near = _known_or_last(lexicon.refs, signals.near)
    near_tables = _known_or_last([table.ref for table in lexicon.tables], signals.near_tables)
    tables = _pool_of(question, lexicon, near, most_columns)
    sizes = np.diff(lexicon.starts)[tables]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    columns = np.concatenate(
        [np.arange(lexicon.starts[one], lexicon.starts[one + 1]) for one in tables] or [starts[:0]]
    )
    in_pool = _places(columns.astype(np.int64), len(lexicon.columns))
    table_in_pool = _places(tables, len(lexicon.tables))
    in_columns = _Pool(question, lexicon, in_pool, len(columns))
    in_tables = _Pool(question, lexicon, table_in_pool, len(tables))
    rare, rare_value, rare_table = lexicon.column_rarity, lexicon.value_rarity, lexicon.table_rarity
    return Matches(
        question=question,
        lexicon=lexicon,
        tables=tables,
        columns=columns.astype(np.int64),
        starts=starts,
        table_of=np.repeat(np.arange(len(tables)), sizes),
        names=in_columns.met(lexicon.names, rare, is_exact=False),
        paths=in_columns.met(lexicon.paths, rare, is_exact=False),
        descriptions=in_columns.met(lexicon.descriptions, rare, is_exact=True),
        values=in_columns.met(lexicon.values, rare_value, is_exact=True),
        table_names=in_tables.met(lexicon.table_names, rare_table, is_exact=False),
        table_descriptions=in_tables.met(lexicon.table_descriptions, rare_table, is_exact=True),
        near=None if near is None else near[columns],
        near_tables=None if near_tables is None else near_tables[tables],
        named=np.array([signals.values.get(lexicon.refs[one], 0.0) for one in columns], dtype=np.float32),
    )


@dataclass(frozen=True)
class _Pool:
    """The texts of a pool: `places` says where each text of the catalogue lies in it, -1 where it does not."""

    question: Question
    lexicon: Lexicon
    places: Ints
    size: int

    def met(self, postings: Postings, rare: Floats, *, is_exact: bool) -> Floats:
        """Word by text: likeness times rarity times the weight of the word in the text; the best of all words alike."""
        met = np.zeros((len(self.question.words), self.size), dtype=np.float32)
        for row, (word, weight) in enumerate(zip(self.question.words, self.question.weights, strict=True)):
            for number, likeness in self.lexicon.similar(word):
                if is_exact and likeness < 1:
                    break
                texts, weights = postings.of(number)
                at = self.places[texts]
                inside = at >= 0
                at = at[inside]
                met[row, at] = np.maximum(met[row, at], weight * likeness * rare[number] * weights[inside])
        return met


def _pool_of(question: Question, lexicon: Lexicon, near: Floats | None, most_columns: int) -> Ints:
    """The tables to look at: all, or those that meet most of the question, until the pool is full."""
    count = len(lexicon.tables)
    if len(lexicon.columns) <= most_columns:
        return np.arange(count)
    score = np.zeros(count, dtype=np.float32)
    for word, weight in zip(question.words, question.weights, strict=True):
        best = np.zeros(count, dtype=np.float32)
        for number, likeness in lexicon.similar(word):
            rare = weight * likeness * lexicon.table_rarity[number]
            for postings in (lexicon.names, lexicon.paths, lexicon.descriptions, lexicon.values)[
                : 4 if likeness == 1 else 1
            ]:
                texts, _ = postings.of(number)
                at = lexicon.table_of[texts]
                best[at] = np.maximum(best[at], rare)
            at, _ = lexicon.table_names.of(number)
            best[at] = np.maximum(best[at], (1 + _TABLE_NAME_SHARE) * rare)
        score += best
    if near is not None:
        top = np.maximum.reduceat(near, lexicon.starts[:-1])
        score += _DENSE_SHARE * float(score.max()) * (top - near.min()) / max(float(np.ptp(near)), 1e-6)
    order = np.argsort(-score, kind="stable")
    sizes = np.diff(lexicon.starts)[order]
    taken = max(1, int(np.searchsorted(np.cumsum(sizes), most_columns, side="right")))
    return np.sort(order[:taken])


def _known_or_last(refs: Sequence[RefT], scores: Mapping[RefT, float]) -> Floats | None:
    """A score for each; what the retriever did not name lies as far away as the last that it did."""
    if not scores:
        return None
    lowest = min(scores.values())
    return np.array([scores.get(ref, lowest) for ref in refs], dtype=np.float32)


def _places(chosen: Ints, size: int) -> Ints:
    places = np.full(size, -1, dtype=np.int64)
    places[chosen] = np.arange(len(chosen))
    return places


def spans_met(question: Question, named: Mapping[str, Iterable[int]], in_pool: Ints) -> Floats:
    """For each text of the pool the longest run of words of the question that is its whole name, in words."""
    met = np.zeros(int((in_pool >= 0).sum()), dtype=np.float32)
    for span, said in question.spans:
        for place in named.get(span, ()):
            at = in_pool[place]
            if at >= 0:
                met[at] = max(met[at], float(said))
    return met


def spelt_met(question: Question, named: Mapping[str, Iterable[int]], in_pool: Ints) -> Floats:
    """Which texts of the pool the question names as code does."""
    met = np.zeros(int((in_pool >= 0).sum()), dtype=np.float32)
    for name in question.spelt:
        places = in_pool[np.array(list(named.get(name, ())), dtype=np.int64)]
        met[places[places >= 0]] = 1.0
    return met


def values_met(question: Question, lexicon: Lexicon, in_pool: Ints) -> Floats:
    """For each column of the pool how well a value of it stands in the question: rarer and longer values say more."""
    met = np.zeros(int((in_pool >= 0).sum()), dtype=np.float32)
    for phrase in question.phrases:
        places = lexicon.values_at.get(phrase)
        if not places:
            continue
        telling = 1.0 + 0.5 * (phrase.count(" ") > 0) + (phrase in question.quoted)
        telling *= 0.3 if phrase.isdigit() else 1.0
        telling /= 1.0 + np.log(len(places))
        for place in places:
            at = in_pool[place]
            if at >= 0:
                met[at] = max(met[at], telling)
    return met
