"""
What a model said, read: enter its words and tool calls, leaves the validated answer, or what is wrong with it.

An object inside prose is taken when it is the only one that fits; a call that was written out as text is read as one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from linker.errors import ModelErrorCode
from linker.models.base import AnswerT

ANSWER_TOOL = "final_result"

_LONGEST_EXCERPT = 2_000
_LONGEST_REFUSAL = 200
_MOST_PROBLEMS = 5
_MOST_STARTS = 1_000
# What stands before an object that belongs to another one, which was broken or cut off.
_INSIDE = re.compile(r"""(?:[{\[]|"\s*:|[}\]"]\s*,)\s*$""")
_LONGEST_GAP = 200


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants, and what it wants to give it, as JSON."""

    tool: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Response:
    """What came back for one request, whichever provider sent it."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    is_cut_off: bool = False
    is_refused: bool = False
    refusal: str = ""


class UnusableError(Exception):
    """The response holds no answer; where asking once more may help, what to tell the model."""

    def __init__(self, code: ModelErrorCode, problem: str, *, excerpt: str = "", may_be_mended: bool = True) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.excerpt = excerpt[:_LONGEST_EXCERPT]
        self.may_be_mended = may_be_mended


def read_answer(response: Response, answer: type[AnswerT]) -> AnswerT:
    """The answer that the response holds, or UnusableError."""
    if response.is_refused:
        said = f": {' '.join(response.refusal.split())[:_LONGEST_REFUSAL]}" if response.refusal else ""
        raise UnusableError("refused", f"it refuses to answer{said}", may_be_mended=False)
    given = [call.arguments for call in response.calls if call.tool == ANSWER_TOOL] or [response.text]
    problem = ""
    for text in given:
        try:
            return _answer_in(text, answer, only_whole=response.is_cut_off)
        except ValueError as error:
            problem = problem or str(error)
    if response.is_cut_off:
        raise UnusableError("truncated", "its answer was cut off", may_be_mended=False)
    if any(text.strip() for text in given):
        raise UnusableError("malformed", problem, excerpt=next(text for text in given if text.strip()))
    if response.calls and not any(call.tool == ANSWER_TOOL for call in response.calls):
        raise UnusableError("wrong_tool", f"it calls `{response.calls[0].tool[:100]}`, which it was not offered")
    raise UnusableError("empty", "its answer is empty")


def _answer_in(text: str, answer: type[AnswerT], *, only_whole: bool) -> AnswerT:
    """ValueError says why there is none."""
    objects = list(_whole(text)) or ([] if only_whole else list(_objects_in(text)))
    if not objects:
        raise ValueError("it is no JSON object")
    fitting: list[AnswerT] = []
    problem = ""
    for found in objects:
        try:
            fitting.append(answer.model_validate_json(json.dumps(_unwrapped(found))))
        except ValidationError as error:
            problem = problem or _said(error)
    if not fitting:
        raise ValueError(problem)
    if any(other != fitting[0] for other in fitting):
        raise ValueError("it holds several answers that differ")
    return fitting[0]


def _whole(text: str) -> Iterator[dict[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        yield found


def _objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The objects in prose; what lies inside a broken one does not count."""
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(_MOST_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            return
        if _INSIDE.search(text[max(0, start - _LONGEST_GAP) : start]):
            continue
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield found
        start = end - 1


def _unwrapped(found: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call that a model wrote out as text, as small ones do; else the object as it is."""
    if found.get("name") != ANSWER_TOOL:
        return found
    inner = found.get("arguments", found.get("parameters"))
    if isinstance(inner, str):
        inner = next(_whole(inner), None)
    return inner if isinstance(inner, dict) else found


def _said(error: ValidationError) -> str:
    """What does not fit, in words; values of the answer are not repeated."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    said = [f"{'.'.join(str(part) for part in each['loc']) or 'the object'}: {each['msg']}" for each in problems]
    more = f"; and {len(said) - _MOST_PROBLEMS} more" if len(said) > _MOST_PROBLEMS else ""
    return "it does not fit: " + "; ".join(said[:_MOST_PROBLEMS]) + more
