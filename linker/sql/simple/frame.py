"""What a question asks for, as a frame: the parts of a statement, each with the words that it came from."""

from dataclasses import dataclass, field, replace
from typing import Literal

from linker.sql.simple.chunks import Chunk

Aggregate = Literal["count", "avg", "sum", "max", "min", "median"]
# What is wrong over rows that come several times.
SUMMED = ("sum", "avg", "median")
Clause = Literal["select", "where", "group", "order"]
Operator = Literal["=", "<>", ">", ">=", "<", "<=", "in", "not in", "during", "flag"]


@dataclass(frozen=True, slots=True)
class Item:
    """Something to select: a column, what is made of it, or how many rows there are."""

    name: Chunk | None
    aggregate: Aggregate | None = None
    is_distinct: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What rows have to meet; `name` is what the words say of the column, where they do."""

    operator: Operator
    name: Chunk | None = None
    value: Chunk | None = None
    number: float | None = None
    to_number: float | None = None
    of_average: bool = False
    others: tuple[Chunk, ...] = ()
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Having:
    """How many rows of another table there have to be for each."""

    operator: Operator
    number: float
    counted: Chunk


@dataclass(frozen=True, slots=True)
class Order:
    """By what rows are ordered; of rows, how many there are where nothing is named."""

    by: Chunk | None
    is_descending: bool
    is_count: bool = False
    hint: str = ""
    # The most of a measure: where another table keeps it, its sum for each row.
    is_most: bool = False
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """All parts of one question; `mentioned` are tables that it is about, `problems` what no rule covers."""

    items: tuple[Item, ...] = ()
    groups: tuple[Chunk, ...] = ()
    conditions: tuple[Condition, ...] = ()
    having: tuple[Having, ...] = ()
    absent: tuple[Chunk, ...] = ()
    orders: tuple[Order, ...] = ()
    limit: int | None = None
    mentioned: tuple[Chunk, ...] = ()
    is_distinct: bool = False
    is_grouped_by_items: bool = False
    problems: tuple[str, ...] = ()
    owners: tuple[tuple[Chunk, Chunk], ...] = ()
    units: tuple[str, ...] = ()
    heads: tuple[Chunk, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def others(self) -> frozenset[Chunk]:
        """Values that stand in a condition beside its first one."""
        return frozenset(chunk for condition in self.conditions for chunk in condition.others)

    @property
    def counts(self) -> tuple[Item, ...]:
        """The items that count rows."""
        return tuple(item for item in self.items if item.aggregate == "count")


@dataclass
class Draft:
    """A frame while it is read."""

    items: list[Item] = field(default_factory=list)
    groups: list[Chunk] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    absent: list[Chunk] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    mentioned: list[Chunk] = field(default_factory=list)
    problems: dict[str, None] = field(default_factory=dict)
    limit: int | None = None
    is_distinct: bool = False
    is_grouped_by_items: bool = False
    owners: list[tuple[Chunk, Chunk]] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    # Tables of which each row is shown by its name: which shops are there, and how many work in each.
    heads: list[Chunk] = field(default_factory=list)
    doubts: dict[str, None] = field(default_factory=dict)

    def done(self) -> Frame:
        """The frame as it was read."""
        return Frame(
            tuple(self.items),
            tuple(self.groups),
            tuple(self.conditions),
            tuple(self.having),
            tuple(self.absent),
            tuple(self.orders),
            self.limit,
            tuple(self.mentioned),
            self.is_distinct,
            self.is_grouped_by_items,
            tuple(self.problems),
            tuple(self.owners),
            tuple(self.units),
            tuple(self.heads),
            tuple(self.doubts),
        )

    @property
    def counts(self) -> list[Item]:
        """The items that count rows."""
        return [item for item in self.items if item.aggregate == "count"]

    @property
    def has_head(self) -> bool:
        """Whether it was said what the question is about."""
        return bool(self.items or self.mentioned or self.heads)

    @property
    def first_name(self) -> Chunk | None:
        """The first column that is selected."""
        return next((item.name for item in self.items if item.name), None)

    @property
    def last_name(self) -> Chunk | None:
        """The last column that is selected."""
        return next((item.name for item in reversed(self.items) if item.name), None)

    def aggregate_last(self, aggregate: Aggregate) -> bool:
        """Make the last selected column an aggregate, as a later word says; whether there was one."""
        for place in range(len(self.items) - 1, -1, -1):
            item = self.items[place]
            if item.name is not None and item.aggregate in (None, "sum"):
                self.items[place] = replace(item, aggregate=aggregate)
                return True
        return False
