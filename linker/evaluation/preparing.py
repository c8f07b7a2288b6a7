"""
Makes a suite ready to be linked: enters its name and path, leaves its databases as the product sees them.

The one database of `demo` and `golden` is the target with its profiles; of other suites the files are the catalogue.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name

from linker.config import Settings
from linker.environment import Environment
from linker.errors import ConfigError
from linker.evaluation.environment import SuiteEnvironment
from linker.evaluation.merging import MergedDatabase, from_catalog, merge
from linker.evaluation.suites import open_suite, suite_reader
from linker.evaluation.types import GoldenQuestion, Suite
from linker.warehouses import find_dialect

OnProgress = Callable[[int, int], None]
# Suites whose one database is the target itself, with its profiles.
_FROM_ARTIFACTS = ("demo", "golden")


@dataclass(frozen=True)
class Prepared:
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
        return tuple(question for question in self.suite.questions if question.database in self.database_by_name)

    def environment(self, database: MergedDatabase, parts: Environment) -> SuiteEnvironment:
        """What a strategy works with in one database; the target's own documents are those of its index."""
        key = parts.target_key if self.is_target else f"eval/{self.suite.name}/{database.name}"
        return SuiteEnvironment(self.settings, key, database, parts)


def prepare(
    name: str, root: Path | None, settings: Settings, on_progress: OnProgress = lambda _done, _due: None
) -> Prepared:
    """Read the suite and make its databases ready; what was done before is reused."""
    if name == "demo":
        suite = open_suite(name, settings.state_dir)
        return _from_artifacts(suite, replace(settings, target="demo"))
    reader = suite_reader(name)
    if root is None:
        raise ConfigError(f"where {name} lies is not known", hint=f"linker eval {name} --root PATH")
    suite = open_suite(name, root)
    if name in _FROM_ARTIFACTS:
        return _from_artifacts(suite, settings)
    if reader.prepare:
        prepared: Prepared = resolve_name(reader.prepare)(suite, settings, on_progress)
        return prepared
    return merged(suite, settings)


def merged(suite: Suite, settings: Settings) -> Prepared:
    """The suite's files are the catalogue; its families are merged."""
    return Prepared(suite, merge(suite, settings.state_dir), settings)


def _from_artifacts(suite: Suite, settings: Settings) -> Prepared:
    """The one database is the target itself."""
    with Environment(settings) as environment:
        kind = environment.target.kind
        dialect = kind if find_dialect(kind) else ""
        database = from_catalog(suite.databases[0].name, dialect, environment.warehouse.catalog)
    return Prepared(suite, (database,), settings, is_target=True)
