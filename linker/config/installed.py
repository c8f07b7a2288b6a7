"""
The installed package: location of its dbt project, the command that installs an extra, and plugins
found by entry points.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from linker.errors import ConfigError, LinkerError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

_NAME = "dbt-linker"


def dbt_project_dir() -> Path:
    """Inside the installed package, or the root of an editable checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "dbt_project", package.parent):
        if (folder / "dbt_project.yml").exists():
            return folder
    raise LinkerError(
        f"the dbt project is neither in {package / 'dbt_project'} nor in {package.parent}",
        hint="reinstall dbt-linker",
    )


def dbt_project_files() -> list[Path]:
    """Files of the dbt project that affect its results, sorted."""
    project = dbt_project_dir()
    models, macros = (sorted(project.glob(f"{folder}/**/*.*")) for folder in ("models", "macros"))
    return [project / "dbt_project.yml", *models, *macros]


def plugins(group: str) -> "EntryPoints":
    """What other packages registered in a group of entry points."""
    from importlib.metadata import entry_points

    return entry_points(group=group)


@contextmanager
def opening(entry: "EntryPoint", kind: str) -> Iterator[str]:
    """Wrap errors of a plugin in one that names its package."""
    package = entry.dist.name if entry.dist else entry.value
    what = f"the {kind} `{entry.name}` of the package {package}"
    try:
        yield what
    except (ImportError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"{what} cannot be opened: {error}",
            hint=f"is {package} installed whole, and made for this version of linker?",
        ) from error


def install_command(extra: str, search_path: Sequence[str] | None = None) -> str:
    """
    The pip command for an extra; `search_path` replaces sys.path for the lookup.

    An installation from a checkout is on no package index, so the command names the folder.
    """
    checkout = _checkout(search_path)
    if checkout is None:
        return f"pip install '{_NAME}[{extra}]'"
    folder, is_editable = checkout
    source = "." if folder == Path.cwd() else str(folder)
    return f"pip install {'--editable ' if is_editable else ''}'{source}[{extra}]'"


def _checkout(search_path: Sequence[str] | None) -> tuple[Path, bool] | None:
    """The folder that linker was installed from, and whether the installation is editable."""
    from importlib.metadata import distributions
    from urllib.request import url2pathname

    installed = (
        distributions(name=_NAME)
        if search_path is None
        else distributions(name=_NAME, path=list(search_path))
    )
    # A checkout may have metadata of its own build, without the origin of the installation.
    for text in (distribution.read_text("direct_url.json") for distribution in installed):
        origin = json.loads(text) if text else {}
        if "dir_info" in origin:
            folder = Path(url2pathname(urlsplit(origin["url"]).path))
            return folder, bool(origin["dir_info"].get("editable"))
    return None
