"""Interface of judges: one method per decision of the stepwise flow."""

from dataclasses import dataclass
from typing import Protocol

from benchmarks.baselines.stepwise.grounding import Pick
from linker.identifiers.resolver import Unknown
from linker.linking.actions import Action
from linker.linking.linking_state import Hypothesis, Proposal, Refinement
from linker.linking.value_linking import LinkedQuestion
from linker.types import TableRef

__all__ = ["Judge", "Pick", "Turn", "Unknown"]


@dataclass(frozen=True, slots=True)
class Turn:
    """
    Actions of a judge in one turn of refinement; without actions it is done.

    `missing` says what the warehouse lacks, where the evidence shows that it cannot answer.
    """

    actions: tuple[Action, ...] = ()
    missing: str = ""


class Judge(Protocol):
    """
    Judges in the steps of linking. `unknown` lists unresolved names of the first answer, to be
    corrected once.

    A judge that cannot answer raises ModelError or BudgetExceeded; the reserve judge then decides.
    Tables and columns are chosen for several hypotheses in parallel threads, so connections must
    not be used there.
    """

    @property
    def name(self) -> str:
        """Name of the judge, for the trace."""

    def propose(self, question: LinkedQuestion) -> Proposal:
        """Structurally distinct hypotheses, or the missing concept."""

    def choose_tables(
        self, question: LinkedQuestion, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Every table that this hypothesis may need."""

    def choose_columns(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),
    ) -> tuple[Pick, ...]:
        """Every column of these tables that this hypothesis may need."""

    def decide(self, question: LinkedQuestion, refinement: Refinement) -> Turn: ...
