"""
Nodes of the user's dbt project that are tables or views: enter the settings, leave what its manifest says of them.

`linker profile` runs a project of its own, so that what another says of tags and privacy is read here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linker.config import Settings
from linker.config.target import Target
from linker.errors import ConfigError
from linker.files import read_text
from linker.warehouses import file_of

_PROJECT = Path("dbt_project.yml")
_USUAL = Path("target", "manifest.json")
_RELATIONS = ("model", "seed", "snapshot", "source")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest, and the database of the target where it is known: nodes of others are left out."""

    path: Path
    database: str = ""

    def nodes(self) -> Iterator[Mapping[str, Any]]:
        """The nodes that are tables or views."""
        for node in _read(self.path):
            is_stored = (node.get("config") or {}).get("materialized") != "ephemeral"
            is_here = not self.database or str(node.get("database") or self.database).lower() == self.database.lower()
            if node.get("resource_type") in _RELATIONS and is_stored and is_here:
                yield node

    def privacy(self) -> list[dict[str, object]]:
        """The nodes whose meta says what may be seen of them, with no more than that, as dbt reads it."""
        return [_described(node) for node in self.nodes() if _says_privacy(node)]

    def models(self) -> tuple[tuple[str, str, str], ...]:
        """Schema, name and SQL of the models that were compiled."""
        return tuple(
            (str(node["schema"]), name_of(node), str(node["compiled_code"]))
            for node in self.nodes()
            if node.get("compiled_code")
        )


def find_manifest(settings: Settings, target: Target) -> Manifest | None:
    """The one that the settings name, or else that of the dbt project in this folder, if there is any."""
    path = settings.manifest or (_USUAL if _PROJECT.exists() else None)
    return Manifest(path, _database(target)) if path else None


def name_of(node: Mapping[str, Any]) -> str:
    """The name of the table that a node is."""
    return str(node.get("identifier") or node.get("alias") or node.get("name"))


def _database(target: Target) -> str:
    """Database as dbt writes it into the manifest; empty where the target does not say."""
    named = next((target.options[key] for key in ("database", "dbname", "project") if target.options.get(key)), "")
    file = file_of(target)
    return str(named or (file.stem if file else ""))


def _says_privacy(node: Mapping[str, Any]) -> bool:
    entries: Sequence[Mapping[str, Any]] = [node, *(node.get("columns") or {}).values()]
    metas = [meta for entry in entries for meta in (entry.get("meta"), (entry.get("config") or {}).get("meta"))]
    return any(isinstance(meta, Mapping) and meta.get("linker") for meta in metas)


def _described(node: Mapping[str, Any]) -> dict[str, object]:
    def meta(entry: Mapping[str, Any]) -> dict[str, object]:
        return {"meta": entry.get("meta"), "config": {"meta": (entry.get("config") or {}).get("meta")}}

    columns = {name: {"name": name, **meta(column)} for name, column in (node.get("columns") or {}).items()}
    return {
        **meta(node),
        "unique_id": node.get("unique_id"),
        "schema": node["schema"],
        "identifier": name_of(node),
        "columns": columns,
    }


def _read(path: Path) -> Iterator[Mapping[str, Any]]:
    hint = "`dbt parse` writes it; or set `manifest`"
    text = read_text(path, hint=hint)
    try:
        content = json.loads(text)
        nodes = [*content["nodes"].values(), *content["sources"].values()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(f"{path} is not a manifest of dbt", hint=hint) from None
    yield from nodes
