"""Immutable records that pass between steps, and those of runs and of the states of tables."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any, Literal, get_type_hints, overload

from msgspec import Struct
from msgspec.structs import astuple, fields

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


# Receives done and total.
OnProgress = Callable[[int, int], None]


class ProgressStage:
    """Reports the progress of a step; this base class ignores it."""

    def __init__(self) -> None:
        self.summary = ""
        self.numbers: dict[str, int] = {}

    def on_progress(self, done: int, total: int) -> None: ...

    def on_wait(self, message: str) -> None: ...

    def on_phase(self, does: str) -> None: ...

    def on_table(self, table: str) -> None: ...


class Record(Struct, frozen=True):
    """Base of immutable records; creation is many times as fast as for a dataclass."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls,
        source: Any,  # noqa: ANN401
        read: "GetCoreSchemaHandler",
    ) -> "CoreSchema":
        """Lets pydantic read records in traces and results as dictionaries."""
        from pydantic_core import core_schema

        optional = {field.name for field in fields(cls) if not field.required}
        hints = get_type_hints(cls, include_extras=True)
        records = {
            name: core_schema.typed_dict_field(
                read.generate_schema(hints[name]), required=name not in optional
            )
            for name in cls.__struct_fields__
        }
        made = core_schema.no_info_after_validator_function(
            lambda values: cls(**values), core_schema.typed_dict_schema(records)
        )
        return core_schema.union_schema([core_schema.is_instance_schema(cls), made])


def as_dict(record: Struct) -> dict[str, Any]:
    """Convert nested records to dictionaries."""
    return {name: _plain(getattr(record, name)) for name in record.__struct_fields__}


def _plain(value: object) -> object:
    match value:
        case Struct():
            return as_dict(value)
        case list() | tuple():
            return type(value)(map(_plain, value))
        case Columns():
            return tuple(map(_plain, value))
        case dict():
            return {key: _plain(item) for key, item in value.items()}
    return value


class TableRef(Record, frozen=True, order=True):
    """A logical table of a target."""

    schema: str
    name: str

    @property
    def table(self) -> "TableRef":
        """The table itself, as for a column."""
        return self

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


class ColumnRef(Record, frozen=True, order=True):
    """A column or nested path."""

    table: TableRef
    path: str

    def __str__(self) -> str:
        return f"{self.table}.{self.path}"


class Column(Record, frozen=True):
    """A column or nested path."""

    path: str
    column_name: str
    depth: int
    position: int
    data_type: str
    is_nullable: bool
    description: str | None

    @property
    def is_nested(self) -> bool:
        """Whether its type has nested paths."""
        return self.data_type.upper().startswith(("STRUCT(", "STRUCT<", "ARRAY<STRUCT<"))

    @property
    def is_list(self) -> bool:
        """Whether a row may hold several values."""
        return self.data_type.endswith("]") or self.data_type.upper().startswith("ARRAY")

    @property
    def short_type(self) -> str:
        """Lower-case type without nested parts and enum values, which paths and values show."""
        name = self.data_type.lower()
        if not self.is_nested:
            return f"enum{name.rpartition(')')[2]}" if name.startswith("enum(") else name
        return "list of struct" if self.is_list else "struct"


FamilyKind = Literal["partitions", "snapshots"]
_MEMBERS_NAMED = 3


class Family(Record, frozen=True):
    """
    Physical tables that form one logical table.

    `partitions` hold different rows; `snapshots` repeat rows, and the newest counts. Profiles come
    from `members_read`, newest first. `lacking` lists columns and nested paths that a shard lacks.
    """

    key_kind: str
    first_key: str
    last_key: str
    members: tuple[str, ...]
    representative: str
    kind: FamilyKind = "partitions"
    members_read: tuple[str, ...] = ()
    lacking: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __str__(self) -> str:
        keys = f"by {self.key_kind}, {self.first_key} to {self.last_key}"
        if self.is_snapshots:
            copies = f"{len(self.members)} snapshots of the same rows {keys}"
            return f"{copies}: take one, the newest is {self.representative}"
        coverage = f"; {self.coverage}" if self.coverage else ""
        return f"{len(self.members)} tables {keys}{coverage}"

    @property
    def coverage(self) -> str:
        """Number of shards read, if others may hold further values; else empty."""
        is_part = not self.is_snapshots and 0 < len(self.members_read) < len(self.members)
        return f"{len(self.members_read)} of {len(self.members)} read" if is_part else ""

    def holders(self, column: Column) -> str:
        """Shards that have a column; empty if all known ones do."""
        lacking = {
            member
            for member, names in self.lacking
            if not {column.column_name, column.path}.isdisjoint(names)
        }
        drifts = any(column.column_name in names for _, names in self.lacking)
        shards = [
            name for name in (self.members if drifts else self.members_read) if name not in lacking
        ]
        if not lacking or len(shards) <= _MEMBERS_NAMED:
            return f"only in {', '.join(shards)}" if lacking else ""
        return f"only in {len(shards)} of {len(shards) + len(lacking)}, such as {shards[-1]}"

    @property
    def is_snapshots(self) -> bool:
        """Whether rows repeat in each shard."""
        return self.kind == "snapshots"


