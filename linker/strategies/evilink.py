"""
EviLink: hypotheses from one schema overview, grounded in real columns, vote; evidence resolves
disagreement.

    question -> panorama -> hypotheses with all their columns -> evidence, where the model asks
             -> vote -> disambiguation, where they disagree -> completion -> linked schema

Evidence outweighs agreement: nothing is locked, and undecided items are returned as unresolved.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from linker.catalog.description import column_name
from linker.identifiers.resolver import Unknown
from linker.linking.actions import ColumnsOfTable, PanoramaReply, whole_name
from linker.linking.column_selection_prompt import Chosen, make_grounding, to_strategy_result
from linker.linking.conversation import Dialogue, accept_all, completed, disambiguate, suggested
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.linking_state import MAX_HYPOTHESES, Grounding, Hypothesis, Proposal
from linker.linking.panorama import Panorama, panorama
from linker.linking.value_linking import LinkedQuestion
from linker.ranking.reasons import reasons
from linker.strategies import AskingStrategy
from linker.text.numbers import first_of
from linker.types import ColumnRef, Record, Ref, TableRef

# Extra columns requested for high target recall.
_GENEROUS = 2
_ALL = "*"
_CHOSEN = "chosen by the language model"
_MAYBE = "possibly needed"
_MAX_TABLES = 3


class EvilinkStrategy(AskingStrategy):
    """Schema overview, hypotheses and evidence, then a decision by the model."""

    name = "evilink"

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        settings = linking.environment.settings
        shown = panorama(question, settings.panorama_tokens)
        dialogue = Dialogue(question, linking, shown, _breadth(settings.recall))
        reader = _Reader(question, linking, shown)
        read = reader.hypotheses(dialogue)
        finding = to_strategy_result(
            question,
            linking,
            read.groundings,
            (("panorama", shown.columns),),
            is_voted=True,
            nothing=read.nothing,
        )
        linking.trace.note("vote", items=finding.state.items)
        state = finding.state
        for turn in dialogue.turns:
            state = state.after_turn(turn)
        if finding.is_voted:
            is_single = len(read.groundings) == 1
            state = accept_all(state) if is_single else state
            # With a high target recall, disputed items are kept.
            if not read.missing and (is_single or _breadth(settings.recall) < _GENEROUS):
                state = disambiguate(state, read.groundings, dialogue, question, linking)
            state = suggested(state, read.maybe, _MAYBE)
        complete = None
        if finding.is_voted and settings.recall and not read.missing:
            state, complete = completed(state, question, linking)
        dialogue.tell_problems()
        linking.trace.note("turns", turns=state.turns, missing=read.missing)
        return replace(
            finding, state=state, missing=read.missing, nearest=read.nearest, complete=complete
        )


def _breadth(recall: float | None) -> int:
    """How many extra columns to request: none, few or many."""
    if recall is None:
        return 1
    return _GENEROUS if recall else 0


class _GroundedReply(Record, frozen=True):
    """Grounded hypotheses, optional columns, and what is missing."""

    groundings: tuple[Grounding, ...] = ()
    maybe: tuple[ColumnRef, ...] = ()
    missing: str = ""
    # Reason for an empty result.
    nothing: str = "the language model gave no hypothesis"

    @property
    def nearest(self) -> tuple[Ref, ...]:
        """The nearest tables if something is missing."""
        tables = chain.from_iterable(grounding.tables for grounding in self.groundings)
        return tuple(dict.fromkeys(tables))


class _Reader:
    """Grounds replies; unknown names are reported once."""

    def __init__(self, question: LinkedQuestion, linking: LinkSession, shown: Panorama) -> None:
        self._question, self._linking = question, linking
        self._tables = tuple(dict.fromkeys(ref.table for ref in shown.columns))
        lexicon = question.ranked.index.lexicon
        self._column_indexes = {ref: index for index, ref in enumerate(lexicon.refs)}
        self._mentioned = set[str]()

    def hypotheses(self, dialogue: Dialogue) -> _GroundedReply:
        """Hypotheses after all requested evidence."""
        reply = dialogue.open()
        while reply and dialogue.looks_left:
            unknown = self._unknown(reply)
            if not reply.look and not unknown:
                break
            later = dialogue.go_on(reply.look, unknown)
            if later is None:
                break
            reply = _merged(reply, later)
        return self._read(reply) if reply else _GroundedReply()

    def _read(self, reply: PanoramaReply) -> _GroundedReply:
        read = [(item.summary.strip(), self._chosen(item.tables)) for item in reply.hypotheses]
        different = dict[tuple[frozenset[Ref], ...], tuple[str, Chosen]]()
        for summary, chosen in read:
            if chosen.all_tables:
                items = (frozenset(chosen.tables), frozenset(chosen.columns))
                different.setdefault(items, (summary, chosen))
        groundings = list[Grounding]()
        for number, (summary, chosen) in enumerate([*different.values()][:MAX_HYPOTHESES], start=1):
            why = self._reasons(chosen.columns)
            tables = first_of((column_name(str(ref)) for ref in chosen.all_tables), _MAX_TABLES)
            named = summary or f"read {tables}"
            groundings.append(make_grounding(number, named, chosen, _CHOSEN, why))
        proposed = tuple(Hypothesis(at, summary) for at, (summary, _) in enumerate(read, start=1))
        distinct = [item.hypothesis for item in groundings]
        self._linking.trace.note(
            "hypotheses", said=Proposal(proposed, reply.missing), distinct=distinct
        )
        missing = reply.missing.strip()
        # Unanswerable questions need no hypothesis.
        nothing = "" if missing else _GroundedReply().nothing
        if reply.hypotheses:
            nothing = "no hypothesis of the language model names an existing table or column"
        return _GroundedReply(
            tuple(groundings), self._chosen(reply.maybe).columns, missing, nothing
        )

    def _chosen(self, named: Iterable[ColumnsOfTable]) -> Chosen:
        """Tables and columns by name."""
        chosen = Chosen()
        for item in named:
            table = self._linking.names.table(item.table)
            columns = list(self._columns(item))
            chosen += Chosen(
                () if isinstance(table, Unknown) else (table,),
                tuple(ref for ref in columns if isinstance(ref, ColumnRef)),
                tuple(ref.name for ref in columns if isinstance(ref, Unknown)),
            )
        return chosen

    def _columns(self, named: ColumnsOfTable) -> Iterator[ColumnRef | Unknown]:
        """Columns by name; a star means the whole table."""
        table = self._linking.names.table(named.table) if _ALL in named.columns else None
        if isinstance(table, TableRef):
            columns = self._question.catalog.table_by_ref[table].columns
            yield from (ColumnRef(table, column.path) for column in columns)
        names = (whole_name(named.table, name) for name in named.columns if name != _ALL)
        yield from (self._linking.names.column(name, self._tables) for name in names)

    def _unknown(self, reply: PanoramaReply) -> list[Unknown]:
        """Unknown names not yet reported."""
        tables = chain.from_iterable(hypothesis.tables for hypothesis in reply.hypotheses)
        unknown = [
            column
            for column in chain.from_iterable(map(self._columns, tables))
            if isinstance(column, Unknown) and column.name not in self._mentioned
        ]
        self._mentioned.update(name.name for name in unknown)
        return unknown

    def _reasons(self, columns: Iterable[ColumnRef]) -> dict[ColumnRef, str]:
        """Strongest evidence of each column: a matched value or keyword."""
        ranked, weights = self._question.ranked, self._linking.weights.columns
        first = dict[ColumnRef, str]()
        for ref in columns:
            if ref in self._column_indexes:
                first.update(
                    (ref, why) for why in reasons(ranked, weights, self._column_indexes[ref])[:1]
                )
        bindings = self._question.mentions.bindings
        return first | {binding.ref: binding.reason for binding in bindings}


def _merged(reply: PanoramaReply, later: PanoramaReply) -> PanoramaReply:
    """The later reply, with omitted fields from the earlier one."""
    hypotheses, maybe = later.hypotheses or reply.hypotheses, later.maybe or reply.maybe
    return later.model_copy(update={"hypotheses": hypotheses, "maybe": maybe})
