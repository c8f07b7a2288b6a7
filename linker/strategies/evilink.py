"""
Linking by hypotheses: several ways to answer, grounded one by one, vote; evidence decides where they disagree.

question -> mentions -> hypotheses -> grounding of each -> vote -> refinement -> closure -> linked schema
"""

from collections.abc import Callable
from dataclasses import dataclass

from linker.errors import LimitReached
from linker.link.actions import TOOLS, Action, Decision, Discard, Keep, Look, Malformed
from linker.link.grounding import Grounding, ground
from linker.link.hypotheses import Proposal, distinct
from linker.link.judges.base import Judge
from linker.link.judges.profiles.judge import ProfilesJudge
from linker.link.judges_by_step import judge_by_step
from linker.link.linking import Finding, Linking, count_votes
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Refinement
from linker.link.tools import Toolbox
from linker.link.turns import Decided, refine
from linker.ranking.weights import read_answerable_weights


class EvilinkStrategy(Strategy):
    """Proposes, grounds, votes and refines, with the judge of each step."""

    name = "evilink"

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """Step by step, each with what the one before it left."""
        return _Thinking(asked, linking).found()


class _Thinking:
    """The steps between reading and closure, for one question."""

    def __init__(self, asked: LinkedQuestion, linking: Linking) -> None:
        self._asked, self._linking = asked, linking
        environment = linking.environment
        settings = environment.settings
        answerable = read_answerable_weights(settings.answerable_weights)
        self._reserve = ProfilesJudge(asked, settings.column_budget, environment.dialect, linking.weights, answerable)
        judges = chosen_minds(environment, self._reserve, linking.names, linking.ledger, linking.trace)
        self._mind = JudgeByStep(judges, self._reserve, self._degraded)

    def found(self) -> Finding:
        """All steps."""
        proposal = self._propose()
        groundings = self._ground(proposal)
        voted = count_votes(self._asked, self._linking, groundings)
        self._linking.trace.note("vote", items=voted.items)
        decided = self._refine(voted) if not proposal.missing else Decided(voted)
        columns = tuple(dict.fromkeys(ref for one in groundings for ref in one.columns))
        return Finding(
            groundings,
            decided.refinement,
            missing=proposal.missing or decided.missing,
            nearest=proposal.nearest,
            seen=(("grounding", columns),),
        )

    def _propose(self) -> Proposal:
        with self._linking.ledger.step("hypotheses"):
            said = self._judge.propose(self._asked)
        ways = distinct(said.hypotheses)
        if not ways:
            ways = distinct(self._reserve.propose(self._asked).hypotheses)
        self._linking.trace.note("hypotheses", said=said, distinct=ways)
        return Proposal(ways, said.missing, said.nearest)

    def _ground(self, proposal: Proposal) -> tuple[Grounding, ...]:
        with self._linking.ledger.step("grounding"):
            return ground(self._judge, self._asked, proposal.hypotheses, self._linking.names)

    def _refine(self, state: Refinement) -> Decided:
        linking = self._linking
        ledger, environment, names = linking.ledger, linking.environment, linking.names
        tools = Toolbox(self._asked, linking, "refinement")
        with ledger.step("refinement"):
            decided = refine(self._judge, self._asked, state, names, tools, lambda: ledger.check_time("refinement"))
        linking.warn(*decided.warnings)
        for told in tools.missed:
            linking.warn(f"the warehouse no longer has what the profiles tell of ({told}); run: linker refresh")
        if environment.away:
            linking.warn(f"nothing could be looked up or probed: {environment.away}")
        linking.trace.note("turns", turns=decided.refinement.turns, missing=decided.missing)
        return decided
