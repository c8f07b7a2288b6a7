"""
Multi-turn disambiguation: the model decides items that hypotheses dispute, and near-duplicates of
chosen tables.

Each turn sends what came before and what is new; of the schema overview only the tables that the
model named stay. Everything inspected is kept, whatever else a reply decides. Near-duplicates are
shown with row counts, dates and nulls, which the schema overview omits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import chain, product

import numpy as np
from msgspec.structs import replace

from linker.catalog.description import column_name, cut, listed
from linker.catalog.profile import TableProfile, column_profile
from linker.errors import BudgetExceeded
from linker.identifiers.resolver import Unknown
from linker.linking.actions import Discard, Keep, Look, Malformed, PanoramaReply, Suggest
from linker.linking.linking import LinkSession, ModelQuestions
from linker.linking.linking_state import ActionResult, Grounding, Item, Refinement
from linker.linking.panorama import Panorama, panorama
from linker.linking.prompt_sections import bound_view
from linker.linking.tools import LISTED, Toolbox
from linker.linking.value_linking import LinkedQuestion
from linker.models import MessagePair, Prompt
from linker.prompts import render_prompt
from linker.ranking.calibration import MAX_COLUMNS, completion, enough, likelihoods
from linker.types import ColumnRef, Record, Ref, TableRef

MAX_LOOKS = 4
# Results must fit the next prompt: tokens of all lists of a turn.
_MAX_ACTIONS = 8
_FOUND = 800

_MAX_DUPLICATES = 3
# Minimum null share worth showing.
_MANY_NULLS = 0.05
_MOSTLY_NULLS = 0.5

# Names per action.
_MAX_NAMED = 100
_CONFIRMED = "needed by the only hypothesis"
_LIKELY = "added to reach the target completeness"


class NearDuplicate(Record, frozen=True):
    """A near-duplicate of a chosen table, with its columns of the same names as chosen ones."""

    of: TableRef
    table: TableRef
    columns: tuple[ColumnRef, ...]


def near_duplicates_of(
    question: LinkedQuestion, chosen: Iterable[ColumnRef]
) -> tuple[NearDuplicate, ...]:
    """
    The most relevant near-duplicates of the columns' tables, including archives and old versions.
    """
    catalog_index, paths = question.ranked.index, dict[TableRef, set[str]]()
    for column in chosen:
        paths.setdefault(column.table, set()).add(column.path.casefold())
    tables, groups = catalog_index.lexicon.tables, catalog_index.lexicon.duplicate_groups
    indexes = {table.ref: index for index, table in enumerate(tables) if table.ref in paths}
    pairs = [(kept.index, kept.original) for kept in catalog_index.duplicates]
    pairs += [(original, duplicate) for duplicate, original in pairs]
    duplicates = list[NearDuplicate]()
    for ref, index in indexes.items():
        near = {*np.flatnonzero(groups == groups[index]).tolist()}
        near |= {other for own, other in pairs if own == index}
        for other in sorted(
            near - {*indexes.values()}, key=lambda at: (-question.ranked.tables[at], at)
        )[:_MAX_DUPLICATES]:
            columns = (
                entry.path for entry in tables[other].columns if entry.path.casefold() in paths[ref]
            )
            if same := tuple(ColumnRef(tables[other].ref, path) for path in columns):
                duplicates.append(NearDuplicate(ref, tables[other].ref, same))
    return tuple(duplicates)


class Measured:
    """Rows, dates and nulls, compared with the periods of the question."""

    def __init__(
        self, question: LinkedQuestion, profile_of: Callable[[TableRef], TableProfile | None]
    ) -> None:
        self._catalog = question.catalog
        self._profile_of = cache(
            profile_of if question.ranked.index.is_profiled else lambda _ref: None
        )
        self._periods = [
            period for period in question.mentions.periods if period.first or period.last
        ]

    def table(self, ref: TableRef, columns: Iterable[ColumnRef] = ()) -> str:
        """Rows of a table (of a family those of the shards read) and date range of the columns."""
        rows, family = self._rows(ref), self._catalog.table_by_ref[ref].family
        ranges = ((column.path, self._span(column)) for column in columns)
        spans = (f"{path} {days}" for path, days in ranges if days)
        read = f" ({family.coverage})" if family and family.coverage else ""
        return "" if rows is None else "; ".join((f"{rows:,} rows{read}", *spans))

    def column(self, ref: ColumnRef) -> str:
        """Null share, if high, and date range of a column."""
        share = self._nulls(ref)
        nulls = f"{share:.0%} nulls" if share >= _MANY_NULLS else ""
        return ", ".join(filter(None, (nulls, self._span(ref))))

    def has_low_confidence(self, ref: Ref) -> bool:
        """A table without rows; a column of mostly nulls, or outside the requested period."""
        if isinstance(ref, TableRef):
            return self._rows(ref) == 0
        return self._nulls(ref) >= _MOSTLY_NULLS or self._reaches([ref]) is False

    def contradicts(self, duplicate: NearDuplicate) -> bool:
        """Whether the duplicate has rows or requested dates that the chosen table lacks."""
        own = self._reaches(ColumnRef(duplicate.of, column.path) for column in duplicate.columns)
        has_rows = bool(self._rows(duplicate.table))
        return has_rows and (
            self._rows(duplicate.of) == 0
            or (own is False and self._reaches(duplicate.columns) is True)
        )

    def _reaches(self, columns: Iterable[ColumnRef]) -> bool | None:
        """
        Whether the date range of a column overlaps a period of the question; None without dates.
        """
        days = list(filter(None, map(self._days, columns)))
        if not days or not self._periods:
            return None
        return any(period.meets(*span) for span, period in product(days, self._periods))

    def _span(self, ref: ColumnRef) -> str:
        days = self._days(ref)
        if days is None:
            return ""
        other = ", not as asked for" if self._reaches([ref]) is False else ""
        return f"{days[0]} to {days[1]}{other}"

    def _nulls(self, ref: ColumnRef) -> float:
        column = column_profile(self._profile_of(ref.table), ref.path)
        return (column.l2.null_ratio if column else None) or 0.0

    def _days(self, ref: ColumnRef) -> tuple[str, str] | None:
        column = column_profile(self._profile_of(ref.table), ref.path)
        figures = column.l3 if column and column.is_shown else None
        if figures is None or not figures.first_day or not figures.last_day:
            return None
        return figures.first_day, figures.last_day

    def _rows(self, ref: TableRef) -> int | None:
        profile = self._profile_of(ref)
        return profile.statistics.row_count if profile and profile.statistics else None


def duplicate_line(duplicate: NearDuplicate, measured: Measured) -> str:
    """A duplicate with measurements of it and of the chosen table."""
    own = [ColumnRef(duplicate.of, column.path) for column in duplicate.columns]
    chosen, copy = (column_name(str(ref)) for ref in (duplicate.of, duplicate.table))
    columns = ", ".join(column_name(column.path) for column in duplicate.columns)
    measures = measured.table(duplicate.of, own), measured.table(duplicate.table, duplicate.columns)
    return (
        f"{chosen} ({measures[0]}) is nearly the same as {copy} ({measures[1]}), which has "
        f"{columns} as well"
    )


class Dialogue:
    """The conversation, with what was inspected in each turn."""

    def __init__(
        self, question: LinkedQuestion, linking: LinkSession, shown: Panorama, breadth: int
    ) -> None:
        self._linking, self._model = linking, ModelQuestions(linking)
        self._tools = Toolbox(question, linking, "evidence")
        self._looked_before = dict[str, int]()
        self.turns = list[tuple[ActionResult, ...]]()
        # Inspections for the decision are traced under its step.
        self._step = "evidence"
        self._question, self._breadth = question, breadth
        self._bound = bound_view(question, date.today())
        self._in_play = dict[TableRef, None]()
        self._earlier = list[MessagePair]()
        self._prompt = self._overview(shown)

    @property
    def looks_left(self) -> int:
        """Remaining inspections."""
        return MAX_LOOKS - len(self.turns)

    def open(self) -> PanoramaReply | None:
        """The first reply; None if the model failed."""
        return self._ask("hypotheses", self._prompt.content)

    def go_on(
        self, looks: Sequence[Look | Malformed], unknown: Iterable[Unknown] = ()
    ) -> PanoramaReply | None:
        """The reply to inspection results and unknown names."""
        used = looks[:_MAX_ACTIONS]
        tokens = min(LISTED, _FOUND / max(1, len(used)))
        outcomes = tuple(self._outcome(look, tokens) for look in used)
        self.turns.append(outcomes)
        results = "\n".join(f"{_named(outcome)}:\n{outcome.text}" for outcome in outcomes)
        lost = "\n".join(map(str, unknown))
        shown = {name: text for name, text in (("found", results), ("unknown", lost)) if text}
        content = render_prompt(
            "panorama_found", turns_left=max(0, self.looks_left), **shown
        ).content
        return self._ask(self._step, content)

    def decide(self, agreed: str, **sections: str) -> PanoramaReply | None:
        """
        The reply on items that hypotheses dispute (`disputed`) and on near-duplicates
        (`near_duplicates`).
        """
        self._step = "decision"
        shown = {name: text for name, text in sections.items() if text}
        turns_left = max(0, self.looks_left)
        content = render_prompt(
            "panorama_decide", agreed=agreed or "nothing", turns_left=turns_left, **shown
        ).content
        return self._ask(self._step, content)

    def tell_problems(self) -> None:
        """Warn of failed inspections."""
        for problem in self._tools.missed:
            self._linking.warn(f"the profiles are out of date ({problem}); run: linker refresh")
        if self._linking.environment.warehouse_error:
            self._linking.warn(f"no lookups or probes: {self._linking.environment.warehouse_error}")

    def _overview(self, shown: Panorama) -> Prompt:
        names = {"names": shown.names} if shown.names else {}
        return render_prompt(
            "panorama",
            question=self._question.question,
            bound=self._bound,
            tables=shown.tables,
            left_out=shown.left_out,
            further=shown.further,
            again=len(self._earlier),
            breadth=self._breadth,
            rows=int(self._question.ranked.index.is_profiled),
            **names,
        )

    def _ask(self, step: str, content: str) -> PanoramaReply | None:
        prompt = replace(self._prompt, content=content, earlier=tuple(self._earlier))
        with self._linking.ledger.step(step):
            reply = self._model.ask(step, prompt, PanoramaReply)
        if reply:
            written = reply.model_dump_json(exclude_unset=True, warnings=False)
            self._earlier.append(MessagePair(content, written))
            self._narrow(reply)
        return reply

    def _narrow(self, reply: PanoramaReply) -> None:
        """Restrict the overview, which is sent in every turn, to the tables that replies named."""
        named = list[str]()
        for hypothesis in reply.hypotheses:
            named += (item.table for item in hypothesis.tables)
        named += (item.table for item in reply.maybe)
        tables = map(self._linking.names.table, named)
        in_play = {ref: None for ref in tables if isinstance(ref, TableRef)} | self._in_play
        if in_play.keys() == self._in_play.keys() and len(self._earlier) > 1:
            return
        self._in_play = in_play
        tokens = self._linking.environment.settings.panorama_tokens
        self._prompt = self._overview(panorama(self._question, tokens, in_play))
        self._earlier[0] = replace(self._earlier[0], content=self._prompt.content)

    def _outcome(self, look: Look | Malformed, tokens: float) -> ActionResult:
        if isinstance(look, Malformed):
            return ActionResult(look, f"no such tool, or not so: {look.problem}", is_done=False)
        call = look.model_dump_json()
        if call in self._looked_before:
            before = self._looked_before[call]
            return ActionResult(
                look, f"asked in turn {before} already, and answered there", is_done=False
            )
        self._looked_before[call] = len(self.turns) + 1
        try:
            with self._linking.ledger.step("evidence"):
                return self._tools.use(look, tokens, self._in_play)
        except BudgetExceeded as error:
            return ActionResult(look, error.what, is_done=False)


def _named(outcome: ActionResult) -> str:
    """The action with its arguments."""
    if isinstance(outcome.action, Malformed):
        return outcome.action.text[:100]
    arguments = outcome.action.model_dump(exclude={"tool", "about"}, exclude_defaults=True)
    written = " ".join(str(value) for value in arguments.values())
    return f"{outcome.action.tool} {written}".strip()[:300]


def disambiguate(
    state: Refinement,
    groundings: Sequence[Grounding],
    dialogue: Dialogue,
    question: LinkedQuestion,
    linking: LinkSession,
) -> Refinement:
    """State after the model's decisions; it is asked only if measurements contradict something."""
    is_single = len(groundings) == 1
    chosen = list(chain.from_iterable(grounding.columns for grounding in groundings))
    measured = Measured(question, linking.environment.profile_of)
    duplicates = near_duplicates_of(question, chosen)
    lines = list[str]()
    for item in () if is_single else state.undecided:
        lines.append(_disputed(question, item, measured, groundings))
    against = tuple(duplicate for duplicate in duplicates if measured.contradicts(duplicate))
    if not against and (
        is_single or not any(measured.has_low_confidence(item.ref) for item in state.undecided)
    ):
        return state
    agreed = ", ".join(
        column_name(str(item.ref)) for item in state.items if item.status in ("required", "kept")
    )
    copies = {duplicate.table: duplicate.columns for duplicate in duplicates}
    reply = dialogue.decide(
        agreed,
        ways="" if is_single else "\n".join(map(_numbered, groundings)),
        disputed="\n".join(lines),
        near_duplicates="\n".join(
            duplicate_line(duplicate, measured)
            for duplicate in (against if is_single else duplicates)
        ),
    )
    while reply:
        has_seen, last = bool(reply.look and dialogue.looks_left), reply
        if has_seen:
            before = len(dialogue.turns)
            reply = dialogue.go_on(reply.look)
            for turn in dialogue.turns[before:]:
                state = state.after_turn(turn)
        state = _applied(state, last, linking, copies)
        if not has_seen:
            break
    return state


