"""
An agent that explores: it begins with what retrieval finds, and links turn by turn what it finds to
be missing.

Five actions: explore rows, retrieve columns, verify a whole query, add what was found, stop. Paper:
"AutoLink: Autonomous Schema Exploration and Expansion for Scalable Schema Linking".
"""

from typing import Annotated

from pydantic import Field

from linker.link.actions import (
    AGENT_TOOLS,
    Action,
    Add,
    AnyAgentAction,
    Explore,
    Malformed,
    Retrieve,
    Stop,
    Verify,
)
from linker.link.choosing import found_of, placed, unfolded_once
from linker.link.exploring import Explorer
from linker.link.linking import Finding, Linking
from linker.link.model_questions import ModelQuestions
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult
from linker.link.replies import Reply
from linker.link.schema_view import columns_view
from linker.link.turns import Turn, turns_view
from linker.link.views import bound_view, names_view
from linker.models import Prompt
from linker.names.repair import Unknown
from linker.prompts.render import render_prompt
from linker.strategies.base import AskingStrategy
from linker.types import Catalog, ColumnRef, Ref

MOST_TURNS = 10
_MOST_OF_SMALL = 300
_INITIAL_OF_SMALL = 30
_INITIAL_OF_LARGE = 100
_MOST_ACTIONS = 8
_LINKED_TOKENS = 4_000


class StepReply(Reply):
    """Thought and actions of the agent in a turn."""

    thought: Annotated[str, Field(max_length=4_000)] = ""
    actions: list[AnyAgentAction] = Field(default=[])


class AutolinkStrategy(AskingStrategy):
    """Lets a model explore."""

    name = "autolink"
    rereads = False

    def find(self, question: LinkedQuestion, linking: Linking) -> Finding:
        """Columns that were there at the beginning, and those that were added."""
        return _Agent(question, linking).found()


def initial_count(catalog: Catalog) -> int:
    """The number of columns that are linked before the first turn."""
    return _INITIAL_OF_SMALL if catalog.column_count <= _MOST_OF_SMALL else _INITIAL_OF_LARGE


class _Agent:
    """One question: what is linked, what was seen, and what was said."""

    def __init__(self, question: LinkedQuestion, linking: Linking) -> None:
        self._question, self._linking = question, linking
        self._model = ModelQuestions(linking)
        hits = unfolded_once(question)[: initial_count(question.catalog)]
        what = "what the question brings up"
        first = placed(hits, "what was linked at first", f"holds {what}", f"of {what}")
        nothing = "nothing was retrieved"
        self._begun = found_of(question, linking, [first], is_voted=False, nothing=nothing)
        self._state = self._begun.state
        self._initial = first.columns
        self._explorer = Explorer(question, linking, "turns", self._initial)
        # They depend on the question alone, and are shown in every turn.
        self._tables = names_view(question)
        self._turns = list[Turn]()
        self._explored = dict[str, int]()
        self._unknown = dict[str, None]()
        # Looks so far, and turns in a row with no look and nothing done: two are a loop.
        self._looks = self._idle = 0

    @property
    def _linked(self) -> tuple[ColumnRef, ...]:
        refs = (item.ref for item in self._state.answer)
        return tuple(ref for ref in refs if isinstance(ref, ColumnRef))

    def found(self) -> Finding:
        """Turn after turn, until the model stops, does nothing twice, or a limit is reached."""
        linking, is_over = self._linking, False
        with linking.ledger.step("turns"):
            while not is_over and len(self._turns) < MOST_TURNS and self._idle < 2:
                reply = self._model.ask("turns", self._prompt(), StepReply)
                is_over = reply is None or self._take_turn(reply)
        if self._idle > 1:
            linking.warn(
                "the language model did nothing for two turns; what is linked until then is given"
            )
        if self._unknown:
            names = ", ".join(list(self._unknown)[:5])
            linking.warn(
                f"the language model added what does not exist, and it was left out: {names}"
            )
        if linking.environment.away:
            linking.warn(f"nothing could be explored: {linking.environment.away}")
        linking.trace.note("turns", turns=self._state.turns, missing="")
        retrieved = tuple(ref for ref in self._explorer.seen if ref not in self._initial)
        seen = (("initial", self._initial), ("retrieved", retrieved))
        return Finding(self._begun.groundings, self._state, seen=seen, is_voted=False)

    def _prompt(self) -> Prompt:
        linked, tables = self._linked, self._tables
        shown = columns_view(self._question, linked, _LINKED_TOKENS)
        return render_prompt(
            "autolink",
            question=self._question.question,
            bound=bound_view(self._question),
            dialect=self._linking.environment.dialect,
            table_count=len(self._question.catalog.tables),
            left_out=tables.left_out,
            tables=tables.text,
            linked_count=len(linked),
            linked_left_out=shown.left_out,
            linked=shown.text,
            history=turns_view(self._turns),
            turn=len(self._turns) + 1,
            most_turns=MOST_TURNS,
        )

    def _take_turn(self, reply: StepReply) -> bool:
        """Action after action, those after a stop too; true if it stops."""
        actions, further = reply.actions[:_MOST_ACTIONS], reply.actions[_MOST_ACTIONS:]
        is_last = len(self._turns) + 1 == MOST_TURNS
        has_company = is_last or not all(isinstance(each, Add | Malformed) for each in actions)
        before = self._looks
        outcomes = [self._outcome(each, has_company=has_company) for each in actions]
        outcomes += [_failed(each, "too many actions at once") for each in further]
        self._turns.append(Turn(reply.thought, tuple(outcomes)))
        self._state = self._state.after_turn(outcomes)
        # An error is an answer, too; what was neither done nor looked at is a slip.
        is_slip = self._looks == before and not any(each.is_done for each in outcomes)
        self._idle = self._idle + 1 if is_slip else 0
        return any(isinstance(each.action, Stop) for each in outcomes)

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
