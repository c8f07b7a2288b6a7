"""Warehouses by the type that profiles.yml gives them; a driver is imported when its warehouse is opened."""

from importlib import import_module

from linker.errors import ConfigError
from linker.targets import Target
from linker.warehouses.base import Row, Warehouse

__all__ = ["Row", "Warehouse", "open_warehouse"]

_OPENERS = {"duckdb": "linker.warehouses.duckdb"}


def open_warehouse(target: Target) -> Warehouse:
    """Open a read-only session in the target."""
    if target.kind not in _OPENERS:
        raise ConfigError(
            f"target `{target.name}` is a {target.kind or 'nameless'} warehouse, which this version cannot read",
            hint=f"it reads: {', '.join(sorted(_OPENERS))}",
        )
    opened: Warehouse = import_module(_OPENERS[target.kind]).open_target(target)
    return opened
