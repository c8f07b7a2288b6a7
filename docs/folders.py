"""Generates the README of each code folder from the first sentences of its files."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
_TOPS = {"linker": ".py", "tests": ".py", "macros": ".sql", "models": ".sql"}
_NOTE = "<!-- Written by `make docs` from the first lines of the files; do not edit. -->\n"
_COMMENT = re.compile(r"\{#-?(.+?)-?#\}|^-- (.+?)$", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"(?<=\.) ")


def folder_pages() -> dict[Path, str]:
    """The README of every folder that holds code, by its path."""
    folders = set[Path]()
    for top, ending in _TOPS.items():
        folders.update(path.parent for path in (ROOT / top).rglob(f"*{ending}"))
    return {folder / "README.md": "\n".join(_lines(folder)) + "\n" for folder in sorted(folders)}


def _lines(folder: Path) -> Iterator[str]:
    yield f"# {folder.relative_to(ROOT)}/\n"
    yield _NOTE
    if about := _first_line(folder / "__init__.py"):
        yield f"{about}\n"
    yield "| file | what it is |"
    yield "|---|---|"
    for path in sorted((*folder.glob("*.py"), *folder.glob("*.sql"))):
        if path.name != "__init__.py":
            yield f"| [`{path.name}`]({path.name}) | {_first_line(path)} |"
    for inner in sorted(
        path for path in folder.iterdir() if path.is_dir() and any(path.rglob("*.py"))
    ):
        yield f"| [`{inner.name}/`]({inner.name}) | {_first_line(inner / '__init__.py')} |"


def _first_line(path: Path) -> str:
    """
    The first sentence that a file says of itself, as a cell of a table; dbt reads it too, so it
    holds no Jinja.
    """
    if not path.exists():
        return ""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        line = " ".join((ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].split())
    elif path.with_suffix(".yml").exists():
        [model] = yaml.safe_load(path.with_suffix(".yml").read_text("utf-8"))["models"]
        line = _SENTENCE.split(" ".join(model["description"].split()))[0]
    else:
        comment = _COMMENT.search(text)
        line = _SENTENCE.split(" ".join((comment[1] or comment[2]).split()))[0] if comment else ""
    return line.replace("|", "\\|").replace("{", "(").replace("}", ")")
