"""
The exposure of the explorer: enter a dbt project with its tables and an address, leaves a patch
that adds it.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import yaml

from linker.dbt.manifest import EXPLORER
from linker.dbt.project import DbtProject, DbtTable
from linker.dbt.schema_patch import SchemaPatch, diff_of, text_of
from linker.dbt.yaml_text import OddYamlError, Plain, child, named, open_text
from linker.errors import ConfigError

NAME = EXPLORER
_FILE = f"{NAME}.yml"
_DESCRIPTION = "What is known of each table and column: values, keys, joins, changes, and what a question needs."
# dbt would see a template in a brace.
_PLAIN = re.compile(r"[^\s{}\"'\\]+")


def expose_explorer(address: str, tables: Sequence[DbtTable], project: DbtProject) -> SchemaPatch:
    """The patch that adds an exposure with a link to the explorer, unless there is one."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or not _PLAIN.fullmatch(address):
        raise ConfigError("`explorer_url` is no address", hint="write it as https://host/path")
    if NAME in project.exposures or not tables:
        return SchemaPatch("")
    # Exposures stand where models do.
    top = next(
        (PurePosixPath(table.file).parts[0] for table in tables if table.section != "seeds"),
        "models",
    )
    file = f"{top}/{_FILE}"
    exposure = {
        "name": Plain(NAME),
        "label": "Explorer of the warehouse",
        "type": Plain("application"),
        "url": address,
        "description": _DESCRIPTION,
        "owner": {"name": "dbt-linker"},
        "depends_on": sorted(table.reference for table in tables),
    }
    try:
        before = text_of(project.folder / file)
        return SchemaPatch(diff_of(file, before, _with_exposure(before, exposure)))
    except OddYamlError as error:
        return SchemaPatch("", left_out=(f"{file}: {error}",))


def _with_exposure(before: str | None, exposure: Mapping[str, object]) -> str:
    """The text of a file with the exposure in it; as it is where it has that already."""
    text = open_text(before)
    if not isinstance(text.root, yaml.MappingNode):
        raise OddYamlError("it holds no keys")
    if not named(child(text.root, "exposures"), NAME):
        text.extend(text.root, "exposures", [exposure])
    return str(text)
