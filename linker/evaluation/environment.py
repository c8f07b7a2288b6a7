"""A database of a suite in the place of a warehouse: strategies see what they see of any target, and never gold."""

from dataclasses import replace
from functools import cached_property

from linker.catalog.facts import Facts, read_facts
from linker.catalog.indexed import FixedIndex, Index
from linker.catalog.warehouse import ProfiledWarehouse
from linker.config import Settings
from linker.embedders import Embedder
from linker.environment import Environment
from linker.evaluation.merging import MergedDatabase
from linker.store import Store
from linker.types import Catalog
from linker.warehouses import Warehouse


class SuiteWarehouse(ProfiledWarehouse):
    """One database of the warehouse of a run, where the suite has rows; elsewhere what its files tell."""

    def __init__(self, database: MergedDatabase, parts: Environment) -> None:
        super().__init__(lambda: parts.target, parts.settings)
        self._database, self._parts = database, parts

    @property
    def session(self) -> Warehouse:
        """The session of the run."""
        return self._parts.warehouse.session

    @property
    def catalog(self) -> Catalog:
        """The merged catalogue of the suite."""
        return self._database.catalog

    @cached_property
    def facts(self) -> Facts:
        """The profiles where there are rows, else what the suite's files tell."""
        return read_facts(self.artifacts, self.catalog) if self.is_profiled else self._database.facts

    @property
    def is_profiled(self) -> bool:
        """Only where the suite has rows."""
        return self._database.is_profiled

    def release(self) -> None:
        """Leave the session to the run."""


class SuiteEnvironment(Environment):
    """The parts of one run over one database; the store, the encoder and the session are those of `parts`."""

    def __init__(self, settings: Settings, key: str, database: MergedDatabase, parts: Environment) -> None:
        # Thousands of questions would push out the traces of those that people asked.
        super().__init__(replace(settings, kept_traces=0))
        self._key, self._database, self._parts = key, database, parts

    @property
    def target_key(self) -> str:
        """Each database has documents of its own."""
        return self._key

    def _open_warehouse(self) -> ProfiledWarehouse:
        return SuiteWarehouse(self._database, self._parts)

    @cached_property
    def index(self) -> Index:
        """The same: the index of a suite is made anew where its files changed."""
        return FixedIndex(self.warehouse.profiled)

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

    def with_budget(self, budget: int | None) -> "SuiteEnvironment":
        """The same database with another column budget, and all that was worked out of it."""
        settings = self.settings if budget is None else replace(self.settings, column_budget=budget)
        environment = SuiteEnvironment(settings, self._key, self._database, self._parts)
        environment._warehouse, environment.index = self.warehouse, self.index
        return environment

    def close(self) -> None:
        """Nothing here is its own."""
