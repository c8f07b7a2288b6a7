"""Generates the safety page from `benchmarks/safety/promises.md` and the figures beside it."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

SAFETY = Path(__file__).resolve().parent.parent / "benchmarks" / "safety"
_NOTE = "<!-- Written by `make docs` from benchmarks/safety; do not edit. -->\n"
# A line of the text that stands for tables: `{kills, readers}`.
_TABLES = re.compile(r"^\{([a-z_, ]+)\}$", re.MULTILINE)


def safety_page() -> str:
    """The promises, each followed by its figures; figures that no promise names come last."""
    tables = {
        file.stem: "\n".join(_table(json.loads(file.read_text("utf-8"))))
        for file in SAFETY.glob("*.json")
    }
    text = (SAFETY / "promises.md").read_text("utf-8")
    named = set(chain.from_iterable(names.split(", ") for names in _TABLES.findall(text)))
    text = _TABLES.sub(
        lambda found: "\n".join(tables.get(name, "") for name in found[1].split(", ")), text
    )
    others = [tables[name] for name in sorted(tables.keys() - named)]
    title, _, rest = text.partition("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join([title, "", _NOTE, rest, *others])).rstrip() + "\n"


def _table(figures: dict[str, Any]) -> Iterator[str]:
    """Figures as a table, below their title and above the command that measured them."""
    yield f"\n**{figures['title']}**\n"
    yield _row(figures["columns"])
    yield "|" + "|".join("---:" if _is_number(cell) else "---" for cell in figures["rows"][0]) + "|"
    yield from map(_row, figures["rows"])
    note = f" {figures['note']}" if figures.get("note") else ""
    yield f"\n`{figures['command']}`, {figures['date']}.{note}\n"


def _row(cells: list[Any]) -> str:
    return (
        "| "
        + " | ".join(
            f"{cell:,}" if _is_number(cell) else str(cell).replace("|", "\\|") for cell in cells
        )
        + " |"
    )


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)
