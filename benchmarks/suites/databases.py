"""A suite's catalog: databases, tables and columns."""

from pathlib import Path

from linker.catalog.column_metadata import KeyPair
from linker.types import Record, TableRef


class SuiteColumn(Record, frozen=True):
    """
    A column of a suite's catalogue, or a path inside a nested one, spelt as the product spells
    paths.
    """

    path: str
    data_type: str
    description: str | None = None
    samples: tuple[str, ...] = ()


class SuiteTable(Record, frozen=True):
    """A physical table of a suite's catalogue."""

    ref: TableRef
    columns: tuple[SuiteColumn, ...]
    description: str | None = None
    row_count: int | None = None

    @property
    def has_samples(self) -> bool:
        """Whether sample rows exist."""
        return any(column.samples for column in self.columns)


class SuiteDatabase(Record, frozen=True):
    """One database of a suite, and the file with its rows, where there is one."""

    name: str
    dialect: str
    tables: tuple[SuiteTable, ...]
    keys: tuple[KeyPair, ...] = ()
    rows: Path | None = None
