"""What the agent of `autolink` is told of its own turns: the last ones whole, earlier ones in short."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from linker.link.actions import AnyAgentAction, bare
from linker.link.refinement import ActionResult
from linker.text.tokens import estimate_tokens
from linker.text.words import readable

_TOKENS, _TOKENS_OF_OUTCOME = 3_000, 400
_LONGEST_THOUGHT, _LONGEST_ACTION = 600, 300


class SaidStep(BaseModel):
    """What the agent thinks and does in a turn."""

    model_config = ConfigDict(json_schema_extra=bare)

    thought: Annotated[str, Field(max_length=4_000)] = ""
    actions: list[AnyAgentAction] = []


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A turn that is over."""

    thought: str
    outcomes: tuple[ActionResult, ...]


def history_view(turns: Sequence[TurnSummary], tokens: int = _TOKENS) -> str:
    """The turns in their order; those for which there is no place are told without what they saw."""
    if not turns:
        return "none yet"
    left, lines = float(tokens), list[str]()
    for number in range(len(turns), 0, -1):
        whole, short = _whole(number, turns[number - 1]), _short(number, turns[number - 1])
        text = whole if estimate_tokens(whole) <= left else short
        left -= estimate_tokens(text)
        if left < 0:
            lines.append(f"the first {number} turns are not shown")
            break
        lines.append(text)
    return "\n".join(reversed(lines))


def _whole(number: int, turn: TurnSummary) -> str:
    lines = [f"turn {number}: {readable(turn.thought)[:_LONGEST_THOUGHT]}".rstrip(": ")]
    for outcome in turn.outcomes:
        lines += [f"- {_action(outcome)}", _cut(outcome.text)]
    return "\n".join(lines)


def _short(number: int, turn: TurnSummary) -> str:
    done = (f"{_action(one)[:80]}{'' if one.is_done else ' (failed)'}" for one in turn.outcomes)
    return f"turn {number}: {'; '.join(done) or 'nothing'}"


def _action(outcome: ActionResult) -> str:
    told = (
        ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in outcome.action
        if name not in ("tool", "reason", "problem") and value
    )
    return readable(f"{outcome.action.tool} {'; '.join(told)}")[:_LONGEST_ACTION].rstrip()


def _cut(text: str) -> str:
    lines, left = list[str](), float(_TOKENS_OF_OUTCOME)
    for line in text.splitlines():
        left -= estimate_tokens(line) + 1
        if left < 0:
            return "\n".join([*lines, "…"])
        lines.append(line)
    return "\n".join(lines)
