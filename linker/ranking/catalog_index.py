"""
Data derived from a catalog before any question: inverted index, join graph and identical tables,
and its serialisation.

MessagePack, since cached bytes must stay data; arrays are raw memory. Tables and column metadata
are not included.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Any, get_type_hints

import msgspec
import numpy as np
import numpy.typing as npt

from linker.catalog.column_metadata import NO_FACTS, Facts, PriorUse
from linker.catalog.read_catalog import sibling_groups
from linker.catalog.snapshot import ProfiledCatalog
from linker.ranking.inverted_index import (
    Graph,
    InvertedIndex,
    SpanIndex,
    build_graph,
    build_lexicon,
    sorted_tables,
)
from linker.ranking.near_duplicates import DuplicateTable, archived_tables, upstream_tables
from linker.ranking.table_tokens import Floats, Ints, ReadTables, Vocabulary, WordSimilarity
from linker.retrieval.hits import Hits
from linker.text.words import words_of_name
from linker.types import Catalog, ColumnRef, Record, Table

Named = dict[str, Floats]
# Pseudo-count of queries for the prior that all columns are used alike.
_DOUBT = 2.0

_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)")

# Fields supplied on loading: the catalog, and texts that share a vocabulary.
_GIVEN = frozenset(
    ("catalog", "facts", "tables", "refs", "squashed_names", "squashed_tables", "values_at")
)


class PriorWeights(Record, frozen=True):
    """Additions of usage features to the log-odds of tables and columns."""

    tables: Mapping[str, float]
    columns: Mapping[str, float]


@lru_cache(maxsize=1)
def read_prior_weights() -> PriorWeights:
    """The shipped weights."""
    content = files("linker.ranking").joinpath("prior.json").read_bytes()
    return msgspec.json.decode(content, type=PriorWeights)


def _weighed(named: Named, weights: Mapping[str, float]) -> Floats:
    total: Floats = np.zeros(len(next(iter(named.values()))), dtype=np.float32)
    for name, weight in weights.items():
        total += np.float32(weight) * named[name]
    return total


@dataclass(eq=False)
class Prior:
    """Usage counts by index of table and column."""

    lexicon: InvertedIndex

    @cached_property
    def _use(self) -> PriorUse:
        return self.lexicon.facts.prior_use

    @cached_property
    def tables(self) -> Floats:
        """Queries and exposures that use each table."""
        uses = self._use.tables
        counts = [
            uses[table.ref].queries if table.ref in uses else 0 for table in self.lexicon.tables
        ]
        exposures = [len(table.dbt.exposures) for table in self.lexicon.tables]
        return np.array(counts, dtype=np.float32) + np.array(exposures, dtype=np.float32)

    @cached_property
    def columns(self) -> Floats:
        """Queries that use each column."""
        uses = self._use.columns
        return np.array(
            [uses[ref].queries if ref in uses else 0 for ref in self.lexicon.refs], dtype=np.float32
        )

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints, Floats]:
        """
        Co-used tables in both directions, with the share of the first's queries that use the
        second.
        """
        indexes = {table.ref: index for index, table in enumerate(self.lexicon.tables)}
        ends_of_pairs, queries = list[tuple[int, int]](), list[int]()
        for (left, right), use in self._use.together.items():
            if left in indexes and right in indexes:
                ends_of_pairs += [
                    (indexes[left], indexes[right]),
                    (indexes[right], indexes[left]),
                ]
                queries += [use.queries, use.queries]
        ends = np.array(ends_of_pairs, dtype=np.int64).reshape(-1, 2)
        counts = np.array(queries, dtype=np.float32)
        share: Floats = counts / (self.tables[ends[:, 0]] + _DOUBT)
        return ends[:, 0], ends[:, 1], share

    def of_tables(self, logits: Floats) -> Floats:
        """Usage additions to table log-odds."""
        return _weighed(self._table_features(logits), read_prior_weights().tables)

    def of_columns(self, table_logits: Floats) -> Floats:
        """Usage additions to column log-odds."""
        return _weighed(self._column_features(table_logits), read_prior_weights().columns)

    @cached_property
    def _table_lift(self) -> Floats:
        """Log of each table's usage over the mean, shrunk to zero for few queries."""
        return _lift(self.tables, self.tables.mean() if len(self.tables) else np.float32(0))

    @cached_property
    def _column_lift(self) -> Floats:
        """Log of each column's usage over its table's mean."""
        table_of, starts = self.lexicon.table_of, self.lexicon.starts
        means = np.add.reduceat(self.columns, starts[:-1]) / np.maximum(np.diff(starts), 1)
        return _lift(self.columns, means.astype(np.float32)[table_of])

    def _table_features(self, logits: Floats) -> Named:
        """Usage of each table, and co-usage with the most probable ones."""
        chances = np.exp(logits - logits.max(initial=-20)).astype(np.float32)
        left, right, share = self._pairs
        company = np.zeros(len(logits), dtype=np.float32)
        np.maximum.at(company, right, share * chances[left])
        return {"lift": self._table_lift, "company": company}

    def _column_features(self, table_logits: Floats) -> Named:
        """Usage of each column within its table, and in probable tables."""
        chances = (1 / (1 + np.exp(-table_logits))).astype(np.float32)[self.lexicon.table_of]
        return {"lift": self._column_lift, "lift_in_likely": self._column_lift * chances}


