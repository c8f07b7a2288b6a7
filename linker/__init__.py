"""
dbt-linker finds the few tables and columns that a question needs.

    from linker import Linker

    with Linker.open(target="demo") as linker:
        schema = linker.ask("Which carrier delivers late most often?")

Importing this package is cheap: the names below are loaded on first use.
"""

import sys

# Must be valid in older versions of Python, so that users get an error message and no SyntaxError.
if sys.version_info < (3, 11):  # noqa: UP036
    raise SystemExit(
        "linker needs Python 3.11 or later, and this is "
        f"{sys.version_info[0]}.{sys.version_info[1]}: https://www.python.org/downloads/"
    )

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linker.api import Linker as Linker
    from linker.config.installed import dbt_project_dir as dbt_project_dir
    from linker.errors import LinkerError as LinkerError
    from linker.linking.result import LinkedSchema as LinkedSchema

__version__ = "0.1.0"
__all__ = ["LinkedSchema", "Linker", "LinkerError", "dbt_project_dir"]

_HOMES = {
    "LinkedSchema": "linker.linking.result",
    "Linker": "linker.api",
    "LinkerError": "linker.errors",
    "dbt_project_dir": "linker.config.installed",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'linker' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
