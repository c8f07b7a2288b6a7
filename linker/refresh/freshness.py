"""How current a target is: the records that status is told in, and what of them is a reason to speak up."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from linker.runs import Run, TableError
from linker.text.numbers import age_text


@dataclass(frozen=True, slots=True)
class SchemaStatus:
    """
    One schema, or all together; tables are logical, those that changed physical.

    None is what could not be seen. `covered` are the tables that have profiles, `failed` those that could not be read
    and were not since.
    """

    schema: str
    last_refresh: datetime | None
    last_scan: datetime | None
    tables: int
    covered: int
    changed: tuple[str, ...] | None
    failed: tuple[TableError, ...]
    hidden_columns: int
    masked_columns: int
    sampled_tables: int
    in_step: bool | None


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The index and the catalogue behind it; what differs between the two is None where it could not be seen."""

    physical_tables: int
    logical_tables: int
    families: int
    columns: int
    indexed: int
    to_embed: int | None
    to_remove: int | None
    in_step: bool | None


@dataclass(frozen=True, slots=True)
class Status:
    """All that is known of a target now."""

    target: str
    artifacts_schema: str
    store: str
    encoder: str
    at: datetime
    last_run: Run | None
    schemas: tuple[SchemaStatus, ...]
    total: SchemaStatus
    index: IndexStatus
    unseen: tuple[str, ...]

    def stale(self, max_age: timedelta) -> tuple[str, ...]:
        """Why a monitor should speak up: what is older than that, and a last run that did not read everything."""
        by_refresh: dict[datetime | None, list[str]] = defaultdict(list)
        for one in self.schemas:
            if one.last_refresh is None or self.at - one.last_refresh > max_age:
                by_refresh[one.last_refresh].append(one.schema)
        reasons = [_older(names, when, self.at) for when, names in by_refresh.items()]
        if not self.schemas:
            reasons.append("nothing was ever refreshed")
        run = self.last_run
        if run and run.outcome in ("failed", "killed", "partly failed"):
            why = f": {run.message}" if run.message else ""
            reasons.append(f"run {run.number} {run.outcome}{why}")
        return tuple(reasons)


def _older(names: Iterable[str], when: datetime | None, at: datetime) -> str:
    first, *others = names
    more = f" and {len(others)} more {'schemas' if len(others) > 1 else 'schema'}" if others else ""
    told = "never refreshed" if when is None else f"last refreshed {age_text(at - when)} ago"
    return f"{first}{more} {'were' if others else 'was'} {told}"