def _lift(counts: Floats, expected: Floats | np.float32) -> Floats:
    lift: Floats = np.log((counts + _DOUBT) / (expected + _DOUBT)).astype(np.float32)
    return lift


@dataclass(eq=False)
class CatalogIndex:
    """A catalog prepared for ranking; derived data is computed on demand."""

    lexicon: InvertedIndex
    graph: Graph
    siblings: tuple[tuple[int, ...], ...]

    def existing_columns(
        self, hits: Hits, keys_there: set[int], catalog: Catalog | None = None
    ) -> tuple[ColumnRef, ...]:
        """
        Existing columns among hits; for nested paths the ancestor that exists, scored by its parts.
        """
        if keys_there.issuperset(hits.keys.tolist()):
            return tuple(hits.refs)
        # Keys are unique in both; with this flag numpy does not import numpy.ma (20 ms).
        is_there = np.isin(hits.keys, self.lexicon.keys, assume_unique=True)
        indexes = [
            index
            for index, ref in enumerate(hits.refs)
            if is_there[index] or (catalog and catalog.find(ref))
        ]
        keys_there.update(hits.keys[indexes].tolist())
        return tuple(hits.refs[index] for index in indexes)

    @cached_property
    def is_profiled(self) -> bool:
        """Whether the warehouse was profiled; benchmark files have sample rows at most."""
        return any(self.lexicon.facts.get(ref).category for ref in self.lexicon.refs)

    @cached_property
    def prior(self) -> Prior | None:
        """Usage by queries and exposures, if any."""
        has_exposures = any(table.dbt.exposures for table in self.lexicon.tables)
        return Prior(self.lexicon) if has_exposures or self.lexicon.facts.prior_use else None

    @cached_property
    def years(self) -> tuple[tuple[int, int] | None, ...]:
        """Years in each table's name or shards, first and last."""
        return tuple(_years(table) for table in self.lexicon.tables)

    @cached_property
    def schema_words(self) -> dict[str, tuple[str, ...]]:
        """Words of schema names that not all schemas share."""
        words_by_schema = {
            table.ref.schema: set(words_of_name(table.ref.schema)) for table in self.lexicon.tables
        }
        everywhere = set.intersection(*words_by_schema.values()) if words_by_schema else set()
        return {
            schema: tuple(sorted(words - everywhere))
            for schema, words in sorted(words_by_schema.items())
        }

    @cached_property
    def within(self) -> tuple[Ints, Ints]:
        """Pairs of tables in a schema where the first's name contains the second's."""
        sets = [frozenset(words) for words in self.lexicon.table_name_words.split()]
        by_word: dict[int, list[int]] = {}
        for number, words in enumerate(sets):
            for word in words:
                by_word.setdefault(word, []).append(number)
        tables = self.lexicon.tables
        pairs: list[tuple[int, int]] = []
        for number, words in enumerate(sets):
            schema = tables[number].ref.schema
            for longer in min(map(by_word.__getitem__, words), key=len, default=()):
                if words < sets[longer] and tables[longer].ref.schema == schema:
                    pairs.append((longer, number))
        edges = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
        return edges[:, 0], edges[:, 1]

    @cached_property
    def duplicates(self) -> tuple[DuplicateTable, ...]:
        """Archives, backups and older versions, and tables that only feed another."""
        return (*archived_tables(self.lexicon.tables), *upstream_tables(self.lexicon.tables))

    @cached_property
    def sibling_numbers(self) -> Ints:
        """Group number of identical tables; -1 for unique ones."""
        numbers = np.full(len(self.lexicon.tables), -1, dtype=np.int64)
        for number, group in enumerate(self.siblings):
            numbers[list(group)] = number
        return numbers

    @cached_property
    def column_copies(self) -> Ints:
        """For each column the first one with its path among identical tables."""
        lexicon = self.lexicon
        first = np.arange(len(lexicon.refs), dtype=np.int64)
        for group in self.siblings:
            by_path: dict[str, int] = {}
            for table in group:
                for index in range(*lexicon.starts[table : table + 2]):
                    first[index] = by_path.setdefault(lexicon.refs[index].path.casefold(), index)
        return first

    @cached_property
    def name_groups(self) -> Ints:
        """Group number of columns with the same name."""
        names = self.lexicon.squashed_names
        # Names without letters share no group.
        groups: Ints = np.unique(
            np.where(names.keys < 0, -1 - names.places, names.keys), return_inverse=True
        )[1]
        return groups

    @cached_property
    def name_counts(self) -> Floats:
        """Number of columns with each column's name."""
        counts: Floats = np.bincount(self.name_groups)[self.name_groups].astype(np.float32)
        return counts

    @cached_property
    def is_without_rows(self) -> npt.NDArray[np.bool_]:
        """Tables known to be empty."""
        is_full = np.maximum.reduceat(self.lexicon.trait("is_full"), self.lexicon.starts[:-1])
        rows = np.array([table.row_count_estimate != 0 for table in self.lexicon.tables])
        is_without: npt.NDArray[np.bool_] = ~(rows | is_full.astype(bool))
        return is_without

    @cached_property
    def fullness(self) -> Floats:
        """Weight of a column having values, high if most of its table's columns are empty."""
        is_full = self.lexicon.trait("is_full").astype(np.float32)
        share = np.add.reduceat(is_full, self.lexicon.starts[:-1]) / self.sizes
        says: Floats = -is_full * np.log(np.maximum(share, 1e-6))[self.lexicon.table_of]
        return says

    @cached_property
    def name_lengths(self) -> Floats:
        """Words in each column's own name."""
        return self.lexicon.name_words.lengths.astype(np.float32)

    @cached_property
    def sizes(self) -> Floats:
        """Columns of each table."""
        sizes: Floats = np.diff(self.lexicon.starts).astype(np.float32)
        return sizes

    @cached_property
    def places(self) -> Floats:
        """Ordinal position of each column, from 1."""
        lexicon = self.lexicon
        places: Floats = (
            np.arange(len(lexicon.refs)) - lexicon.starts[lexicon.table_of] + 1
        ).astype(np.float32)
        return places


