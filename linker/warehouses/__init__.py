"""Warehouses by the type that profiles.yml gives them; a driver is imported when its warehouse is opened."""

from importlib import import_module

from linker.errors import ConfigError
from linker.extras import install_command
from linker.targets import Target
from linker.warehouses.base import Row, Warehouse

__all__ = ["Row", "Warehouse", "open_warehouse"]

_OPENERS = {kind: f"linker.warehouses.{kind}" for kind in ("bigquery", "duckdb", "postgres", "snowflake")}


def open_warehouse(target: Target) -> Warehouse:
    """Open a read-only session in the target."""
    if target.kind not in _OPENERS:
        raise ConfigError(
            f"target `{target.name}` is a {target.kind or 'nameless'} warehouse, which this version cannot read",
            hint=f"it reads: {', '.join(_OPENERS)}",
        )
    try:
        module = import_module(_OPENERS[target.kind])
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("linker"):
            raise
        raise ConfigError(
            f"target `{target.name}` needs the driver of {target.kind}, which is not installed",
            hint=install_command(target.kind),
        ) from error
    opened: Warehouse = module.open_target(target)
    return opened
