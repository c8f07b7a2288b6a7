"""Dotted names of tables: how they compare, and the tables that have them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from functools import cached_property
from typing import Generic, TypeVar

from linker.text.escaping import escape_invisible, unescape_invisible
from linker.types import Catalog, Record, Table, TableRef

TableT = TypeVar("TableT")
# Comparing more names would take seconds.
_MAX_COMPARED = 5_000
_QUOTES = str.maketrans("", "", "\"`'[]")


def bare(name: str) -> str:
    """A name without quotes and blanks: `"crm" . [orders]` is crm.orders."""
    steps = (step.strip(" ") for step in name.translate(_QUOTES).split("."))
    return ".".join(step for step in steps if step)


def key(name: str) -> str:
    """Comparison key of a name in text: without quotes, case and invisible characters."""
    return " ".join(bare(escape_invisible(unescape_invisible(name))).split()).casefold()


def close(name: str, names: Collection[str], most: int, likeness: float) -> list[str]:
    """Similar names with a similarity of at least `likeness` (0 to 1), best first."""
    if len(names) > _MAX_COMPARED:
        # A user who almost knows a name knows its start.
        start = name.rpartition(".")[2][:2]
        names = [other for other in names if other.rpartition(".")[2].startswith(start)]
    return get_close_matches(name, names, n=most, cutoff=likeness)


def did_you_mean(near: Sequence[str]) -> str:
    """Suggestions as a question; empty without any."""
    if not near:
        return ""
    *others, last = near
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"


class Fit(Enum):
    """How a qualifier agrees with a schema."""

    SAME = "the schema"
    ABSENT = "nothing"
    LONGER = "more steps before the schema, as a database"
    SHORTER = "the last steps of the schema alone"


def fit(schema: str, qualifier: str) -> Fit | None:
    """Compare a qualifier with a schema from the right; None if they differ."""
    if not qualifier:
        return Fit.ABSENT
    if qualifier == schema:
        return Fit.SAME
    if qualifier.endswith(f".{schema}"):
        return Fit.LONGER
    return Fit.SHORTER if schema.endswith(f".{qualifier}") else None


class TableName(Record, Generic[TableT], frozen=True):
    """A name and its table; a family has several names."""

    schema: str
    name: str
    table: TableT


class TableIndex(Generic[TableT]):
    """Tables by name, normalised by `spelling`."""

    def __init__(
        self, names: Iterable[TableName[TableT]], spelling: Callable[[str], str] = str.casefold
    ) -> None:
        self._spelling = spelling
        # With normalised schema, since hundreds of tables may share a name.
        self._by_name: dict[str, list[tuple[str, TableName[TableT]]]] = defaultdict(list)
        for name in names:
            self._by_name[spelling(name.name)].append((spelling(name.schema), name))

    def named(self, name: str) -> list[TableName[TableT]]:
        """Tables by unqualified name."""
        return [entry for _, entry in self._by_name.get(self._spelling(name), ())]

    def resolve(self, written: str, fits: Collection[Fit]) -> list[TableT]:
        """Tables that a qualified name may mean, each once; names may contain dots."""
        steps = self._spelling(written).split(".")
        tables = dict[TableT, None]()
        for cut in range(len(steps)):
            for schema, name in self._by_name.get(".".join(steps[cut:]), ()):
                if fit(schema, ".".join(steps[:cut])) in fits:
                    tables[name.table] = None
        return list(tables)

    @cached_property
    def by_short_name(self) -> Mapping[str, list[TableT]]:
        """Tables by normalised name without schema."""
        tables_by_name: dict[str, list[TableT]] = {}
        for name, same in self._by_name.items():
            tables_by_name[name] = list(dict.fromkeys(entry.table for _, entry in same))
        return tables_by_name

    @cached_property
    def by_full_name(self) -> Mapping[str, list[TableT]]:
        """Tables by normalised schema and name."""
        tables_by_name: dict[str, dict[TableT, None]] = defaultdict(dict)
        for name, same in self._by_name.items():
            for schema, entry in same:
                tables_by_name[f"{schema}.{name}"][entry.table] = None
        return {name: list(tables) for name, tables in tables_by_name.items()}


def own_name(table: Table) -> tuple[str, ...]:
    """The name of a table; of a family its pattern."""
    return (table.ref.name,)


def members(table: Table) -> tuple[str, ...]:
    """Names of a family's shards."""
    return table.family.members if table.family else ()


def stems(table: Table) -> tuple[str, ...]:
    """A family's name without `*`: visits_* gives visits_ and visits."""
    stem = table.ref.name.rstrip("*")
    return (stem, stem.rstrip("_-$. ")) if table.family else ()


def names_of(
    catalog: Catalog, *kinds: Callable[[Table], tuple[str, ...]]
) -> Iterator[TableName[TableRef]]:
    """Tables of a catalog with their names of the given kinds."""
    for table in catalog.tables:
        for kind in kinds:
            yield from (TableName(table.ref.schema, name, table.ref) for name in kind(table))


def paths_called(table: Table, written: str) -> list[str]:
    """Columns that a written path may mean: the exact match, else all that differ in case."""
    if written in table.column_by_path:
        return [written]
    wanted = key(written)
    return [column.path for column in table.columns if key(column.path) == wanted]
