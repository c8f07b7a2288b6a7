"""
The linking session: records shared by strategies, and requests to the language model under one
policy.

Most strategies return groundings and decisions; the shortlist returns its result. A model that
failed twice in a row, or failed permanently (wrong key, limit reached), is not asked again. Earlier
findings survive a failure.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from threading import Lock
from time import perf_counter
from typing import TypeVar

from linker.budget import UNLIMITED, CallLimit, CostTracker
from linker.catalog.column_metadata import KeyPair
from linker.catalog.documents import column_texts
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.errors import BudgetExceeded, LinkerError, ModelError
from linker.identifiers.resolver import Names
from linker.linking.assemble_result import LinkRecord, finish, opened, restrict_to_items
from linker.linking.linking_state import Grounding, Refinement
from linker.linking.result import LinkedSchema, StepCost
from linker.linking.schema_completion import Survey, collect_tables, to_connect, wanted
from linker.linking.trace import SeenColumns, Trace
from linker.linking.value_linking import LinkedQuestion, read_mentions
from linker.models import AnswerT, Completion, LanguageModel, Prompt, listening
from linker.models.metering import ModelSession
from linker.ranking.ranker import rank, read_question, rerank
from linker.ranking.weights import Weights, read_weights
from linker.types import ColumnRef, Record, Ref

ResultT = TypeVar("ResultT")
_MAX_FAILURES = 2
# Errors that only the user can fix; without earlier results they end the run.
_FOR_THE_USER = ("setup", "unauthorized", "quota", "not_found", "rejected")

InView = tuple[tuple[str, tuple[ColumnRef, ...]], ...]
_MAX_NAMED = 5


class QuestionAccount:
    """Limits, costs, trace and degradations of one question."""

    def __init__(
        self,
        environment: Environment,
        trace: Trace,
        before: Iterable[StepCost] = (),
        seconds_before: float = 0.0,
    ) -> None:
        self.environment, self.trace = environment, trace
        spent = {part.step: part.cost for part in before}
        self.ledger = CostTracker(environment.limits, before=spent, seconds_before=seconds_before)
        self._began = perf_counter() - seconds_before
        self._warnings: dict[str, None] = {}
        self._degraded: dict[str, None] = {}
        self._lock = Lock()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings without repetitions."""
        with self._lock:
            return tuple(self._warnings)

    @property
    def degraded(self) -> tuple[str, ...]:
        """Steps in which the language model failed, without repetitions."""
        with self._lock:
            return tuple(self._degraded)

    @property
    def cost(self) -> tuple[StepCost, ...]:
        """Cost by step."""
        return tuple(StepCost(step, cost) for step, cost in self.ledger.cost_by_step.items())

    @property
    def seconds(self) -> float:
        """Seconds since the question."""
        return perf_counter() - self._began

    @property
    def kept_trace(self) -> str:
        """Name of the trace, if traces are kept."""
        return self.trace.id if self.environment.settings.kept_traces else ""

    def warn(self, *warnings: str) -> None:
        """Add a warning, once."""
        with self._lock:
            self._warnings.update(dict.fromkeys(warnings))

    def degrade(self, step: str, problem: str, warning: str) -> None:
        """Record that a step ran without the language model, and warn."""
        self.trace.note("degraded", step=step, what=problem)
        self.record_model_failure(f"{warning}: {problem}")

    def record_model_failure(self, *reasons: str) -> None:
        """Record a failed language model step; the answer is marked as degraded."""
        self.warn(*reasons)
        with self._lock:
            self._degraded.update(dict.fromkeys(reasons))

    def save(self) -> str:
        """Write the trace, also of a failed run; returns the error, if any."""
        settings = self.environment.settings
        return self.trace.save(settings.state_dir, settings.kept_traces)


