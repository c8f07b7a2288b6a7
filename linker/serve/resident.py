"""A resident environment: what a process keeps open while others ask, each in its turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer

from msgspec.structs import replace

from linker import pipeline
from linker.catalog.profile import ColumnProfile, TableProfile, column_profile
from linker.environment import Environment
from linker.errors import ArtifactError, LinkerError, StoreError
from linker.link.answer import LinkedSchema
from linker.names.repair import find
from linker.runs import Run
from linker.text.commands import for_others
from linker.types import ColumnRef, TableRef

# To open a session in the warehouse takes a second: who looks at one table soon looks at another.
_KEPT_OPEN_SECONDS = 3.0


class Resident:
    """
    One environment for all: brought up to date before each turn; soon after it the warehouse is let
    go.
    """

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self._lock = Lock()
        self._letting_go: Timer | None = None
        self._last_run: Run | None = None

    @contextmanager
    def turn(self, *, needs_index: bool = True) -> Iterator[Environment]:
        """The environment, for one at a time."""
        with self._lock:
            environment = self.environment
            try:
                if needs_index:
                    self._catch_up()
                yield environment
            except LinkerError as error:
                error.hint = for_others(error.hint, environment.flags)
                raise
            finally:
                self._let_go_soon()

    def _catch_up(self) -> None:
        environment = self.environment
        environment.index.catch_up()
        if not environment.indexed.catalog.tables:
            raise StoreError(
                f"nothing is indexed for target `{environment.target.name}`", hint="linker index"
            )
        [*last] = environment.store.history.runs(environment.target_key, limit=1)
        if last and last[0] != self._last_run:
            self._last_run = last[0]
            environment.forget_artifacts()

    def _let_go_soon(self) -> None:
        """
        Release the warehouse in a while: whoever reads a DuckDB file keeps others from writing it.
        """
        if self._letting_go is None and self.environment.has_opened_warehouse:
            self._letting_go = Timer(_KEPT_OPEN_SECONDS, self._let_go)
            self._letting_go.daemon = True
            self._letting_go.start()

    def _let_go(self) -> None:
        with self._lock:
            self._letting_go = None
            self.environment.release_warehouse()


def ask(question: str, environment: Environment) -> LinkedSchema:
    """The linked schema of a question, with warnings for those whom a server answers."""
    schema = pipeline.ask(question, environment)
    return replace(
        schema,
        warnings=tuple(for_others(warning, environment.flags) for warning in schema.warnings),
    )


def read_card(environment: Environment, name: str) -> tuple[TableProfile, ColumnProfile | None]:
    """
    The profile of the table that a name means, and of the column, if it means one; each table is
    read once.
    """
    ref = find(name, environment.indexed.catalog)
    profile = profile_of(environment, ref.table)
    if not isinstance(ref, ColumnRef):
        return profile, None
    return profile, column_of(profile, ref.path)


def profile_of(environment: Environment, ref: TableRef) -> TableProfile:
    """The profile of a table of the index."""
    profile = environment.profile_of(ref)
    if profile is None:
        raise ArtifactError(
            f"{ref} has no profile here", hint=environment.away or "run: linker refresh"
        )
    # The warehouse may have been profiled anew since it was indexed.
    columns = tuple(
        column for column in profile.columns if column.path in profile.table.column_by_path
    )
    return profile if len(columns) == len(profile.columns) else replace(profile, columns=columns)


def column_of(profile: TableProfile, path: str) -> ColumnProfile:
    """One column of a profile."""
    column = column_profile(profile, path)
    if column is None:
        raise ArtifactError(
            f"{profile.table.ref}.{path} has no profile yet", hint="run: linker refresh"
        )
    return column
