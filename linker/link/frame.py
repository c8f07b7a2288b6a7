"""
What strategies share: enters a question, leaves a linked schema that is closed, explained and can be replayed.

A strategy says only what it finds: one grounding or several, and what was decided. Reading, account, trace, warnings,
joins, keys and the words of the answer are the same for all.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import perf_counter

from linker.budget import Ledger
from linker.catalog.documents import column_texts
from linker.catalog.facts import KeyPair
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.errors import ConfigError
from linker.link.answer import LinkedSchema, StepCost
from linker.link.bindings import read_mentions
from linker.link.closure import survey, to_connect, wanted
from linker.link.conclusion import LinkRun, finish, opened, touched
from linker.link.grounding import Grounding
from linker.link.question import LinkedQuestion
from linker.link.refinement import Refinement
from linker.link.trace import SeenColumns, Trace, saved
from linker.names.repair import Names
from linker.ranking.matching import signals_of
from linker.ranking.ranker import rank, reread
from linker.ranking.reading import read_question
from linker.ranking.weights import Weights, read_weights
from linker.types import ColumnRef, Ref

InView = tuple[tuple[str, tuple[ColumnRef, ...]], ...]
_MOST_TOLD = 5


@dataclass(frozen=True)
class Finding:
    """
    What a strategy found: its groundings, and the state after what was decided on them.

    `seen`: by step, the columns that it had in view. `joins` are given where they are not to be worked out.
    """

    groundings: tuple[Grounding, ...]
    state: Refinement
    missing: str = ""
    nearest: tuple[Ref, ...] = ()
    seen: InView = ()
    joins: tuple[KeyPair, ...] | None = None
    is_voted: bool = True


class Linking:
    """One question: its account, its trace, and what was degraded on the way."""

    def __init__(self, strategy: str, question: str, environment: Environment, names: Names, because: str) -> None:
        self.strategy, self.environment, self.names = strategy, environment, names
        self._because = because
        self.trace = Trace(question)
        self.ledger = Ledger(environment.limits)
        self.weights: Weights = read_weights(environment.settings.ranking_weights)
        self._started = perf_counter()
        self._warnings: dict[str, None] = {}

    def warn(self, warning: str) -> None:
        """Tell the user what is degraded; told once."""
        self._warnings[warning] = None

    def read(self, question: str, *, rereads: bool) -> LinkedQuestion | None:
        """The question with all that is known of it; nothing where nothing is indexed."""
        environment = self.environment
        with self.ledger.step("reading"):
            read = read_question(question, environment)
            if not read.there:
                return None
            ranked = rank(question, read.known, self.weights, signals_of(read.retrieved))
            if rereads and environment.reranker:
                ranked = reread(ranked, environment.reranker, environment.derive(column_texts))
            mentions = read_mentions(question, read.retrieved, environment.indexed.catalog)
        if lost := len(read.retrieved.columns) - len(read.there):
            self.warn(f"{lost} indexed columns are no longer in the warehouse and were left out; run: linker index")
        self.trace.note("mentions", mentions=mentions)
        return LinkedQuestion(question, mentions, environment.indexed.catalog, environment.indexed.facts, read, ranked)

    def vote(self, asked: LinkedQuestion, groundings: tuple[Grounding, ...]) -> Refinement:
        """The state in which the groundings are counted; names that led nowhere are told."""
        for one in groundings:
            if one.unknown:
                who = f"way {one.hypothesis.number}" if len(groundings) > 1 else "the language model"
                told = ", ".join(one.unknown[:_MOST_TOLD])
                self.warn(f"{who} named what does not exist, and it was left out: {told}")
        self.trace.note("groundings", groundings=groundings)
        return opened(groundings, asked.catalog, dict(asked.read.siblings))

    def end(self, asked: LinkedQuestion, found: Finding) -> LinkedSchema:
        """The answer, closed, and the end of the trace."""
        state = touched(found.state)
        with self.ledger.step("closure"):
            if found.joins is None:
                surveyed = survey(asked, wanted(found.state), to_connect(found.state))
            else:
                surveyed = survey(asked, wanted(found.state), (), found.joins)
        environment = self.environment
        run = LinkRun(
            question=asked.question,
            target=environment.target_key,
            strategy=self.strategy,
            groundings=found.groundings,
            tables=state.catalog.tables,
            siblings=tuple(state.siblings.items()),
            turns=state.turns,
            survey=surveyed,
            missing=found.missing,
            nearest=found.nearest,
            warnings=(*self._warnings, *environment.index.doubts()),
            seen=tuple(SeenColumns.of(*one) for one in (("retrieval", asked.read.there), *found.seen)),
            cost=tuple(StepCost(step, cost) for step, cost in self.ledger.cost_by_step.items()),
            seconds=perf_counter() - self._started,
            trace=self.trace.id if environment.settings.kept_traces else "",
            is_voted=found.is_voted,
            chosen_because=self._because,
        )
        finished, schema = finish(run, asked.facts)
        self.trace.note("end", run=finished)
        return schema

    def save(self) -> str:
        """Write the trace, however the run ended; leaves why that was not possible."""
        settings = self.environment.settings
        return self.trace.save(settings.state_dir, settings.kept_traces)


def catalog_names(profiled: ProfiledCatalog) -> Names:
    """The resolver of names of a catalogue."""
    return Names(profiled.catalog)


def without_model(strategy: str) -> ConfigError:
    """The error of a strategy that needs a model where none is set: nothing is done in its name in another way."""
    return ConfigError(
        f"the strategy `{strategy}` needs a language model, and none is set",
        hint="set `model` to provider:name, or take a strategy that needs none, such as evilink",
    )


def without_reranker(strategy: str) -> ConfigError:
    """The error of a strategy that needs a cross-encoder where none is set."""
    return ConfigError(
        f"the strategy `{strategy}` needs a cross-encoder, and none is set",
        hint="set `reranker` to a model's name or folder; it needs the extra sentence-transformers",
    )


class StrategyFrame(ABC):
    """A strategy without what all have in common. It keeps nothing of its own."""

    name: str
    needs_model = False
    needs_reranker = False
    # Whether the column budget says how much it returns: an evaluation asks once where it does not.
    has_budget = True
    # Whether the ranking takes in what a cross-encoder says, where one is set.
    rereads = True

    @abstractmethod
    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """What the question needs."""

    def link(self, question: str, environment: Environment, because: str = "") -> LinkedSchema:
        """The answer, and the trace of it in the state folder; `because` says why another chose this strategy."""
        if self.needs_model and environment.model is None:
            raise without_model(self.name)
        if self.needs_reranker and environment.reranker is None:
            raise without_reranker(self.name)
        linking = Linking(self.name, question, environment, environment.derive(catalog_names), because)
        try:
            asked = linking.read(question, rereads=self.rereads)
            if asked is None:
                # Without an index there is no answer: what is missing must be said, not papered over.
                return LinkedSchema(question, environment.target_key, self.name, tables=())
            schema = linking.end(asked, self.find(asked, linking))
        finally:
            problem = linking.save()
        return saved(schema, problem)
