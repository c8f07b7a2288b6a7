"""
The rules in which warehouses differ, by name.

Each warehouse fills the record in; code asks for a rule, never for a warehouse.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from linker.config.target import Target
from linker.text.escaping import quoted
from linker.types import Record

# Reading a sequence advances it; a seed affects later random values.
REFUSED_EVERYWHERE = frozenset({"nextval", "setval", "currval", "lastval", "setseed"})
# Function lists per warehouse: callable by probes, and refused everywhere.
FUNCTIONS = Path(__file__).parent / "functions"


def dialect_sql(name: str) -> str:
    """The SQL file of that name."""
    return (Path(__file__).parent / "statements" / f"{name}.sql").read_text("utf-8")


def hints(warehouse: str) -> tuple[str, ...]:
    """SQL hints for language models, from the warehouse's file."""
    return tuple(
        (Path(__file__).parent / "hints" / f"{warehouse}.md").read_text("utf-8").splitlines()
    )


def words(text: str) -> frozenset[str]:
    """Words of a text."""
    return frozenset(text.split())


@cache
def _listed(file: Path | None) -> Mapping[str, frozenset[str]]:
    import yaml

    return (
        {name: words(text) for name, text in yaml.safe_load(file.read_text("utf-8")).items()}
        if file
        else {}
    )


class Refusals(Record, frozen=True):
    """
    Functions that no statement may call, because they do more than compute on table data.

    Refused are listed names, prefixes and suffixes, and calls qualified with a schema not known to
    be harmless. Lower case.
    """

    # YAML with `refused`, `refused_prefixes`, `refused_suffixes`, and exceptions `not_refused`.
    file: Path | None = None
    # Schemas whose functions are judged by name; None if a dot may be a method call.
    schemas: frozenset[str] | None = frozenset()

    def reason(self, name: str, qualifiers: tuple[str, ...]) -> str:
        """Why a call is refused; empty if it is not."""
        if self.schemas is not None and any(
            qualifier not in self.schemas for qualifier in qualifiers
        ):
            return f"`{'.'.join((*qualifiers, name))}` is not one of the warehouse's own functions"
        if name in self._of("not_refused"):
            return ""
        is_listed = name in REFUSED_EVERYWHERE | self._of("refused")
        starts, ends = tuple(self._of("refused_prefixes")), tuple(self._of("refused_suffixes"))
        if is_listed or name.startswith(starts) or name.endswith(ends):
            return f"`{name}` does more than read tables"
        return ""

    def _of(self, name: str) -> frozenset[str]:
        return _listed(self.file).get(name, frozenset())


class ProbeFunctions(Record, frozen=True):
    """Functions that probes may call, in lower case; all others are refused."""

    # YAML with the lists below.
    file: Path | None = None
    # Allowed qualifiers of calls; None if any value may precede a method call.
    namespaces: frozenset[str] | None = frozenset()
    # System schema, where user functions may shadow built-in ones.
    home: str = ""

    @property
    def names(self) -> frozenset[str]:
        """Scalar and aggregate functions."""
        return self._of("names")

    @property
    def of_tables(self) -> frozenset[str]:
        """Table functions."""
        return self._of("of_tables")

    @property
    def of_windows(self) -> frozenset[str]:
        """Functions permitted only before `over`."""
        return self._of("of_windows")

    @property
    def of_groups(self) -> frozenset[str]:
        """Functions permitted only before `within group`."""
        return self._of("of_groups")

    @property
    def settings(self) -> frozenset[str]:
        """Readable session settings: formats of times, texts and numbers."""
        return self._of("settings")

    @property
    def as_written(self) -> frozenset[str]:
        """Functions that sqlglot would rename incorrectly."""
        return self._of("as_written")

    @property
    def bare(self) -> frozenset[str]:
        """Functions outside the system schema: grammar and extensions."""
        return self._of("bare")

    def _of(self, name: str) -> frozenset[str]:
        return _listed(self.file).get(name, frozenset())


class QueryHistory(Record, frozen=True):
    """A warehouse's query history."""

    # Placeholders `{days}`, `{most}`, `{signature}`, `{own_models}`, and those of `names`.
    statement: str
    names: Callable[[Target], Mapping[str, str]] = lambda _target: {}
    # For a history in any schema: SQL that finds it, its name in `statement`, the usual schema, and
    # the error if missing.
    place: "HistoryPlace | None" = None
    # Makes a logged text parsable.
    readable: Callable[[str], str] = str


