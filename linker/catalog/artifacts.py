"""
The relations that dbt left in one schema: enters SQL that names them in braces, leaves its rows.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from linker.errors import ArtifactError, MissingError
from linker.types import Record

if TYPE_CHECKING:
    from linker.warehouses import Row, Warehouse


class ArtifactPlace(Record, frozen=True):
    """Relation that a project of the user made of an artifact, as dbt spells it in SQL."""

    database: str
    schema: str
    name: str
    sql: str
    # What another database holds is not listed here.
    is_elsewhere: bool


class Artifacts:
    """
    Artifacts in one schema, or where the user's project has them; what is there is looked up once.
    """

    def __init__(
        self, warehouse: "Warehouse", schema: str, places: Mapping[str, ArtifactPlace] | None = None
    ) -> None:
        self._warehouse = warehouse
        self._places = places or {}
        self.schema = schema

    @cached_property
    def _relations(self) -> Mapping[str, str]:
        schemas = {place.schema for place in self._places.values()}
        listed = {schema: self._warehouse.relations(schema) for schema in schemas}
        named = {
            artifact: place.sql
            for artifact, place in self._places.items()
            if place.is_elsewhere or place.name.lower() in listed[place.schema]
        }
        return named or self._warehouse.relations(self.schema)

    def holds(self, name: str) -> bool:
        """True where dbt left that relation."""
        return name in self._relations

    def require(self, *names: str) -> None:
        """Say plainly that dbt has not run, instead of letting a query fail."""
        missing = [name for name in sorted(names) if not self.holds(name)]
        if missing:
            raise ArtifactError(
                f"schema `{self.schema}` has no {', '.join(missing)}",
                hint="profile the warehouse first: linker profile (or set `artifacts_schema`)",
            )

    def query(self, sql: str, parameters: Sequence[object] = ()) -> "list[Row]":
        """The rows of a statement in which `{linker_tables}` stands for that relation."""
        from linker.warehouses.base import WHOLE

        try:
            return self._warehouse.query(sql.format_map(self._relations), parameters, WHOLE)
        except MissingError as error:
            raise ArtifactError(
                f"the profiles in schema `{self.schema}` are of another version: {error.what}",
                hint="profile the warehouse anew: linker refresh",
            ) from None


@cache
def statement(name: str) -> str:
    """The statement in the file of that name, with relations in braces."""
    return (Path(__file__).parent / "statements" / f"{name}.sql").read_text("utf-8")


def as_text(value: object) -> str:
    """A value in JSON as a text; what is none is written as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_utc(moment: datetime) -> datetime:
    """A moment with its zone: the artifacts hold UTC, and only some drivers say so."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