def _numbered(grounding: Grounding) -> str:
    """A hypothesis with number, summary and tables."""
    hypothesis = grounding.hypothesis
    tables = listed(map(str, hypothesis.tables))
    return f"hypothesis {hypothesis.number}, of {tables}: {cut(hypothesis.summary, 200)}"


def _disputed(
    question: LinkedQuestion, item: Item, measured: Measured, groundings: Sequence[Grounding]
) -> str:
    """An item with description, the hypotheses that need it, and measurements."""
    needing = list[str]()
    for grounding in groundings:
        if item.ref in (*grounding.tables, *grounding.columns):
            needing.append(str(grounding.hypothesis.number))
    votes = f"needed by hypothesis {' and '.join(needing)}" if needing else ""
    if isinstance(item.ref, TableRef):
        line, new = f"table {column_name(str(item.ref))}", measured.table(item.ref)
    else:
        line = f"{column_name(str(item.ref.table))}.{question.describe(item.ref).line()}"
        new = measured.column(item.ref)
    return "; ".join(filter(None, (line, votes, new)))


def _applied(
    state: Refinement,
    reply: PanoramaReply,
    linking: LinkSession,
    copies: Mapping[TableRef, Sequence[ColumnRef]],
) -> Refinement:
    """
    State after a reply's decisions; a near-duplicate brings its columns, a table without columns is
    dropped.
    """
    outcomes = list[ActionResult]()
    for action in reply.decide:
        if isinstance(action, Malformed):
            outcomes.append(ActionResult(action, action.problem, is_done=False))
            continue
        done, problems = list[Ref](), list[str]()
        in_play = tuple(item.ref for item in state.items if isinstance(item.ref, TableRef))
        for name in action.items:
            ref = linking.names.find(name, in_play)
            if isinstance(ref, Unknown):
                problems.append(f"there is no {ref}")
                continue
            is_kept = isinstance(action, Keep)
            entries: list[Ref] = [ref]
            if is_kept and isinstance(ref, TableRef):
                entries += copies.get(ref, ())
            for entry in entries:
                state, problem = (state.keep if is_kept else state.discard)(entry, action.reason)
                problems += [problem] if problem else []
                done += [] if problem else [entry]
        summary = [f"{action.tool}: {', '.join(map(str, done))}"] if done else []
        text = "; ".join(summary + problems)
        outcomes.append(ActionResult(action, text, bool(done), tuple(done)))
    for table in _emptied(state):
        action = Discard(items=[str(table)[:500]], reason="none of its columns is needed")
        state, _ = state.discard(table, action.reason)
        outcomes.append(ActionResult(action, f"discard: {table}", decided=(table,)))
    return state.after_turn(outcomes) if outcomes else state


