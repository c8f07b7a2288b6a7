"""Where the dbt project lies that ships with linker; the rest of dbt is far away from here."""

from pathlib import Path

from linker.errors import LinkerError


def dbt_project_dir() -> Path:
    """The folder of the dbt project: inside the installed package, or the root of an editable checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "dbt_project", package.parent):
        if (folder / "dbt_project.yml").exists():
            return folder
    raise LinkerError(
        f"the dbt project is neither in {package / 'dbt_project'} nor in {package.parent}",
        hint="install dbt-linker again",
    )
