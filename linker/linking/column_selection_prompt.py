"""
Prompts that ask a model to choose tables or columns of a schema view, and validation of its choice.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial

import numpy as np

from linker.catalog.description import SIBLINGS_SHOWN, heading
from linker.config.settings import Settings
from linker.identifiers.resolver import Unknown
from linker.linking.actions import ColumnsReply, TablesReply, whole_name
from linker.linking.linking import InView, LinkSession, ModelQuestions, StrategyResult, count_votes
from linker.linking.linking_state import Grounding, Hypothesis, named
from linker.linking.prompt_sections import (
    View,
    bound_view,
    ranked_tables,
    schema_view,
    with_best_columns,
)
from linker.linking.value_linking import LinkedQuestion
from linker.models import Prompt, estimate_tokens
from linker.prompts import render_prompt
from linker.ranking.column_selection import allocate
from linker.text.words import words_of_name, words_of_text
from linker.types import ColumnRef, Hit, Record, Ref, TableRef

# Further tables have a column or two; connecting them costs more than it brings.
_JOINED_TABLES = 6
NO_REASONS: Mapping[ColumnRef, str] = {}
PICK_TABLES = partial(render_prompt, "pick_tables")
PICK_COLUMNS = partial(render_prompt, "pick_columns")


class Chosen(Record, frozen=True):
    """Existing tables and columns, and unknown names."""

    tables: tuple[TableRef, ...] = ()
    columns: tuple[ColumnRef, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def all_tables(self) -> tuple[TableRef, ...]:
        """Chosen tables, and those of chosen columns."""
        return tuple(dict.fromkeys((*self.tables, *(ref.table for ref in self.columns))))

    def __add__(self, other: "Chosen") -> "Chosen":
        return Chosen(
            tuple(dict.fromkeys((*self.tables, *other.tables))),
            tuple(dict.fromkeys((*self.columns, *other.columns))),
            tuple(dict.fromkeys((*self.unknown, *other.unknown))),
        )


# Summary, choice, and reason.
Choice = tuple[str, Chosen, str]


class Choosing:
    """Asks a run's model to choose."""

    def __init__(self, question: LinkedQuestion, linking: LinkSession) -> None:
        self.question, self.linking = question, linking
        self.model = ModelQuestions(linking)
        self._names = linking.names

    def schema(self, tables: Sequence[TableRef] | None = None) -> View:
        """The schema, or some tables, within `schema_tokens`."""
        return schema_view(self.question, self.linking.environment.settings.schema_tokens, tables)

    def tables(
        self, step: str, view: View, *, render: Callable[..., Prompt] = PICK_TABLES, **before: str
    ) -> Chosen:
        """
        Choose tables of a view; `render` is a strategy's own prompt, `before` what earlier steps
        found.
        """

        def choose(unknown: tuple[Unknown, ...]) -> list[str]:
            shown = self._shown(unknown, before)
            prompt = render(left_out=view.left_out, tables=view.text, **shown)
            reply = self.model.ask(step, prompt, TablesReply)
            if reply is not None and not reply.tables and not unknown:
                self.model.empty(step, "it chooses no table")
            return reply.tables if reply else []

        tables, lost = named(choose, self._names.table)
        return Chosen(tables, unknown=lost)

    def columns(
        self, step: str, view: View, *, render: Callable[..., Prompt] = PICK_COLUMNS, **before: str
    ) -> Chosen:
        """Choose columns of a view."""
        among = tuple(dict.fromkeys(ref.table for ref in view.columns))

        def choose(unknown: tuple[Unknown, ...]) -> list[str]:
            shown = self._shown(unknown, before)
            prompt = render(left_out=view.left_out, columns=view.text, **shown)
            reply = self.model.ask(step, prompt, ColumnsReply)
            written = list[str]()
            for table in reply.tables if reply else ():
                written += (whole_name(table.table, name) for name in table.columns)
            if reply is not None and not written and not unknown:
                self.model.empty(step, "it chooses no column")
            return written

        columns, lost = named(choose, lambda name: self._names.column(name, among))
        return Chosen(columns=columns, unknown=lost)

    def found(self, shown: View, *choices: Choice) -> StrategyResult:
        """The union of all choices; with several, the number that chose an item is its vote."""
        groundings = [
            make_grounding(number, name, chosen, why)
            for number, (name, chosen, why) in enumerate(choices, start=1)
        ]
        seen = (("shown", shown.columns), *((name, chosen.columns) for name, chosen, _ in choices))
        is_voted = len(choices) > 1
        return to_strategy_result(self.question, self.linking, groundings, seen, is_voted=is_voted)

    def _shown(self, unknown: tuple[Unknown, ...], before: Mapping[str, str]) -> dict[str, str]:
        texts = {**before, "unknown": "\n".join(map(str, unknown))}
        return {
            "question": self.question.question,
            "bound": bound_view(self.question, date.today()),
            **{name: text for name, text in texts.items() if text},
        }


def make_grounding(
    number: int,
    summary: str,
    chosen: Chosen,
    why: str,
    reasons: Mapping[ColumnRef, str] = NO_REASONS,
) -> Grounding:
    """A grounding of one choice; a table's reason defaults to that of its first column."""
    first = {ref.table: reasons.get(ref) for ref in reversed(chosen.columns)}
    tables = [
        (ref, why if ref in chosen.tables else first.get(ref) or why) for ref in chosen.all_tables
    ]
    needed: list[tuple[Ref, str]] = [
        *tables,
        *((ref, reasons.get(ref, why)) for ref in chosen.columns),
    ]
    hypothesis = Hypothesis(number, summary, tables=chosen.all_tables, columns=chosen.columns)
    return Grounding(hypothesis, chosen.all_tables, chosen.columns, tuple(needed), chosen.unknown)


