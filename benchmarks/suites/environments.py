"""Environments of suite databases for strategies: from files, or with rows."""

from collections.abc import Mapping
from functools import cached_property

from linker.catalog.column_metadata import Facts, read_facts
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.snapshot import as_indexed
from linker.catalog.warehouse import ProfiledWarehouse
from linker.embedders import Embedder
from linker.environment import Environment, SharedPart
from linker.evaluation.preparing import MergedDatabase, Prepared
from linker.index import Store
from linker.models import LanguageModel
from linker.types import Catalog
from linker.warehouses import Warehouse


class FiledDatabase(MergedDatabase, frozen=True):
    """A database without rows, described by files."""

    facts: Facts


class SuiteWarehouse(ProfiledWarehouse):
    """A database of the run's warehouse if the suite has rows, else metadata from files."""

    def __init__(self, database: MergedDatabase, parts: Environment) -> None:
        super().__init__(lambda: parts.target, parts.settings)
        self._database, self._parts = database, parts

    @property
    def session(self) -> Warehouse:
        return self._parts.warehouse.session

    @property
    def catalog(self) -> Catalog:
        return self._database.catalog

    @cached_property
    def facts(self) -> Facts:
        """The profiles if there are rows, else the metadata of the suite's files."""
        if isinstance(self._database, FiledDatabase):
            return self._database.facts
        return read_facts(self.artifacts, self.catalog)

    @property
    def is_profiled(self) -> bool:
        """Only where the suite has rows."""
        return not isinstance(self._database, FiledDatabase)

    def release(self) -> None:
        """The session belongs to the run."""


class SuiteEnvironment(Environment):
    """
    The parts of one run over one database; store, encoder, language models and session are those of
    `parts`.
    """

    def __init__(self, key: str, database: MergedDatabase, parts: Environment) -> None:
        super().__init__(parts.settings)
        self._key, self._database, self._parts = key, database, parts

    @property
    def target_key(self) -> str:
        """Each database has its documents."""
        return self._key

    @SharedPart
    def warehouse(self) -> ProfiledWarehouse:
        return SuiteWarehouse(self._database, self._parts)

    @SharedPart
    def index(self) -> Index:
        """The index of a suite never changes during a run."""
        return FixedIndex(as_indexed(self.warehouse.profiled))

    @property
    def store(self) -> Store:
        return self._parts.store

    @property
    def embedder(self) -> Embedder:
        return self._parts.embedder

    @property
    def model(self) -> LanguageModel | None:
        return self._given_model or self._parts.model

    @property
    def models_of_steps(self) -> Mapping[str, LanguageModel]:
        """Those of single steps."""
        return {} if self._given_model else self._parts.models_of_steps

    @property
    def dialect(self) -> str:
        """Rows of suites lie in DuckDB."""
        return "duckdb"

    def close(self) -> None:
        """Shared parts belong to the run."""


class PreparedDatabases(Prepared):
    """A suite with separate databases, none of which is the target."""

    @property
    def is_target(self) -> bool:
        """Gold is in the suite's dialect, and its rows are not there or in DuckDB."""
        return False

    def environment(self, database: MergedDatabase, parts: Environment) -> SuiteEnvironment:
        """Environment of a strategy in one database."""
        return SuiteEnvironment(f"eval/{self.suite.name}/{database.name}", database, parts)
