"""What a table is built from and what is built from it: by dbt's graph, and by what views say."""

from collections.abc import Mapping
from contextlib import suppress

from linker.environment import Environment
from linker.errors import LinkerError
from linker.types import Record, TableRef

# Where warehouses list what their views say; the last one is in the standard of SQL.
_DEFINITIONS = (
    "select schemaname, viewname, definition from pg_catalog.pg_views where definition is not null"
    " union all select schemaname, matviewname, definition from pg_catalog.pg_matviews",
    "select schemaname, viewname, definition from pg_catalog.pg_views where definition is not null",
    "select table_schema, table_name, view_definition from information_schema.views"
    " where view_definition is not null",
)
_FURTHEST = 8

Graph = Mapping[TableRef, tuple[TableRef, ...]]


class Lineage(Record, frozen=True):
    """Tables by their distance, the nearest first: those that it is built from, and the others."""

    up: tuple[tuple[TableRef, ...], ...] = ()
    down: tuple[tuple[TableRef, ...], ...] = ()


def lineage_of(ref: TableRef, upstream: Graph) -> Lineage:
    """The lineage of a table in both directions."""
    downstream: dict[TableRef, list[TableRef]] = {}
    for each, parents in upstream.items():
        for parent in parents:
            downstream.setdefault(parent, []).append(each)
    down = {parent: tuple(sorted(children)) for parent, children in downstream.items()}
    return Lineage(_steps(ref, upstream), _steps(ref, down))


def _steps(ref: TableRef, graph: Graph) -> tuple[tuple[TableRef, ...], ...]:
    steps: list[tuple[TableRef, ...]] = []
    seen = {ref}
    here: tuple[TableRef, ...] = (ref,)
    while here and len(steps) < _FURTHEST:
        found = dict[TableRef, None]()
        for each in here:
            found.update(dict.fromkeys(graph.get(each, ())))
        here = tuple(other for other in found if other not in seen)
        seen.update(here)
        if here:
            steps.append(here)
    return tuple(steps)


def read_upstream(environment: Environment) -> Graph:
    """What each table is built from, where that is known."""
    catalog = environment.indexed.catalog
    upstream = {table.ref: list(table.dbt.upstream) for table in catalog.tables}
    views = [table.ref for table in catalog.tables if "view" in table.kind]
    if views:
        for view, parents in _of_views(environment).items():
            known = upstream.setdefault(view, [])
            known.extend(parent for parent in parents if parent not in known)
    return {ref: tuple(parents) for ref, parents in upstream.items() if parents}


def _of_views(environment: Environment) -> dict[TableRef, list[TableRef]]:
    # With it comes a parser of SQL.
    from linker.lineage.views import read_views

    session = environment.warehouse.session
    rows = []
    for statement in _DEFINITIONS:
        with suppress(LinkerError):
            rows = session.query(statement)
            break
    definitions = {TableRef(str(row[0]), str(row[1])): str(row[2]) for row in rows}
    read = read_views(definitions, environment.indexed.catalog, session.dialect)
    found: dict[TableRef, list[TableRef]] = {}
    for view, columns in read.columns.items():
        parents = dict.fromkeys(read.inputs.get(view, ()))
        for origins in columns.values():
            parents.update(dict.fromkeys(ref.table for ref in (*origins.same, *origins.made)))
        found[view] = [parent for parent in parents if parent != view]
    return found
