"""
The steps of linking that strategies share, and the records between them.

Most say only what they find: groundings, and what was decided on them; the shortlist answers by
itself. `linker/pipeline.py` comes before them, and calls one.
"""

from functools import cached_property

from linker.catalog.documents import column_texts
from linker.catalog.facts import KeyPair
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.link.answer import LinkedSchema
from linker.link.closure import Survey, survey, to_connect, wanted
from linker.link.conclusion import LinkRun, finish, opened, touched
from linker.link.grounding import Grounding
from linker.link.model_questions import QuestionAccount
from linker.link.question import LinkedQuestion, read_mentions
from linker.link.refinement import Refinement
from linker.link.trace import SeenColumns, Trace
from linker.names.repair import Names
from linker.ranking.ranker import rank, read_question, reread
from linker.ranking.weights import Weights, read_weights
from linker.types import ColumnRef, Record, Ref

InView = tuple[tuple[str, tuple[ColumnRef, ...]], ...]
_MOST_NAMED = 5


class Finding(Record, frozen=True):
    """
    The result of a strategy: its groundings, and the state after what was decided on them.

    `seen`: by step, the columns that it had in view. `joins` are given where they are not to be
    worked out.
    """

    groundings: tuple[Grounding, ...]
    state: Refinement
    missing: str = ""
    nearest: tuple[Ref, ...] = ()
    seen: InView = ()
    joins: tuple[KeyPair, ...] | None = None
    is_voted: bool = True
    complete: float | None = None


class Linking(QuestionAccount):
    """One question that is linked: its account and trace, and what a strategy may use."""

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
        """The resolver of names of the catalogue."""
        return self._names or self.environment.derive(catalog_names)


def catalog_names(profiled: ProfiledCatalog) -> Names:
    """The resolver of names of a catalogue."""
    return Names(profiled.catalog)


def read_linked_question(
    question: str, linking: Linking, *, rereads: bool
) -> LinkedQuestion | None:
    """Read, rank and bind the question; nothing where nothing is indexed."""
    environment = linking.environment
    with linking.ledger.step("reading"):
        read = read_question(question, environment)
        if not read.there:
            return None
        ranked = rank(question, read.known, linking.weights, read.signals)
        if rereads and environment.reranker:
            ranked = reread(ranked, environment.reranker, environment.derive(column_texts))
        catalog, facts = environment.indexed.catalog, environment.indexed.facts
        mentions = read_mentions(question, read.retrieved, catalog, facts, read.meanings)
    if lost := len(read.retrieved.columns) - len(read.there):
        which, left_out = ("column is", "was") if lost == 1 else ("columns are", "were")
        linking.warn(
            f"{lost} indexed {which} no longer in the warehouse and {left_out} left out; run: linker index"
        )
    linking.warn(*read.unknown_names)
    linking.trace.note("mentions", mentions=mentions)
    return LinkedQuestion(question, mentions, catalog, facts, read, ranked)


def count_votes(
    question: LinkedQuestion, linking: Linking, groundings: tuple[Grounding, ...]
) -> Refinement:
    """
    Count the groundings: the state before anything is decided; names that led nowhere are told.
    """
    for grounding in groundings:
        if grounding.unknown:
            who = (
                f"way {grounding.hypothesis.number}"
                if len(groundings) > 1
                else "the language model"
            )
            names = ", ".join(grounding.unknown[:_MOST_NAMED])
            linking.warn(f"{who} named what does not exist, and it was left out: {names}")
    linking.trace.note("groundings", groundings=groundings)
    return opened(groundings, question.catalog, dict(question.read.siblings))


def close_finding(question: LinkedQuestion, finding: Finding, linking: Linking) -> Survey:
    """Survey the tables of a finding: what joins them, and what each of them lacks."""
    with linking.ledger.step("closure"):
        if finding.joins is None:
            return survey(question, wanted(finding.state), to_connect(finding.state))
        return survey(question, wanted(finding.state), (), finding.joins)


def conclude_finding(
    question: LinkedQuestion, finding: Finding, closure: Survey, linking: Linking
) -> LinkedSchema:
    """Conclude the linked schema, and end the trace with all that it was concluded from."""
    state = touched(finding.state)
    run = LinkRun(
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
        warnings=(*linking.warnings, *linking.environment.index.doubts()),
        seen=tuple(
            SeenColumns.of(*view) for view in (("retrieval", question.read.there), *finding.seen)
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
