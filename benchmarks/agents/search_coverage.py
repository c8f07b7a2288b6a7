"""Coverage of `search_schema` on the demo: how many needed columns it describes and names."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.agents.judging import Judge
from linker.catalog.description import column_name
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.evaluation import Gold
from linker.evaluation.scoring import golds_of
from linker.serve.column_text import truncate
from linker.serve.tools_search import search_schema
from linker.text.words import words_of_name
from linker.types import ColumnRef

_COLUMNS = 8
_CHARACTERS = 6_000
_SHOWN = ("described", "named", "left out")


def coverage_lines(state_dir: Path, warehouse: Path, first: int) -> Iterator[str]:
    """One line for the first questions, one for all others."""
    judge = Judge(state_dir)
    settings = load_settings({"target": "demo", "state_dir": warehouse, "kept_traces": 0})
    yield f"| questions | columns | {' | '.join(_SHOWN)} | characters a question |"
    yield "|---|---|---|---|---|---|"
    with Environment(settings) as environment:
        for questions in (judge.questions[:first], judge.questions[first:]):
            counts, characters = Counter[str](), 0
            for question in questions:
                text = truncate(
                    search_schema(environment, [question.text], _COLUMNS), _CHARACTERS
                ).text
                characters += len(text)
                counts.update(_best(text, golds_of(question, judge.database)).values())
            figures = " | ".join(str(counts[how]) for how in _SHOWN)
            yield (
                f"| {len(questions)} | {counts.total()} | {figures} | "
                f"{characters / len(questions):,.0f} |"
            )


def _best(text: str, golds: tuple[Gold, ...]) -> dict[str, str]:
    """How each field is shown, for the gold with most described fields."""
    found: list[dict[str, str]] = []
    for gold in golds:
        found.append({str(min(field, key=str)): _best_of(text, field) for field in gold.fields})
    return max(
        found, key=lambda fields: list(fields.values()).count("described") / max(1, len(fields))
    )


def _best_of(text: str, field: tuple[ColumnRef, ...]) -> str:
    return min((_how(text, ref) for ref in field), key=_SHOWN.index)


def _how(text: str, ref: ColumnRef) -> str:
    """Whether a column has its own line, or is named in its table, a join, a key or a label."""
    table, name = re.escape(column_name(str(ref.table))), re.escape(column_name(ref.path))
    block = re.search(rf"^{table}(?: .*)?\n((?:  .*(?:\n|$))*)", text, re.MULTILINE)
    if block and re.search(rf"^  {name}(?= |;|$)", block[1], re.MULTILINE):
        return "described"
    listed = rf"(?<![\w.]){name}(?![\w.])"
    named = [
        rf"^join .*{table}\.{name}(?= |$)",
        rf"-> {table}\.{name}(?=[;,]|$)",
        rf"-> {table}(?:\.\S+)?; named by .*\b{name}\b",
        rf"^  {name} .*-> {table}(?=[;,]|$)",
        rf"^  {table}: .*{listed}",
    ]
    is_listed = block and re.search(
        rf"^  (?:also .*|has .*|.*; named by .*){listed}", block[1], re.MULTILINE
    )
    is_named = is_listed or re.search("|".join(named), text, re.MULTILINE)
    return "named" if is_named or _is_key(text, ref) else "left out"


def _is_key(text: str, ref: ColumnRef) -> bool:
    """
    Whether an arrow in a table of the same schema leads to a column, or names its table's key.
    """
    name, target = map(re.escape, map(column_name, (ref.path, ref.table.name)))
    is_after_table = words_of_name(ref.path)[:-1] == words_of_name(ref.table.name)
    keys = [rf"-> {target}\.{name}(?=[;,]|$)", rf"(?<![\w.]){name} .*-> {target}(?=[;,]|$)"]
    keys += [rf"-> {target}(?=[;,]|$)"] if is_after_table else []
    keys += [rf"-> {target}(?:\.\S+)?; named by .*\b{name}\b"]
    schema = re.escape(column_name(ref.table.schema))
    near = re.findall(rf"^{schema}\.\S.*\n(?:  .*(?:\n|$))*", text, re.MULTILINE)
    return bool(re.search("|".join(keys), "".join(near), re.MULTILINE))
