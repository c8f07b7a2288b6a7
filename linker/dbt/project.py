"""
The user's dbt project as its manifest describes it: relations of models, seeds and sources, their
YAML files, and the vars set for this package.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import field
from msgspec.structs import replace

from linker.config.installed import dbt_project_dir
from linker.config.settings import Settings
from linker.config.target import Target
from linker.dbt.manifest import Manifest, find_manifest, node_name
from linker.errors import ConfigError
from linker.files import read_yaml
from linker.types import Record, TableRef

_FILE = "dbt_project.yml"
_PACKAGE = "linker"
# Vars that locate the profile tables, which the manifest knows.
_PLACEMENT = ("linker_schema", "linker_database")
_HINT = "`dbt parse` says what is wrong with it"

_SECTIONS = {"model": "models", "seed": "seeds", "source": "sources"}
# Since this version dbt nests the arguments of tests.
_NESTS_ARGUMENTS = (1, 11)
_FLAG = "require_generic_test_arguments_property"


def read_package_vars(folder: Path) -> dict[str, Any]:
    """Vars by name; those of the package override global ones."""
    content = read_yaml(folder / _FILE, hint=_HINT)
    given = content.get("vars") if isinstance(content, dict) else None
    if not isinstance(given, dict):
        return {}
    of_all = {name: value for name, value in given.items() if name in _known_names()}
    own = given.get(_PACKAGE)
    merged = of_all | (own if isinstance(own, dict) else {})
    return {name: value for name, value in merged.items() if name not in _PLACEMENT}


@cache
def _known_names() -> frozenset[str]:
    content: Any = read_yaml(dbt_project_dir() / _FILE, hint=_HINT)
    return frozenset(content["vars"][_PACKAGE])


class DbtTable(Record, frozen=True):
    """
    A table of the project: YAML section, name, source name, and file.

    `tests` are its tests by lower-case name and column; `kept_back` columns that `meta` restricts,
    or `*`.
    """

    section: str
    name: str
    source: str
    file: str
    tests: frozenset[tuple[str, str]]
    kept_back: frozenset[str]

    @property
    def reference(self) -> str:
        """The Jinja `ref` or `source` to it."""
        return f"source('{self.source}', '{self.name}')" if self.source else f"ref('{self.name}')"

    def keeping_back(self, columns: Iterable[str]) -> "DbtTable":
        """A copy that restricts more columns."""
        return replace(self, kept_back=self.kept_back | {column.lower() for column in columns})


class SemanticLayer(Record, frozen=True):
    """
    Semantic models of a project, names with their kinds, and whether it has a time spine.

    `tables` are the models' tables as lower-case `schema.table`.
    """

    names: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = field(default_factory=dict)
    has_time_spine: bool = False

    @property
    def other_names(self) -> frozenset[str]:
        """Names that are not dimensions."""
        return frozenset(name for name, kind in self.kinds.items() if kind != "dimensions")


class DbtProject(Record, frozen=True):
    """
    A project: tables by lower-case schema and name, whether tests nest their `arguments`, and the
    dbt version (major, minor).

    `upstream` maps lower-case `schema.table` to the tables that a model depends on.
    """

    folder: Path
    tables: Mapping[tuple[str, str], DbtTable]
    nests_arguments: bool
    semantic_layer: SemanticLayer = SemanticLayer()
    exposures: frozenset[str] = frozenset()
    upstream: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dbt_version: tuple[int, ...] = ()

    def lacks_semantic_model(self, ref: TableRef) -> bool:
        table = self.tables.get((ref.schema.lower(), ref.name.lower()))
        is_model = table is not None and table.section == "models"
        return is_model and str(ref).lower() not in self.semantic_layer.tables


def read_project(folder: Path, settings: Settings, target: Target) -> DbtProject:
    if not (folder / "dbt_project.yml").is_file():
        raise ConfigError(
            f"there is no dbt project in {folder}", hint="name its folder with --project-dir"
        )
    manifest_path = find_manifest(settings, target)
    path = settings.manifest or folder / "target" / "manifest.json"
    manifest = Manifest(path, manifest_path.database if manifest_path else "")
    content = manifest.content()
    metadata = content.get("metadata") or {}
    tests = _tests(content["nodes"])
    own_nodes = [
        node
        for node in manifest.nodes()
        if node.get("package_name") == metadata.get("project_name")
        and node["resource_type"] in _SECTIONS
        and not node.get("version")
    ]
    files = PropertyFiles(own_nodes)
    tables: dict[tuple[str, str], DbtTable] = {}
    for node in own_nodes:
        key = str(node["schema"]).lower(), node_name(node).lower()
        tables[key] = _table(node, tests[str(node.get("unique_id"))], files.get(node))
    own = read_yaml(folder / "dbt_project.yml", hint="see what `dbt parse` says")
    flags = own.get("flags") or {} if isinstance(own, dict) else {}
    version = tuple(
        int(part) for part in str(metadata.get("dbt_version", "0")).split(".")[:2] if part.isdigit()
    )
    nests_arguments = version >= _NESTS_ARGUMENTS and flags.get(_FLAG, True)
    exposures = frozenset(
        str(exposure["name"]) for exposure in (content.get("exposures") or {}).values()
    )
    upstream: dict[str, tuple[str, ...]] = {}
    for name, item in manifest.metadata().nodes.items():
        upstream[name] = tuple(str(parent).lower() for parent in item.upstream)
    return DbtProject(
        folder,
        tables,
        nests_arguments,
        _semantic_layer(content),
        exposures,
        upstream,
        version,
    )


class PropertyFiles:
    """Property files of a project's folders."""

    def __init__(self, nodes: Iterable[Mapping[str, Any]]) -> None:
        self._of_folder: dict[PurePosixPath, dict[str, str]] = defaultdict(dict)
        for node in nodes:
            described = _described_in(node)
            if described and node["resource_type"] != "source":
                self._of_folder[_folder_of(node)][str(node["name"])] = described

    def get(self, node: Mapping[str, Any]) -> str:
        """The file that describes a node, else the conventional one."""
        if described := _described_in(node):
            return described
        folder = _folder_of(node)
        files = self._of_folder[folder]
        if files and all(
            PurePosixPath(file).stem.lstrip("_") == name for name, file in files.items()
        ):
            ending = PurePosixPath(next(iter(files.values()))).suffix
            return str(folder / f"{node['name']}{ending}")
        if len(set(files.values())) == 1:
            return next(iter(files.values()))
        return str(folder / "schema.yml")


