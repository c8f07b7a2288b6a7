"""
The history of a warehouse as a query log: enters a read-only session, leaves what it says was run,
a statement each.

Where the warehouse can, it groups what differs in nothing but literals. What linker ran itself is
left out: its scans read every column, and what a question made it probe is no use that others make
of a table.
"""

from datetime import date, datetime

from msgspec.structs import replace

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError
from linker.learn.query_logs.base import Logged
from linker.warehouses import Warehouse, find_dialect
from linker.warehouses.base import SIGNATURE, WHOLE, in_quotes
from linker.warehouses.base.dialect import QueryHistory

DAYS = 90
MOST_QUERIES = 20_000
_SECONDS = 600
# dbt puts a comment into each statement that says which model runs it:
# https://docs.getdbt.com/reference/project-configs/query-comment
_OWN_MODELS = '%"node_id": "model.linker.%'


def history_statement(target: Target, *, schema: str | None = None) -> str:
    """
    The statement that reads the history of a target, in its dialect; the schema counts where it may
    lie in any.
    """
    history = _history_of(target)
    names = dict(history.names(target))
    if history.place:
        names[history.place.name] = in_quotes(schema or history.place.usual)
    return history.statement.format(
        days=DAYS, most=MOST_QUERIES, signature=SIGNATURE, own_models=_OWN_MODELS, **names
    )


def read_history(target: Target, warehouse: Warehouse) -> list[Logged]:
    """
    The statements of the last months, what ran last first; where it is not known when, what ran
    most.
    """
    history = _history_of(target)
    schema = None
    if history.place:
        places = warehouse.query(history.place.statement)
        if not places:
            raise WarehouseError(history.place.missing, hint=history.place.hint)
        schema = str(places[0][0])
    rows = warehouse.query(
        history_statement(target, schema=schema), bounds=replace(WHOLE, seconds=_SECONDS)
    )
    return [
        Logged(history.readable(str(text)), max(int(runs), 1), _day(last))
        for text, runs, last in rows
        if text
    ]


def _history_of(target: Target) -> QueryHistory:
    dialect = find_dialect(target.kind)
    if dialect is None or dialect.history is None:
        raise ConfigError(
            f"{target.kind} keeps no history of queries",
            hint="give a file of SQL: linker learn queries.sql",
        )
    return dialect.history


def _day(moment: object) -> date | None:
    if isinstance(moment, datetime):
        return moment.date()
    return moment if isinstance(moment, date) else None
