"""
Reads tags, privacy and descriptions from the manifest of the user's dbt project.

`linker profile` runs a dbt project of its own, which does not see the user's models.
"""

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from linker.catalog.read_catalog import ArtifactRelation
from linker.catalog.warehouse import DbtMetadata
from linker.config.settings import Settings
from linker.config.target import Target, profile_of_project
from linker.dbt.ossie_import import read_documents
from linker.dbt.semantic_layer import read_terms
from linker.errors import ConfigError
from linker.files import read_text
from linker.text.numbers import first_of
from linker.types import DbtNode, Record, TableRef
from linker.warehouses import database_of

_PROJECT = Path("dbt_project.yml")
_USUAL = Path("target", "manifest.json")
_MODELS = ("model", "seed", "snapshot")
_RELATIONS = (*_MODELS, "source")
_IN_PARTS = ("incremental", "snapshot")
_PACKAGE = "linker"
# Schema of published views, which read the profile tables and feed nothing else.
_AGENTS = "agents"
# Tests on keys and values, with their arguments.
_TESTS = (
    "unique",
    "not_null",
    "relationships",
    "accepted_values",
    "unique_combination_of_columns",
    "expect_compound_columns_to_be_unique",
)
_TEST_ARGUMENTS = (
    "model",
    "column_name",
    "to",
    "field",
    "values",
    "combination_of_columns",
    "column_list",
)
# The exposure that `linker export dbt` proposes.
EXPLORER = "linker_explorer"
# MetricFlow's time spine; dbt 1.9 and later allow any model.
_TIME_SPINE = "metricflow_time_spine"
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
# Number of relations named in a message.
_NAMED = 5
# dbt 1.8.
_OLDEST_SCHEMA = 12


class Manifest(Record, frozen=True):
    """A manifest; with a database, nodes of other databases are ignored."""

    path: Path
    database: str = ""

    def nodes(self, *, elsewhere: bool = False) -> Iterator[Mapping[str, Any]]:
        """Tables and views in the target's database; with `elsewhere` those in others."""
        content = self.content()
        for node in (*content["nodes"].values(), *content["sources"].values()):
            is_stored = (node.get("config") or {}).get("materialized") != "ephemeral"
            if (
                node.get("resource_type") in _RELATIONS
                and is_stored
                and self._lies_elsewhere(node) == elsewhere
            ):
                yield node

    def _lies_elsewhere(self, node: Mapping[str, Any]) -> bool:
        return (
            bool(self.database)
            and str(node.get("database") or self.database).lower() != self.database.lower()
        )

    def content(self) -> Mapping[str, Any]:
        """The parsed JSON."""
        modified = self.path.stat().st_mtime_ns if self.path.is_file() else 0
        return _read_manifest(self.path, self.path.resolve(), modified)

    def graph(self) -> dict[str, Any]:
        """The part of dbt's `graph` that the package reads: tables and tests."""
        tables = {
            str(node["unique_id"]): _table_node(node) for node in self.nodes() if not _is_own(node)
        }
        tests = [
            _test_node(node) for node in self.content()["nodes"].values() if _is_read_test(node)
        ]
        return {"tables": tables, "tests": tests}

    def metadata(self) -> DbtMetadata:
        """Nodes with lineage, and the semantic layer."""
        exposures = self._exposures()
        relations = {str(node["unique_id"]): node for node in self.nodes()}
        dbt_nodes: dict[str, DbtNode] = {}
        for unique_id, node in relations.items():
            parents = [
                _ref(relations[parent]) for parent in self._parents(node, relations, frozenset())
            ]
            dbt_nodes[str(_ref(node)).lower()] = DbtNode(
                upstream=tuple(dict.fromkeys(parents)),
                path=str(node.get("original_file_path") or ""),
                tags=tuple(map(str, node.get("tags") or ())),
                exposures=tuple(exposures.get(unique_id, ())),
                is_time_spine=bool(node.get("time_spine")) or node.get("name") == _TIME_SPINE,
            )
        return DbtMetadata(dbt_nodes, read_terms(self.content()))

    def _parents(
        self, node: Mapping[str, Any], relations: Container[str], seen: frozenset[str]
    ) -> Iterator[str]:
        """Relations that a node depends on, through ephemeral models."""
        content = self.content()
        for parent in _depends_on(node):
            if parent in relations:
                yield parent
            elif parent in content["nodes"] and parent not in seen:
                yield from self._parents(content["nodes"][parent], relations, seen | {parent})

    def _exposures(self) -> dict[str, list[str]]:
        """
        Exposure names by node; the exposure of the catalog UI is ignored, as it uses everything.
        """
        names: dict[str, list[str]] = defaultdict(list)
        for exposure in (self.content().get("exposures") or {}).values():
            for unique_id in _depends_on(exposure) if exposure.get("name") != EXPLORER else ():
                names[unique_id].append(str(exposure.get("label") or exposure.get("name")))
        return names

    def artifacts(self) -> dict[str, ArtifactRelation]:
        """Relations of the profile tables in a project that lists this package."""
        return {
            node["name"]: ArtifactRelation(
                node["database"],
                node["schema"],
                node_name(node),
                node["relation_name"],
                is_elsewhere=self._lies_elsewhere(node),
            )
            for node in self.content()["nodes"].values()
            if node.get("package_name") == _PACKAGE
            and node.get("relation_name")
            and node["schema"] != _AGENTS
        }

    def is_of(self, target: str, *, is_default: bool) -> bool:
        """
        Whether dbt wrote it for that target, by run_results.json beside it, which names none for
        the default.
        """
        try:
            recorded = json.loads(self.path.with_name("run_results.json").read_text("utf-8"))[
                "args"
            ].get("target")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            recorded = None
        return recorded == target if recorded else is_default

    def models(self) -> tuple[tuple[str, str, str], ...]:
        """Schema, name and SQL of models compiled in this run or an earlier one."""
        models: list[tuple[str, str, str]] = []
        for node in self.nodes():
            sql = "" if _is_own(node) else self._compiled_code(node)
            if sql:
                models.append((str(node["schema"]), node_name(node), sql))
        return tuple(models)

    def _compiled_code(self, node: Mapping[str, Any]) -> str:
        """
        The SQL of a model, from the manifest or, if this run did not select it, from the compiled
        file.
        """
        if node.get("compiled_code") or node.get("resource_type") != "model":
            return str(node.get("compiled_code") or "")
        file = (
            self.path.parent
            / "compiled"
            / str(node.get("package_name"))
            / str(node.get("original_file_path"))
        )
        try:
            return file.read_text("utf-8") if file.suffix == ".sql" else ""
        except (OSError, UnicodeDecodeError):
            return ""


