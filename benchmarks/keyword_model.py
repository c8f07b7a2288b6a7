"""
A rule in place of a language model: answers prompts by words shared with the question.

It reads the prompt only. Two hypotheses over the first tables, both with columns that share a word:
one adds keys and four tables, the other times and three tables, so that they disagree. One look at
statistics, then every shown item is kept or discarded. It serves `evilink` and `evilink_stepwise`;
for other strategies see `keyword_model_replies.py`.
"""

import re
from collections.abc import Callable
from threading import Lock
from typing import Any

from pydantic import BaseModel

from benchmarks.baselines.stepwise.judge import HypothesesReply, TurnReply
from benchmarks.keyword_model_replies import ANSWERS
from benchmarks.prompt_lines import is_key, is_near, name_of, one_a_line, path_of
from benchmarks.scripted import RuleModel
from linker.budget import UNLIMITED, CallLimit
from linker.linking.actions import ColumnsReply, PanoramaReply, TablesReply
from linker.models import AnswerT, Completion, Prompt, estimate_tokens, schema_of
from linker.text.words import words_of_name, words_of_text
from linker.types import Usage

_DATA = re.compile(r'<data name="(\w+)">\n(.*?)\n</data>', re.DOTALL)
KINDS = {
    "HypothesesReply": "hypotheses",
    "TablesReply": "tables",
    "ColumnsReply": "columns",
    "TurnReply": "refinement",
}
_LOOKED_AT = 5
_SECOND = "with a third table, which may record the same"
# (kind of prompt, tokens that all questions share, tokens of this question, tokens of the answer)
OnCall = Callable[[str, int, int, int], None]


class KeywordModel:
    """The rule as a model; repeated prefixes count as cached tokens."""

    name = "scripted:words"

    def __init__(self, on_call: OnCall) -> None:
        self._rule, self._on_call = RuleModel(answer_by_keywords), on_call
        self._sent: set[str] = set()
        self._lock = Lock()

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """The answer of the rule, and what it would have cost."""
        given = self._rule.complete(prompt, answer, allowance)
        stable = estimate_tokens(prompt.instructions) + estimate_tokens(schema_of(answer))
        with self._lock:
            cached = stable if prompt.instructions in self._sent else 0
            self._sent.add(prompt.instructions)
        usage = Usage(given.usage.prompt_tokens, cached, given.usage.completion_tokens)
        changing = usage.prompt_tokens - stable
        self._on_call(
            KINDS.get(answer.__name__, answer.__name__), stable, changing, usage.completion_tokens
        )
        return Completion(given.answer, usage)


def answer_by_keywords(prompt: Prompt, answer: type[BaseModel]) -> object:
    """The answer to one prompt."""
    shown = dict(
        _DATA.findall(
            "\n".join((*(exchange.content for exchange in prompt.earlier), prompt.content))
        )
    )
    asked = set(words_of_text(shown["question"]))
    if answer is PanoramaReply:
        return _panorama(shown, asked)
    if answer not in (HypothesesReply, TurnReply) and "way" not in shown:
        return ANSWERS[answer](shown, asked)
    if answer is HypothesesReply:
        return {"hypotheses": _ways([name_of(line) for line in shown["tables"].splitlines()])}
    is_second = _SECOND in shown.get("way", "")
    if answer is TablesReply:
        least, lines = 3 if is_second else 4, shown["tables"].splitlines()
        return {
            "tables": [
                name_of(line) for at, line in enumerate(lines) if at < least or asked & _words(line)
            ]
        }
    if answer is ColumnsReply:
        return {
            "tables": _columns(
                shown["columns"].splitlines(), asked, _is_time if is_second else is_key
            )
        }
    if answer is TurnReply:
        return {
            "actions": _turn(
                shown["undecided"].splitlines(), asked, is_first="\nTurn 1 of " in prompt.content
            )
        }
    raise TypeError(f"no rule for {answer.__name__}")


def _ways(tables: list[str]) -> list[dict[str, object]]:
    first: dict[str, object] = {"summary": "from the two nearest tables", "tables": tables[:2]}
    second: dict[str, object] = {
        "summary": _SECOND,
        "differs": [{"signal": "source", "text": "the third table may record the same"}],
        "tables": tables[:3],
    }
    return [first, second] if len(tables) > 2 else [first]


def _columns(
    lines: list[str], asked: set[str], is_needed: Callable[[str], bool]
) -> list[dict[str, Any]]:
    """Columns that share a word with the question or are needed, by table; at least the first."""
    of_table: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith(" "):
            of_table[list(of_table)[-1]].append(line.strip())
        else:
            of_table[name_of(line)] = []
    chosen = []
    for table, inside in of_table.items():
        near = [line for line in inside if is_near(line, asked) or is_needed(line)]
        chosen.append({"table": table, "columns": list(map(path_of, near or inside[:1]))})
    return chosen


def _panorama(shown: dict[str, str], asked: set[str]) -> object:
    """Two hypotheses over the first tables and one statistics lookup; then decisions."""
    if "disputed" in shown:
        return {"decide": _turn(shown["disputed"].splitlines(), asked, is_first=False)}
    if "found" in shown:
        return {}
    lines = one_a_line(shown["tables"])
    starts = [at for at, line in enumerate(lines) if not line.startswith(" ")] + [len(lines)]
    first = _columns(lines[: starts[min(4, len(starts) - 1)]], asked, is_key)
    second = _columns(lines[: starts[min(3, len(starts) - 1)]], asked, _is_time)
    looked_at = list[str]()
    for table in first:
        looked_at += (f"{table['table']}.{path}" for path in table["columns"])
    ways = [
        {"summary": "from the nearest tables", "tables": first},
        {"summary": _SECOND, "tables": second},
    ]
    return {
        "hypotheses": ways,
        "look": [{"tool": "get_field_stats", "columns": looked_at[:_LOOKED_AT]}],
    }


def _is_time(line: str) -> bool:
    return any(part.lower().startswith(("date", "time")) for part in re.split(" · |, ", line)[1:])


def _turn(lines: list[str], asked: set[str], *, is_first: bool) -> list[dict[str, object]]:
    """Inspect some columns first, then decide all."""
    tables = [name_of(line.removeprefix("table ")) for line in lines if line.startswith("table ")]
    columns = [
        line.split(" · ")[0] for line in lines if " · " in line and not line.startswith("table ")
    ]
    if is_first and columns:
        return [{"tool": "get_field_stats", "columns": columns[:_LOOKED_AT]}]
    near = [
        name for name in (*tables, *columns) if asked & set(words_of_name(name.rpartition(".")[2]))
    ]
    far = [name for name in (*tables, *columns) if name not in near]
    keep: dict[str, object] = {"tool": "keep", "items": near, "reason": "a word of the question"}
    discard: dict[str, object] = {
        "tool": "discard",
        "items": far,
        "reason": "another thing than those the question is about",
    }
    return [action for action in (keep, discard) if action["items"]]


def _words(line: str) -> set[str]:
    """Those of the name and of the columns, not of the description."""
    _, _, columns = line.rpartition(": ")
    return {*words_of_name(name_of(line)), *(words_of_name(columns) if columns != line else ())}
