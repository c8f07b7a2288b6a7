"""
Grounding: enters one hypothesis after another, leave the tables and columns that each needs, by names that exist.

The hypotheses are grounded side by side and know nothing of each other. A name that leads nowhere is told to the mind
once; what leads nowhere then is left out, with a warning.
"""

from dataclasses import dataclass

from linker.hypothesis import Hypothesis
from linker.types import ColumnRef, Ref, TableRef


@dataclass(frozen=True, slots=True)
class Grounding:
    """What one hypothesis needs. `why` says it for some of them; `unknown` are names that led nowhere."""

    hypothesis: Hypothesis
    tables: tuple[TableRef, ...]
    columns: tuple[ColumnRef, ...]
    why: tuple[tuple[Ref, str], ...] = ()
    unknown: tuple[str, ...] = ()
