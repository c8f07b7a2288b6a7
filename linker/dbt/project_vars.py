"""The vars that the user's dbt project sets for this package: enters its folder, leaves them by name."""

from functools import cache
from pathlib import Path
from typing import Any

from linker.config.installed import dbt_project_dir
from linker.files import read_yaml

_FILE = "dbt_project.yml"
_PACKAGE = "linker"
_HINT = "`dbt parse` says what is wrong with it"


def read_project_vars(folder: Path) -> dict[str, Any]:
    """Those under the name of the package, and before them those of all packages that are ours by their name."""
    content = read_yaml(folder / _FILE, hint=_HINT)
    found = content.get("vars") if isinstance(content, dict) else None
    if not isinstance(found, dict):
        return {}
    of_all = {name: value for name, value in found.items() if name in _known_names()}
    own = found.get(_PACKAGE)
    return of_all | (own if isinstance(own, dict) else {})


@cache
def _known_names() -> frozenset[str]:
    content: Any = read_yaml(dbt_project_dir() / _FILE, hint=_HINT)
    return frozenset(content["vars"][_PACKAGE])