def _emptied(state: Refinement) -> list[TableRef]:
    """Tables of the answer whose columns were all discarded."""
    left = {item.ref.table for item in state.answer if isinstance(item.ref, ColumnRef)}
    lost = {
        item.ref.table
        for item in state.items
        if isinstance(item.ref, ColumnRef) and item.status == "discarded"
    }
    tables = [item.ref for item in state.answer if isinstance(item.ref, TableRef)]
    return [table for table in tables if table in lost - left]


def accept_all(state: Refinement) -> Refinement:
    """State with all items of the only hypothesis."""
    refs = [item.ref for item in state.undecided]
    outcomes = list[ActionResult]()
    for first in range(0, len(refs), _MAX_NAMED):
        batch = tuple(refs[first : first + _MAX_NAMED])
        action = Keep(items=[str(ref)[:500] for ref in batch], reason="")
        outcomes.append(ActionResult(action, _CONFIRMED, decided=batch))
        for ref in batch:
            state, _ = state.keep(ref)
    return state.after_turn(outcomes)


def completed(
    state: Refinement, question: LinkedQuestion, linking: LinkSession
) -> tuple[Refinement, float]:
    """State with further columns up to the target recall, and the estimated completeness."""
    settings = linking.environment.settings
    chosen = [item.ref for item in state.answer if isinstance(item.ref, ColumnRef)]
    further = completion(question.ranked, likelihoods(question.ranked, linking.weights), chosen)
    count = enough(
        further.complete,
        settings.recall or 0.0,
        len(chosen),
        settings.column_budget or MAX_COLUMNS,
    )
    return suggested(state, further.columns[:count], _LIKELY), float(further.complete[count])


def suggested(state: Refinement, maybe: Sequence[ColumnRef], why: str) -> Refinement:
    """State with additional undecided items."""
    refs = state.refs
    new = tuple(ref for ref in maybe if ref not in refs)
    if not new:
        return state
    for ref in new:
        state = state.suggest(ref, why)
    return state.after_turn([ActionResult(Suggest(reason=why), why, decided=new)])
