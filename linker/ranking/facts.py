"""
What ranking knows of a catalogue: the catalogue itself, and what was measured, each of it optional.

Nothing here names a benchmark or a warehouse: a suite without rows fills in samples and declared keys alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from linker.types import Catalog, ColumnRef, TableRef


@dataclass(frozen=True, slots=True)
class Measured:
    """What a profile tells of one column: its semantic category, and whether it is a key or points to one."""

    category: str
    is_key: bool


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A way to join two tables, column by column, and how sure it is."""

    left: TableRef
    left_columns: tuple[str, ...]
    right: TableRef
    right_columns: tuple[str, ...]
    confidence: float = 1.0


@dataclass(frozen=True)
class Facts:
    """A catalogue and what is known of it. `values` are representative values, as privacy lets them be seen."""

    catalog: Catalog
    values: Mapping[ColumnRef, tuple[str, ...]] = field(default_factory=dict)
    keys: tuple[KeyPair, ...] = ()
    measured: Mapping[ColumnRef, Measured] = field(default_factory=dict)