class HistoryPlace(Record, frozen=True):
    """Location of a history that may be in any schema."""

    statement: str
    name: str
    usual: str
    missing: str
    hint: str


class DatabaseFile(Record, frozen=True):
    """A file warehouse: one writer, or several readers."""

    # Path from a target's options.
    path: Callable[[Mapping[str, Any]], Path]
    # Fingerprint of the file without opening the database; None if unavailable.
    stamp: Callable[[Path], str | None]
    # Wait until the file is writable, or raise FileLockedError after the timeout; reports the
    # holder once.
    wait_until_free: Callable[[Path, float, Callable[[str], None]], None]


class QuerySession(Protocol):
    """A session for reading."""

    def query(self, sql: str, /) -> Sequence[Sequence[Any]]:
        """Run one read-only statement."""


class KnownFailure(Record, frozen=True):
    """A pattern of driver messages, and the text for the user."""

    pattern: str
    what: str
    hint: str


class Dialect(Record, frozen=True, kw_only=True):
    """Rules of a warehouse; defaults are the cautious or usual ones."""

    # Type in profiles.yml, dbt and sqlglot.
    name: str
    # Extra time for the warehouse to cancel a timed-out statement, which keeps the session.
    patience_seconds: float = 0
    # A session may lock out others until released.
    keeps_others_out: bool = False
    # Statements may have no timeout; linker then ends the dbt run.
    may_wait_forever: bool = False
    # Statements outlive their client until cancelled.
    cancels_statements: bool = False

    # Change indicator, in a word or two (docs/warehouses.md).
    change_source: str = "what the warehouse tells"

    # Case of unquoted names; `any` if names are case-insensitive even if quoted.
    unquoted_case: Literal["lower", "upper", "any"] = "any"
    # Type to which all values can be cast for comparison as text.
    text_type: str = "text"
    # Texts compared with numbers or dates are converted; elsewhere both compare as text.
    reads_texts_as_typed: bool = True

    probe_functions: ProbeFunctions = ProbeFunctions()
    refusals: Refusals = Refusals()

    # Parameters are `$1`, `$2` … instead of `?`.
    has_numbered_parameters: bool = False
    # `$name` and `@name` are session variables.
    has_session_variables: bool = False
    # `@name` in FROM reads a stage.
    has_stages: bool = False
    # `name.nextval` advances a sequence.
    has_sequence_columns: bool = False

    # Implicit columns of every table, and the readable ones.
    pseudo_columns: frozenset[str] = frozenset()
    probed_pseudo_columns: frozenset[str] = frozenset()
    # `t.f` may call `f(t)`, so a dotted name must be a column.
    may_call_behind_dots: bool = False
    # Functions accept time units as bare words.
    has_bare_units: bool = True
    # `from t, t.items` unnests a column.
    has_columns_in_from: bool = False
    # `events_*` in FROM is a wildcard.
    has_wildcard_tables: bool = False
    # Supports `explain select …` without execution.
    explains: bool = False
    # `tablesample` is allowed after a sub-query.
    samples_queries: bool = False
    # Information schema views may be qualified with a schema.
    has_system_views_in_schemas: bool = False
    # Clauses in which output aliases precede columns.
    alias_first_clauses: tuple[str, ...] = ("order",)
    # `order by` accepts an alias only by itself.
    sorts_by_whole_aliases: bool = False
    # Double quotes may be a string if no column matches.
    has_double_quoted_texts: bool = False

    # Dialect name in Apache Ossie, by default standard SQL.
    ossie_name: str = "ANSI_SQL"

    # Hints for language models; the first line names the dialect.
    sql_hints: tuple[str, ...] = ()
    history: QueryHistory | None = None
    file: DatabaseFile | None = None
    # Broken views (schema, name, error), where one would abort dbt.
    find_broken_views: Callable[["QuerySession"], list[tuple[str, str, str]]] | None = None
    failures: tuple[KnownFailure, ...] = ()
    # SQL that returns a missing privilege for creating tables in schema `?`, and the grant; no row
    # if none is missing or it is unknown.
    lacking_right: str = ""

    def is_bare(self, name: str) -> bool:
        """Whether an identifier needs no quotes."""
        folded = {"lower": name.lower(), "upper": name.upper(), "any": name}[self.unquoted_case]
        return name == folded and quoted(name.lower()) == name.lower()
