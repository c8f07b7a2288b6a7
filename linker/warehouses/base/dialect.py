"""
Record of the rules in which warehouses differ, by name.

Each warehouse fills one in; code asks for a rule, never for a warehouse.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from linker.config.target import Target
from linker.text.escaping import quoted
from linker.types import Record

# Sequences count on when they are read; a seed changes what the session draws next.
REFUSED_EVERYWHERE = frozenset({"nextval", "setval", "currval", "lastval", "setseed"})
# The functions that probes may call in the warehouses that come with linker, and those that none
# may, a file each.
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

    # A YAML file with the lists `refused`, `refused_prefixes` and `refused_suffixes`, and the
    # exceptions `not_refused`.
    file: Path | None = None
    # Schemas whose functions are judged by their name alone; None where a dot also calls methods of
    # values.
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

    # A YAML file with the lists below, by their names.
    file: Path | None = None
    # Words that may stand before the dots of a call; None where any value may, on which a function
    # is called.
    namespaces: frozenset[str] | None = frozenset()
    # The schema of the warehouse's own functions, where somebody's function of the same name may be
    # preferred to them.
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

    # With `{days}`, `{most}`, `{signature}` and `{own_models}` in it, and what `names` gives.
    statement: str
    names: Callable[[Target], Mapping[str, str]] = lambda _target: {}
    # Where the history may lie in any schema: the statement that finds it, the name it has in
    # `statement`, the schema that it usually is, and what is said where there is none.
    place: "HistoryPlace | None" = None
    # A text of the history as SQL that can be parsed.
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

    # From the options of a target.
    path: Callable[[Mapping[str, Any]], Path]
    # The text that tells one state of the file from another, without opening the database; none
    # where there is none.
    stamp: Callable[[Path], str | None]
    # Return as soon as the file can be written, or raise HeldError after so many seconds; who holds
    # it is told once.
    wait_until_free: Callable[[Path, float, Callable[[str], None]], None]


class FileLockedError(Exception):
    """The file is locked; the message names the process."""


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

    # By which profiles.yml, dbt and sqlglot know it.
    name: str
    # After its time a statement that the warehouse itself ends gets so much more, to keep the
    # session.
    patience_seconds: float = 0
    # A session may keep all others out until it is released.
    keeps_others_out: bool = False
    # It may let a statement run for ever: then linker ends the run of dbt that waits for it.
    may_wait_forever: bool = False
    # A statement goes on in the warehouse after its client is gone, until it is cancelled there.
    cancels_statements: bool = False

    # What tells that a table changed, in a word or two (docs/warehouses.md).
    changes_told_by: str = "what the warehouse tells"

    # The case that a name gets which is written without quotes; `any` where names are the same in
    # any case, quoted too.
    unquoted_case: Literal["lower", "upper", "any"] = "any"
    # The type to which any value can be cast to compare it as a text.
    text_type: str = "text"
    # A text that is compared with a number or a date is read as one; elsewhere both are compared as
    # texts.
    reads_texts_as_typed: bool = True

    probe_functions: ProbeFunctions = ProbeFunctions()
    refusals: Refusals = Refusals()

    # Parameters of a statement are `$1`, `$2` …, not `?`.
    has_numbered_parameters: bool = False
    # `$name` and `@name` are variables of the session, never parameters.
    has_session_variables: bool = False
    # `@name` in a `from` reads the files of a stage.
    has_stages: bool = False
    # `name.nextval` draws from a sequence, though it looks like a column.
    has_sequence_columns: bool = False

    # Columns that every table has without listing them, and those of them that a probe may read.
    pseudo_columns: frozenset[str] = frozenset()
    probed_pseudo_columns: frozenset[str] = frozenset()
    # `t.f` may be a call of `f(t)`: a name behind a dot has to be that of a column.
    may_call_behind_dots: bool = False
    # A unit of time may stand as a bare word among the arguments of a function.
    has_bare_units: bool = True
    # `from t, t.items` reads the items of a column.
    has_columns_in_from: bool = False
    # `events_*` in a `from` reads all tables whose names begin so.
    has_wildcard_tables: bool = False
    # `explain select …` tells how a query would run, without running it.
    explains: bool = False
    # `tablesample` may stand behind a sub-query.
    samples_queries: bool = False
    # The views of the information schema may stand behind a schema.
    has_system_views_in_schemas: bool = False
    # Clauses that look a name up among those of what is selected before they look among columns.
    alias_first_clauses: tuple[str, ...] = ("order",)
    # There `order by` knows such a name only by itself, not inside of an expression.
    sorts_by_whole_aliases: bool = False
    # A text may stand in double quotes where no column has that name.
    has_double_quoted_texts: bool = False

    # What Apache Ossie calls it; standard SQL where it has no name for it.
    ossie_name: str = "ANSI_SQL"

    # What a language model that writes SQL is to know of it; the first line names it.
    sql_hints: tuple[str, ...] = ()
    history: QueryHistory | None = None
    file: DatabaseFile | None = None
    # Views that name what is gone: schema, name and the words of the warehouse; where an error ends
    # the run of dbt.
    find_broken_views: Callable[["QuerySession"], list[tuple[str, str, str]]] | None = None
    failures: tuple[KnownFailure, ...] = ()
    # The statement that says which right the role lacks to leave artifacts in the schema `?`: that
    # right, and what grants it; no row where it lacks none, or nobody can tell before.
    lacking_right: str = ""

    def is_bare(self, name: str) -> bool:
        """Whether an identifier needs no quotes."""
        folded = {"lower": name.lower(), "upper": name.upper(), "any": name}[self.unquoted_case]
        return name == folded and quoted(name.lower()) == name.lower()