class DbtNode(Record, frozen=True):
    """dbt metadata of a table: lineage, file, tags, exposures."""

    upstream: tuple[TableRef, ...] = ()
    path: str = ""
    tags: tuple[str, ...] = ()
    exposures: tuple[str, ...] = ()
    is_time_spine: bool = False


class Columns(Sequence[Column]):
    """Columns of a table in order, indexed by path."""

    def __init__(self, columns: Iterable[Column]) -> None:
        self._in_order = tuple(columns)

    @classmethod
    def __get_pydantic_core_schema__(
        cls,
        source: Any,  # noqa: ANN401
        read: "GetCoreSchemaHandler",
    ) -> "CoreSchema":
        """Lets pydantic read the columns of a table from a list."""
        from pydantic_core import core_schema

        listed = read.generate_schema(tuple[Column, ...])
        made = core_schema.no_info_after_validator_function(Columns, listed)
        return core_schema.union_schema([core_schema.is_instance_schema(Columns), made])

    def all(self) -> tuple[Column, ...]:
        return self._in_order

    @cached_property
    def by_path(self) -> dict[str, Column]:
        return {column.path: column for column in self}

    @overload
    def __getitem__(self, index: int) -> Column: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Column, ...]: ...

    def __getitem__(self, index: int | slice) -> Column | tuple[Column, ...]:
        return self.all()[index]

    def __iter__(self) -> Iterator[Column]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self.all())

    def __repr__(self) -> str:
        return repr(self.all())


class Table(Record, frozen=True):
    """
    A logical table: physical table, view or family. `schemas` are others with the same table.

    `dbt` is its dbt metadata, if any.
    """

    ref: TableRef
    kind: str
    description: str | None
    row_count_estimate: int | None
    columns: Columns
    family: Family | None = None
    siblings: tuple[str, ...] = ()
    schemas: str = ""
    dbt: DbtNode = DbtNode()

    @property
    def column_by_path(self) -> dict[str, Column]:
        return self.columns.by_path

    @property
    def column_refs(self) -> list[ColumnRef]:
        return [ColumnRef(self.ref, column.path) for column in self.columns]

    def folded_paths(self) -> tuple[str, ...]:
        """Case-folded paths."""
        return tuple(column.path.casefold() for column in self.columns)


class Catalog:
    """Logical tables of a target, indexed by name."""

    def __init__(self, tables: Iterable[Table], physical_table_count: int) -> None:
        self.tables = tuple(tables)
        self.physical_table_count = physical_table_count
        self.table_by_ref = {table.ref: table for table in self.tables}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Catalog)
            and self.tables == other.tables
            and self.physical_table_count == other.physical_table_count
        )

    __hash__ = object.__hash__

    @property
    def column_refs(self) -> Iterator[ColumnRef]:
        return chain.from_iterable(table.column_refs for table in self.tables)

    @property
    def column_count(self) -> int:
        """Columns and nested paths."""
        return sum(len(table.columns) for table in self.tables)

    def find(self, ref: ColumnRef) -> Column | None:
        """The column, if it exists."""
        table = self.table_by_ref.get(ref.table)
        return table.column_by_path.get(ref.path) if table else None


Ref = ColumnRef | TableRef


class Words(Record, frozen=True):
    """Stems of a document by source; names weigh most, values least."""

    name: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


