"""
Deduplicates hypotheses by structure and keeps at most four.

Hypotheses are equal if they use the same tables, joins and columns, however they are worded.
"""

from collections.abc import Iterable
from itertools import chain

from msgspec.structs import replace

from linker.linking.linking_state import MAX_HYPOTHESES, Hypothesis
from linker.types import ColumnRef, TableRef

Structure = tuple[frozenset[TableRef], frozenset[frozenset[ColumnRef]], frozenset[ColumnRef]]


def structure(hypothesis: Hypothesis) -> Structure:
    """Normalised tables, joins and columns of a hypothesis."""
    joins = frozenset(frozenset(pair) for pair in hypothesis.joins)
    ends = set(chain.from_iterable(hypothesis.joins))
    named = {column.table for column in (*hypothesis.columns, *ends)}
    return frozenset({*hypothesis.tables, *named}), joins, frozenset({*hypothesis.columns} - ends)


def distinct(
    hypotheses: Iterable[Hypothesis], most: int = MAX_HYPOTHESES
) -> tuple[Hypothesis, ...]:
    """The first hypothesis of each structure, renumbered; divergences of duplicates are merged."""
    found: dict[Structure, Hypothesis] = {}
    for hypothesis in hypotheses:
        first = found.setdefault(structure(hypothesis), hypothesis)
        if first is not hypothesis:
            diverges = tuple(dict.fromkeys((*first.diverges, *hypothesis.diverges)))
            found[structure(hypothesis)] = replace(first, diverges=diverges)
    return tuple(
        replace(hypothesis, number=number)
        for number, hypothesis in enumerate(list(found.values())[:most], start=1)
    )
