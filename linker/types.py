"""Immutable records that pass between steps."""

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import add
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

from msgspec import Struct
from msgspec.structs import astuple, fields, force_setattr

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

# Is told how much is done, of how much.
OnProgress = Callable[[int, int], None]


class ProgressStage:
    """A step at work: how far it is, and a summary of it when it is done; this one tells nobody."""

    def __init__(self) -> None:
        self.summary = ""
        self.numbers: dict[str, int] = {}

    def on_progress(self, done: int, total: int) -> None:
        """Say how much is done, of how much."""

    def on_wait(self, message: str) -> None:
        """Say at once what it waits for."""

    def on_phase(self, does: str) -> None:
        """Say what it does from now on, where that takes long."""

    def on_table(self, table: str) -> None:
        """Name the table that it reads from now on, where that takes long."""


class Record(Struct, frozen=True):
    """
    What passes between steps: its class, and each of them, is made many times as fast as a
    dataclass.
    """

    @classmethod
    def __get_pydantic_core_schema__(
        cls,
        source: Any,  # noqa: ANN401
        read: "GetCoreSchemaHandler",
    ) -> "CoreSchema":
        """How traces and results of before are read back: as a dictionary of the fields."""
        from pydantic_core import core_schema

        optional = {field.name for field in fields(cls) if not field.required}
        hints = get_type_hints(cls, include_extras=True)
        known = {
            name: core_schema.typed_dict_field(
                read.generate_schema(hints[name]), required=name not in optional
            )
            for name in cls.__struct_fields__
        }
        made = core_schema.no_info_after_validator_function(
            lambda values: cls(**values), core_schema.typed_dict_schema(known)
        )
        return core_schema.union_schema([core_schema.is_instance_schema(cls), made])


def as_dict(record: Struct) -> dict[str, Any]:
    """A record as a dictionary, and so every record in it."""
    return {name: _plain(getattr(record, name)) for name in record.__struct_fields__}


def _plain(value: object) -> object:
    match value:
        case Struct():
            return as_dict(value)
        case list() | tuple():
            return type(value)(map(_plain, value))
        case dict():
            return {key: _plain(item) for key, item in value.items()}
    return value


class TableRef(Record, frozen=True, order=True):
    """The identity of a logical table inside one target."""

    schema: str
    name: str

    @property
    def table(self) -> "TableRef":
        """The table itself, as a column has the one that it is of."""
        return self

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


class ColumnRef(Record, frozen=True, order=True):
    """The identity of a column, or of a path inside a nested one."""

    table: TableRef
    path: str

    def __str__(self) -> str:
        return f"{self.table}.{self.path}"


class Column(Record, frozen=True):
    """One column, or one path inside a nested column."""

    path: str
    column_name: str
    depth: int
    position: int
    data_type: str
    is_nullable: bool
    description: str | None

    @property
    def is_nested(self) -> bool:
        """Tell if its type has further paths inside."""
        return self.data_type.upper().startswith(("STRUCT(", "STRUCT<", "ARRAY<STRUCT<"))

    @property
    def is_list(self) -> bool:
        """Tell if there may be many values in one row."""
        return self.data_type.endswith("]") or self.data_type.upper().startswith("ARRAY")

    @property
    def short_type(self) -> str:
        """
        The type in lower case, without what is inside a nested type or an enumeration: paths and
        values say it.
        """
        name = self.data_type.lower()
        if not self.is_nested:
            return f"enum{name.rpartition(')')[2]}" if name.startswith("enum(") else name
        return "list of struct" if self.is_list else "struct"


FamilyKind = Literal["partitions", "snapshots"]
_MEMBERS_NAMED = 3