def _described_in(node: Mapping[str, Any]) -> str:
    if node["resource_type"] == "source":
        return str(node["original_file_path"])
    return str(node.get("patch_path") or "").partition("://")[2]


def _folder_of(node: Mapping[str, Any]) -> PurePosixPath:
    return PurePosixPath(str(node["original_file_path"])).parent


def _table(node: Mapping[str, Any], tests: set[tuple[str, str]], file: str) -> DbtTable:
    is_source = node["resource_type"] == "source"
    return DbtTable(
        section=_SECTIONS[node["resource_type"]],
        name=str(node["name"]),
        source=str(node["source_name"]) if is_source else "",
        file=file,
        tests=frozenset(tests),
        kept_back=frozenset(_kept_back(node)),
    )


def _tests(nodes: Mapping[str, Any]) -> Mapping[str, set[tuple[str, str]]]:
    """Tests by node."""
    tests: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for node in nodes.values():
        test = node.get("test_metadata")
        if test and node.get("attached_node"):
            column = str((test.get("kwargs") or {}).get("column_name") or "").strip('"`').lower()
            tests[node["attached_node"]].add((str(test["name"]), column))
    return tests


def _semantic_layer(content: Mapping[str, Any]) -> SemanticLayer:
    semantic_models = (content.get("semantic_models") or {}).values()
    relations = [semantic_model.get("node_relation") or {} for semantic_model in semantic_models]
    kinds = {str(metric["name"]): "metric" for metric in (content.get("metrics") or {}).values()}
    for semantic_model in semantic_models:
        for kind in ("entities", "dimensions", "measures"):
            kinds |= {str(element["name"]): kind for element in semantic_model.get(kind) or ()}
    nodes = content["nodes"].values()
    return SemanticLayer(
        names=frozenset(str(semantic_model["name"]) for semantic_model in semantic_models),
        tables=frozenset(
            f"{item.get('schema_name')}.{item.get('alias')}".lower() for item in relations
        ),
        kinds=kinds,
        has_time_spine=any(
            node.get("time_spine") or node.get("name") == "metricflow_time_spine" for node in nodes
        ),
    )


def _kept_back(node: Mapping[str, Any]) -> Iterator[str]:
    """Columns that `meta` hides or masks."""
    entries = [("*", node), *((node.get("columns") or {}).items())]
    for name, entry in entries:
        for meta in (entry.get("meta"), (entry.get("config") or {}).get("meta")):
            settings = (meta or {}).get("linker") if isinstance(meta, Mapping) else None
            if isinstance(settings, Mapping) and settings.get("privacy") in (
                "exclude",
                "hide",
                "mask",
            ):
                yield str(name).lower()
