"""
Assembles the linked schema from a run's records, and replays runs from traces.

Votes, decisions and schema completion are computed from records alone, so a trace leads to the same
answer without model or warehouse.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from pydantic import TypeAdapter, ValidationError

from linker.catalog.column_metadata import NO_PRIOR_USE, ColumnFacts, Facts, pack, unpack
from linker.errors import ConfigError
from linker.linking.actions import Add, Discard, Keep, Suggest
from linker.linking.linking_state import ActionResult, Grounding, Refinement, begin, vote
from linker.linking.mschema import described, known_facts_of
from linker.linking.result import Evidence, LinkedSchema, LinkedTable, StepCost, Unanswerable
from linker.linking.schema_completion import CompletedSchema, Survey, complete
from linker.linking.trace import FORMAT, SeenColumns, names, read_events
from linker.types import Catalog, ColumnRef, Record, Ref, Table, TableRef

_MAX_NEAREST = 5
_ANSWER = "answer"


class LinkRecord(Record, frozen=True):
    """
    A question from start to end, sufficient for a replay.

    `tables` and `siblings` are those decided on. `facts` hold the metadata of the answer's columns,
    with values as privacy allows; `prior_use` usage statistics, serialised. `is_voted` is false for
    a single hypothesis: the answer then has no credibility and no hypotheses.
    """

    question: str
    target: str
    strategy: str
    groundings: tuple[Grounding, ...]
    tables: tuple[Table, ...]
    siblings: tuple[tuple[TableRef, tuple[TableRef, ...]], ...]
    turns: tuple[tuple[ActionResult, ...], ...]
    survey: Survey
    missing: str = ""
    nearest: tuple[Ref, ...] = ()
    warnings: tuple[str, ...] = ()
    seen: tuple[SeenColumns, ...] = ()
    cost: tuple[StepCost, ...] = ()
    seconds: float = 0.0
    trace: str = ""
    facts: tuple[tuple[ColumnRef, ColumnFacts], ...] = ()
    is_voted: bool = True
    chosen_because: str = ""
    prior_use: str = ""
    complete: float | None = None
    degraded: tuple[str, ...] = ()


def finish(run: LinkRecord, facts: Facts) -> tuple[LinkRecord, LinkedSchema]:
    """The record completed with metadata of the answer's columns, and the answer."""
    closed = _closed(run)
    named = {binding.ref: binding.value for binding in reversed(run.survey.bindings)}
    completed = known_facts_of(_columns(closed), facts, named)
    packed = pack(completed.prior_use).decode() if completed.prior_use else ""
    finished = replace(run, facts=tuple(completed.columns.items()), prior_use=packed)
    return finished, _answer(finished, closed)


def conclude(run: LinkRecord) -> LinkedSchema:
    """The answer of a finished run."""
    return _answer(run, _closed(run))


def _closed(run: LinkRecord) -> CompletedSchema:
    closed = complete(replayed(run), run.survey)
    if run.is_voted:
        return closed
    return replace(closed, tables=tuple(map(_without_vote, closed.tables)), alternatives=())


def _columns(closed: CompletedSchema) -> tuple[ColumnRef, ...]:
    return tuple(chain.from_iterable(table.column_refs for table in closed.tables))


def _answer(run: LinkRecord, closed: CompletedSchema) -> LinkedSchema:
    schema = LinkedSchema(
        question=run.question,
        target=run.target,
        strategy=run.strategy,
        tables=closed.tables,
        joins=closed.joins,
        warnings=run.warnings,
        seen=(*((shown.step, shown.refs) for shown in run.seen), (_ANSWER, _columns(closed))),
        seconds=run.seconds,
        alternatives=closed.alternatives,
        discarded=closed.discarded,
        cost=run.cost,
        unanswerable=_unanswerable(run, closed),
        trace=run.trace,
        chosen_because=run.chosen_because,
        complete=run.complete,
        degraded=run.degraded,
    )
    prior_use = unpack(run.prior_use.encode()) if run.prior_use else None
    return described(schema, Facts(dict(run.facts), prior_use=prior_use or NO_PRIOR_USE))


def replayed(run: LinkRecord) -> Refinement:
    """State after all decisions of a run."""
    state = opened(run.groundings, Catalog(run.tables, len(run.tables)), dict(run.siblings))
    for turn in run.turns:
        for outcome in turn:
            for ref in outcome.decided:
                if isinstance(outcome.action, Keep | Add):
                    state, _ = state.keep(ref, outcome.action.reason)
                elif isinstance(outcome.action, Discard):
                    state, _ = state.discard(ref, outcome.action.reason)
                elif isinstance(outcome.action, Suggest):
                    state = state.suggest(ref, outcome.action.reason)
        state = state.after_turn(turn)
    return state


