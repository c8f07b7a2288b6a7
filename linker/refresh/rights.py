"""Refuses runs whose role may leave no artifacts: enters a session, leaves an error that names the right."""

from linker.config import Settings
from linker.config.target import Target
from linker.dbt.manifest import artifacts_schema
from linker.errors import WarehouseError
from linker.warehouses import find_dialect
from linker.warehouses.base import Warehouse


def refuse_missing_right(warehouse: Warehouse, settings: Settings, target: Target) -> None:
    """Refuse a role that may not leave the artifacts where they belong, as far as the warehouse tells it before."""
    dialect = find_dialect(target.kind)
    if dialect is None or not dialect.lacking_right:
        return
    schema = artifacts_schema(settings, target)
    for right, granting in warehouse.query(dialect.lacking_right, [schema]):
        raise WarehouseError(
            f"the role of target `{target.name}` may not leave the artifacts in schema {schema}: it lacks {right}",
            hint=f"let its owner run: {granting}",
        )