def build_catalog_index(
    catalog: Catalog, facts: Facts = NO_FACTS, read: ReadTables | None = None
) -> CatalogIndex:
    """Build from a catalog; `read` are tables already tokenised."""
    lexicon = build_lexicon(catalog, facts, read)
    return CatalogIndex(lexicon, build_graph(lexicon), sibling_groups(lexicon.tables))


def _years(table: Table) -> tuple[int, int] | None:
    texts = [table.ref.name]
    if table.family:
        texts += [table.family.first_key, table.family.last_key]
    years = list(map(int, chain.from_iterable(map(_YEAR.findall, texts))))
    return (min(years), max(years)) if years else None


class _Packed(Record, frozen=True):
    """Serialised remainder: paths, texts with positions, joins and duplicates."""

    paths: tuple[tuple[str, ...], ...]
    texts: Vocabulary
    places: tuple[tuple[Ints, Ints], ...]
    graph: Graph
    siblings: tuple[tuple[int, ...], ...]


def pack_known(index: CatalogIndex | None) -> bytes:
    """Serialise; empty for a partial catalog."""
    if index is None:
        return b""
    lexicon = index.lexicon
    standing = (lexicon.squashed_names, lexicon.squashed_tables, lexicon.values_at)
    all_paths = [ref.path for ref in lexicon.refs]
    packed = _Packed(
        paths=tuple(
            tuple(all_paths[start:end]) for start, end in pairwise(lexicon.starts.tolist())
        ),
        texts=standing[0].texts,
        places=tuple((item.keys, item.places) for item in standing),
        graph=index.graph,
        siblings=index.siblings,
    )
    return msgspec.msgpack.encode(
        (packed, tuple(getattr(lexicon, name) for name in _forms())), enc_hook=_written
    )


def unpack_known(content: bytes, profiled: ProfiledCatalog) -> CatalogIndex:
    """Deserialise for the same catalog."""
    form: Any = tuple[_Packed, tuple[(*_forms().values(),)]]  # type: ignore[misc]  # as long as a lexicon
    packed, fields = msgspec.msgpack.decode(content, type=form, dec_hook=_read)
    tables = sorted_tables(profiled.catalog)
    refs = list[ColumnRef]()
    for table, paths in zip(tables, packed.paths, strict=True):
        refs += (ColumnRef(table.ref, path) for path in paths)
    names, of_tables, values = (SpanIndex(packed.texts, *item) for item in packed.places)
    lexicon = InvertedIndex(
        catalog=profiled.catalog,
        facts=profiled.facts,
        tables=tables,
        refs=tuple(refs),
        squashed_names=names,
        squashed_tables=of_tables,
        values_at=values,
        **dict(zip(_forms(), fields, strict=True)),
    )
    return CatalogIndex(lexicon, packed.graph, packed.siblings)


@cache
def _forms() -> dict[str, object]:
    """Serialised fields of an inverted index, with types."""
    return {
        name: form for name, form in get_type_hints(InvertedIndex).items() if name not in _GIVEN
    }


def _written(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Vocabulary):
        return value.spelt
    if isinstance(value, WordSimilarity):
        return value.parts
    raise NotImplementedError


def _read(form: type, value: Any) -> object:  # noqa: ANN401 - whatever was written
    if form is Vocabulary:
        return Vocabulary(value)
    if form is WordSimilarity:
        return WordSimilarity(*value)
    kind, shape, numbers = value
    return np.frombuffer(numbers, kind).reshape(shape)
