"""Generates the YAML that hides private macros from `dbt docs`."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
_DEFINED = re.compile(r"{%-?\s*macro\s+(\w+)\s*\(")

_TEST = re.compile(r"{%-?\s*test\s+(\w+)\s*\(")
_MATERIALIZATION = re.compile(r"{%-?\s*materialization\s+(\w+),\s*(?:adapter=')?(\w+)")


def private_macros() -> dict[Path, str]:
    """The file, by its path; what a YAML file beside its macro describes has its entry there."""
    described: set[str] = set()
    for path in (ROOT / "macros").glob("*/*.yml"):
        described.update(entry["name"] for entry in _entries(path))
    names: set[str] = set()
    for path in (ROOT / "macros").rglob("*.sql"):
        text = path.read_text("utf-8")
        names.update(_DEFINED.findall(text))
        # dbt knows these by names of its own.
        names.update(f"test_{name}" for name in _TEST.findall(text))
        names.update(
            f"materialization_{'_'.join(found)}" for found in _MATERIALIZATION.findall(text)
        )
    lines = [f"  - {{name: {name}, docs: {{show: false}}}}" for name in sorted(names - described)]
    note = "# Written by `make docs`; do not edit. Private macros, which `dbt docs` leaves out."
    return {ROOT / "macros" / "private.yml": "\n".join([note, "macros:", *lines]) + "\n"}


def _entries(path: Path) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = yaml.safe_load(path.read_text("utf-8"))["macros"]
    return entries
