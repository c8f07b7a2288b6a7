"""
Nodes of the user's dbt project that are tables or views: enter the settings, leave what its manifest says of them.

`linker profile` runs a project of its own, so that what another says of tags and privacy is read here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linker.catalog.artifacts import ArtifactPlace
from linker.config import Settings
from linker.config.target import Target, profile_of_project
from linker.errors import ConfigError
from linker.files import read_text
from linker.text.numbers import counted
from linker.types import Record
from linker.warehouses import file_of

_PROJECT = Path("dbt_project.yml")
_USUAL = Path("target", "manifest.json")
_MODELS = ("model", "seed", "snapshot")
_RELATIONS = (*_MODELS, "source")
_PACKAGE = "linker"


class Manifest(Record, frozen=True):
    """The manifest, and the database of the target where it is known: nodes of others are left out."""

    path: Path
    database: str = ""

    def nodes(self, *, elsewhere: bool = False) -> Iterator[Mapping[str, Any]]:
        """The nodes that are tables or views in the database of the target, or those in others."""
        content = self.content()
        for node in (*content["nodes"].values(), *content["sources"].values()):
            is_stored = (node.get("config") or {}).get("materialized") != "ephemeral"
            if node.get("resource_type") in _RELATIONS and is_stored and self._lies_elsewhere(node) == elsewhere:
                yield node

    def _lies_elsewhere(self, node: Mapping[str, Any]) -> bool:
        return bool(self.database) and str(node.get("database") or self.database).lower() != self.database.lower()

    def content(self) -> Mapping[str, Any]:
        """All that dbt wrote."""
        hint = "`dbt parse` writes it; or set `manifest`"
        text = read_text(self.path, hint=hint)
        try:
            content: Mapping[str, Any] = json.loads(text)
            _ = content["nodes"].values(), content["sources"].values()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ConfigError(f"{self.path} is not a manifest of dbt", hint=hint) from None
        return content

    def privacy(self) -> list[dict[str, object]]:
        """The nodes whose meta says what may be seen of them, with no more than that, as dbt reads it."""
        return [_described(node) for node in self.nodes() if _says_privacy(node)]

    def artifacts(self) -> dict[str, ArtifactPlace]:
        """Where a project that lists this package has each artifact: databases, schemas and names are its own."""
        return {
            node["name"]: ArtifactPlace(
                *(node["database"], node["schema"], name_of(node), node["relation_name"]),
                is_elsewhere=self._lies_elsewhere(node),
            )
            for node in self.content()["nodes"].values()
            if node.get("package_name") == _PACKAGE and node.get("relation_name")
        }

    def is_of(self, target: str, *, is_default: bool) -> bool:
        """Tell if dbt wrote it for that target, as far as the results beside it say; they name none for the default."""
        try:
            recorded = json.loads(self.path.with_name("run_results.json").read_text("utf-8"))["args"].get("target")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            recorded = None
        return recorded == target if recorded else is_default

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


def artifact_places(settings: Settings, target: Target) -> dict[str, ArtifactPlace]:
    """Where the dbt project in this folder has the artifacts; nothing where it has none, or a setting says where."""
    manifest = None if settings.artifacts_schema else _manifest_of(settings, target)
    return manifest.artifacts() if manifest else {}


def models_elsewhere(settings: Settings, target: Target) -> str:
    """A sentence on the models that the dbt project in this folder has in other databases; empty where it has none."""
    manifest = _manifest_of(settings, target)
    nodes = manifest.nodes(elsewhere=True) if manifest else ()
    models = [n for n in nodes if n["resource_type"] in _MODELS and n.get("package_name") != _PACKAGE]
    left_out = f"left out: {counted(len(models), 'model')} of your dbt project in other databases"
    names = ", ".join(sorted({str(node["database"]) for node in models}))
    return f"{left_out} ({names}); a target of their own would profile them" if models else ""


def _manifest_of(settings: Settings, target: Target) -> Manifest | None:
    """The one that dbt wrote for this target, if it did."""
    is_of_target = settings.manifest or profile_of_project(_PROJECT) == target.profile
    manifest = find_manifest(settings, target) if is_of_target else None
    if not manifest or not manifest.path.exists() or not manifest.is_of(target.name, is_default=not settings.target):
        return None
    return manifest


def artifacts_schema(settings: Settings, target: Target) -> str:
    """Schema of the artifacts, as far as they lie in one."""
    places = artifact_places(settings, target)
    return next((place.schema for place in places.values()), target.artifacts_schema(settings))


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
