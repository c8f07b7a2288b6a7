"""Earlier turns of AutoLink as text, within a size limit."""

from collections.abc import Iterator, Sequence

from linker.linking.linking_state import ActionResult
from linker.models import estimate_tokens
from linker.text.words import readable
from linker.types import Record

_TOKENS = 3_000
_TOKENS_OF_OUTCOME = 400
_LONGEST_THOUGHT = 600
_LONGEST_ACTION = 300
_SHORT_ACTION = 80
_NOT_SAID = ("tool", "reason", "problem")


class Turn(Record, frozen=True):
    """A finished turn."""

    thought: str
    outcomes: tuple[ActionResult, ...]


def turns_view(turns: Sequence[Turn]) -> str:
    """All turns in order; old results are omitted to fit."""
    if not turns:
        return "none yet"
    left, lines = _TOKENS, list[str]()
    for number, turn in reversed(list(enumerate(turns, start=1))):
        text = "\n".join(_whole(number, turn))
        if estimate_tokens(text) > left:
            text = _short(number, turn)
        left -= estimate_tokens(text)
        if left < 0:
            lines.append(f"the first {number} turns are not shown")
            break
        lines.append(text)
    return "\n".join(reversed(lines))


def within(text: str, tokens: int) -> str:
    """Truncate with an ellipsis."""
    if estimate_tokens(text) <= tokens:
        return text
    lines, left = list[str](), tokens
    for line in text.splitlines():
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join([*lines, "…"]) if lines else f"{text[: 3 * tokens]}…"


def _whole(number: int, turn: Turn) -> Iterator[str]:
    yield f"turn {number}: {readable(turn.thought)[:_LONGEST_THOUGHT]}".rstrip(": ")
    for outcome in turn.outcomes:
        yield f"- {_action(outcome)}"
        yield within(outcome.text, _TOKENS_OF_OUTCOME)


def _short(number: int, turn: Turn) -> str:
    failed = {True: "", False: " (failed)"}
    actions = [
        f"{_action(entry)[:_SHORT_ACTION]}{failed[entry.is_done]}" for entry in turn.outcomes
    ]
    return f"turn {number}: {'; '.join(actions) or 'nothing'}"


def _action(outcome: ActionResult) -> str:
    arguments = list[str]()
    for name, value in outcome.action:
        if value and name not in _NOT_SAID:
            arguments.append(", ".join(value) if isinstance(value, list) else str(value))
    text = f"{outcome.action.tool} {'; '.join(arguments)}"
    return readable(text)[:_LONGEST_ACTION].rstrip()
