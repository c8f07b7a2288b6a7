"""
EviLink step by step: hypotheses grounded one by one vote; evidence decides disagreements.

    question -> mentions -> hypotheses -> grounding of each -> vote -> refinement -> completion
             -> linked schema

The paper's flow: K = 4, Beta vote with threshold 0.85, eight turns and six tools. Items that most
hypotheses need are locked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from benchmarks.baselines.stepwise.grounding import Pick, ground
from benchmarks.baselines.stepwise.judge import LanguageJudge, Turn
from benchmarks.baselines.stepwise.locks import MAX_TURNS, refusal
from benchmarks.baselines.stepwise.structure import distinct
from linker.errors import BudgetExceeded, ModelError
from linker.identifiers.resolver import Names, Unknown
from linker.linking.actions import (
    Action,
    Decision,
    Discard,
    GetFieldStats,
    Keep,
    ListColumns,
    ListTables,
    Look,
    Malformed,
    ProbeSql,
)
from linker.linking.column_selection_prompt import likely_columns
from linker.linking.linking import LinkSession, ModelQuestions, StrategyResult, count_votes
from linker.linking.linking_state import ActionResult, Grounding, Hypothesis, Proposal, Refinement
from linker.linking.tools import Toolbox
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import CoreStrategy
from linker.types import ColumnRef, TableRef

TOOLS = tuple(
    action.model_fields["tool"].default
    for action in (Keep, Discard, ListTables, ListColumns, GetFieldStats, ProbeSql)
)

AnswerT = TypeVar("AnswerT")
# More at once are not answered: each answer must fit the next prompt.
_MAX_ACTIONS = 12


@dataclass(frozen=True, slots=True)
class Decided:
    """The last state, what a judge found missing, and why it ended early."""

    refinement: Refinement
    missing: str = ""
    warnings: tuple[str, ...] = ()


def refine(
    judge: "_JudgeWithReserve",
    question: LinkedQuestion,
    state: Refinement,
    names: Names,
    tools: Toolbox,
    check_time: Callable[[], None],
) -> Decided:
    """Run turns; undecided items stay in the answer."""
    missing, idle = "", 0
    asked_before: dict[str, int] = {}
    while state.undecided and len(state.turns) < MAX_TURNS:
        try:
            check_time()
        except BudgetExceeded as error:
            return Decided(
                state, missing, (f"refinement stopped: {error.what}; what is undecided is kept",)
            )
        turn = judge.decide(question, state)
        missing = turn.missing or missing
        if not turn.actions:
            break
        outcomes = list[ActionResult]()
        for action in turn.actions[:_MAX_ACTIONS]:
            state, outcome = _act(action, state, names, tools, asked_before)
            outcomes.append(outcome)
        outcomes += [
            ActionResult(action, "too many actions at once", is_done=False)
            for action in turn.actions[_MAX_ACTIONS:]
        ]
        state = state.after_turn(outcomes)
        # A turn that did nothing may be a slip; two in a row are a loop.
        idle = 0 if any(outcome.is_done for outcome in outcomes) else idle + 1
        if idle > 1:
            warning = (
                f"refinement stopped: {judge.name} took no action for two turns; undecided items "
                "are kept"
            )
            return Decided(state, missing, (warning,))
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
        return state, ActionResult(
            action, f"no tool of refinement; the tools are {', '.join(TOOLS)}", is_done=False
        )
    call = action.model_dump_json()
    if call in asked_before:
        return state, ActionResult(
            action, f"asked in turn {asked_before[call]} already, and answered there", is_done=False
        )
    asked_before[call] = len(state.turns) + 1
    try:
        return state, tools.use(action)
    except BudgetExceeded as error:
        return state, ActionResult(action, error.what, is_done=False)


def _decide(action: Decision, state: Refinement, names: Names) -> tuple[Refinement, ActionResult]:
    """Decide items one by one; failures do not stop the others."""
    done, problems = list[ColumnRef | TableRef](), list[str]()
    in_play = tuple(item.ref for item in state.items if isinstance(item.ref, TableRef))
    for name in action.items:
        ref = names.find(name, in_play)
        if isinstance(ref, Unknown):
            problems.append(f"there is no {ref}")
            continue
        problem = refusal(state, ref, action.reason) if isinstance(action, Discard) else ""
        if not problem:
            state, problem = (state.keep if isinstance(action, Keep) else state.discard)(
                ref, action.reason
            )
        problems += [problem] if problem else []
        done += [] if problem else [ref]
    decided = [f"{action.tool}: {', '.join(map(str, done))}"] if done else []
    return state, ActionResult(action, "; ".join((*decided, *problems)), bool(done), tuple(done))


class StepwiseStrategy(CoreStrategy):
    """Proposes, grounds, votes and refines, with a language model as the judge."""

    name = "evilink_stepwise"
    needs_model = True

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        return _Thinking(question, linking).found()


class _JudgeWithReserve:
    """Asks the language model; on failure uses the ranking, which the answer reports."""

    name = "language model"

    def __init__(self, linking: LinkSession, likely: tuple[ColumnRef, ...]) -> None:
        self._linking, self._likely = linking, likely
        self._model = ModelQuestions(linking)
        self._language = LanguageJudge(self._model, linking.names, linking.environment.profile_of)

    def propose(self, question: LinkedQuestion) -> Proposal:
        return self._ask(
            "hypotheses", lambda: self._language.propose(question), Proposal((self.reserve,))
        )

    @property
    def reserve(self) -> Hypothesis:
        """The hypothesis over the likely columns."""
        tables = tuple(dict.fromkeys(column.table for column in self._likely))
        return Hypothesis(1, "what the ranking finds", tables=tables, columns=self._likely)

    def choose_tables(
        self, question: LinkedQuestion, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        tables = tuple(Pick(str(table)) for table in hypothesis.tables or self.reserve.tables)
        return self._ask(
            "tables", lambda: self._language.choose_tables(question, hypothesis, unknown), tables
        )

    def choose_columns(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),
    ) -> tuple[Pick, ...]:
        reason = "ranked high for the words of the question"
        columns = tuple(
            Pick(str(column), reason) for column in self._likely if column.table in tables
        )
        return self._ask(
            "columns",
            lambda: self._language.choose_columns(question, hypothesis, tables, unknown),
            columns,
        )

    def decide(self, question: LinkedQuestion, refinement: Refinement) -> Turn:
        return self._ask("refinement", lambda: self._language.decide(question, refinement), Turn())

    def _ask(self, step: str, question: Callable[[], AnswerT], reserve: AnswerT) -> AnswerT:
        if self._model.is_over:
            return reserve
        try:
            return self._model.attempt(question)
        except (ModelError, BudgetExceeded) as error:
            self._model.raise_for_user(error)
            self._linking.degrade(
                step, error.what, f"the step `{step}` was done without the language model"
            )
            return reserve


class _Thinking:
    """The steps between reading and closure, for one question."""

    def __init__(self, question: LinkedQuestion, linking: LinkSession) -> None:
        self._asked, self._linking = question, linking
        self._judge = _JudgeWithReserve(
            linking, likely_columns(question, linking.environment.settings)
        )

    def found(self) -> StrategyResult:
        proposal = self._propose()
        groundings = self._ground(proposal)
        voted = count_votes(self._asked, self._linking, groundings)
        self._linking.trace.note("vote", items=voted.items)
        decided = self._refine(voted) if not proposal.missing else Decided(voted)
        refs = chain.from_iterable(grounding.columns for grounding in groundings)
        columns = tuple(dict.fromkeys(refs))
        return StrategyResult(
            groundings,
            decided.refinement,
            missing=proposal.missing or decided.missing,
            nearest=proposal.nearest,
            seen=(("grounding", columns),),
        )

    def _propose(self) -> Proposal:
        with self._linking.ledger.step("hypotheses"):
            reply = self._judge.propose(self._asked)
        hypotheses = distinct(reply.hypotheses) or (self._judge.reserve,)
        self._linking.trace.note("hypotheses", said=reply, distinct=hypotheses)
        return Proposal(hypotheses, reply.missing, reply.nearest)

    def _ground(self, proposal: Proposal) -> tuple[Grounding, ...]:
        with self._linking.ledger.step("grounding"):
            return ground(self._judge, self._asked, proposal.hypotheses, self._linking.names)

    def _refine(self, state: Refinement) -> Decided:
        linking = self._linking
        ledger, environment, names = linking.ledger, linking.environment, linking.names
        tools = Toolbox(self._asked, linking, "refinement")
        with ledger.step("refinement"):
            decided = refine(
                self._judge,
                self._asked,
                state,
                names,
                tools,
                lambda: ledger.check_time("refinement"),
            )
        linking.warn(*decided.warnings)
        for problem in tools.missed:
            linking.warn(
                f"the warehouse no longer has what the profiles tell of ({problem}); run: linker "
                "refresh"
            )
        if environment.warehouse_error:
            linking.warn(f"no lookups or probes: {environment.warehouse_error}")
        linking.trace.note("turns", turns=decided.refinement.turns, missing=decided.missing)
        return decided
