"""Upstream and downstream of tables and columns, from dbt's graph, views and compiled models."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from linker.environment import Environment
from linker.serve.definitions import read_definitions
from linker.types import ColumnRef, Record, TableRef

if TYPE_CHECKING:
    from linker.sql_analysis.views import Origins

_FURTHEST = 8
# Views parsed per table; each takes milliseconds.
_MAX_READ = 300

Neighbours = Callable[[Sequence[TableRef]], Iterable[TableRef]]


class Lineage(Record, frozen=True):
    """Upstream and downstream tables by distance, nearest first."""

    up: tuple[tuple[TableRef, ...], ...] = ()
    down: tuple[tuple[TableRef, ...], ...] = ()


class ColumnLineage(Record, frozen=True):
    """Columns that one passes through, that it is computed from, and downstream columns."""

    same: tuple[ColumnRef, ...] = ()
    computed_from: tuple[ColumnRef, ...] = ()
    down: tuple[ColumnRef, ...] = ()


def steps_from(ref: TableRef, neighbours: Neighbours) -> tuple[tuple[TableRef, ...], ...]:
    """Tables by distance, each once."""
    steps: list[tuple[TableRef, ...]] = []
    seen = {ref}
    here: tuple[TableRef, ...] = (ref,)
    while here and len(steps) < _FURTHEST:
        reached = dict.fromkeys(neighbours(here))
        here = tuple(other for other in reached if other not in seen)
        seen.update(here)
        if here:
            steps.append(here)
    return tuple(steps)


class LineageGraph:
    """
    Lineage of a warehouse. In a large one only relevant views are parsed: those in the lineage, or
    that name one of its tables.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._catalog = environment.indexed.catalog
        self._of_views: dict[TableRef, tuple[TableRef, ...]] = {}
        self._columns: dict[TableRef, Mapping[str, ColumnLineage]] = {}
        # Column origins of understood views.
        self._origins: dict[TableRef, Mapping[str, Origins]] = {}

    def get(self, ref: TableRef) -> Lineage:
        """Lineage of a table in both directions."""
        return Lineage(steps_from(ref, self._parents), steps_from(ref, self._children))

    def columns(self, ref: TableRef) -> Mapping[str, ColumnLineage]:
        """Column lineage of a table, one step in both directions, where known."""
        if ref not in self._columns:
            self._columns[ref] = dict(self._lineage_of_columns(ref))
        return self._columns[ref]

    def _lineage_of_columns(self, ref: TableRef) -> Iterator[tuple[str, ColumnLineage]]:
        children = next(iter(self.get(ref).down), ())
        self._read([table for table in (ref, *children) if table in self._definitions])
        down: dict[str, list[ColumnRef]] = {}
        for child in children:
            for path, origins in self._origins.get(child, {}).items():
                for origin in (*origins.same, *origins.made):
                    if origin.table == ref:
                        down.setdefault(origin.path, []).append(ColumnRef(child, path))
        table = self._catalog.table_by_ref.get(ref)
        own = self._origins.get(ref, {})
        for column in table.columns if table else ():
            above, below = own.get(column.path), tuple(down.get(column.path, ()))
            if above or below:
                same, made = (above.same, above.made) if above else ((), ())
                yield column.path, ColumnLineage(same, made, below)

    def _parents(self, refs: Sequence[TableRef]) -> Iterator[TableRef]:
        self._read([ref for ref in refs if ref in self._definitions])
        for ref in refs:
            if table := self._catalog.table_by_ref.get(ref):
                yield from table.dbt.upstream
            yield from self._of_views.get(ref, ())

    def _children(self, refs: Sequence[TableRef]) -> Iterator[TableRef]:
        names = [ref.name.partition("*")[0].casefold() for ref in refs]
        naming = []
        for view, definition in self._definitions.items():
            if any(name in definition for name in names):
                naming.append(view)
        self._read(naming[:_MAX_READ])
        for ref in refs:
            yield from self._built_by_dbt.get(ref, ())
            yield from (view for view in naming if ref in self._of_views.get(view, ()))

    @cached_property
    def _built_by_dbt(self) -> Mapping[TableRef, list[TableRef]]:
        parents: dict[TableRef, list[TableRef]] = {}
        for table in self._catalog.tables:
            for parent in table.dbt.upstream:
                parents.setdefault(parent, []).append(table.ref)
        return parents

    @cached_property
    def _definitions(self) -> Mapping[TableRef, str]:
        """Lower-case SQL of views, to search for names."""
        return {ref: text.casefold() for ref, text in self._texts.items()}

    @cached_property
    def _texts(self) -> Mapping[TableRef, str]:
        return read_definitions(self._environment)

    def _read(self, views: Iterable[TableRef]) -> None:
        """Parse these views, unless done before."""
        texts = {view: self._texts[view] for view in views if view not in self._of_views}
        if not texts:
            return
        # Imports the SQL parser.
        from linker.sql_analysis.views import read_views

        read = read_views(texts, self._catalog, self._environment.warehouse.session.dialect)
        for view in texts:
            parents = dict.fromkeys(read.inputs.get(view, ()))
            for origins in read.columns.get(view, {}).values():
                parents.update(dict.fromkeys(ref.table for ref in (*origins.same, *origins.made)))
            self._of_views[view] = tuple(parent for parent in parents if parent != view)
        not_understood = {item.view for item in read.unread}
        for view, columns in read.columns.items():
            if view not in not_understood:
                self._origins[view] = columns
