"""
Language model judge: one prompt and one typed answer per step.

Pydantic validates the shape, the steps validate names and actions. An answer without items is
invalid.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, TypeVar

from pydantic import Field

from benchmarks.baselines.prompting import render_prompt
from benchmarks.baselines.stepwise.grounding import Pick
from benchmarks.baselines.stepwise.locks import MAX_TURNS
from benchmarks.baselines.stepwise.views import (
    TABLES_FOR_HYPOTHESES,
    ProfileOf,
    column_view,
    locked_view,
    outcomes_view,
    undecided_view,
    way_view,
    ways_view,
)
from linker.errors import ModelError
from linker.identifiers.resolver import Names, Unknown
from linker.linking.actions import (
    Action,
    AnyAction,
    ColumnsReply,
    Reply,
    TablesReply,
    Text,
    whole_name,
)
from linker.linking.column_selection_prompt import table_view
from linker.linking.linking_state import (
    MAX_HYPOTHESES,
    Divergence,
    Hypothesis,
    Proposal,
    Refinement,
    Signal,
)
from linker.linking.prompt_sections import bound_view
from linker.linking.value_linking import LinkedQuestion
from linker.models import AnswerT, Completion, LanguageModel, Prompt
from linker.types import ColumnRef, TableRef

RefT = TypeVar("RefT", TableRef, ColumnRef)


class DifferenceReply(Reply):
    """A difference from the first hypothesis, and its kind."""

    signal: Signal
    text: Text


class HypothesisReply(Reply):
    summary: Text
    differs: list[DifferenceReply] = Field(default=[])
    tables: list[Text] = Field(default=[])
    joins: list[Text] = Field(default=[])
    columns: list[Text] = Field(default=[])


class HypothesesReply(Reply):
    """Hypotheses, the likeliest first."""

    hypotheses: list[HypothesisReply]
    missing: Text = ""


class TurnReply(Reply):
    """The actions of one turn."""

    actions: list[AnyAction] = Field(default=[])
    missing: Text = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """
    Actions of a judge in one turn of refinement; without actions it is done.

    `missing` says what the warehouse lacks, where the evidence shows that it cannot answer.
    """

    actions: tuple[Action, ...] = ()
    missing: str = ""


class Session(Protocol):
    """A model as the steps use it."""

    def at(self, step: str) -> LanguageModel:
        """The model at a step: what it costs is booked there."""


class LanguageJudge:
    """Asks a language model in every step."""

    def __init__(self, session: Session, names: Names, profile_of: ProfileOf) -> None:
        self.name = session.at("hypotheses").name
        self._session, self._names, self._profile_of = session, names, profile_of

    def propose(self, question: LinkedQuestion) -> Proposal:
        """Hypotheses; names that lead nowhere are left out of the hints."""
        prompt = render_prompt(
            "step_hypotheses",
            question=question.question,
            bound=bound_view(question),
            tables=table_view(question, TABLES_FOR_HYPOTHESES).text,
            table_count=len(question.catalog.tables),
        )
        reply = self._ask("hypotheses", prompt, HypothesesReply).answer
        hypotheses = [
            self._hypothesis(number, hypothesis)
            for number, hypothesis in enumerate(reply.hypotheses, start=1)
        ]
        if not hypotheses and not reply.missing.strip():
            raise self._empty("it proposes nothing")
        nearest = tuple(chain.from_iterable(hypothesis.tables for hypothesis in hypotheses))
        return Proposal(tuple(hypotheses[: 2 * MAX_HYPOTHESES]), reply.missing.strip(), nearest)

    def choose_tables(
        self, question: LinkedQuestion, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Tables by name; an answer without any is none."""
        view = table_view(question)
        prompt = render_prompt(
            "step_tables",
            question=question.question,
            way=way_view(hypothesis),
            bound=bound_view(question),
            table_count=len(question.catalog.tables),
            left_out=view.left_out,
            tables=view.text,
            **_unknown_names(unknown),
        )
        reply = self._ask("grounding", prompt, TablesReply).answer.tables
        if not reply and not unknown:
            raise self._empty("it chooses no table")
        return tuple(Pick(name) for name in dict.fromkeys(reply))

    def choose_columns(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),
    ) -> tuple[Pick, ...]:
        """Columns by name; an answer without any is none."""
        view = column_view(question, tables)
        prompt = render_prompt(
            "step_columns",
            question=question.question,
            way=way_view(hypothesis),
            bound=bound_view(question),
            left_out=view.left_out,
            columns=view.text,
            **_unknown_names(unknown),
        )
        reply = self._ask("grounding", prompt, ColumnsReply).answer.tables
        picks = list[Pick]()
        for table in reply:
            picks += (Pick(whole_name(table.table, name)) for name in table.columns)
        if not picks and not unknown:
            raise self._empty("it chooses no column")
        return tuple(dict.fromkeys(picks))

    def decide(self, question: LinkedQuestion, refinement: Refinement) -> Turn:
        prompt = render_prompt(
            "step_refinement",
            question=question.question,
            ways=ways_view(refinement.hypotheses),
            bound=bound_view(question),
            locked=locked_view(refinement),
            undecided=undecided_view(question, refinement, self._profile_of),
            undecided_count=len(refinement.undecided),
            turn=len(refinement.turns) + 1,
            most_turns=MAX_TURNS,
            outcomes=outcomes_view(refinement.turns[-1] if refinement.turns else ()),
        )
        reply = self._ask("refinement", prompt, TurnReply).answer
        return Turn(tuple(reply.actions), reply.missing.strip())

    def _ask(self, step: str, prompt: Prompt, answer: type[AnswerT]) -> Completion[AnswerT]:
        return self._session.at(step).complete(prompt, answer)

    def _hypothesis(self, number: int, reply: HypothesisReply) -> Hypothesis:
        tables = _known(self._names.table(name) for name in reply.tables)
        pairs = (self._join(join, tables) for join in reply.joins)
        return Hypothesis(
            number,
            reply.summary.strip(),
            tuple(
                Divergence(difference.signal, difference.text.strip())
                for difference in reply.differs
            ),
            tables,
            tuple(filter(None, pairs)),
            _known(self._names.column(name, tables) for name in reply.columns),
        )

    def _join(self, join: str, tables: tuple[TableRef, ...]) -> tuple[ColumnRef, ColumnRef] | None:
        sides = _known(self._names.column(side.strip(), tables) for side in join.split("="))
        return (
            (sides[0], sides[1]) if len(sides) == 2 and sides[0].table != sides[1].table else None
        )

    def _empty(self, what: str) -> ModelError:
        return ModelError(
            f"model `{self.name}` gave an empty answer: {what}",
            hint="use another model",
            code="empty",
        )


def _unknown_names(unknown: tuple[Unknown, ...]) -> dict[str, str]:
    return {"unknown": "\n".join(map(str, unknown))} if unknown else {}


def _known(found: Iterable[RefT | Unknown]) -> tuple[RefT, ...]:
    return tuple(dict.fromkeys(ref for ref in found if not isinstance(ref, Unknown)))