class Document(Record, frozen=True):
    """An index entry of a column or table: text to embed, words, and visible values."""

    ref: Ref
    text: str
    content_hash: str
    words: Words = Words()
    values: tuple[str, ...] = ()


class ValueMatch(Record, frozen=True):
    """Question words, the value that they match, and the similarity (0 to 1)."""

    words: str
    value: str
    similarity: float

    def __str__(self) -> str:
        return (
            f"\u201c{self.words}\u201d is {self.value}"
            if self.words != self.value
            else f"holds {self.value}"
        )


class Hit(Record, frozen=True):
    """A retrieved column with scores and matched values."""

    ref: ColumnRef
    score: float
    scores: tuple[tuple[str, float], ...]
    matches: tuple[ValueMatch, ...] = ()

    @property
    def match(self) -> ValueMatch | None:
        """The best-matching value."""
        return self.matches[0] if self.matches else None


class TableHit(Record, frozen=True):
    """A retrieved table, by its own text or its columns."""

    ref: TableRef
    score: float
    scores: tuple[tuple[str, float], ...]


class Usage(Record, frozen=True):
    """Requests and tokens as counted by the provider."""

    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    calls: int = 1

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*map(add, astuple(self), astuple(other)))

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens; prompt tokens include cached ones."""
        return self.prompt_tokens + self.completion_tokens


NOTHING_USED = Usage(0, 0, 0, calls=0)


RunKind = Literal["refresh", "index"]
# The next run sets `killed` for one that did not record its end.
Outcome = Literal["running", "done", "unchanged", "partly failed", "failed", "killed"]

# Covered everything requested.
ENDED_WELL: tuple[Outcome, ...] = ("done", "unchanged", "partly failed")


_OF_SCANNED = (
    " could not be compared with ",
    "its keys could not be counted",
    "its members could not be compared",
)


class TableError(Record, frozen=True):
    """A table that could not be read, compared or counted, with the reason."""

    table: TableRef
    message: str

    @property
    def was_scanned(self) -> bool:
        """
        Whether the table was scanned anyway, by the words of report_plan.sql and report_run.sql in
        the macros.
        """
        return any(words in self.message for words in _OF_SCANNED)


class Work(Record, frozen=True):
    """
    Counts of a run: logical tables, reads, and index documents.

    Also usage sources with news and failed ones.
    """

    planned: int = 0
    scanned: int = 0
    unchanged: int = 0
    left_out: int = 0
    failed: int = 0
    statements: int = 0
    rows_read: int = 0
    bytes_read: int = 0
    embedded: int = 0
    removed: int = 0
    learned: int = 0
    not_learned: int = 0


class Run(Record, frozen=True):
    """A run of a target; times are UTC."""

    number: int
    kind: RunKind
    outcome: Outcome
    started_at: datetime
    ended_at: datetime | None
    work: Work = Work()
    errors: tuple[TableError, ...] = ()
    # dbt's ids in `linker_runs`.
    dbt_runs: tuple[str, ...] = ()
    # Reason of a failure, or sources that failed.
    message: str = ""
    # Selection flags; empty for the whole warehouse.
    selection: str = ""


class ColumnState(Record, frozen=True):
    """
    A column at its last scan; values as privacy allows.

    `values` are those of a small category with counts. `sample_rows` is set for samples.
    `is_partial`: no measure covers all rows, as for families and very large tables.
    """

    path: str
    data_type: str
    is_nullable: bool | None
    category: str | None = None
    null_ratio: float | None = None
    distinct_count: int | None = None
    min: str | None = None
    max: str | None = None
    values: tuple[tuple[str, int], ...] = ()
    is_sampled: bool = False
    value_kind: str | None = None
    privacy: str | None = None
    distinct_is_exact: bool | None = None
    sample_rows: int | None = None
    is_partial: bool = False


class JoinState(Record, frozen=True):
    """A join: its columns, and those it references."""

    columns: tuple[str, ...]
    schema: str
    table: str
    keys: tuple[str, ...]


class TableState(Record, frozen=True):
    """
    A logical table at its last scan.

    `change_rule` is how changes are detected: the warehouse's `token`, a view's `inputs`, or `age`.
    """

    row_count: int | None
    scanned_at: datetime | None
    columns: tuple[ColumnState, ...]
    change_rule: str | None = None
    joins: tuple[JoinState, ...] = ()
