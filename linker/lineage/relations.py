"""What stands in a FROM clause: relations with named columns, and the names they go by in a query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from linker.lineage.values import COMPUTED, Either, Value, look_into, members_of, part_of


@dataclass(frozen=True)
class Relation:
    """
    Named columns, in order.

    An open relation has columns that nobody can list (of a table function, or of a table that is not in the catalogue).
    The element is what one row of UNNEST is, which may be looked into and need not be a struct.
    """

    columns: tuple[tuple[str, Value], ...]
    is_open: bool = False
    element: Value | None = None

    @cached_property
    def _by_name(self) -> Mapping[str, Value]:
        # The first of several columns of one name, and of those the one that is spelt alike.
        spelt_alike = dict(reversed(self.columns))
        return {name.casefold(): value for name, value in reversed(self.columns)} | spelt_alike

    def find(self, name: str) -> Value | None:
        """The column of that name, or the part that the element is known to have."""
        found = self._by_name.get(name) or self._by_name.get(name.casefold())
        return found or (part_of(self.element, name) if self.element is not None else None)

    def look_into(self, name: str) -> Value | None:
        """The same where it is said that the name is one of this relation: the element may have any."""
        return self.find(name) or (look_into(self.element, name) if self.element is not None else None)

    @cached_property
    def starred(self) -> tuple[tuple[str, Value], ...]:
        """What `*` stands for: of an element that is a struct, what is inside of it."""
        inside = members_of(self.element) if self.element is not None else ()
        return (*inside, *self.columns[1:]) if inside else self.columns

    def renamed(self, names: Sequence[str]) -> "Relation":
        """The relation with other names for its first columns, as in `t(a, b)`."""
        if not names:
            return self
        columns = tuple((name, value) for name, (_, value) in zip(names, self.columns, strict=False))
        added = tuple((name, COMPUTED) for name in names[len(self.columns) :]) if self.is_open else ()
        return Relation(columns + added + self.columns[len(names) :], self.is_open, self.element)

    def behind(self, view: "Relation") -> "Relation":
        """The columns of a view, each with what it is made of."""
        made = {name: Either((value, inner)) for name, value in self.columns if (inner := view.find(name)) is not None}
        return Relation(tuple((name, made.get(name, value)) for name, value in self.columns), self.is_open)

    def united(self, other: "Relation", *, is_by_name: bool = False) -> "Relation":
        """Both, one below the other."""
        if is_by_name:
            names = dict.fromkeys([name for name, _ in (*self.columns, *other.columns)])
            found = {name: (self.find(name), other.find(name)) for name in names}
            pairs = [(name, tuple(value for value in both if value)) for name, both in found.items()]
        else:
            beside = zip_longest(self.columns, other.columns)
            pairs = [((left or right)[0], tuple(c[1] for c in (left, right) if c)) for left, right in beside]
        return Relation(tuple((name, Either(both)) for name, both in pairs), self.is_open or other.is_open)


@dataclass(frozen=True)
class Source:
    """A relation in a FROM clause; `written` is the full name of a table that has no alias."""

    name: str
    relation: Relation
    written: str = ""

    def is_called(self, qualifier: str) -> bool:
        """Whether `qualifier.column` means a column of it."""
        said, written = qualifier.casefold(), self.written.casefold()
        return said in (self.name.casefold(), written) or written.endswith(f".{said}")