class Family(Record, frozen=True):
    """
    Physical tables that are one logical table.

    `partitions` add up; `snapshots` hold the same rows again, and the newest stands for them.
    Profiles come from `members_read`, the newest first. `lacking` names what a member has not:
    columns, and paths inside of values.
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
        """
        The members that were read, of those there are, where values may stand in others; else
        nothing.
        """
        is_part = not self.is_snapshots and 0 < len(self.members_read) < len(self.members)
        return f"{len(self.members_read)} of {len(self.members)} read" if is_part else ""

    def holders(self, column: Column) -> str:
        """The members that have a column, in words; nothing where all have it that are known."""
        lacking = {
            member
            for member, names in self.lacking
            if not {column.column_name, column.path}.isdisjoint(names)
        }
        drifts = any(column.column_name in names for _, names in self.lacking)
        known = [
            name for name in (self.members if drifts else self.members_read) if name not in lacking
        ]
        if not lacking or len(known) <= _MEMBERS_NAMED:
            return f"only in {', '.join(known)}" if lacking else ""
        return f"only in {len(known)} of {len(known) + len(lacking)}, such as {known[-1]}"

    @property
    def is_snapshots(self) -> bool:
        """Tell if rows repeat from member to member."""
        return self.kind == "snapshots"


class DbtNode(Record, frozen=True):
    """
    What a dbt project says of a table: what it is built from, its file and tags, the exposures that
    use it.
    """

    upstream: tuple[TableRef, ...] = ()
    path: str = ""
    tags: tuple[str, ...] = ()
    exposures: tuple[str, ...] = ()
    is_time_spine: bool = False


class Table(Record, frozen=True, dict=True):
    """
    One logical table: a physical table, a view, or a family. `schemas` says in which others the
    same one stands.

    `dbt` is what the dbt project says of it, where it is part of one.
    """

    ref: TableRef
    kind: str
    description: str | None
    row_count_estimate: int | None
    columns: Sequence[Column]
    family: Family | None = None
    siblings: tuple[str, ...] = ()
    schemas: str = ""
    dbt: DbtNode = DbtNode()

    def __post_init__(self) -> None:
        # As JSON has them; a list compares with no tuple.
        if isinstance(self.columns, list):
            force_setattr(self, "columns", tuple(self.columns))

    @cached_property
    def column_by_path(self) -> dict[str, Column]:
        """The columns by their path."""
        return {column.path: column for column in self.columns}

    @cached_property
    def folded_paths(self) -> tuple[str, ...]:
        """The paths of the columns, for which case does not matter."""
        return tuple(column.path.casefold() for column in self.columns)

    @cached_property
    def path_set(self) -> frozenset[str]:
        """The same in no order."""
        return frozenset(self.folded_paths)


class Catalog(Record, frozen=True, dict=True):
    """Logical tables of one target."""

    tables: tuple[Table, ...]
    physical_table_count: int

    @cached_property
    def table_by_ref(self) -> dict[TableRef, Table]:
        """The tables by their identity."""
        return {table.ref: table for table in self.tables}

    @property
    def column_count(self) -> int:
        """Columns and nested paths of all logical tables."""
        return sum(len(table.columns) for table in self.tables)

    def find(self, ref: ColumnRef) -> Column | None:
        """The column of that identity, if it exists."""
        table = self.table_by_ref.get(ref.table)
        return table.column_by_path.get(ref.path) if table else None


Ref = ColumnRef | TableRef


class Words(Record, frozen=True):
    """
    The stems of a document by what they come from; words of the name weigh most, those of values
    least.
    """

    name: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


class Document(Record, frozen=True):
    """
    Entry of one column or one table in the index: a text to embed, words, and values that may be
    shown.
    """

    ref: Ref
    text: str
    content_hash: str
    words: Words = Words()
    values: tuple[str, ...] = ()


class ValueMatch(Record, frozen=True):
    """
    Words of the question, the value of the column that they name, and how well they do, from 0 to
    1.
    """

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
    """
    A column that a retriever found, and why: the score that each retriever gave it, and the values
    it holds.
    """

    ref: ColumnRef
    score: float
    scores: tuple[tuple[str, float], ...]
    matches: tuple[ValueMatch, ...] = ()

    @property
    def match(self) -> ValueMatch | None:
        """The value that is named best."""
        return self.matches[0] if self.matches else None


class TableHit(Record, frozen=True):
    """A table that was found, by its own words and by its best columns, and why."""

    ref: TableRef
    score: float
    scores: tuple[tuple[str, float], ...]


class Usage(Record, frozen=True):
    """
    Cost of asking a language model: requests that were sent, and tokens as the provider counts
    them.
    """

    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    calls: int = 1

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*map(add, astuple(self), astuple(other)))

    @property
    def tokens(self) -> int:
        """Prompt and completion together; cached tokens are part of the prompt."""
        return self.prompt_tokens + self.completion_tokens


NOTHING_USED = Usage(0, 0, 0, calls=0)
