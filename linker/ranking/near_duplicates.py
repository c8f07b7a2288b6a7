"""
Near-duplicate tables: copies, same-named tables with drifting columns, backups and archives, and
dbt layers.

Raw data becomes staging models and then marts; questions mean the mart if it has the columns.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from linker.catalog.snapshot import ProfiledCatalog
from linker.text.words import stem, word_list, words_of_name
from linker.types import Record, Table, TableRef

# Smaller tables are similar by chance.
_MIN_COLUMNS = 4
# Minimum share of common columns.
_SIMILAR = 0.8
_SIMILAR_IF_NAMESAKES = 0.5
# Words in names or schemas that mark a copy.
_KEPT = frozenset(map(stem, word_list("naming_kept")))
_VERSION = "v"
# Share of an archive's columns that come from the original; at least two.
_KEPT_FROM_IT = 0.5
_MIN_KEPT = 2

# A duplicate in another schema has few columns of its own, such as a load time.
_MIN_SHARE = 0.75
_MIN_SHARED = 2

# Share of a table's columns that a model keeps by name.
_CARRIED = 0.5
# A model of a single table may rename all; then the number of columns must be similar.
_RENAMED = 0.75
# Log-odds penalty of a table that only feeds another.
_PENALTY = 3.0


def duplicate_groups(
    tables: Sequence[Table], paths: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """
    For each table the index of the first near-duplicate, often itself; `paths` are numbers of
    normalised paths.

    Near-duplicates share four fifths of their columns, or half of them and a name up to digits;
    transitive.
    """
    names: dict[tuple[str, ...], int] = {}
    name_of = np.array(
        [names.setdefault(_name(table.ref), len(names)) for table in tables], dtype=np.int64
    )
    sizes, shared = _shared([len(table.columns) for table in tables], paths)
    later, earlier = np.nonzero(np.tril(shared, -1))
    in_both = shared[later, earlier]
    alike = in_both / (sizes[later] + sizes[earlier] - in_both)
    least = np.where(
        name_of[later] == name_of[earlier], np.float32(_SIMILAR_IF_NAMESAKES), np.float32(_SIMILAR)
    )
    is_duplicate = (alike >= least) & (np.minimum(sizes[later], sizes[earlier]) >= _MIN_COLUMNS)
    first = np.arange(len(tables), dtype=np.int64)
    indexes, pairs = np.unique(later[is_duplicate], return_index=True)
    for index, other in zip(indexes.tolist(), earlier[is_duplicate][pairs].tolist(), strict=True):
        first[index] = first[other]
    return first


def _shared(
    counts: Sequence[int], paths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], ...]:
    """Paths per table, and shared paths per pair."""
    size = int(paths.max(initial=0)) + 1
    # Count each path once per table; the index arguments avoid importing numpy.ma.
    pairs, _ = np.unique(
        np.repeat(np.arange(len(counts)), counts) * size + paths, return_index=True
    )
    table_of, path = np.divmod(pairs, size)
    # Paths in a single table need no comparison.
    is_shared = np.bincount(path, minlength=size) > 1
    kept = is_shared[path]
    holds = np.zeros((len(counts), -(-int(is_shared.sum()) // 64) * 64), dtype=bool)
    holds[table_of[kept], (np.cumsum(is_shared) - 1)[path[kept]]] = True
    # Not with BLAS, whose threads spin for longer than a question takes.
    shared = np.zeros((len(counts), len(counts)), dtype=np.float32)
    for bits in np.packbits(holds, axis=1).view(np.uint64).T:
        shared += np.bitwise_count(bits[:, None] & bits)
    return np.bincount(table_of, minlength=len(counts)).astype(np.float32), shared


@lru_cache(maxsize=100_000)
def _name(ref: TableRef) -> tuple[str, ...]:
    """Schema, and words of the name without numbers."""
    return (ref.schema, *(word for word in words_of_name(ref.name) if not word.isdigit()))


@lru_cache(maxsize=100_000)
def _words(ref: TableRef) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of schema and name."""
    return tuple(words_of_name(ref.schema)), tuple(words_of_name(ref.name))


class DuplicateTable(Record, frozen=True):
    """
    A table kept beside an `original`, and the words of its name that mark it.

    `penalty` is subtracted from its log-odds.
    """

    index: int
    original: int
    words: frozenset[str]
    penalty: float = 0.0


def archived_tables(tables: Sequence[Table]) -> tuple[DuplicateTable, ...]:
    """Archives, backups, copies and older versions, by name, columns and rows."""
    in_use: dict[tuple[str, ...], list[int]] = defaultdict(list)
    versions: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    marked: list[tuple[int, tuple[str, ...], frozenset[str]]] = []
    for index, table in enumerate(tables):
        schema_words, words = _words(table.ref)
        if marks := _KEPT.intersection((*words, *schema_words)):
            base = tuple(word for word in words if word not in marks and not word.isdigit())
            marked.append((index, base, frozenset(words).difference(base) | marks))
        elif words[-2:-1] == (_VERSION,) and words[-1].isdigit():
            versions[table.ref.schema, *words[:-2]].append((int(words[-1]), index))
        else:
            in_use[words].append(index)
    pairs = list[tuple[int, int, frozenset[str]]]()
    for index, base, marks in marked:
        pairs += ((index, other, marks) for other in in_use.get(base, ()))
    pairs += _older(versions)
    compared = {index for index, _, _ in pairs} | {other for _, other, _ in pairs}
    paths = {index: set(tables[index].folded_paths()) for index in compared}
    shared = {(index, other): len(paths[index] & paths[other]) for index, other, _ in pairs}
    duplicates: dict[int, DuplicateTable] = {}
    for index, other, marks in sorted(pairs, key=lambda pair: shared[pair[:2]]):
        if shared[index, other] >= max(
            _MIN_KEPT, _KEPT_FROM_IT * len(paths[index])
        ) and not _is_larger(tables[index], tables[other]):
            duplicates[index] = DuplicateTable(index, other, marks)
    return tuple(duplicates.values())