class ModelQuestions:
    """The language model of a run; thread-safe."""

    def __init__(self, account: QuestionAccount) -> None:
        environment = account.environment
        if environment.model is None:
            raise TypeError(
                "a strategy that asks a language model has to say so: `needs_model = True`"
            )
        self._account, self._width = account, environment.settings.model_concurrency
        self._session = ModelSession(
            environment.model,
            account.ledger,
            max_concurrent_calls=self._width,
            of_steps=environment.models_of_steps,
        )
        self._lock = Lock()
        self._replies, self._failures = 0, 0
        self._end: BudgetExceeded | ModelError | None = None

    def at(self, step: str) -> LanguageModel:
        """The model for a step, with cost accounting and tracing."""
        return _TracedModel(self._session.at(step), step, self._account.trace)

    def ask(self, step: str, prompt: Prompt, answer: type[AnswerT]) -> AnswerT | None:
        """The reply, or None on failure; each step and reason is reported once."""
        if self.is_over:
            return None
        try:
            return self.reply(step, prompt, answer)
        except (BudgetExceeded, ModelError) as error:
            self.raise_for_user(error)
            self._warn(step, error.what)
            return None

    def raise_for_user(self, error: LinkerError) -> None:
        """Raise an error that only the user can fix, unless something was already found."""
        if not self._replies and isinstance(error, ModelError) and error.code in _FOR_THE_USER:
            raise error

    def reply(self, step: str, prompt: Prompt, answer: type[AnswerT]) -> AnswerT:
        """The reply, or ModelError or BudgetExceeded."""
        return self.attempt(lambda: self.at(step).complete(prompt, answer).answer)

    def attempt(self, question: Callable[[], ResultT]) -> ResultT:
        """Run a model call; raises its error, or the earlier one that ended model use."""
        if self._end:
            raise self._end
        try:
            result = question()
        except (BudgetExceeded, ModelError) as error:
            is_lasting = isinstance(error, BudgetExceeded) or error.code in (
                *_FOR_THE_USER,
                "limit",
            )
            with self._lock:
                self._failures += 1
                if is_lasting or self._failures >= _MAX_FAILURES:
                    self._end = self._end or error
            raise
        with self._lock:
            self._replies, self._failures = self._replies + 1, 0
        return result

    def together(self, *questions: Callable[[], ResultT]) -> list[ResultT]:
        """Run model calls in parallel; results in order."""
        with ThreadPoolExecutor(max(1, min(len(questions), self._width))) as pool:
            futures = [pool.submit(question) for question in questions]
            return [future.result() for future in futures]

    @property
    def is_over(self) -> bool:
        """Whether the model is no longer asked."""
        return self._end is not None

    def empty(self, step: str, problem: str) -> None:
        """Report a valid but empty reply."""
        self._warn(step, f"empty reply: {problem}")

    def _warn(self, step: str, problem: str) -> None:
        self._account.degrade(step, problem, f"the language model did not answer the step `{step}`")


class _TracedModel:
    """Records prompts and replies with their cost."""

    def __init__(self, model: LanguageModel, step: str, trace: Trace) -> None:
        self._model, self._step, self._trace = model, step, trace

    @property
    def name(self) -> str:
        return self._model.name

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        try:
            with listening(partial(self._trace.hear, self._step, self.name)):
                completion = self._model.complete(prompt, answer, allowance)
        except LinkerError as error:
            self._trace.note(
                "call", step=self._step, model=self.name, prompt=prompt, error=error.what
            )
            raise
        self._trace.note(
            "call",
            step=self._step,
            model=self.name,
            prompt=prompt,
            answer=completion.answer,
            usage=completion.usage,
        )
        return completion


class StrategyResult(Record, frozen=True):
    """
    A strategy's groundings, and the state after its decisions.

    `seen` lists by step the columns in view; `joins` overrides computed ones.
    """

    groundings: tuple[Grounding, ...]
    state: Refinement
    missing: str = ""
    nearest: tuple[Ref, ...] = ()
    seen: InView = ()
    joins: tuple[KeyPair, ...] | None = None
    is_voted: bool = True
    complete: float | None = None


