"""
Ranks tables and columns by relevance to a question, and reranks the best with a cross-encoder.

Data derived from the catalog is shared by all questions. In a large catalog only the tables of the
top hits are ranked.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from msgspec.structs import replace

from linker.catalog.index_session import DiskCached
from linker.catalog.snapshot import ProfiledCatalog, siblings_of
from linker.config.values import TablePattern, matching
from linker.environment import Environment
from linker.index import Ranking
from linker.ranking.catalog_index import (
    CatalogIndex,
    Named,
    build_catalog_index,
    pack_known,
    unpack_known,
)
from linker.ranking.features import (
    column_features,
    context_features,
    extra_unasked,
    neighbour_features,
    table_features,
)
from linker.ranking.lexical_match import (
    NO_SIGNALS,
    MatchFeatures,
    RetrievalSignals,
    compute_match_features,
    match,
    retrieval_signals,
)
from linker.ranking.query_analysis import Meaning, analyse, terms_in_question
from linker.ranking.table_tokens import Floats, ReadTables
from linker.ranking.weights import Weights
from linker.retrieval.hits import Retrieved
from linker.retrieval.hybrid import fuse
from linker.retrieval.passages import near_passages
from linker.retrieval.reranking import Reranker
from linker.types import Catalog, ColumnRef, Record, Table, TableRef

# Ranking takes 1 ms per few hundred columns; hits beyond this limit are rarely needed.
MAX_COLUMNS = 4000
# Semantic scores available in a narrowed catalog.
_NEAREST = 1000

_NEVER = np.float32(-20)
# Log-odds penalty of archives and copies.
_BEHIND = 2.0
# Log-odds penalty of tables not preferred, if some are.
_NOT_PREFERRED = 2.0
# Log-odds penalty of time spines, which are similar to every question about months.
_TIME_SPINE = 4.0
# Log-odds change for fully matched names, and for names that extend another: `drivers` before
# `driver_standings`.
_WHOLE_NAME_SAID = 0.3
_LONGER_THAN_SAID = 0.5
_WHOLE = 0.99
# Log-odds penalty of empty tables, unless more than a share is empty.
_WITHOUT_ROWS = 6.0
_MOSTLY_EMPTY = 0.9

_MAX_READ = 100
_FUSED_WEIGHTS = {"ranking": 1.0, "reranker": 1.0}


class QuestionCatalog(Record, frozen=True):
    """
    A question's catalog, possibly narrowed, with retrieval results.

    `there` are hits that still exist; `siblings` identical tables. `meanings` are glossary terms in
    the question, `passages` from documents, `preferred` tables of the settings.
    """

    index: CatalogIndex
    siblings: Mapping[TableRef, tuple[TableRef, ...]]
    retrieved: Retrieved
    there: tuple[ColumnRef, ...]
    meanings: tuple[Meaning, ...] = ()
    passages: tuple[str, ...] = ()
    preferred: frozenset[TableRef] = frozenset()

    @property
    def unknown_names(self) -> tuple[str, ...]:
        """The reason for each unresolved glossary name."""
        return tuple(chain.from_iterable(meaning.unknown for meaning in self.meanings))

    @property
    def signals(self) -> RetrievalSignals:
        """Scores from retrieval, glossary, documents and settings."""
        return replace(
            retrieval_signals(self.retrieved),
            meanings=self.meanings,
            passages=self.passages,
            preferred=self.preferred,
        )


def read_question(
    text: str, parts: Environment, tables: Sequence[TableRef] = ()
) -> QuestionCatalog:
    """
    Retrieve and analyse a question; a large catalog is narrowed to `tables` and the best hits.
    """
    catalog, read = parts.indexed.catalog, parts.derive(read_tables)
    full_index = parts.derive(known_catalog)
    retrieved = parts.retriever.search(text, limit=MAX_COLUMNS if full_index else _NEAREST)
    index = full_index or build_catalog_index(
        narrowed(catalog, tuple(dict.fromkeys((*tables, *retrieved.table_hits.refs)))),
        parts.indexed.facts,
        read,
    )
    there = index.existing_columns(retrieved.hits, read.existing, None if full_index else catalog)
    # The user's glossary precedes dbt's terms.
    meanings = terms_in_question(text, (*parts.settings.glossary, *parts.indexed.terms), catalog)
    preferred = parts.derive(preferred_tables, parts.settings.prefer)
    documents = parts.settings.documents
    passages = near_passages(text, documents, parts.retriever.nearness) if documents else ()
    return QuestionCatalog(
        index, parts.derive(siblings_of), retrieved, there, meanings, passages, preferred
    )


def _known_catalog(profiled: ProfiledCatalog) -> CatalogIndex | None:
    """The prepared catalog; None if too large to rank as a whole."""
    is_small = profiled.catalog.column_count <= MAX_COLUMNS
    return build_catalog_index(profiled.catalog, profiled.facts) if is_small else None


known_catalog = DiskCached(_known_catalog, pack_known, unpack_known)


def preferred_tables(
    profiled: ProfiledCatalog, patterns: tuple[TablePattern, ...]
) -> frozenset[TableRef]:
    """Tables that match a pattern."""
    return frozenset(table.ref for table in matching(patterns, profiled.catalog.tables))


def read_tables(profiled: ProfiledCatalog) -> ReadTables:
    """Tables of a large catalog, tokenised on demand."""
    return ReadTables(profiled.facts)


def narrowed(catalog: Catalog, refs: Sequence[TableRef]) -> Catalog:
    """The tables with the best hits."""
    tables: list[Table] = []
    columns = 0
    for table in filter(None, map(catalog.table_by_ref.get, refs)):
        if not tables or columns + len(table.columns) <= MAX_COLUMNS:
            tables.append(table)
            columns += len(table.columns)
        if columns == MAX_COLUMNS:
            break
    return Catalog(tuple(tables), catalog.physical_table_count)


class RankingResult(Record, frozen=True):
    """Columns by table, with log-odds."""

    evidence: MatchFeatures
    first: Floats
    tables: Floats
    columns: Floats
    column_features: Named

    @property
    def index(self) -> CatalogIndex:
        return self.evidence.index


def rank(
    text: str, index: CatalogIndex, weights: Weights, signals: RetrievalSignals = NO_SIGNALS
) -> RankingResult:
    """Rank a catalog for a question."""
    return rank_evidence(
        compute_match_features(
            index, match(analyse(text, signals.meanings), index.lexicon, signals)
        ),
        weights,
    )


def rank_evidence(evidence: MatchFeatures, weights: Weights) -> RankingResult:
    """Four stages: tables alone, tables in context, columns alone, columns in context."""
    prior = evidence.index.prior
    first = weights.tables.logits(table_features(evidence))
    tables = weights.neighbours.logits(neighbour_features(evidence, first))
    if prior:
        tables = tables + prior.of_tables(tables)
    tables = _behind_preferred(evidence, _by_whole_names(evidence, tables))
    tables = _behind_filled(evidence, tables)
    tables = _behind_originals(evidence, tables)
    features = column_features(evidence, tables)
    alone = weights.columns.logits(features)
    columns = weights.context.logits(context_features(evidence, tables, alone))
    if prior:
        columns = columns + prior.of_columns(tables)
    # Naming a nested path names its struct.
    is_opened = evidence.index.lexicon.trait("is_opened").astype(bool)
    return RankingResult(evidence, first, tables, np.where(is_opened, _NEVER, columns), features)


def _by_whole_names(evidence: MatchFeatures, logits: Floats) -> Floats:
    """A fully matched name counts more than a partly matched one."""
    is_said = evidence.table_name_coverage > _WHOLE
    is_longer = extra_unasked(evidence, siblings_only=False)
    changed: Floats = logits + np.float32(_WHOLE_NAME_SAID) * is_said
    return changed - np.float32(_LONGER_THAN_SAID) * is_longer


def _behind_preferred(evidence: MatchFeatures, logits: Floats) -> Floats:
    """Demote time spines, and tables that are not preferred if any are."""
    preferred, tables = evidence.matches.preferred, evidence.index.lexicon.tables
    changed = logits.copy()
    for index, table in enumerate(tables):
        if preferred and table.ref not in preferred:
            changed[index] -= _NOT_PREFERRED
        if table.dbt.is_time_spine:
            changed[index] -= _TIME_SPINE
    return changed


def _behind_filled(evidence: MatchFeatures, logits: Floats) -> Floats:
    """Demote empty tables, unless nearly all are empty."""
    is_empty = evidence.index.is_without_rows
    if is_empty.mean() >= _MOSTLY_EMPTY:
        return logits
    return logits - np.float32(_WITHOUT_ROWS) * is_empty


def _behind_originals(evidence: MatchFeatures, logits: Floats) -> Floats:
    """Demote archives and copies, unless question or settings ask for them."""
    words, tables = set(evidence.matches.question.words), evidence.index.lexicon.tables
    preferred = evidence.matches.preferred
    pairs = [pair for pair in evidence.index.duplicates if not pair.words & words]
    changed = logits.copy()
    for pair in pairs:
        changed[pair.original] = max(changed[pair.original], logits[pair.index])
    for pair in pairs:
        if tables[pair.index].ref in preferred:
            changed[pair.index] = max(changed[pair.index], changed[pair.original] + _NOT_PREFERRED)
        else:
            changed[pair.index] = min(
                changed[pair.index] - pair.penalty, changed[pair.original] - _BEHIND
            )
    return changed


def probability(logits: Floats) -> Floats:
    """Sigmoid."""
    chances: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chances


def rerank(
    ranked: RankingResult, reranker: Reranker, texts: Mapping[ColumnRef, str]
) -> RankingResult:
    """Reorder the top columns."""
    matches, lexicon = ranked.evidence.matches, ranked.index.lexicon
    best = [int(index) for index in np.argsort(-ranked.columns, kind="stable")[:_MAX_READ]]
    refs = [lexicon.refs[index] for index in best]
    read = reranker.scores(matches.question.text, [texts.get(ref, str(ref)) for ref in refs])
    by_reading = np.argsort(-np.array(read), kind="stable")
    rankings = {
        "ranking": Ranking.create(best, ranked.columns[best].tolist()),
        "reranker": Ranking.create(
            [best[index] for index in by_reading], [read[index] for index in by_reading]
        ),
    }
    order = fuse(rankings, _FUSED_WEIGHTS, limit=_MAX_READ).items
    columns = ranked.columns.copy()
    columns[order] = ranked.columns[best]
    return replace(ranked, columns=columns)
