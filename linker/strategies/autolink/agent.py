"""
An agent that explores: it begins with what retrieval finds, and links turn by turn what it finds to
be missing.

Five actions: explore rows, retrieve columns, verify a whole query, add what was found, stop. Paper:
"AutoLink: Autonomous Schema Exploration and Expansion for Scalable Schema Linking".
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from linker.lineage.statements import used_by
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
    bare,
)
from linker.link.choosing import found_of, listed
from linker.link.linking import Finding, Linking
from linker.link.model_questions import ModelQuestions
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Refinement
from linker.link.schema_view import columns_view
from linker.link.views import bound_view, names_view
from linker.models import Prompt
from linker.names.repair import Unknown
from linker.prompts.render import render_prompt
from linker.strategies.autolink.places import Database, ExploredIndex
from linker.strategies.base import FindingStrategy
from linker.text.tokens import estimate_tokens
from linker.text.words import readable
from linker.types import Catalog, ColumnRef, Hit, Record, Ref, TableRef

_TOKENS, _TOKENS_OF_OUTCOME = 3_000, 400
_LONGEST_THOUGHT, _LONGEST_ACTION = 600, 300


class StepReply(BaseModel):
    """Thought and actions of the agent in a turn."""

    model_config = ConfigDict(json_schema_extra=bare)

    thought: Annotated[str, Field(max_length=4_000)] = ""
    actions: list[AnyAgentAction] = []


class TurnSummary(Record, frozen=True):
    """A turn that is over."""

    thought: str
    outcomes: tuple[ActionResult, ...]


def history_view(turns: Sequence[TurnSummary], tokens: int = _TOKENS) -> str:
    """
    The turns in their order; those for which there is no place are told without what they saw.
    """
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
    done = (
        f"{_action(outcome)[:80]}{'' if outcome.is_done else ' (failed)'}"
        for outcome in turn.outcomes
    )
    return f"turn {number}: {'; '.join(done) or 'nothing'}"


def _action(outcome: ActionResult) -> str:
    arguments = (
        ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in outcome.action
        if name not in ("tool", "reason", "problem") and value
    )
    return readable(f"{outcome.action.tool} {'; '.join(arguments)}")[:_LONGEST_ACTION].rstrip()


def _cut(text: str) -> str:
    lines, left = list[str](), float(_TOKENS_OF_OUTCOME)
    for line in text.splitlines():
        left -= estimate_tokens(line) + 1
        if left < 0:
            return "\n".join([*lines, "…"])
        lines.append(line)
    return "\n".join(lines)


MOST_TURNS = 10
# A warehouse of no more columns is small.
_SMALL = 300
_INITIAL_OF_SMALL, _INITIAL_OF_LARGE = 30, 100
_MOST_ACTIONS = 8
_LINKED_TOKENS = 4_000


class AutolinkStrategy(FindingStrategy):
    """Lets a model explore."""

    name = "autolink"
    needs_model = True
    rereads = False
    has_budget = False

    def find(self, question: LinkedQuestion, linking: Linking) -> Finding:
        """Columns that were there at the beginning, and those that were added."""
        return _Exploring(question, linking).found()


def initial_count(catalog: Catalog) -> int:
    """The number of columns that are linked before the first turn."""
    return _INITIAL_OF_SMALL if catalog.column_count <= _SMALL else _INITIAL_OF_LARGE


def unfolded_once(question: LinkedQuestion) -> Iterator[Hit]:
    """
    Columns that retrieval found and the warehouse still has; of tables with the same columns those
    of the first.
    """
    tables, stood_for = set[TableRef](), set[TableRef]()
    there = set(question.read.there)
    for hit in question.read.retrieved.columns:
        table = hit.ref.table
        if hit.ref in there and table not in stood_for:
            if table not in tables:
                tables.add(table)
                stood_for |= set(question.read.siblings.get(table, ())) - tables
            yield hit


class _Exploring:
    """One question: what is linked, what was seen, and what was said."""

    def __init__(self, question: LinkedQuestion, linking: Linking) -> None:
        self._question, self._linking = question, linking
        self._asking = ModelQuestions(linking)
        hits = list(unfolded_once(question))[: initial_count(question.catalog)]
        self._initial = tuple(hit.ref for hit in hits)
        self._database = Database(question, linking, "turns")
        # They depend on the question alone, and are shown in every turn.
        self._tables = names_view(question)
        self._index = ExploredIndex(question, linking.environment, self._initial)
        reasons = {
            hit.ref: f"place {place} of what the question brings up"
            + (f"; {hit.match}" if hit.match else "")
            for place, hit in enumerate(hits, start=1)
        }
        grounding = listed(
            1,
            "what was linked at first",
            self._initial,
            "holds what the question brings up",
            reasons,
        )
        self._base = found_of(
            question, linking, [grounding], is_voted=False, nothing="nothing was retrieved"
        )
        self._state = self._base.state
        self._turns: list[TurnSummary] = []
        self._explored: dict[str, int] = {}
        self._lookups = 0
        self._unknown: dict[str, None] = {}

    def found(self) -> Finding:
        """Turn after turn, until the model stops, does nothing twice, or a limit is reached."""
        with self._linking.ledger.step("turns"):
            idle = 0
            while len(self._turns) < MOST_TURNS and idle < 2:
                step = self._asking.ask("turns", self._prompt(), StepReply)
                if step is None:
                    break
                before = self._lookups
                outcomes = self._act(step)
                self._turns.append(TurnSummary(step.thought, outcomes))
                self._state = self._state.after_turn(outcomes)
                if any(isinstance(outcome.action, Stop) for outcome in outcomes):
                    break
                # An error is an answer; what was neither done nor looked at is a slip, and two in a
                # row are a loop.
                idle = (
                    0
                    if self._lookups > before or any(outcome.is_done for outcome in outcomes)
                    else idle + 1
                )
        if idle > 1:
            self._linking.warn(
                "the language model did nothing for two turns; what is linked until then is given"
            )
        if self._unknown:
            names = ", ".join(list(self._unknown)[:5])
            self._linking.warn(
                f"the language model added what does not exist, and it was left out: {names}"
            )
        if self._linking.environment.away:
            self._linking.warn(f"nothing could be explored: {self._linking.environment.away}")
        self._linking.trace.note("turns", turns=self._state.turns, missing="")
        retrieved = tuple(ref for ref in self._index.seen if ref not in self._initial)
        seen = (("initial", self._initial), ("retrieved", retrieved))
        return Finding(self._base.groundings, self._state, seen=seen, is_voted=False)

    def _prompt(self) -> Prompt:
        linked = linked_columns(self._state)
        tables, shown = self._tables, columns_view(self._question, linked, _LINKED_TOKENS)
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
            history=history_view(self._turns),
            turn=len(self._turns) + 1,
            most_turns=MOST_TURNS,
        )

    def _act(self, step: StepReply) -> tuple[ActionResult, ...]:
        """Action after action; the turn of a stop is carried out whole."""
        actions = step.actions[:_MOST_ACTIONS]
        is_last = len(self._turns) + 1 == MOST_TURNS
        has_company = is_last or any(not isinstance(action, Add | Malformed) for action in actions)
        outcomes = [self._outcome(action, has_company=has_company) for action in actions]
        outcomes += [
            ActionResult(action, "too many actions at once", is_done=False)
            for action in step.actions[_MOST_ACTIONS:]
        ]
        return tuple(outcomes)

    def _outcome(self, action: Action, *, has_company: bool) -> ActionResult:
        if isinstance(action, Explore | Verify):
            return self._explore(action) if isinstance(action, Explore) else self._verify(action)
        if isinstance(action, Retrieve):
            self._lookups += 1
            text, found = self._index.observe(action.like)
            return ActionResult(action, text, is_done=bool(found))
        if isinstance(action, Add):
            return self._add(action, has_company=has_company)
        if isinstance(action, Stop):
            return ActionResult(action, "stopped")
        problem = action.problem if isinstance(action, Malformed) else "it is none of yours"
        return ActionResult(
            action, f"no action: {problem}; the actions are {', '.join(AGENT_TOOLS)}", is_done=False
        )

    def _explore(self, action: Explore) -> ActionResult:
        sql = " ".join(action.sql.split())
        if sql in self._explored:
            return ActionResult(
                action, f"asked in turn {self._explored[sql]}, and answered there", is_done=False
            )
        self._explored[sql] = len(self._turns) + 1
        self._lookups += 1
        return ActionResult(action, *self._database.observe(action.sql))

    def _verify(self, action: Verify) -> ActionResult:
        """Runs it where there are rows, and says which names exist and are not linked."""
        self._lookups += 1
        question = self._question
        used = used_by(
            action.sql, self._linking.environment.dialect, self._linking.names, question.catalog
        )
        linked = set(linked_columns(self._state))
        notes = [f"[error: {used.problem}]"] if used.problem else []
        if used.unknown:
            notes.append(f"[error: these do not exist: {', '.join(used.unknown)}]")
        if loose := [str(ref) for ref in used.columns if ref not in linked]:
            notes.append(f"[not linked yet: {', '.join(loose)}]")
        if not self._database.has_rows:
            note = "[not run: there are no rows that could be queried]"
            return ActionResult(action, "\n".join([note, *notes]), is_done=not used.problem)
        text, is_done = self._database.observe(action.sql)
        return ActionResult(
            action, "\n".join([text, *(notes if is_done else notes[-1:] if loose else [])]), is_done
        )

    def _add(self, action: Add, *, has_company: bool) -> ActionResult:
        if not has_company:
            return ActionResult(
                action, "add stands alone: with it explore, retrieve, verify or stop", is_done=False
            )
        done, problems = list[Ref](), list[str]()
        action = action.model_copy(
            update={"reason": action.reason or f"added in turn {len(self._turns) + 1}"}
        )
        for name in action.items:
            tables = tuple({ref.table: None for ref in linked_columns(self._state)})
            ref = self._linking.names.find(name, tables)
            if isinstance(ref, Unknown):
                problems.append(f"there is no {ref}")
                self._unknown[name] = None
                continue
            self._state, problem = self._state.keep(ref, action.reason)
            problems += [problem] if problem else []
            done += [] if problem else [ref]
        self._index.seen.update({ref: None for ref in done if isinstance(ref, ColumnRef)})
        added = [f"added {', '.join(map(str, done))}"] if done else []
        return ActionResult(action, "; ".join((*added, *problems)), bool(done), tuple(done))


def linked_columns(state: Refinement) -> tuple[ColumnRef, ...]:
    """The columns that are linked."""
    return tuple(item.ref for item in state.answer if not isinstance(item.ref, TableRef))
