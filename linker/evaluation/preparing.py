"""
Prepares a suite for linking, with its databases as the product sees them.

`demo` and `golden` use the profiled target; other packages prepare their own suites.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name

from msgspec.structs import replace

from linker.catalog.index_session import FixedIndex
from linker.catalog.snapshot import as_indexed
from linker.config.settings import Settings
from linker.environment import Environment
from linker.errors import ConfigError
from linker.evaluation import GoldenQuestion, Suite
from linker.evaluation.suites import open_suite, suite_reader
from linker.sql_analysis import MergedTables
from linker.types import Catalog, OnProgress
from linker.warehouses import find_dialect


class MergedDatabase(MergedTables, frozen=True):
    """A database as the product sees it."""

    name: str


def from_catalog(name: str, dialect: str, catalog: Catalog) -> MergedDatabase:
    """From a catalog that the product read."""
    return MergedDatabase(dialect, catalog, MergedTables.create(dialect, catalog).logical, name)


@dataclass(eq=False)
class Prepared:
    """
    A suite on the profiled target, with settings for its environments; suites with databases of
    their own subclass it.
    """

    suite: Suite
    databases: tuple[MergedDatabase, ...]
    settings: Settings

    @property
    def is_target(self) -> bool:
        """Whether a warehouse can run the suite's SQL."""
        return True

    @cached_property
    def database_by_name(self) -> dict[str, MergedDatabase]:
        return {database.name: database for database in self.databases}

    @cached_property
    def questions(self) -> tuple[GoldenQuestion, ...]:
        """Questions whose database is available."""
        here = self.database_by_name
        return tuple(question for question in self.suite.questions if question.database in here)

    def environment(self, _database: MergedDatabase, parts: Environment) -> Environment:
        """A strategy's environment; without usage statistics, which may come from the gold."""
        parts.parts["index"] = FixedIndex(as_indexed(parts.warehouse.profiled))
        return parts


def prepare(
    name: str,
    root: Path | None,
    settings: Settings,
    on_progress: OnProgress = lambda _done, _due: None,
) -> Prepared:
    """Read the suite and prepare its databases, reusing earlier work."""
    # Evaluations must not evict users' traces.
    settings = replace(settings, kept_traces=0)
    if name == "demo":
        suite = open_suite(name, settings.state_dir)
        return _from_artifacts(suite, replace(settings, target="demo"))
    reader = suite_reader(name)
    root = root or _own_file(name, settings)
    if root is None:
        raise ConfigError(
            f"missing --root for suite {name}", hint=f"linker eval {name} --root PATH"
        )
    suite = open_suite(name, root)
    if not reader.prepare:
        return _from_artifacts(suite, settings)
    prepared: Prepared = resolve_name(reader.prepare)(suite, settings, on_progress)
    return prepared


def _own_file(name: str, settings: Settings) -> Path | None:
    """The file of a suite that belongs to the target; None for others."""
    if name == "verified":
        return settings.verified_questions
    if name == "feedback":
        # Imported late: it reads golden questions, which this module prepares.
        from linker.evaluation.golden import feedback_file

        return feedback_file(settings)
    return None


def own_suites(settings: Settings) -> tuple[str, ...]:
    """Suites of the target that have questions."""
    names = ("verified", "feedback")
    files = {name: _own_file(name, settings) for name in names}
    return tuple(name for name, file in files.items() if file and file.exists())


def _from_artifacts(suite: Suite, settings: Settings) -> Prepared:
    """Uses the target as the only database."""
    with Environment(settings) as environment:
        kind = environment.target.kind
        dialect = kind if find_dialect(kind) else ""
        name = suite.questions[0].database if suite.questions else suite.name
        database = from_catalog(name, dialect, environment.warehouse.catalog)
    return Prepared(suite, (database,), settings)
