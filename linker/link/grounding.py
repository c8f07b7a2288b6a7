"""
Grounding: enter the names that a hypothesis gives, leave the tables and columns that it needs, by names that exist.

A name that leads nowhere is told to the model once; what leads nowhere then is left out, with a warning.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from linker.link.hypotheses import Hypothesis
from linker.names.repair import Unknown
from linker.types import ColumnRef, Ref, TableRef

RefT = TypeVar("RefT", TableRef, ColumnRef)


@dataclass(frozen=True, slots=True)
class Pick:
    """A table or column by name, as a model says it, and why."""

    name: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Grounding:
    """Items that one hypothesis needs. `why` has reasons for some, `unknown` the names that led nowhere."""

    hypothesis: Hypothesis
    tables: tuple[TableRef, ...]
    columns: tuple[ColumnRef, ...]
    why: tuple[tuple[Ref, str], ...] = ()
    unknown: tuple[str, ...] = ()


def named(
    choose: Callable[[tuple[Unknown, ...]], Iterable[Pick]], find: Callable[[str], RefT | Unknown]
) -> tuple[list[RefT], dict[RefT, str], list[Unknown]]:
    """Tables or columns that were chosen, the reasons, and the names that lead nowhere even after a second attempt."""
    found: dict[RefT, str] = {}
    lost = _sort(choose(()), find, found)
    if lost:
        lost = _sort(choose(tuple(lost)), find, found)
    return list(found), {ref: why for ref, why in found.items() if why}, lost


def _sort(picks: Iterable[Pick], find: Callable[[str], RefT | Unknown], found: dict[RefT, str]) -> list[Unknown]:
    """Puts what exists with what was found, and gives back what does not."""
    lost = []
    for pick in picks:
        ref = find(pick.name)
        if isinstance(ref, Unknown):
            lost.append(ref)
        else:
            found[ref] = found.get(ref) or pick.why
    return lost
