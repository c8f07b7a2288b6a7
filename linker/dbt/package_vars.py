"""Vars that the user's dbt_project.yml sets for this package."""

from functools import cache
from pathlib import Path
from typing import Any

from linker.config.installed import dbt_project_dir
from linker.files import read_yaml

_FILE = "dbt_project.yml"
_PACKAGE = "linker"
# The manifest says where the project has the profile tables.
_PLACEMENT = ("linker_schema", "linker_database")
_HINT = "`dbt parse` says what is wrong with it"


def read_package_vars(folder: Path) -> dict[str, Any]:
    """
    Read them by name; what stands under the name of the package comes before what is set for all
    packages.
    """
    content = read_yaml(folder / _FILE, hint=_HINT)
    found = content.get("vars") if isinstance(content, dict) else None
    if not isinstance(found, dict):
        return {}
    of_all = {name: value for name, value in found.items() if name in _known_names()}
    own = found.get(_PACKAGE)
    merged = of_all | (own if isinstance(own, dict) else {})
    return {name: value for name, value in merged.items() if name not in _PLACEMENT}


@cache
def _known_names() -> frozenset[str]:
    content: Any = read_yaml(dbt_project_dir() / _FILE, hint=_HINT)
    return frozenset(content["vars"][_PACKAGE])
