"""One dbt invocation of the package: executable, connection and vars."""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import field

from linker.catalog.read_catalog import ArtifactRelation
from linker.config.settings import Settings
from linker.config.target import Target, load_target
from linker.dbt.error_hints import single_line, without_values
from linker.errors import ConfigError, WarehouseError
from linker.types import Record
from linker.warehouses import find_dialect, open_warehouse
from linker.warehouses.base.dialect import QuerySession


class DbtTarget(Record, frozen=True):
    """Connection and table selection for dbt."""

    profiles_dir: Path
    profile: str
    target: str
    state_dir: Path
    variables: Mapping[str, object] = field(default_factory=dict)
    full_refresh: bool = False
    # Models of the user's project with their compiled SQL.
    models: tuple[tuple[str, str, str], ...] = ()
    # Relations of the profile tables in the user's project, which are then updated there.
    artifact_relations: Mapping[str, ArtifactRelation] = field(default_factory=dict)
    # Schema of the profile tables unless a project sets it.
    schema: str | None = None
    # dbt executable; empty for dbt-core of this Python, else the one on PATH.
    dbt: str = ""

    @property
    def placement(self) -> dict[str, object]:
        """The vars that locate the profile tables."""
        relation = next(iter(self.artifact_relations.values()), None)
        if relation:
            return {"linker_database": relation.database, "linker_schema": relation.schema}
        return {"linker_schema": self.schema} if self.schema else {}


def build_invocation(command: str, target: DbtTarget, dbt_dir: Path) -> dict[str, object]:
    """
    The input of `linker.dbt.worker`.

    A full run of selected tables keeps the journals, which hold the profiles of the others; it
    passes the time from which scans count.
    """
    settings = Settings(
        profiles_dir=target.profiles_dir,
        profile=target.profile,
        target=target.target,
        state_dir=target.state_dir,
    )
    warehouse = load_target(settings)
    dialect = find_dialect(warehouse.kind)
    variables = {**target.variables, **target.placement, "watch": command == "profile"}
    if (
        dialect
        and dialect.find_broken_views
        and dialect.file
        and dialect.file.path(warehouse.options).is_file()
    ):
        variables["broken"] = _broken_views(warehouse, dialect.find_broken_views)
    if target.full_refresh and {"select", "exclude"} & variables.keys():
        variables["full_since"] = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return {
        "command": command,
        "executable": find_executable(target.dbt),
        "connection": _connection(target, dbt_dir),
        "kind": warehouse.kind,
        "file": str(dialect.file.path(warehouse.options)) if dialect and dialect.file else "",
        "models": target.models,
        "placement": target.placement,
        "variables": variables,
        "may_wait_forever": bool(dialect and dialect.may_wait_forever),
        "overtime": None,
        "is_full": target.full_refresh and "full_since" not in variables,
    }


def _broken_views(
    warehouse: Target, find: Callable[[QuerySession], list[tuple[str, str, str]]]
) -> list[tuple[str, str, str]]:
    # If another process locks the file, dbt waits and reports the view itself.
    with suppress(WarehouseError), closing(open_warehouse(warehouse)) as session:
        return [
            (schema, view, without_values(single_line(words)))
            for schema, view, words in find(session)
        ]
    return []


def find_executable(named: str) -> str:
    """
    The path of the dbt executable; empty for the dbt-core 1.x of this Python, if installed and none
    is named.
    """
    if not named and _has_dbt_core():
        return ""
    executable = shutil.which(named or "dbt")
    if not executable:
        what = (
            f"there is no program `{named}`" if named else "no dbt found next to linker or on PATH"
        )
        raise ConfigError(what, hint="pip install dbt-core, or set `dbt` to the path of your dbt")
    return executable


def _has_dbt_core() -> bool:
    try:
        return int(version("dbt-core").partition(".")[0]) == 1
    except PackageNotFoundError:
        return False


def _connection(target: DbtTarget, dbt_dir: Path) -> dict[str, str]:
    # Project files and parse results contain vars of the target.
    own = hashlib.sha256(f"{target.profile}.{target.target}".encode()).hexdigest()[:16]
    return {
        "project_dir": str((dbt_dir / f"project-{own}").resolve()),
        "profiles_dir": str(target.profiles_dir.resolve()),
        "profile": target.profile,
        "target": target.target,
        "target_path": str((dbt_dir / f"target-{own}").resolve()),
        "log_path": str((dbt_dir / "logs").resolve()),
    }
