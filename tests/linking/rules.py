"""Rules in place of a language model; each reads its prompt only."""

import re
from typing import Any

from pydantic import BaseModel

from benchmarks.baselines.stepwise.judge import HypothesesReply, TurnReply
from benchmarks.prompt_lines import columns_of
from linker.linking.actions import ColumnsReply, PanoramaReply, TablesReply
from linker.models import Prompt

_DATA = re.compile(r'<data name="(\w+)">\n(.*?)\n</data>', re.DOTALL)
_TABLE = re.compile(r"^(?:table )?([^\s:(.]+\.[^\s:(]+)", re.MULTILINE)


def fenced(content: str) -> list[tuple[str, str]]:
    """The fenced texts of a prompt, each with its name."""
    return _DATA.findall(content)


def shown(prompt: Prompt) -> dict[str, str]:
    """The fenced texts of a prompt by their names."""
    return dict(fenced(prompt.content))


def tables_in(text: str) -> list[str]:
    """The tables that lines begin with."""
    return [found.rstrip(":,;") for found in _TABLE.findall(text)]


def careful(prompt: Prompt, answer: type[BaseModel]) -> Any:
    """Two hypotheses over the nearest tables; one inspection; discards bookkeeping columns."""
    data = shown(prompt)
    if answer is PanoramaReply:
        return _panorama(data)
    if answer is HypothesesReply:
        tables = tables_in(data["tables"])
        ways = [
            {"summary": "the orders of today", "tables": tables[:2]},
            {
                "summary": "with the archive",
                "tables": tables[:3],
                "differs": [{"signal": "source", "text": "old orders"}],
            },
        ]
        return {"hypotheses": ways}
    is_second = "archive" in data.get("way", "")
    if answer is TablesReply:
        return {"tables": tables_in(data["tables"])[: 3 if is_second else 2]}
    if answer is ColumnsReply:
        chosen = columns_in(data["columns"])
        for one in chosen if not is_second else ():
            one["columns"] = [name for name in one["columns"] if "etl" not in name]
        return {"tables": chosen}
    assert answer is TurnReply
    return {"actions": _turn(prompt, data)}


def _panorama(data: dict[str, str]) -> dict[str, Any]:
    if "disputed" in data:
        batch = [one for one in undecided(data["disputed"]) if "etl" in one]
        return {
            "decide": [{"tool": "discard", "items": batch, "reason": "the number of a loading job"}]
        }
    if "tables" not in data:
        return {}
    chosen = columns_in(data["tables"])
    first = list(map(without_etl, chosen[:2]))
    ways = [
        {"summary": "the orders of today", "tables": first},
        {"summary": "with more", "tables": chosen[:3]},
    ]
    look = {"tool": "get_field_stats", "columns": ["sales.orders.status"]}
    return {"hypotheses": ways, "look": [look] if "sales.orders" in data["tables"] else []}


def _turn(prompt: Prompt, data: dict[str, str]) -> list[dict[str, Any]]:
    items = undecided(data["undecided"])
    if "Turn 1 of" in prompt.content:
        columns = [one for one in items if one.count(".") > 1][:3]
        return [{"tool": "get_field_stats", "columns": columns}] if columns else []
    batch = [one for one in items if "etl" in one]
    return (
        [{"tool": "discard", "items": batch, "reason": "the number of a loading job"}]
        if batch
        else []
    )


def undecided(text: str) -> list[str]:
    """The items of a view, by the name that each line begins with."""
    found = []
    for line in text.splitlines():
        words = line.removeprefix("table ").split()
        if words and "." in words[0]:
            found.append(words[0])
    return found


def without_etl(table: dict[str, Any]) -> dict[str, Any]:
    """A table of a reply without its technical columns."""
    return {**table, "columns": [name for name in table["columns"] if "etl" not in name]}


def columns_in(text: str) -> list[dict[str, Any]]:
    """Tables with their columns: detailed ones, then those listed by name."""
    found = list[dict[str, Any]]()
    for line in text.splitlines():
        if line.startswith(" ") and found:
            found[-1]["columns"] += columns_of(line)
        elif tables := tables_in(line):
            found.append({"table": tables[0], "columns": []})
    return found
