"""
The turns of refinement: enter a state and a judge, leaves the state when all is decided or nothing more will be.

A judge only says what it wants. Here names become items, decisions go through the state, and looks through the tools;
what is no action, names nothing, or was asked before has an outcome in words and changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from linker.errors import LimitReached
from linker.link.actions import TOOLS, Action, Decision, Discard, Keep, Look, Malformed
from linker.link.judges.base import Judge
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Refinement
from linker.link.tools import Toolbox
from linker.names.repair import Names, Unknown
from linker.types import ColumnRef, TableRef

# More at once are not answered: each answer must fit the next prompt.
_MOST_ACTIONS = 12


@dataclass(frozen=True, slots=True)
class Decided:
    """The last state, what a judge found missing, and why it ended early."""

    refinement: Refinement
    missing: str = ""
    warnings: tuple[str, ...] = ()


def refine(
    judge: Judge, asked: LinkedQuestion, state: Refinement, names: Names, tools: Toolbox, check_time: Callable[[], None]
) -> Decided:
    """Turn after turn; what is undecided at the end stays in the answer."""
    missing, idle = "", 0
    asked_before: dict[str, int] = {}
    while not state.is_over:
        try:
            check_time()
        except LimitReached as error:
            return Decided(state, missing, (f"refinement stopped: {error.what}; what is undecided is kept",))
        turn = judge.decide(asked, state)
        missing = turn.missing or missing
        if not turn.actions:
            break
        outcomes = list[ActionResult]()
        for action in turn.actions[:_MOST_ACTIONS]:
            state, outcome = _act(action, state, names, tools, asked_before)
            outcomes.append(outcome)
        outcomes += [
            ActionResult(one, "too many actions at once", is_done=False) for one in turn.actions[_MOST_ACTIONS:]
        ]
        state = state.after_turn(outcomes)
        # A turn that did nothing may be a slip; two in a row are a loop.
        idle = 0 if any(outcome.is_done for outcome in outcomes) else idle + 1
        if idle > 1:
            said = f"refinement stopped: {judge.name} did nothing for two turns; what is undecided is kept"
            return Decided(state, missing, (said,))
    return Decided(state, missing)


def _act(
    action: Action, state: Refinement, names: Names, tools: Toolbox, asked_before: dict[str, int]
) -> tuple[Refinement, ActionResult]:
    """The state after one action, and what came of it."""
    if isinstance(action, Malformed):
        return state, ActionResult(
            action, f"no action: {action.problem}; the tools are {', '.join(TOOLS)}", is_done=False
        )
    if isinstance(action, Keep | Discard):
        return _decide(action, state, names)
    if not isinstance(action, Look):
        return state, ActionResult(action, f"no tool of refinement; the tools are {', '.join(TOOLS)}", is_done=False)
    call = action.model_dump_json()
    if call in asked_before:
        return state, ActionResult(
            action, f"asked in turn {asked_before[call]} already, and answered there", is_done=False
        )
    asked_before[call] = len(state.turns) + 1
    try:
        return state, tools.use(action)
    except LimitReached as error:
        return state, ActionResult(action, error.what, is_done=False)


def _decide(action: Decision, state: Refinement, names: Names) -> tuple[Refinement, ActionResult]:
    """Item after item: one that cannot be decided does not stop the others."""
    done, problems = list[ColumnRef | TableRef](), list[str]()
    in_play = tuple(item.ref for item in state.items if isinstance(item.ref, TableRef))
    for name in action.items:
        ref = names.find(name, in_play)
        if isinstance(ref, Unknown):
            problems.append(f"there is no {ref}")
            continue
        state, problem = (state.keep if isinstance(action, Keep) else state.discard)(ref, action.reason)
        problems += [problem] if problem else []
        done += [] if problem else [ref]
    told = [f"{action.tool}: {', '.join(map(str, done))}"] if done else []
    return state, ActionResult(action, "; ".join((*told, *problems)), bool(done), tuple(done))
