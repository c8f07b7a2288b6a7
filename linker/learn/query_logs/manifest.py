"""
dbt's manifest as a query log: enters what `dbt compile` left, leaves the SQL of models, snapshots and analyses.

A model that is a view is told as one, so that queries of it are traced to its tables.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from linker.errors import ConfigError
from linker.learn.query_logs.base import Logged

_KINDS = ("model", "snapshot", "analysis")
# Our own models read the catalogue and each other.
_OURS = "linker"


def is_manifest(told: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a manifest of dbt."""
    return isinstance(told.get("nodes"), dict) and "metadata" in told


def read_manifest(manifest: Mapping[str, Any], name: str) -> Iterator[Logged]:
    """The compiled SQL of each model."""
    nodes = [node for node in manifest["nodes"].values() if node.get("resource_type") in _KINDS]
    nodes = [node for node in nodes if node.get("package_name") != _OURS]
    if nodes and not any(node.get("compiled_code") for node in nodes):
        raise ConfigError(f"no model in {name} is compiled", hint="dbt compile")
    for node in nodes:
        text, relation = node.get("compiled_code"), node.get("relation_name")
        if text and relation and (node.get("config") or {}).get("materialized") == "view":
            yield Logged(f"create view {relation} as {text}")
        elif text:
            yield Logged(text)
