"""
AutoLink: an agent that starts from retrieved columns and expands the schema turn by turn.

Five actions: explore rows, retrieve columns, verify a query, add items, stop.

Paper: "AutoLink: Autonomous Schema Exploration and Expansion for Scalable Schema Linking".
"""

from datetime import date
from typing import Annotated

from pydantic import Field

from linker.identifiers.resolver import Unknown
from linker.linking.actions import (
    AGENT_TOOLS,
    Action,
    Add,
    AnyAgentAction,
    Explore,
    Malformed,
    Reply,
    Retrieve,
    Stop,
    Verify,
)
from linker.linking.column_selection_prompt import one_per_group, placed, to_strategy_result
from linker.linking.linking import LinkSession, ModelQuestions, StrategyResult
from linker.linking.linking_state import ActionResult
from linker.linking.prompt_sections import bound_view, columns_view, names_view
from linker.linking.value_linking import LinkedQuestion
from linker.models import Prompt
from linker.prompts import render_prompt
from linker.strategies import AskingStrategy
from linker.strategies.autolink_tools import Explorer
from linker.strategies.autolink_turns import Turn, turns_view
from linker.types import Catalog, ColumnRef, Ref

MAX_TURNS = 10
_MAX_OF_SMALL = 300
_INITIAL_OF_SMALL = 30
_INITIAL_OF_LARGE = 100
_MAX_ACTIONS = 8
_LINKED_TOKENS = 4_000


class StepReply(Reply):
    thought: Annotated[str, Field(max_length=4_000)] = ""
    actions: list[AnyAgentAction] = Field(default=[])


class AutolinkStrategy(AskingStrategy):
    """Explores with a model."""

    name = "autolink"
    rereads = False

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        """Initial and added columns."""
        return _Agent(question, linking).found()


def initial_count(catalog: Catalog) -> int:
    """Number of initially linked columns."""
    return _INITIAL_OF_SMALL if catalog.column_count <= _MAX_OF_SMALL else _INITIAL_OF_LARGE