@lru_cache(maxsize=1)
def _read_manifest(path: Path, _resolved: Path, _modified: int) -> Mapping[str, Any]:
    """Cached by modification time: the file is large, and several parts of a command read it."""
    hint = "`dbt parse` writes it; or set `manifest`"
    text = read_text(path, hint=hint)
    try:
        content: Mapping[str, Any] = json.loads(text)
        _ = content["nodes"].values(), content["sources"].values()
        version = _schema_version(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(f"{path} is not a dbt manifest", hint=hint) from None
    if version and version < _OLDEST_SCHEMA:
        raise ConfigError(
            f"{path} was written by an older dbt, in schema version {version}", hint=hint
        )
    return content


def _schema_version(content: Mapping[str, Any]) -> int:
    """Version of a dbt artifact, from its schema URL; 0 if it has none."""
    address = (
        str(content["metadata"].get("dbt_schema_version") or "") if "metadata" in content else ""
    )
    number = address.rpartition("/v")[2].partition(".")[0]
    return int(number) if number.isdigit() else 0


def find_manifest(settings: Settings, target: Target) -> Manifest | None:
    """The manifest of the settings, else that of the dbt project in the working directory."""
    path = settings.manifest or (_USUAL if _PROJECT.exists() else None)
    return Manifest(path, database_of(target)) if path else None


def artifact_relations(settings: Settings, target: Target) -> dict[str, ArtifactRelation]:
    """
    Relations of the profile tables in the working directory's dbt project; empty without one, or if
    a setting decides.
    """
    manifest = None if settings.artifacts_schema else _manifest_of(settings, target)
    return manifest.artifacts() if manifest else {}


def project_metadata(settings: Settings, target: Target) -> DbtMetadata:
    """Metadata of the working directory's project; empty without one."""
    manifest = _manifest_of(settings, target)
    metadata = manifest.metadata() if manifest else DbtMetadata()
    # Apache Ossie documents belong to the project.
    terms = read_documents(settings, target.key).terms
    return replace(metadata, terms=(*metadata.terms, *terms)) if terms else metadata


def compiled_models(settings: Settings, target: Target) -> dict[TableRef, str]:
    """SQL of the working directory's models that dbt has compiled."""
    manifest = _manifest_of(settings, target)
    models = manifest.models() if manifest else ()
    return {TableRef(schema, name): sql for schema, name, sql in models}


def models_in_parts(settings: Settings, target: Target) -> set[TableRef]:
    """Incremental models and snapshots: their SQL is that of one of many runs."""
    manifest = _manifest_of(settings, target)
    parts = set[TableRef]()
    for node in manifest.nodes() if manifest else ():
        if (node.get("config") or {}).get("materialized") in _IN_PARTS:
            parts.add(_ref(node))
    return parts


def relations_elsewhere(settings: Settings, target: Target) -> str:
    """A warning about tables of the project in other databases; empty if none."""
    manifest = _manifest_of(settings, target)
    nodes = (
        [node for node in manifest.nodes(elsewhere=True) if not _is_own(node)] if manifest else []
    )
    if not nodes:
        return ""
    names = (f"{node.get('database')}.{node.get('schema')}.{node_name(node)}" for node in nodes)
    return (
        f"not profiled: {first_of(sorted(names), _NAMED)}, in another database than target "
        f"`{target.name}`; add a target with that database to profiles.yml and run: linker "
        "refresh --target NAME"
    )


def _manifest_of(settings: Settings, target: Target) -> Manifest | None:
    """The manifest, if dbt wrote it for this target."""
    is_of_target = settings.manifest or profile_of_project(_PROJECT) == target.profile
    manifest = find_manifest(settings, target) if is_of_target else None
    if (
        not manifest
        or not manifest.path.exists()
        or not manifest.is_of(target.name, is_default=not settings.target)
    ):
        return None
    return manifest


def artifacts_schema(settings: Settings, target: Target) -> str:
    """Schema of the profile tables, if they are in one."""
    relations = artifact_relations(settings, target)
    return next(
        (relation.schema for relation in relations.values()), target.artifacts_schema(settings)
    )


def node_name(node: Mapping[str, Any]) -> str:
    """The table name of a node."""
    return str(node.get("identifier") or node.get("alias") or node.get("name"))


def _ref(node: Mapping[str, Any]) -> TableRef:
    return TableRef(str(node.get("schema")), node_name(node))


def _depends_on(node: Mapping[str, Any]) -> list[str]:
    return (node.get("depends_on") or {}).get("nodes") or []


def graph_json(graph: Mapping[str, Any]) -> str:
    """The graph as JSON for a var; braces are escaped or separated, since dbt renders vars."""
    # A string, since parsing the structure of a thousand models as YAML vars takes seconds.
    content = json.dumps(graph, ensure_ascii=False)
    escaped = _JSON_TEXT.sub(
        lambda text: text[0].replace("{", r"\u007b").replace("}", r"\u007d"), content
    )
    return re.sub("}(?=})", "} ", escaped)


def _is_own(node: Mapping[str, Any]) -> bool:
    return node.get("package_name") == _PACKAGE


def _is_read_test(node: Mapping[str, Any]) -> bool:
    return (node.get("test_metadata") or {}).get("name") in _TESTS and not _is_own(node)


def _table_node(node: Mapping[str, Any]) -> dict[str, object]:
    columns: dict[str, dict[str, object]] = {}
    for name, column in (node.get("columns") or {}).items():
        described = _described(column, "name")
        if described.keys() > {"name"}:
            columns[name] = described
    return {
        **_described(
            node, "unique_id", "resource_type", "name", "source_name", "database", "schema", "tags"
        ),
        "identifier": node_name(node),
        "columns": columns,
    }


def _test_node(node: Mapping[str, Any]) -> dict[str, object]:
    metadata = node["test_metadata"]
    kept = {
        name: value
        for name, value in (metadata.get("kwargs") or {}).items()
        if name in _TEST_ARGUMENTS
    }
    return {
        "unique_id": node.get("unique_id"),
        "column_name": node.get("column_name"),
        "test_metadata": {"name": metadata["name"], "kwargs": kept},
        "depends_on": {"nodes": _depends_on(node)},
    }


def _described(entry: Mapping[str, Any], *names: str) -> dict[str, object]:
    """Non-empty fields of a YAML entry."""
    kept = {name: entry.get(name) for name in (*names, "description", "meta")}
    meta = (entry.get("config") or {}).get("meta")
    kept["config"] = {"meta": meta} if meta else None
    return {name: value for name, value in kept.items() if value}
