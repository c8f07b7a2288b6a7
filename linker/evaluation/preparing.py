"""
Makes a suite ready to be linked: enters its name and path, leaves its databases as the product sees
them.

The one database of `demo` and `golden` is the target with its profiles. What another package brings
it prepares itself.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name

from msgspec.structs import replace

from linker.catalog.facts import Facts, read_facts
from linker.catalog.indexed import FixedIndex, Index
from linker.catalog.warehouse import ProfiledWarehouse
from linker.config import Settings
from linker.embedders import Embedder
from linker.environment import Environment, SharedPart
from linker.errors import ConfigError
from linker.evaluation.suites import open_suite, suite_reader
from linker.evaluation.types import GoldenQuestion, Suite
from linker.lineage import MergedTables
from linker.models import LanguageModel
from linker.store import Store
from linker.types import Catalog, Record
from linker.warehouses import Warehouse, find_dialect


class MergedDatabase(MergedTables, frozen=True):
    """
    One database as the product sees it; `facts` are those that files tell, none where it has
    profiles.
    """

    name: str
    facts: Facts | None = None


def from_catalog(name: str, dialect: str, catalog: Catalog) -> MergedDatabase:
    """
    A catalog that the product read itself, as that of the demo or of the user's own warehouse.
    """
    return MergedDatabase(dialect, catalog, MergedTables.of(dialect, catalog).logical, name)


class SuiteWarehouse(ProfiledWarehouse):
    """
    One database of the warehouse of a run, where the suite has rows; elsewhere what its files tell.
    """

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
        return self._database.facts or read_facts(self.artifacts, self.catalog)

    @property
    def is_profiled(self) -> bool:
        """Only where the suite has rows."""
        return self._database.facts is None

    def release(self) -> None:
        """Leave the session to the run."""


class SuiteEnvironment(Environment):
    """
    The parts of one run over one database; store, encoder, language models and session are those of
    `parts`.
    """

    def __init__(
        self, settings: Settings, key: str, database: MergedDatabase, parts: Environment
    ) -> None:
        # Thousands of questions would push out the traces of those that people asked.
        super().__init__(replace(settings, kept_traces=0))
        self._key, self._database, self._parts = key, database, parts

    @property
    def target_key(self) -> str:
        """Each database has documents of its own."""
        return self._key

    @SharedPart
    def warehouse(self) -> ProfiledWarehouse:
        """The rows of the suite."""
        return SuiteWarehouse(self._database, self._parts)

    @SharedPart
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
    def model(self) -> LanguageModel | None:
        """The language model of the run, whose connections end with it."""
        return self._parts.model

    @property
    def models_of_steps(self) -> Mapping[str, LanguageModel]:
        """Those of single steps."""
        return self._parts.models_of_steps

    @property
    def dialect(self) -> str:
        """That of the target; rows of other suites lie in DuckDB."""
        return self._parts.dialect if self._key == self._parts.target_key else "duckdb"

    def for_question(self, budget: int | None, document: Path | None) -> "SuiteEnvironment":
        """
        The same database with the budget and the document of a question, and all that was worked
        out of it.
        """
        settings = (
            self.settings
            if budget is None
            else replace(self.settings, column_budget=budget, recall=1.0)
        )
        if document:
            settings = replace(settings, documents=(*settings.documents, str(document)))
        environment = SuiteEnvironment(settings, self._key, self._database, self._parts)
        environment.parts |= {"warehouse": self.warehouse, "index": self.index}
        return environment

    def close(self) -> None:
        """Nothing here is its own."""


OnProgress = Callable[[int, int], None]


class Prepared(Record, frozen=True, dict=True):
    """A suite with its merged databases, and the settings under which its parts are opened."""

    suite: Suite
    databases: tuple[MergedDatabase, ...]
    settings: Settings
    is_target: bool = False

    @cached_property
    def database_by_name(self) -> dict[str, MergedDatabase]:
        """The databases by their name."""
        return {database.name: database for database in self.databases}

    @cached_property
    def questions(self) -> tuple[GoldenQuestion, ...]:
        """The questions whose database is there."""
        return tuple(
            question
            for question in self.suite.questions
            if question.database in self.database_by_name
        )

    def environment(self, database: MergedDatabase, parts: Environment) -> SuiteEnvironment:
        """
        Environment of a strategy in one database; the target's own documents are those of its
        index.
        """
        key = parts.target_key if self.is_target else f"eval/{self.suite.name}/{database.name}"
        return SuiteEnvironment(self.settings, key, database, parts)


def prepare(
    name: str,
    root: Path | None,
    settings: Settings,
    on_progress: OnProgress = lambda _done, _due: None,
) -> Prepared:
    """Read the suite and make its databases ready; what was done before is reused."""
    if name == "demo":
        suite = open_suite(name, settings.state_dir)
        return _from_artifacts(suite, replace(settings, target="demo"))
    reader = suite_reader(name)
    if root is None:
        raise ConfigError(f"where {name} lies is not known", hint=f"linker eval {name} --root PATH")
    suite = open_suite(name, root)
    if not reader.prepare:
        return _from_artifacts(suite, settings)
    prepared: Prepared = resolve_name(reader.prepare)(suite, settings, on_progress)
    return prepared


def _from_artifacts(suite: Suite, settings: Settings) -> Prepared:
    """The one database is the target itself."""
    with Environment(settings) as environment:
        kind = environment.target.kind
        dialect = kind if find_dialect(kind) else ""
        name = suite.questions[0].database if suite.questions else suite.name
        database = from_catalog(name, dialect, environment.warehouse.catalog)
    return Prepared(suite, (database,), settings, is_target=True)
