"""
Linking by hypotheses: several ways to answer, grounded one by one, vote; evidence decides where they disagree.

question -> mentions -> hypotheses -> grounding of each -> vote -> refinement -> closure -> linked schema
"""

from time import perf_counter

from linker.asked import Asked
from linker.budget import Ledger
from linker.closure import survey, to_connect, wanted
from linker.conclusion import Run, conclude, opened, touched, with_facts
from linker.deciding import Decided, refine
from linker.environment import Environment
from linker.grounding import Grounding, ground
from linker.hypothesis import Proposal, distinct
from linker.linked import LinkedSchema, StepCost
from linker.mentions import read_mentions
from linker.minds.base import Step
from linker.minds.by_step import MindByStep
from linker.minds.chosen import chosen_minds
from linker.minds.profiles import ProfilesMind
from linker.naming import Names
from linker.ranking.answerable_weights import read_answerable_weights
from linker.ranking.ranker import rank
from linker.ranking.reading import Reader
from linker.ranking.rereading import reread
from linker.ranking.signals import signals_of
from linker.ranking.weights import read_weights
from linker.refinement import Refinement
from linker.tools import Toolbox
from linker.trace import Seen, Trace, saved
from linker.types import Catalog

_NAME = "evilink"


class EvilinkStrategy:
    """Reads one catalogue after another; what was worked out of the last one is kept."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._named: tuple[Catalog, Names] | None = None

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """The answer, and the trace of it in the state folder."""
        started, trace = perf_counter(), Trace(question)
        run = _Linking(environment, trace, self._names(environment.indexed.catalog), started)
        try:
            schema = run.link(question, self._reader)
        finally:
            problem = trace.save(environment.settings.state_dir, environment.settings.kept_traces)
        return saved(schema, problem)

    def _names(self, catalog: Catalog) -> Names:
        if self._named is None or self._named[0] is not catalog:
            self._named = (catalog, Names(catalog))
        return self._named[1]


class _Linking:
    """One question: its account, its trace, and what was degraded on the way."""

    def __init__(self, environment: Environment, trace: Trace, names: Names, started: float) -> None:
        self._environment, self._trace, self._names = environment, trace, names
        self._ledger = Ledger(environment.limits)
        self._warnings: dict[str, None] = {}
        self._started = started
        settings = environment.settings
        self._weights = read_weights(settings.ranking_weights)
        answerable = read_answerable_weights(settings.answerable_weights)
        self._reserve = ProfilesMind(settings.column_budget, environment.dialect, self._weights, answerable)
        minds = chosen_minds(environment, self._reserve, names, self._ledger, trace)
        self._mind = MindByStep(minds, self._reserve, self._degraded)

    def link(self, question: str, reader: Reader) -> LinkedSchema:
        """Step by step, each with what the one before it left."""
        asked = self._read(question, reader)
        if asked is None:
            # Without an index there is no answer: what is missing must be said, not papered over.
            return LinkedSchema(question, self._environment.target_key, _NAME, tables=())
        proposal = self._propose(asked)
        groundings = self._ground(asked, proposal)
        voted = self._vote(asked, groundings)
        decided = self._refine(asked, voted) if not proposal.missing else Decided(voted)
        return self._close(asked, proposal, groundings, decided)

    def _read(self, question: str, reader: Reader) -> Asked | None:
        environment = self._environment
        with self._ledger.step("reading"):
            read = reader.read(question, environment)
            if not read.there:
                return None
            ranked = rank(question, read.known, self._weights, signals_of(read.retrieved))
            if environment.reranker:
                ranked = reread(ranked, environment.reranker, environment.texts)
            mentions = read_mentions(question, read.retrieved, environment.indexed.catalog)
        if lost := len(read.retrieved.columns) - len(read.there):
            self._warn(f"{lost} indexed columns are no longer in the warehouse and were left out; run: linker index")
        self._trace.note("mentions", mentions=mentions)
        return Asked(question, mentions, environment.indexed.catalog, environment.indexed.facts, read, ranked)

    def _propose(self, asked: Asked) -> Proposal:
        with self._ledger.step("hypotheses"):
            said = self._mind.propose(asked)
        ways = distinct(said.hypotheses)
        if not ways:
            ways = distinct(self._reserve.propose(asked).hypotheses)
        self._trace.note("hypotheses", said=said, distinct=ways)
        return Proposal(ways, said.missing, said.nearest)

    def _ground(self, asked: Asked, proposal: Proposal) -> tuple[Grounding, ...]:
        with self._ledger.step("grounding"):
            groundings = ground(self._mind, asked, proposal.hypotheses, self._names)
        for one in groundings:
            if one.unknown:
                told = ", ".join(one.unknown[:5])
                self._warn(f"way {one.hypothesis.number} named what does not exist, and it was left out: {told}")
        self._trace.note("groundings", groundings=groundings)
        return groundings

    def _vote(self, asked: Asked, groundings: tuple[Grounding, ...]) -> Refinement:
        state = opened(groundings, asked.catalog, dict(asked.read.copies))
        self._trace.note("vote", items=state.items)
        return state

    def _refine(self, asked: Asked, state: Refinement) -> Decided:
        ledger = self._ledger
        tools = Toolbox(asked, self._names, self._environment, ledger, "refinement")
        with ledger.step("refinement"):
            decided = refine(self._mind, asked, state, self._names, tools, lambda: ledger.check_time("refinement"))
        for warning in decided.warnings:
            self._warn(warning)
        for told in tools.missed:
            self._warn(f"the warehouse no longer has what the profiles tell of ({told}); run: linker refresh")
        if self._environment.away:
            self._warn(f"nothing could be looked up or probed: {self._environment.away}")
        self._trace.note("turns", turns=decided.refinement.turns, missing=decided.missing)
        return decided

    def _close(
        self, asked: Asked, proposal: Proposal, groundings: tuple[Grounding, ...], decided: Decided
    ) -> LinkedSchema:
        state = touched(decided.refinement)
        with self._ledger.step("closure"):
            surveyed = survey(asked, wanted(decided.refinement), to_connect(decided.refinement))
        columns = tuple(ref for one in groundings for ref in one.columns)
        run = Run(
            question=asked.question,
            target=self._environment.target_key,
            strategy=_NAME,
            groundings=groundings,
            tables=state.catalog.tables,
            copies=tuple(state.copies.items()),
            turns=state.turns,
            survey=surveyed,
            missing=proposal.missing or decided.missing,
            nearest=proposal.nearest,
            warnings=(*self._warnings, *self._environment.doubts()),
            seen=(Seen.of("retrieval", asked.read.there), Seen.of("grounding", tuple(dict.fromkeys(columns)))),
            cost=tuple(StepCost(step, cost) for step, cost in self._ledger.cost_by_step.items()),
            seconds=perf_counter() - self._started,
            trace=self._trace.id if self._environment.settings.kept_traces else "",
        )
        run = with_facts(run, asked.facts)
        self._trace.note("end", run=run)
        return conclude(run)

    def _degraded(self, step: Step, what: str) -> None:
        self._trace.note("degraded", step=step, what=what)
        self._warn(f"the step `{step}` was done without the language model: {what}")

    def _warn(self, warning: str) -> None:
        self._warnings[warning] = None
