"""
The description on PyPI: the README, with links to the files of this release in the repository.

Relative links lead nowhere on PyPI. All else about the package stands in setup.cfg.
"""

import re
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
FILES = "https://github.com/OWNER/dbt-linker/blob"
PICTURES = "https://raw.githubusercontent.com/OWNER/dbt-linker"
_RELATIVE_LINK = re.compile(r"\]\((?!\w+:|#)([^)\s]+)")


def read_version() -> str:
    """The version, without an import of the package."""
    module = (ROOT / "linker" / "__init__.py").read_text("utf-8")
    [version] = re.findall(r'^__version__ = "(.+)"$', module, re.MULTILINE)
    return str(version)


def with_absolute_links(markdown: str, tag: str) -> str:
    """The text with each relative link replaced by its address at a tag of the repository."""

    def absolute(link: re.Match[str]) -> str:
        path = link[1]
        base = PICTURES if path.endswith(".png") else FILES
        return f"]({base}/{tag}/{path}"

    return _RELATIVE_LINK.sub(absolute, markdown)


setup(
    # Known by its name, this file stays out of the packages, one of which is the root:
    # linker.dbt_project.
    script_name="setup.py",
    long_description=with_absolute_links(
        (ROOT / "README.md").read_text("utf-8"), tag=f"v{read_version()}"
    ),
    long_description_content_type="text/markdown",
)
