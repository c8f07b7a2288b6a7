"""
Warehouses by the type in profiles.yml: dialects and sessions.

Drivers are imported when a warehouse is opened. Other packages register a module with `DIALECT` and
`open_target` in the entry point group `linker.warehouses`.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from linker.config.installed import install_command, opening, plugins
from linker.config.target import Target
from linker.errors import ConfigError
from linker.warehouses.base import Row as Row
from linker.warehouses.base import Warehouse as Warehouse
from linker.warehouses.base.dialect import Dialect

if TYPE_CHECKING:
    from linker.warehouses.base.session import SeparateSession

GROUP = "linker.warehouses"
WAREHOUSES = {
    "duckdb": "linker.warehouses.duckdb",
    "postgres": "linker.warehouses.postgres",
    "snowflake": "linker.warehouses.snowflake",
    "bigquery": "linker.warehouses.bigquery",
    "spark": "linker.warehouses.spark",
    "databricks": "linker.warehouses.databricks",
}


class WarehouseModule(Protocol):
    """A module for one warehouse."""

    @property
    def DIALECT(self) -> Dialect:  # noqa: N802 - a constant of the module
        """Available without the driver."""

    def open_target(self, target: Target) -> Warehouse:
        """Open a read-only session in this process."""


def open_warehouse(target: Target) -> "SeparateSession":
    """Open a read-only session in worker processes."""
    from linker.warehouses.base.session import SeparateSession

    return SeparateSession(target, _module_of(target).DIALECT)


def open_here(target: Target) -> Warehouse:
    """Open a session in this process, without its limits."""
    module = _module_of(target)
    try:
        return module.open_target(target)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("linker"):
            raise
        raise ConfigError(
            f"target `{target.name}` needs the driver of {target.kind}, which is not installed",
            hint=install_command(target.kind)
            if target.kind in WAREHOUSES
            else f"pip install {error.name}",
        ) from error


def _module_of(target: Target) -> WarehouseModule:
    module = _find_module(target.kind)
    if module is None:
        raise ConfigError(
            f"target `{target.name}` is a {target.kind or 'nameless'} warehouse, which this "
            "version cannot read",
            hint=f"supported: {', '.join(warehouse_names())}",
        )
    return module


def dialect_of(kind: str) -> Dialect:
    """Dialect by the type in profiles.yml."""
    if (dialect := find_dialect(kind)) is None:
        raise ConfigError(
            f"{kind or 'a nameless one'} is not a supported warehouse",
            hint=f"supported: {', '.join(warehouse_names())}",
        )
    return dialect


def find_dialect(kind: str) -> Dialect | None:
    """The dialect, or None for an unknown type."""
    module = _find_module(kind)
    return module.DIALECT if module else None


def file_of(target: Target) -> Path | None:
    """The warehouse's file; None if it is a server."""
    dialect = find_dialect(target.kind)
    return dialect.file.path(target.options) if dialect and dialect.file else None


def database_of(target: Target) -> str:
    """The database as named in SQL; empty if unknown."""
    file = file_of(target)
    return target.database or (file.stem if file else "")


def shipped_dialects() -> tuple[Dialect, ...]:
    """Dialects of built-in warehouses."""
    return tuple(dialect_of(kind) for kind in WAREHOUSES)


def warehouse_names() -> tuple[str, ...]:
    """All types, built-in ones first."""
    return (*WAREHOUSES, *sorted(plugins(GROUP).names - WAREHOUSES.keys()))


@cache
def _find_module(kind: str) -> WarehouseModule | None:
    if kind in WAREHOUSES:
        return cast("WarehouseModule", import_module(WAREHOUSES[kind]))
    registered = plugins(GROUP)
    if kind not in registered.names:
        return None
    with opening(registered[kind], "warehouse") as what:
        module = registered[kind].load()
    if not isinstance(getattr(module, "DIALECT", None), Dialect) or not callable(
        getattr(module, "open_target", None)
    ):
        raise ConfigError(
            f"{what} has no `DIALECT` and `open_target`",
            hint="is it made for this version of linker?",
        )
    return cast("WarehouseModule", module)