def _older(
    versions: dict[tuple[str, ...], list[tuple[int, int]]],
) -> Iterator[tuple[int, int, frozenset[str]]]:
    """All versions of a table but the last, with the last."""
    for numbered in versions.values():
        *older, (_, last) = sorted(numbered)
        yield from ((index, last, frozenset({str(number)})) for number, index in older)


def _is_larger(table: Table, other: Table) -> bool:
    """Whether a table is known to have more rows."""
    rows, others = table.row_count_estimate, other.row_count_estimate
    return rows is not None and others is not None and rows > others


def current_tables(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """For each archive, backup or older version the current table."""
    tables = profiled.catalog.tables
    return {tables[item.index].ref: tables[item.original].ref for item in archived_tables(tables)}


def keys_into(profiled: ProfiledCatalog) -> Counter[TableRef]:
    """Number of foreign keys to each table."""
    return Counter(pair.right for pair in profiled.facts.joins)


def originals(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """
    For each duplicate the table with its name and columns in another schema that keys lead to more:
    to the table, else to its schema. Without keys, the one with more columns.
    """
    pointed = keys_into(profiled)
    in_schema = Counter[str]()
    for ref, count in pointed.items():
        in_schema[ref.schema] += count
    by_words = defaultdict[tuple[str, ...], list[Table]](list)
    paths: dict[TableRef, set[str]] = {}
    standing: dict[TableRef, tuple[int, int, int]] = {}
    for table in profiled.catalog.tables:
        ref = table.ref
        by_words[tuple(words_of_name(ref.name))].append(table)
        paths[ref] = {column.path for column in table.columns if not column.depth}
        standing[ref] = (pointed[ref], in_schema[ref.schema], len(paths[ref]))
    original_of = dict[TableRef, TableRef]()
    for table in profiled.catalog.tables:
        words, own = words_of_name(table.ref.name), paths[table.ref]
        bounds = combinations(range(len(words) + 1), 2)
        spans = {tuple(words[start:end]) for start, end in bounds}
        similar = chain.from_iterable(by_words.get(span, ()) for span in spans)
        likely = [
            other.ref
            for other in similar
            if other.ref.schema != table.ref.schema
            and len(own & paths[other.ref]) >= max(_MIN_SHARED, _MIN_SHARE * len(own))
            and standing[other.ref] > standing[table.ref]
        ]
        if likely:
            original_of[table.ref] = max(
                likely, key=lambda ref: (len(own & paths[ref]), standing[ref])
            )
    return {copy: _furthest(copy, original_of) for copy in original_of}


def upstream_tables(tables: Sequence[Table]) -> tuple[DuplicateTable, ...]:
    """Tables that another one is built from and continues, with the furthest such downstream."""
    indexes = {table.ref: index for index, table in enumerate(tables)}
    successors: dict[TableRef, list[tuple[float, int, TableRef]]] = defaultdict(list)
    for table in tables:
        for parent in table.dbt.upstream:
            if parent in indexes and (share := _carried(tables[indexes[parent]], table)):
                successors[parent].append((-share, len(table.dbt.upstream), table.ref))
    # The model that keeps most; ties go to the one with fewest sources.
    best = {ref: min(candidates)[2] for ref, candidates in successors.items()}
    marks = _layer_words(tables)
    pairs: list[DuplicateTable] = []
    for ref in best:
        last = _furthest(ref, best)
        own = {*words_of_name(last.schema), *words_of_name(last.name)}
        pairs.append(
            DuplicateTable(
                indexes[ref], indexes[last], frozenset(map(stem, marks[ref] - own)), _PENALTY
            )
        )
    return tuple(pairs)


def _carried(parent: Table, child: Table) -> float:
    """Share of a table's columns that a model keeps; 0 for aggregates and the like."""
    names, further = _names(parent), _names(child)
    if not names:
        return 0.0
    share = len(names & further) / len(names)
    if share >= _CARRIED:
        return share
    is_alone = child.dbt.upstream == (parent.ref,)
    is_as_wide = len(further) >= _RENAMED * len(names)
    # Compare row counts if both are known; a view has none, and counts if it stages raw data.
    counts = (parent.row_count_estimate, child.row_count_estimate)
    is_as_long = counts[0] == counts[1] if None not in counts else not parent.dbt.upstream
    return _CARRIED if is_alone and is_as_wide and is_as_long else 0.0


def _names(table: Table) -> frozenset[str]:
    """Column names without case and separators."""
    return frozenset("".join(filter(str.isalnum, path)) for path in table.folded_paths())


def _furthest(ref: TableRef, best: Mapping[TableRef, TableRef]) -> TableRef:
    seen = {ref}
    while ref in best and best[ref] not in seen:
        ref = best[ref]
        seen.add(ref)
    return ref


def _layer_words(tables: Sequence[Table]) -> dict[TableRef, set[str]]:
    """By table the words of its schema, and a prefix shared there: those of a layer."""
    firsts = Counter((table.ref.schema, *words_of_name(table.ref.name)[:1]) for table in tables)
    words_of: dict[TableRef, set[str]] = {}
    for table in tables:
        first = words_of_name(table.ref.name)[:1]
        words_of[table.ref] = set(words_of_name(table.ref.schema))
        if firsts[table.ref.schema, *first] > 1:
            words_of[table.ref].update(first)
    return words_of