def to_strategy_result(
    question: LinkedQuestion,
    linking: LinkSession,
    groundings: Sequence[Grounding],
    seen: InView = (),
    *,
    is_voted: bool,
    nothing: str = "the language model chose no existing table or column",
) -> StrategyResult:
    """The result of a strategy, or of the ranking if it found nothing."""
    usable = tuple(grounding for grounding in groundings if grounding.tables)
    if not usable:
        if nothing:
            linking.record_model_failure(f"{nothing}; the answer falls back to the ranking")
        usable, is_voted = (ranked(question, linking.environment.settings),), False
    return StrategyResult(
        usable, count_votes(question, linking, usable), seen=seen, is_voted=is_voted
    )


def ranked(
    question: LinkedQuestion, settings: Settings, summary: str = "what the ranking finds"
) -> Grounding:
    """Relevant columns, as many as the settings allow."""
    return listed(1, summary, likely_columns(question, settings), "ranked high for this question")


def likely_columns(question: LinkedQuestion, settings: Settings) -> tuple[ColumnRef, ...]:
    """Relevant columns, as many as the settings allow."""
    lexicon = question.ranked.index.lexicon
    return tuple(
        lexicon.refs[index] for index in allocate(question.ranked, settings.most_columns).columns
    )


def listed(
    number: int,
    summary: str,
    columns: tuple[ColumnRef, ...],
    why: str,
    reasons: Mapping[ColumnRef, str] = NO_REASONS,
) -> Grounding:
    """Columns of a ranking, best first; only the first tables must join."""
    grounding = make_grounding(number, summary, Chosen(columns=columns), why, reasons)
    hypothesis = Hypothesis(number, summary, tables=grounding.tables[:_JOINED_TABLES])
    return Grounding(hypothesis, grounding.tables, grounding.columns, grounding.why)


def one_per_group(question: LinkedQuestion) -> list[Hit]:
    """Retrieved columns that still exist; of identical tables those of the first."""
    hits, tables, stood_for = list[Hit](), set[TableRef](), set[TableRef]()
    there = set(question.read.there)
    for hit in question.read.retrieved.columns:
        table = hit.ref.table
        if hit.ref in there and table not in stood_for:
            if table not in tables:
                tables.add(table)
                stood_for |= set(question.read.siblings.get(table, ())) - tables
            hits.append(hit)
    return hits


def placed(hits: Sequence[Hit], summary: str, why: str, among: str) -> Grounding:
    """Retrieved columns, best first; the reason of each is its rank."""
    reasons = dict[ColumnRef, str]()
    for index, hit in enumerate(hits, start=1):
        match = f"; {hit.match}" if hit.match else ""
        reasons[hit.ref] = f"place {index} {among}{match}"
    return listed(1, summary, tuple(hit.ref for hit in hits), why, reasons)


_TOKENS_OF_TABLES = 1_000
_SHARE_WITH_COLUMNS = 0.7
# A word in more column names is not specific.
_MAX_NAMED = 8
_MAX_MATCHES = 60


def table_view(question: LinkedQuestion, tokens: int = _TOKENS_OF_TABLES) -> View:
    """
    Tables with their most relevant columns by name (L0), by relevance; then further table names.
    """
    ranked = ranked_tables(question)
    siblings = question.read.siblings
    lines, shown, seen = list[str](), list[TableRef](), set[TableRef]()
    left, with_columns = float(tokens), tokens * _SHARE_WITH_COLUMNS
    for table in ranked:
        if table.ref in seen:
            continue
        others = [ref for ref in siblings.get(table.ref, ()) if ref not in seen]
        is_short = tokens - left >= with_columns
        line = heading(table, others) if is_short else with_best_columns(question, table, others)
        cost = estimate_tokens(line)
        if cost > left:
            break
        left -= cost
        lines.append(line)
        shown += [table.ref, *others[:SIBLINGS_SHOWN]]
        seen |= {table.ref, *others}
    return View("\n".join(lines), tuple(shown), len(question.catalog.tables) - len(seen))


def keyword_matches(question: LinkedQuestion) -> dict[ColumnRef, str]:
    """
    Columns that contain a value of the question, or whose full name or a rare word of it occurs
    there.
    """
    reasons = {binding.ref: binding.reason for binding in question.mentions.bindings}
    question_words = set(words_of_text(question.question))
    lexicon = question.ranked.index.lexicon
    named: dict[str, list[ColumnRef]] = {}
    for index in np.argsort(-question.ranked.columns, kind="stable"):
        ref = lexicon.refs[int(index)]
        words = set(words_of_name(ref.path))
        if words and words <= question_words:
            reasons.setdefault(ref, f"name match: {ref.path}")
        for word in words & question_words:
            named.setdefault(word, []).append(ref)
    for word, refs in sorted(named.items(), key=lambda item: len(item[1])):
        if len(refs) <= _MAX_NAMED:
            for ref in refs:
                reasons.setdefault(ref, f"name match: {word}")
    return dict(list(reasons.items())[:_MAX_MATCHES])
