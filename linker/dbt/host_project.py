"""
The dbt project in which `linker refresh` runs the package: a folder with two files, written anew
where they differ.

A package needs a project around it, as it has one where a user lists it. The vars lie in a file
since a command line takes 128 KB at most, and what a manifest says of a thousand models is longer.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from linker.config.installed import dbt_project_dir
from linker.files import write_whole

_NAME = "linker_refresh"


def write_host_project(folder: Path, profile: str, variables: Mapping[str, Any]) -> None:
    """Write the project, with vars of the package."""
    folder.mkdir(parents=True, exist_ok=True)
    project = {
        "name": _NAME,
        "version": "1.0",
        "config-version": 2,
        "profile": profile,
        "vars": {"linker": dict(variables)},
    }
    _write(folder / "dbt_project.yml", project)
    _write(folder / "packages.yml", {"packages": [{"local": str(dbt_project_dir())}]})


def has_package(folder: Path) -> bool:
    """Tell if `dbt deps` installed the package from where it lies now."""
    installed = folder / "dbt_packages" / "linker"
    return installed.is_dir() and installed.resolve() == dbt_project_dir().resolve()


def _write(path: Path, content: Mapping[str, Any]) -> None:
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(content, Dumper=dumper, allow_unicode=True, sort_keys=False, width=1_000)
    # dbt parses the project anew where the file is another.
    if not path.is_file() or path.read_text("utf-8") != text:
        write_whole(path, text, is_private=True)
