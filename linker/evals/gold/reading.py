"""What a statement has read so far: enter values and tables as the walk meets them, leaves the Gold."""

from collections.abc import Iterable

from linker.evals.gold.values import COMPUTED, Either, Record, Stored, Value
from linker.evals.types import Gold
from linker.types import ColumnRef, TableRef


class Reading:
    """Collects columns, tables and problems, in the order in which they are met, each once."""

    def __init__(self) -> None:
        self._fields: dict[tuple[ColumnRef, ...], None] = {}
        self._tables: dict[tuple[TableRef, ...], None] = {}
        self._problems: dict[str, None] = {}
        self._chosen: list[Stored] = []

    def read(self, value: Value) -> None:
        """A value is used as it is: a nested column as a whole."""
        match value:
            case Stored(nodes):
                self._fields[tuple(sorted({node.ref for node in nodes}))] = None
            case Record(members):
                self.read_all(inner for _, inner in members)
            case Either(values):
                self.read_all(values)
            case _:
                pass

    def read_all(self, values: Iterable[Value]) -> None:
        """Each of them is used as it is."""
        for value in values:
            self.read(value)

    def choose(self, value: Value) -> None:
        """A value is handed on by name: of a nested column only the parts that somebody uses count, if any does."""
        match value:
            case Stored() if value.is_nested:
                self._chosen.append(value)
            case Record(members):
                for _, inner in members:
                    self.choose(inner)
            case Either(values):
                for inner in values:
                    self.choose(inner)
            case _:
                self.read(value)

    def open(self, tables: Iterable[TableRef]) -> None:
        """A table stands in a FROM clause; any one of several counts."""
        self._tables[tuple(sorted(set(tables)))] = None

    def problem(self, line: str) -> Value:
        """Something could not be told; what comes of it is computed."""
        self._problems[line] = None
        return COMPUTED

    def gold(self) -> Gold:
        """What the statement reads."""
        for value in self._chosen:
            inside = {ref for node in value.nodes for ref in node.refs()}
            if not any(inside.intersection(alternatives) for alternatives in self._fields):
                self.read(value)
        return Gold(tuple(self._fields), tuple(self._tables), tuple(self._problems))
