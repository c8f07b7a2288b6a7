"""A database of a suite in the place of a warehouse: strategies see what they see of any target, and never gold."""

from dataclasses import replace
from functools import cached_property

from linker.config import Settings
from linker.embedders import Embedder
from linker.environment import Environment
from linker.evals.merging import MergedDatabase
from linker.facts import Facts, read_facts
from linker.snapshot import Profiled
from linker.store import Store
from linker.types import Catalog
from linker.warehouses import Warehouse


class SuiteEnvironment(Environment):
    """The parts of one run over one database; the store, the encoder and the warehouse are those of `parts`."""

    def __init__(self, settings: Settings, key: str, database: MergedDatabase, parts: Environment) -> None:
        # Thousands of questions would push out the traces of those that people asked.
        super().__init__(replace(settings, kept_traces=0))
        self._key = key
        self._database = database
        self._parts = parts

    @property
    def target_key(self) -> str:
        """Each database has documents of its own."""
        return self._key

    @property
    def catalog(self) -> Catalog:
        """The merged catalogue of the suite."""
        return self._database.catalog

    @cached_property
    def facts(self) -> Facts:
        """The profiles where there are rows, else what the suite's files tell."""
        return read_facts(self.artifacts, self.catalog) if self._database.is_profiled else self._database.facts

    @cached_property
    def indexed(self) -> Profiled:
        """The same: the index of a suite is made anew where its files changed."""
        return Profiled(self.catalog, self.facts)

    @property
    def store(self) -> Store:
        """The store of the run."""
        return self._parts.store

    @property
    def embedder(self) -> Embedder:
        """The encoder of the run."""
        return self._parts.embedder

    @property
    def dialect(self) -> str:
        """Rows of suites lie in DuckDB."""
        return "duckdb"

    @property
    def warehouse(self) -> Warehouse:
        """The warehouse of the run, where the suite has rows."""
        return self._parts.warehouse

    @property
    def is_profiled(self) -> bool:
        """Only where the suite has rows."""
        return self._database.is_profiled

    def with_budget(self, budget: int | None) -> "SuiteEnvironment":
        """The same database with another column budget."""
        settings = self.settings if budget is None else replace(self.settings, column_budget=budget)
        return SuiteEnvironment(settings, self._key, self._database, self._parts)

    def close(self) -> None:
        """Nothing here is its own."""