class LinkSession(QuestionAccount):
    """One question being linked, with account, trace, and the parts that strategies use."""

    def __init__(
        self,
        strategy: str,
        question: str,
        environment: Environment,
        names: Names | None = None,
        because: str = "",
    ) -> None:
        super().__init__(environment, Trace(question))
        self.strategy, self.because = strategy, because
        self._names = names
        self.weights: Weights = read_weights(environment.settings.ranking_weights)

    @cached_property
    def names(self) -> Names:
        return self._names or self.environment.derive(catalog_names)


def catalog_names(profiled: ProfiledCatalog) -> Names:
    """Name resolver of a catalog, memoised."""
    return Names(profiled.catalog)


def read_linked_question(
    question: str, linking: LinkSession, *, rereads: bool
) -> LinkedQuestion | None:
    """Analyse and rank the question; None if nothing is indexed."""
    environment = linking.environment
    with linking.ledger.step("reading"):
        read = read_question(question, environment)
        if not read.there:
            return None
        ranked = rank(question, read.index, linking.weights, read.signals)
        if rereads and environment.reranker:
            ranked = rerank(ranked, environment.reranker, environment.derive(column_texts))
        catalog, facts = environment.indexed.catalog, environment.indexed.facts
        mentions = read_mentions(question, read.retrieved, catalog, facts, read.meanings)
    if lost := len(read.retrieved.columns) - len(read.there):
        which, left_out = ("column is", "was") if lost == 1 else ("columns are", "were")
        linking.warn(
            f"{lost} indexed {which} no longer in the warehouse and {left_out} left out; run: "
            "linker index"
        )
    linking.warn(*read.unknown_names)
    linking.trace.note("mentions", mentions=mentions)
    return LinkedQuestion(question, mentions, catalog, facts, read, ranked)


def count_votes(
    question: LinkedQuestion, linking: LinkSession, groundings: tuple[Grounding, ...]
) -> Refinement:
    """State from the votes of groundings; unknown names are reported."""
    for grounding in groundings:
        if grounding.unknown:
            who = (
                f"hypothesis {grounding.hypothesis.number}"
                if len(groundings) > 1
                else "the language model"
            )
            names = ", ".join(grounding.unknown[:_MAX_NAMED])
            linking.warn(f"{who} named unknown tables or columns, which were left out: {names}")
    linking.trace.note("groundings", groundings=groundings)
    return opened(groundings, question.catalog, dict(question.read.siblings))


def close_finding(
    question: LinkedQuestion, finding: StrategyResult, linking: LinkSession
) -> Survey:
    """Tables and joins needed to complete a result."""
    with linking.ledger.step("closure"):
        if finding.joins is None:
            return collect_tables(question, wanted(finding.state), to_connect(finding.state))
        return collect_tables(question, wanted(finding.state), (), finding.joins)


def conclude_finding(
    question: LinkedQuestion, finding: StrategyResult, closure: Survey, linking: LinkSession
) -> LinkedSchema:
    """Build the linked schema, and end the trace with its inputs."""
    state = restrict_to_items(finding.state)
    run = LinkRecord(
        question=question.question,
        target=linking.environment.target_key,
        strategy=linking.strategy,
        groundings=finding.groundings,
        tables=state.catalog.tables,
        siblings=tuple(state.siblings.items()),
        turns=state.turns,
        survey=closure,
        missing=finding.missing,
        nearest=finding.nearest,
        warnings=(*linking.warnings, *linking.environment.index.warnings()),
        degraded=linking.degraded,
        seen=tuple(
            SeenColumns.create(*view)
            for view in (("retrieval", question.read.there), *finding.seen)
        ),
        cost=linking.cost,
        seconds=linking.seconds,
        trace=linking.kept_trace,
        is_voted=finding.is_voted,
        chosen_because=linking.because,
        complete=finding.complete,
    )
    finished, schema = finish(run, question.facts)
    linking.trace.note("end", run=finished)
    return schema
