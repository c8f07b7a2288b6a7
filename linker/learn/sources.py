"""
Learns from queries that people ran: enters a source, leaves what it tells in the store, in the place of what it told.

source -> texts -> counts of tables, columns and joins -> the store, from where `ask` reads them with the snapshot
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linker.catalog.facts import Facts
from linker.catalog.prior_use import ColumnPair, PriorUse, pack, unpack
from linker.config.target import Target
from linker.environment import Environment
from linker.errors import ConfigError
from linker.learn.query_logs import HISTORY, Logged, OnProgress, read_files, read_history, source_name
from linker.types import ColumnRef
from linker.warehouses import file_of

if TYPE_CHECKING:
    from linker.learn.counting import Counted, TargetTables


@dataclass(frozen=True, slots=True)
class Learned:
    """What a source told, by its name and digest, what became of its statements, and whether it told that before."""

    source: str
    counted: "Counted"
    digest: str
    is_unchanged: bool = False


@dataclass(frozen=True, slots=True)
class LearnedBefore:
    """A source that was learned before, with what it told."""

    source: str
    learned_at: datetime
    told: dict[str, Any]
    prior_use: PriorUse | None


def learn(environment: Environment, source: str, on_progress: OnProgress = lambda _done, _total: None) -> Learned:
    """Learn from one source: a file, a folder, or `history`; what it told before is not written again."""
    from linker.learn.counting import count_use

    name, log = _read(environment, source)
    known, counted = count_use(log, target_tables(environment), declared(environment.indexed.facts), on_progress)
    content, told = pack(known), told_of(counted)
    learned, target = environment.store.learned, environment.target_key
    before = next((one for one in learned.sources(target) if one.name == name), None)
    is_unchanged = before is not None and before.content == content
    if before is None or (before.content, before.told) != (content, told):
        learned.keep(target, name, content, json.dumps(told))
    return Learned(name, counted, hashlib.sha256(content).hexdigest(), is_unchanged)


def forget(environment: Environment, source: str) -> str:
    """Forget what a source told; leaves its name."""
    name = name_of(source)
    if not environment.store.learned.forget(environment.target_key, name):
        known = ", ".join(one.source for one in kept(environment)) or "none was learned"
        raise ConfigError(f"nothing was learned from {name}", hint=f"the sources are: {known}")
    return name


def kept(environment: Environment) -> tuple[LearnedBefore, ...]:
    """What was learned of the target, by the names of the sources."""
    sources = environment.store.learned.sources(environment.target_key)
    return tuple(LearnedBefore(one.name, one.learned_at, dict(one.told), unpack(one.content)) for one in sources)


def target_tables(environment: Environment) -> "TargetTables":
    """The tables of the target, as its statements name them."""
    # With them comes a parser of SQL.
    from linker.learn.counting import TargetTables
    from linker.lineage import TargetCatalog

    catalog = TargetCatalog(environment.dialect, environment.indexed.catalog)
    return TargetTables(catalog, home=home_of(environment.target), schema=environment.target.schema)


def home_of(target: Target) -> str:
    """The database of a target, as statements name it."""
    options = target.options
    home = options.get("database") or options.get("project") or options.get("dbname")
    file = file_of(target)
    return str(home or (file.stem if file else ""))


def declared(facts: Facts) -> Iterable[ColumnPair]:
    """The joins that keys, tests and measures told before any query did."""
    for pair in facts.joins:
        for left, right in zip(pair.left_columns, pair.right_columns, strict=True):
            yield ColumnRef(pair.left, left), ColumnRef(pair.right, right)


def told_of(counted: "Counted") -> dict[str, Any]:
    """What became of a source's statements, as the store keeps it and programs read it."""
    return {
        "read": counted.read,
        "used": counted.used,
        "partly_used": counted.partly,
        "skipped": {
            "broken": counted.broken,
            "other_tables": counted.other_tables,
            "no_table": counted.no_table,
        },
        "queries": counted.queries,
        "tables": counted.tables,
        "columns": counted.columns,
        "joins": counted.joins,
        "new_joins": [
            {"left": str(one), "right": str(other), "queries": use.queries, "runs": use.runs}
            for (one, other), use in counted.new_joins
        ],
    }


def _read(environment: Environment, source: str) -> tuple[str, list[Logged]]:
    name = name_of(source)
    if name == HISTORY:
        return name, read_history(environment.target, environment.warehouse.session)
    return name, read_files(Path(source))


def name_of(source: str) -> str:
    """How a source is remembered; a file that is called like the history is written as a path: `./history`."""
    return HISTORY if source == HISTORY else source_name(source)
