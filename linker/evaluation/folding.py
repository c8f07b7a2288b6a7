"""
Tables with the same columns count as one: enter an answer and its golds, leave both with one table in their place.

An answer that shows one of them names the others, so a reader has what is needed; two of them shown tell nothing more
than one. Of each group the table stands for it that the answer holds, else the one that the gold reads.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from linker.catalog.siblings import copies
from linker.evaluation.metrics import Key, table_key
from linker.evaluation.types import Gold, Prediction
from linker.types import Catalog, ColumnRef, TableRef

Groups = dict[Key, frozenset[TableRef]]


def groups_of(catalog: Catalog) -> Groups:
    """By table all those with the same columns, itself included; tables without such are left out."""
    found: Groups = {}
    for group in copies(catalog.tables):
        refs = frozenset(catalog.tables[place].ref for place in group)
        found.update({table_key(ref): refs for ref in refs})
    return found


def fold(prediction: Prediction, golds: Sequence[Gold], groups: Groups) -> tuple[Prediction, tuple[Gold, ...]]:
    """The answer and its golds, with one table for each group."""
    if not groups:
        return prediction, tuple(golds)
    standing: dict[frozenset[TableRef], TableRef] = {}

    def table(ref: TableRef) -> TableRef:
        group = groups.get(table_key(ref))
        return standing.setdefault(group, ref) if group else ref

    def column(ref: ColumnRef) -> ColumnRef:
        return ColumnRef(table(ref.table), ref.path)

    folded = replace(
        prediction,
        columns=tuple(replace(one, ref=column(one.ref)) for one in prediction.columns),
        tables=tuple(dict.fromkeys(table(ref) for ref in prediction.tables)),
        seen=tuple((step, tuple(dict.fromkeys(map(column, refs)))) for step, refs in prediction.seen),
    )
    return folded, tuple(_folded_gold(gold, table, column) for gold in golds)


def _folded_gold(gold: Gold, table: Callable[[TableRef], TableRef], column: Callable[[ColumnRef], ColumnRef]) -> Gold:
    return Gold(
        fields=tuple(tuple(dict.fromkeys(map(column, field))) for field in gold.fields),
        tables=tuple(tuple(dict.fromkeys(map(table, choice))) for choice in gold.tables),
        problems=gold.problems,
    )
