"""
Grounding: enter the names that a hypothesis gives, leave the tables and columns that it needs, by
names that exist.

A name that leads nowhere is told to the model once; what leads nowhere then is left out, with a
warning.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from linker.link.hypotheses import Hypothesis
from linker.names.repair import Unknown
from linker.types import ColumnRef, Record, Ref, TableRef

RefT = TypeVar("RefT", TableRef, ColumnRef)


class Grounding(Record, frozen=True):
    """
    Items that one hypothesis needs. `why` has reasons for some, `unknown` the names that led
    nowhere.
    """

    hypothesis: Hypothesis
    tables: tuple[TableRef, ...]
    columns: tuple[ColumnRef, ...]
    why: tuple[tuple[Ref, str], ...] = ()
    unknown: tuple[str, ...] = ()


def named(
    choose: Callable[[tuple[Unknown, ...]], Iterable[str]], find: Callable[[str], RefT | Unknown]
) -> tuple[tuple[RefT, ...], tuple[str, ...]]:
    """
    Tables or columns that were chosen, and the names that lead nowhere even after a second attempt.
    """
    found, lost = dict[RefT, None](), tuple[Unknown, ...]()
    for _ in range(2):
        refs = [find(name) for name in dict.fromkeys(choose(lost))]
        found.update((ref, None) for ref in refs if not isinstance(ref, Unknown))
        lost = tuple(ref for ref in refs if isinstance(ref, Unknown))
        if not lost:
            break
    return tuple(found), tuple(ref.name for ref in lost)
