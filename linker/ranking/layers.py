"""
Layers of a dbt project: which tables only prepare another one, by what dbt says that tables are
built from.

Raw data becomes a staging model and then a mart. A question is about the mart, as far as that still
has the columns.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from linker.ranking.kin import Kept
from linker.text.words import stem, words_of_name
from linker.types import Table, TableRef

# A model that has so many of a table's columns by their names goes on with it.
_CARRIED = 0.5
# A model of one table alone may rename them all: then it has about as many.
_RENAMED = 0.75
# Log-odds that a table loses which only prepares another one: it comes where that lacks something.
_PENALTY = 3.0


def superseded(tables: Sequence[Table]) -> tuple[Kept, ...]:
    """
    The tables that another one is built from and goes on with, each with the furthest downstream of
    these.
    """
    places = {table.ref: place for place, table in enumerate(tables)}
    successors: dict[TableRef, list[tuple[float, int, TableRef]]] = defaultdict(list)
    for table in tables:
        for parent in table.dbt.upstream:
            if parent in places and (share := _carried(tables[places[parent]], table)):
                successors[parent].append((-share, len(table.dbt.upstream), table.ref))
    # Of several the one that has the most of it, and of these the one that is made of the fewest.
    best = {ref: min(found)[2] for ref, found in successors.items()}
    marks = _layer_words(tables)
    pairs: list[Kept] = []
    for ref in best:
        last = _furthest(ref, best)
        own = {*words_of_name(last.schema), *words_of_name(last.name)}
        pairs.append(
            Kept(places[ref], places[last], frozenset(map(stem, marks[ref] - own)), _PENALTY)
        )
    return tuple(pairs)


def _carried(parent: Table, child: Table) -> float:
    """
    How much of a table a model built from it goes on with; 0 where it is about something else, as a
    sum is.
    """
    names, further = _names(parent), _names(child)
    if not names:
        return 0.0
    share = len(names & further) / len(names)
    if share >= _CARRIED:
        return share
    is_alone = child.dbt.upstream == (parent.ref,)
    is_as_wide = len(further) >= _RENAMED * len(names)
    # Where both tell their rows these decide; a view tells none, and is taken at its word where it
    # stages raw data.
    counts = (parent.row_count_estimate, child.row_count_estimate)
    is_as_long = counts[0] == counts[1] if None not in counts else not parent.dbt.upstream
    return _CARRIED if is_alone and is_as_wide and is_as_long else 0.0


def _names(table: Table) -> frozenset[str]:
    """The columns, whether their words are told apart by capitals, by a character or not at all."""
    return frozenset("".join(filter(str.isalnum, path)) for path in table.path_set)


def _furthest(ref: TableRef, best: Mapping[TableRef, TableRef]) -> TableRef:
    seen = {ref}
    while ref in best and best[ref] not in seen:
        ref = best[ref]
        seen.add(ref)
    return ref


def _layer_words(tables: Sequence[Table]) -> dict[TableRef, set[str]]:
    """
    By table the words of its schema, and the word that it and others there begin with: those of a
    layer.
    """
    firsts = Counter((table.ref.schema, *words_of_name(table.ref.name)[:1]) for table in tables)
    found: dict[TableRef, set[str]] = {}
    for table in tables:
        first = words_of_name(table.ref.name)[:1]
        is_shared = firsts[table.ref.schema, *first] > 1
        found[table.ref] = {*words_of_name(table.ref.schema), *(first if is_shared else ())}
    return found
