"""
The join graph of a catalogue: keys declared, measured or used in queries where there are any, and
what names say.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from linker.ranking.lexicon import Lexicon
from linker.ranking.roles import ROLES
from linker.ranking.table_words import Floats, Ints
from linker.types import Record

_KEY = ROLES.index("key")
# A key's name that stands in more tables than that joins everything with everything and tells
# nothing.
_MOST_TABLES = 40
_SAME_KEY_NAME = 0.6
_NAMED_AS_TABLE = 0.8
# The last words of names of keys that lead to the table that stands before.
_ENDINGS = ("id", "key", "code", "uuid")


class Graph(Record, frozen=True, dict=True):
    """
    Edges between tables, each twice, once from either end; columns are those that hold the key.

    `points` is 1 where the left end points to a key at the right end, as far as anything says so.
    """

    left: Ints
    left_column: Ints
    right: Ints
    right_column: Ints
    confidence: Floats
    points: Floats

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        """
        The edges in the order of the tables that they join, and where each pair of tables begins.
        """
        order = np.lexsort((self.right, self.left))
        left, right = self.left[order], self.right[order]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
        return order, np.flatnonzero(is_first)

    def best_of_pairs(self, worth: Floats) -> Ints:
        """For each pair of tables that are joined the edge that is worth most, of such the last."""
        order, starts = self._pairs
        if not len(order):
            return order
        best = np.maximum.reduceat(worth[order], starts)
        is_best = worth[order] == np.repeat(best, np.diff(starts, append=len(order)))
        last: Ints = order[
            np.maximum.reduceat(np.where(is_best, np.arange(len(order)), -1), starts)
        ]
        return last


def build_graph(lexicon: Lexicon) -> Graph:
    """The edges of a catalogue; of two that join the same columns the surer one counts."""
    found: dict[tuple[int, int], float] = {}
    pointing: set[tuple[int, int]] = set()
    for left, right, confidence in (*_known(lexicon), *_named_as_tables(lexicon)):
        found[left, right] = max(found.get((left, right), 0.0), confidence)
        pointing.add((left, right))
    for left, right, confidence in (*_used(lexicon), *_of_same_name(lexicon)):
        found[left, right] = max(found.get((left, right), 0.0), confidence)
    both: dict[tuple[int, int], float] = {}
    for (left, right), confidence in found.items():
        if lexicon.table_of[left] != lexicon.table_of[right]:
            for pair in ((left, right), (right, left)):
                both[pair] = max(both.get(pair, 0.0), confidence)
    ordered = sorted(both)
    ends = np.array(ordered, dtype=np.int64).reshape(-1, 2)
    return Graph(
        left=lexicon.table_of[ends[:, 0]],
        left_column=ends[:, 0],
        right=lexicon.table_of[ends[:, 1]],
        right_column=ends[:, 1],
        confidence=np.array([both[pair] for pair in ordered], dtype=np.float32),
        points=np.array([pair in pointing for pair in ordered], dtype=np.float32),
    )


def _known(lexicon: Lexicon) -> Iterator[tuple[int, int, float]]:
    tables = {table.ref for table in lexicon.tables}
    keys = [key for key in lexicon.facts.joins if key.left in tables and key.right in tables]
    by_name = (
        {(ref.table, ref.path.casefold()): place for place, ref in enumerate(lexicon.refs)}
        if keys
        else {}
    )
    for key in keys:
        for left, right in zip(key.left_columns, key.right_columns, strict=True):
            first = by_name.get((key.left, left.casefold()))
            second = by_name.get((key.right, right.casefold()))
            if first is not None and second is not None:
                yield first, second, key.confidence


def _used(lexicon: Lexicon) -> Iterator[tuple[int, int, float]]:
    """Joins of queries that people ran; which of two columns is the key they do not tell."""
    joins = lexicon.facts.prior_use.joins
    places = {ref: place for place, ref in enumerate(lexicon.refs)} if joins else {}
    for (first, second), use in joins.items():
        if first in places and second in places:
            yield places[first], places[second], use.confidence


def _of_same_name(lexicon: Lexicon) -> Iterator[tuple[int, int, float]]:
    names, table_of = lexicon.squashed_names, lexicon.table_of.tolist()
    own_key = names.texts.numbers.get("id", -1)
    keys = np.flatnonzero(lexicon.roles[:, _KEY] & (names.keys >= 0) & (names.keys != own_key))
    keys = keys[np.argsort(names.keys[keys], kind="stable")]
    # Most names stand alone, and join nothing.
    is_same = np.diff(names.keys[keys], prepend=-1, append=-1) == 0
    keys = keys[is_same[1:] | is_same[:-1]]
    ends = np.flatnonzero(np.diff(names.keys[keys])) + 1
    for places in (some.tolist() for some in np.split(keys, ends)):
        if len({table_of[place] for place in places}) <= _MOST_TABLES:
            yield from (
                (first, second, _SAME_KEY_NAME) for first, second in combinations(places, 2)
            )


def _named_as_tables(lexicon: Lexicon) -> Iterator[tuple[int, int, float]]:
    """
    `customer_id` leads to the `id` of customers, `author` and `author_id` to `author_id` or `id` of
    authors.
    """
    own: dict[str, list[int]] = defaultdict(list)
    vocabulary, names, of_tables = lexicon.vocabulary, lexicon.name_words, lexicon.table_name_words
    spelt, ends_of_tables = vocabulary.spelt(of_tables.words), np.cumsum(of_tables.lengths).tolist()
    for number, (start, end) in enumerate(pairwise((0, *ends_of_tables))):
        own["".join(spelt[start:end])].append(number)
    ids: dict[int, int] = {}
    for place in lexicon.squashed_names.of("id").tolist():
        ids.setdefault(int(lexicon.table_of[place]), place)
    endings = [number for number in map(vocabulary.number, _ENDINGS) if number is not None]
    ends = np.cumsum(names.lengths)
    long = np.flatnonzero(names.lengths > 1)
    for place in long[np.isin(names.words[ends[long] - 1], endings)].tolist():
        words = vocabulary.spelt(names.words[ends[place] - names.lengths[place] : ends[place]])
        # `owner_user_id` leads to users as well.
        for start in range(len(words) - 1):
            targets = own.get("".join(words[start:-1]), ())
            yield from (
                (place, ids[target], _NAMED_AS_TABLE) for target in targets if target in ids
            )
            if targets:
                break
