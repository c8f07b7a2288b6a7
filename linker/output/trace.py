"""Traces as text and JSON: the list, and the steps of one with its prompts on request."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from rich.console import RenderableType
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.budget import Cost
from linker.linking.actions import Action
from linker.linking.assemble_result import TraceRecord, replay
from linker.linking.linking_state import ActionResult, Grounding, Hypothesis, Item, Proposal
from linker.linking.value_linking import Mentions
from linker.output import as_json
from linker.output.layout import cost_by_step, grid_of, indented, page, spent
from linker.sql import Candidate, SqlAnswer
from linker.text.escaping import escape_invisible, lines_of, one_line
from linker.text.numbers import counted
from linker.types import ColumnRef, Hit, Record, TableRef, as_dict


class TraceLine(Record, frozen=True):
    """
    A run in the list; `columns` is None if it did not finish, `is_answered` False for a refusal.
    """

    id: str
    started: datetime
    question: str
    strategy: str
    columns: int | None
    is_answered: bool
    cost: Cost


def render_list(kept: list[TraceLine], *, width: int, color: bool) -> str:
    """Questions, each with time and strategy."""
    grid = grid_of(Column(style="cyan", no_wrap=True), Column(overflow="fold"))
    for line in kept:
        question = Text(one_line(line.question), style="bold")
        grid.add_row(line.id, question.append(f"\n{_outcome(line)}", style="not bold dim"))
    return page([grid], width=width, color=color)


def render_json(kept: list[TraceLine]) -> str:
    """A list of records."""
    return as_json([as_dict(line) for line in kept])


def _outcome(line: TraceLine) -> str:
    when = line.started.strftime("%Y-%m-%d %H:%M UTC")
    if line.columns is None:
        return f"{when} · did not finish"
    answer = counted(line.columns, "column") if line.is_answered else "no answer"
    return f"{when} · {line.strategy} · {answer} · {spent(line.cost)}"


_Event = Mapping[str, Any]
_Parts = Iterator[RenderableType]
_TABLES: TypeAdapter[Any] = TypeAdapter(tuple[tuple[TableRef, float], ...])
_COLUMNS: TypeAdapter[Any] = TypeAdapter(tuple[tuple[ColumnRef, float], ...])


def render_trace(record: TraceRecord, *, width: int, color: bool, prompts: bool = False) -> str:
    """All steps of a run; `prompts` adds prompts and replies."""
    parts = list[RenderableType]()
    for event in record.events:
        parts += _parts(event, record, prompts=prompts)
    if record.run is None:
        parts.append(Text("\nthe run did not finish", style="yellow"))
    return page(parts, width=width, color=color)


def render_step(event: _Event, *, width: int) -> str:
    """A step of a running question, title first; empty for start and end."""
    if event["event"] in ("begin", "end"):
        return ""
    parts = _parts(event, TraceRecord("", (), None), prompts=False)
    return page(parts, width=width, color=False).strip("\n")


def _parts(event: _Event, record: TraceRecord, *, prompts: bool) -> _Parts:
    kind = str(event["event"])
    if kind == "begin":
        yield Text(one_line(event["question"]), style="bold")
        yield Text(
            f"trace {record.id} · {event['started'][:19]} UTC · linker {event['linker']}",
            style="dim",
        )
    elif kind == "call":
        yield _heading(f"asked {one_line(event['model'])} in step {one_line(event['step'])}")
        yield from map(indented, _call(event, prompts=prompts))
    elif kind == "degraded":
        yield _heading("degraded")
        yield indented(
            Text(f"{one_line(event['step'])}: {one_line(event['what'])}", style="yellow")
        )
    elif kind == "turns":
        yield from _turns(event)
    elif kind == "end":
        yield _heading("answer")
        yield from map(indented, _end(record))
    else:
        yield _heading(_TITLES.get(kind, kind))
        yield from map(indented, _STEPS[kind](event) if kind in _STEPS else [])


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold cyan")


def _call(event: _Event, *, prompts: bool) -> _Parts:
    if "error" in event:
        yield Text(f"no answer: {one_line(event['error'])}", style="yellow")
    if usage := event.get("usage"):
        read, cached, wrote = (
            usage[name] for name in ("prompt_tokens", "cached_tokens", "completion_tokens")
        )
        yield Text(
            f"{counted(usage['calls'], 'request')}, {read:,} tokens read ({cached:,} cached), "
            f"{wrote:,} written"
        )
    if prompts:
        answer = {"answer": event["answer"]} if "answer" in event else {}
        prompt = {name: event["prompt"][name] for name in ("instructions", "content")}
        for name, text in {**prompt, **answer}.items():
            shown = (
                text
                if isinstance(text, str)
                else TypeAdapter(object).dump_json(text, indent=2).decode()
            )
            yield Text(name, style="dim")
            yield indented(Text(lines_of(shown)))


def _mentions(event: _Event) -> _Parts:
    mentions = TypeAdapter(Mentions).validate_python(event["mentions"])
    grid = _grid(2)
    rows = [
        *((thing.kind, thing.words) for thing in mentions.things),
        *(("period", f"{period.words}: {period}") for period in mentions.periods),
        *((number.role, number.words) for number in mentions.numbers),
        *(("identifier", name) for name in mentions.names),
        *((binding.strength, str(binding)) for binding in mentions.bindings),
    ]
    for kind, text in rows:
        grid.add_row(kind, Text(one_line(text)))
    yield grid if rows else Text("no terms recognized", style="dim")


def _hypotheses(event: _Event) -> _Parts:
    proposal = TypeAdapter(Proposal).validate_python(event["said"])
    hypotheses = TypeAdapter(tuple[Hypothesis, ...]).validate_python(event["distinct"])
    grid = _grid(2)
    for hypothesis in hypotheses:
        grid.add_row(str(hypothesis.number), Text(one_line(hypothesis.summary)))
        for label, fact in (
            ("differs", "; ".join(map(str, hypothesis.diverges))),
            ("tables", ", ".join(map(escape_invisible, hypothesis.tables))),
            ("joins", ", ".join(f"{left} = {right}" for left, right in hypothesis.joins)),
        ):
            if fact:
                grid.add_row(
                    "",
                    Text(label, style="dim").append(f" {one_line(fact)}", style="default not dim"),
                )
    yield grid
    if merged := len(proposal.hypotheses) - len(hypotheses):
        yield Text(f"{counted(merged, 'paraphrase')} merged or left out", style="dim")
    if proposal.missing:
        yield Text(f"missing: {one_line(proposal.missing)}", style="yellow")


def _groundings(event: _Event) -> _Parts:
    for grounding in TypeAdapter(tuple[Grounding, ...]).validate_python(event["groundings"]):
        size = (
            f"{counted(len(grounding.tables), 'table')}, "
            f"{counted(len(grounding.columns), 'column')}"
        )
        yield Text(f"hypothesis {grounding.hypothesis.number}: {size}")
        grid = _grid(2)
        for table in dict.fromkeys((*grounding.tables, *(ref.table for ref in grounding.columns))):
            paths = ", ".join(ref.path for ref in grounding.columns if ref.table == table)
            grid.add_row(
                Text(escape_invisible(table), style="green"), Text(escape_invisible(paths))
            )
        yield indented(grid)
        if grounding.unknown:
            yield Text(
                f"does not exist: {escape_invisible(', '.join(grounding.unknown))}", style="yellow"
            )


def _vote(event: _Event) -> _Parts:
    grid = _grid(3)
    for item in TypeAdapter(tuple[Item, ...]).validate_python(event["items"]):
        votes = "; ".join(evidence.text for evidence in item.evidence if evidence.kind == "vote")
        style = "green" if isinstance(item.ref, ColumnRef) else "bold green"
        line = Text(escape_invisible(item.ref), style=style).append(
            f"  {one_line(votes)}", style="not bold dim default"
        )
        grid.add_row(f"{item.credibility:.2f}", item.status, line)
    yield grid


def _turns(event: _Event) -> _Parts:
    turns = TypeAdapter(tuple[tuple[ActionResult, ...], ...]).validate_python(event["turns"])
    if not turns:
        yield _heading("refinement")
        yield indented(Text("no lookups or decisions", style="dim"))
    for number, outcomes in enumerate(turns, start=1):
        yield _heading(f"turn {number}")
        for outcome in outcomes:
            yield indented(Text(_action(outcome.action), style="" if outcome.is_done else "yellow"))
            yield indented(indented(Text(lines_of(outcome.text), style="dim")))
    if event.get("missing"):
        yield indented(Text(f"missing: {one_line(event['missing'])}", style="yellow"))


def _action(action: Action) -> str:
    parts = [
        ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in action
        if name != "tool" and value
    ]
    return f"{action.tool}  {one_line(' – '.join(parts))}"


def _found(event: _Event) -> _Parts:
    grid = _grid(3)
    for hit in TypeAdapter(tuple[Hit, ...]).validate_python(event["columns"]):
        scores = ", ".join(f"{name} {score:.2f}" for name, score in hit.scores)
        line = Text(scores, style="dim").append(
            f"  {one_line(str(hit.match))}" if hit.match else ""
        )
        grid.add_row(f"{hit.score:.3f}", Text(escape_invisible(hit.ref), style="green"), line)
    yield grid
    lines = (
        f"{counted(event['column_count'], 'column')} and {counted(event['table_count'], 'table')}"
    )
    yield Text(f"{lines} in all", style="dim")


def _ranking(event: _Event) -> _Parts:
    grid = _grid(2)
    for kind, style, reader in (("tables", "bold green", _TABLES), ("columns", "green", _COLUMNS)):
        for ref, chance in reader.validate_python(event[kind]):
            grid.add_row(f"{chance:.2f}", Text(escape_invisible(ref), style=style))
    yield grid


def _end(record: TraceRecord) -> _Parts:
    answer = replay(record)
    because = f" ({one_line(answer.chosen_because)})" if answer.chosen_because else ""
    yield Text(f"strategy {answer.strategy}{because}", style="dim")
    if answer.unanswerable:
        yield Text(
            f"the warehouse cannot answer this question: {one_line(answer.unanswerable.missing)}",
            style="yellow",
        )
    for warning in answer.warnings:
        yield Text(f"warning: {one_line(warning)}", style="yellow")
    yield Text(
        f"{counted(answer.column_count, 'column')} of {counted(len(answer.tables), 'table')}"
    )
    if answer.cost:
        yield cost_by_step(answer.cost)


def _grid(columns: int) -> Grid:
    return grid_of(*(Column(overflow="fold") for _ in range(columns)))


def _candidates(event: _Event) -> _Parts:
    """Statements and results of each candidate."""
    for candidate in TypeAdapter(tuple[Candidate, ...]).validate_python(event["candidates"]):
        if candidate.error:
            yield Text(f"{candidate.number}. {one_line(candidate.error)}", style="yellow")
        for turn, attempt in enumerate(candidate.attempts):
            name = f"{candidate.number}." if not turn else f"{candidate.number}. corrected"
            yield Text(f"{name} {one_line(attempt.sql)}")
            if attempt.error:
                yield indented(Text(one_line(attempt.error), style="yellow"))


def _groups(event: _Event) -> _Parts:
    """Sizes of groups of candidates with equal results."""
    sizes = ", ".join(str(size) for size in event["sizes"])
    yield Text(f"groups of the same rows: {sizes}; chosen: that of candidate {event['chosen']}")


def _sql(event: _Event) -> _Parts:
    """The statement and its result."""
    answer = TypeAdapter(SqlAnswer).validate_python(event["answer"])
    rows = f", {counted(len(answer.result.rows), 'row')}" if answer.result else ""
    yield Text(f"{answer.outcome}{rows}")
    if answer.missing:
        yield Text(one_line(answer.missing), style="yellow")
    if answer.sql:
        yield indented(Text(lines_of(answer.sql)))


_SHOWN = (_mentions, _hypotheses, _groundings, _vote, _found, _ranking, _candidates, _groups, _sql)
_STEPS: Mapping[str, Callable[[_Event], Iterable[RenderableType]]] = {
    entry.__name__[1:]: entry for entry in _SHOWN
}
_TITLES = {
    "hypotheses": "hypotheses",
    "vote": "votes",
    "groups": "votes of the candidates",
    "sql": "answer in SQL",
}