def opened(
    groundings: tuple[Grounding, ...],
    catalog: Catalog,
    siblings: dict[TableRef, tuple[TableRef, ...]],
) -> Refinement:
    """State before the first decision."""
    return begin(
        vote(groundings), catalog, siblings, tuple(grounding.hypothesis for grounding in groundings)
    )


def restrict_to_items(state: Refinement) -> Refinement:
    """The state restricted to the tables of its items and their identical tables."""
    tables = {item.ref.table for item in state.items}
    kept = tuple(table for table in state.catalog.tables if table.ref in tables)
    siblings: dict[TableRef, tuple[TableRef, ...]] = {}
    for ref in sorted(tables):
        siblings[ref] = tuple(filter(tables.__contains__, state.siblings.get(ref, ())))
    return replace(
        state,
        catalog=Catalog(kept, len(kept)),
        siblings={ref: duplicates for ref, duplicates in siblings.items() if duplicates},
    )


def _without_vote(linked: LinkedTable) -> LinkedTable:
    columns = tuple(
        replace(column, status=None, credibility=None, evidence=_but_votes(column.evidence))
        for column in linked.columns
    )
    ordered = sorted(columns, key=lambda column: -column.score)
    return replace(
        linked,
        columns=tuple(ordered),
        status=None,
        credibility=None,
        evidence=_but_votes(linked.evidence),
    )


def _but_votes(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return tuple(item for item in evidence if item.kind != "vote")


def _unanswerable(run: LinkRecord, closed: CompletedSchema) -> Unanswerable | None:
    if not run.missing:
        return None
    nearest: tuple[Ref, ...] = run.nearest or tuple(linked.table.ref for linked in closed.tables)
    return Unanswerable(run.missing, tuple(dict.fromkeys(nearest))[:_MAX_NEAREST])


class TraceSummary(Record, frozen=True):
    id: str
    started: datetime
    question: str
    strategy: str
    is_whole: bool


class TraceRecord(Record, frozen=True):
    """
    A parsed trace; `run` is None if it did not finish.

    Traces of `evilink` hold the record, those of strategies without decisions the answer.
    """

    id: str
    events: tuple[dict[str, Any], ...]
    run: LinkRecord | LinkedSchema | None


def list_traces(state_dir: Path) -> tuple[TraceSummary, ...]:
    """Readable traces, newest first."""
    return tuple(_summaries(state_dir))


def read_trace(state_dir: Path, name: str) -> TraceRecord:
    """A trace by id or prefix; `last` is the newest."""
    kept = names(state_dir)
    matches = kept[-1:] if name == "last" else [path for path in kept if path.startswith(name)]
    if len(matches) != 1:
        what = "several traces begin" if matches else "no trace begins"
        raise ConfigError(f"{what} with `{name}`", hint="linker trace list lists what is kept")
    try:
        events = tuple(read_events(state_dir, matches[0]))
        _check_format(events[0])
        return TraceRecord(matches[0], events, _run(_end(events)))
    except (ValueError, KeyError, IndexError, TypeError, ValidationError):
        raise ConfigError(
            f"trace {matches[0]} cannot be read: it is damaged, or of another version",
            hint="ask the question again",
        ) from None


def replay(record: TraceRecord) -> LinkedSchema:
    """The answer of a trace, recomputed from its record."""
    if record.run is None:
        raise ConfigError(
            f"the run of trace {record.id} did not finish", hint="ask the question again"
        )
    return conclude(record.run) if isinstance(record.run, LinkRecord) else record.run


def _end(events: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The end event of linking, which SQL events may follow; by default the last event."""
    return next((event for event in reversed(events) if event["event"] == "end"), events[-1])


def _run(last: dict[str, Any]) -> LinkRecord | LinkedSchema | None:
    if last["event"] != "end":
        return None
    if "run" in last:
        return TypeAdapter(LinkRecord).validate_python(last["run"])
    schema = TypeAdapter(LinkedSchema).validate_python(last["answer"])
    seen = TypeAdapter(tuple[SeenColumns, ...]).validate_python(last["seen"])
    return replace(schema, seen=tuple((shown.step, shown.refs) for shown in seen))


def _summaries(state_dir: Path) -> Iterator[TraceSummary]:
    for name in reversed(names(state_dir)):
        try:
            events = list(read_events(state_dir, name))
            begin, end = events[0], _end(events)
            _check_format(begin)
            yield TraceSummary(
                name,
                datetime.fromisoformat(begin["started"]),
                begin["question"],
                (end.get("run") or end["answer"])["strategy"] if end["event"] == "end" else "",
                end["event"] == "end",
            )
        except (ValueError, KeyError, IndexError, TypeError):
            continue


def _check_format(begin: dict[str, Any]) -> None:
    if begin["format"] != FORMAT:
        raise ValueError