class _Agent:
    """State of one question."""

    def __init__(self, question: LinkedQuestion, linking: LinkSession) -> None:
        self._question, self._linking = question, linking
        self._model = ModelQuestions(linking)
        hits = one_per_group(question)[: initial_count(question.catalog)]
        what = "what the question brings up"
        first = placed(hits, "what was linked at first", f"holds {what}", f"of {what}")
        self._begun = to_strategy_result(
            question, linking, [first], is_voted=False, nothing="nothing was retrieved"
        )
        self._state = self._begun.state
        self._initial = first.columns
        self._explorer = Explorer(question, linking, "turns", self._initial)
        # Fixed per question, shown in every turn.
        self._tables = names_view(question)
        self._turns = list[Turn]()
        self._explored = dict[str, int]()
        self._unknown = dict[str, None]()
        # Inspections, and consecutive idle turns; two idle turns end the loop.
        self._looks = self._idle = 0

    @property
    def _linked(self) -> tuple[ColumnRef, ...]:
        refs = (item.ref for item in self._state.answer)
        return tuple(ref for ref in refs if isinstance(ref, ColumnRef))

    def found(self) -> StrategyResult:
        """Run turns until the model stops, is idle twice, or a limit is reached."""
        linking, is_over = self._linking, False
        with linking.ledger.step("turns"):
            while not is_over and len(self._turns) < MAX_TURNS and self._idle < 2:
                reply = self._model.ask("turns", self._prompt(), StepReply)
                is_over = reply is None or self._take_turn(reply)
        if self._idle > 1:
            linking.warn(
                "the language model took no action for two turns; the answer has what was linked "
                "before"
            )
        if self._unknown:
            names = ", ".join(list(self._unknown)[:5])
            linking.warn(
                f"the language model added unknown tables or columns, which were left out: {names}"
            )
        if linking.environment.warehouse_error:
            linking.warn(f"no exploration: {linking.environment.warehouse_error}")
        linking.trace.note("turns", turns=self._state.turns, missing="")
        retrieved = tuple(ref for ref in self._explorer.seen if ref not in self._initial)
        seen = (("initial", self._initial), ("retrieved", retrieved))
        return StrategyResult(self._begun.groundings, self._state, seen=seen, is_voted=False)

    def _prompt(self) -> Prompt:
        linked, tables = self._linked, self._tables
        shown = columns_view(self._question, linked, _LINKED_TOKENS)
        return render_prompt(
            "autolink",
            question=self._question.question,
            bound=bound_view(self._question, date.today()),
            dialect=self._linking.environment.dialect,
            table_count=len(self._question.catalog.tables),
            left_out=tables.left_out,
            tables=tables.text,
            linked_count=len(linked),
            linked_left_out=shown.left_out,
            linked=shown.text,
            history=turns_view(self._turns),
            turn=len(self._turns) + 1,
            most_turns=MAX_TURNS,
        )

    def _take_turn(self, reply: StepReply) -> bool:
        """Run all actions, including those after a stop; true if it stops."""
        actions, further = reply.actions[:_MAX_ACTIONS], reply.actions[_MAX_ACTIONS:]
        is_last = len(self._turns) + 1 == MAX_TURNS
        has_company = is_last or not all(isinstance(entry, Add | Malformed) for entry in actions)
        before = self._looks
        outcomes = [self._outcome(entry, has_company=has_company) for entry in actions]
        outcomes += [_failed(entry, "too many actions at once") for entry in further]
        self._turns.append(Turn(reply.thought, tuple(outcomes)))
        self._state = self._state.after_turn(outcomes)
        # Errors count as results; a turn without any action is a slip.
        is_slip = self._looks == before and not any(entry.is_done for entry in outcomes)
        self._idle = self._idle + 1 if is_slip else 0
        return any(isinstance(entry.action, Stop) for entry in outcomes)

    def _outcome(self, action: Action, *, has_company: bool) -> ActionResult:
        if isinstance(action, Explore | Retrieve | Verify):
            return self._look(action)
        if isinstance(action, Add):
            alone = "add stands alone: with it explore, retrieve, verify or stop"
            return self._add(action) if has_company else _failed(action, alone)
        if isinstance(action, Stop):
            return ActionResult(action, "stopped")
        problem = action.problem if isinstance(action, Malformed) else "it is none of yours"
        return _failed(action, f"no action: {problem}; the actions are {', '.join(AGENT_TOOLS)}")

    def _look(self, action: Explore | Retrieve | Verify) -> ActionResult:
        if isinstance(action, Explore):
            sql = " ".join(action.sql.split())
            if sql in self._explored:
                return _failed(action, f"asked in turn {self._explored[sql]}, and answered there")
            self._explored[sql] = len(self._turns) + 1
        self._looks += 1
        if isinstance(action, Retrieve):
            return ActionResult(action, *self._explorer.retrieve(action.like))
        if isinstance(action, Verify):
            return ActionResult(action, *self._explorer.verify(action.sql, self._linked))
        return ActionResult(action, *self._explorer.explore(action.sql))

    def _add(self, action: Add) -> ActionResult:
        done, problems = list[Ref](), list[str]()
        reason = action.reason or f"added in turn {len(self._turns) + 1}"
        for name in action.items:
            tables = tuple({ref.table: None for ref in self._linked})
            ref = self._linking.names.find(name, tables)
            if isinstance(ref, Unknown):
                problems.append(f"there is no {ref}")
                self._unknown[name] = None
                continue
            self._state, problem = self._state.keep(ref, reason)
            if problem:
                problems.append(problem)
            else:
                done.append(ref)
        self._explorer.seen.update({ref: None for ref in done if isinstance(ref, ColumnRef)})
        added = [f"added {', '.join(map(str, done))}"] if done else []
        action = action.model_copy(update={"reason": reason})
        return ActionResult(action, "; ".join([*added, *problems]), bool(done), tuple(done))


def _failed(action: Action, why: str) -> ActionResult:
    return ActionResult(action, why, is_done=False)
