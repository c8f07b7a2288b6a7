"""
The tags of the user's own dbt project: enters its manifest, leaves the tables of each tag.

dbt writes the manifest with every command that parses the project. A node is a table by its database, schema and name.
"""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linker.config import Settings
from linker.config.target import Target
from linker.dbt.selection import Selection
from linker.errors import ConfigError
from linker.warehouses import file_of

_PROJECT = Path("dbt_project.yml")
_USUAL = Path("target", "manifest.json")
_RELATIONS = ("model", "seed", "snapshot", "source")


@dataclass(frozen=True, slots=True)
class Tags:
    """The tables of each tag, as `schema.table` in lower case."""

    manifest: Path
    tables: Mapping[str, Sequence[str]]

    def tables_of(self, tag: str) -> Sequence[str]:
        """The tables that have it; that nothing has it is an error."""
        if tag in self.tables:
            return self.tables[tag]
        near = difflib.get_close_matches(tag, self.tables, n=3, cutoff=0.5)
        known = f"did you mean {' or '.join(f'tag:{name}' for name in near)}?" if near else None
        raise ConfigError(
            f"nothing in {self.manifest} has the tag `{tag}`",
            hint=known or f"its tags are: {', '.join(sorted(self.tables)) or 'none'}",
        )


def selected_variables(selection: Selection, settings: Settings, target: Target) -> dict[str, object]:
    """The vars with which dbt selects; the manifest is read where a tag is asked for."""
    read: list[Tags] = []

    def tables_of_tag(tag: str) -> Sequence[str]:
        if not read:
            read.append(read_tags(settings, _database(target)))
        return read[0].tables_of(tag)

    return selection.variables(tables_of_tag)


def _database(target: Target) -> str:
    """As dbt writes it into the manifest; empty where the target does not say."""
    named = next((target.options[key] for key in ("database", "dbname", "project") if target.options.get(key)), "")
    file = file_of(target)
    return str(named or (file.stem if file else ""))


def read_tags(settings: Settings, database: str = "") -> Tags:
    """Those of the manifest that the settings name, of nodes that lie in that database, where it is known."""
    path = settings.manifest or (_USUAL if _PROJECT.exists() else None)
    if path is None:
        raise ConfigError(
            "tags are those of a dbt project, and there is none in this folder",
            hint="set `manifest` to the target/manifest.json of yours",
        )
    tables: dict[str, set[str]] = {}
    for node in _nodes(path):
        if database and str(node.get("database") or database).lower() != database.lower():
            continue
        name = node.get("identifier") or node.get("alias") or node.get("name")
        for tag in node.get("tags") or ():
            tables.setdefault(str(tag), set()).add(f"{node.get('schema')}.{name}".lower())
    return Tags(path, {tag: sorted(names) for tag, names in tables.items()})


def _nodes(path: Path) -> Iterator[dict[str, Any]]:
    try:
        content = json.loads(path.read_text("utf-8"))
        nodes = [*content["nodes"].values(), *content["sources"].values()]
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}, where the tags stand: {error.strerror}",
            hint="`dbt parse` writes it; or set `manifest`",
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError(f"{path} is not a manifest of dbt", hint="`dbt parse` writes it; or set `manifest`") from None
    for node in nodes:
        is_stored = (node.get("config") or {}).get("materialized") != "ephemeral"
        if node.get("resource_type") in _RELATIONS and is_stored:
            yield node
