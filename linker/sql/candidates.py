"""
SQL candidates from a language model, with corrections, and the schema briefing of their prompts.

Candidates are sampled independently; failures are corrected in rounds with the error message. More
are generated only while results disagree. The briefing lists short value sets in full, all joins of
the chosen tables, and values similar to those in the question.
"""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Literal

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from linker.catalog.column_metadata import SURE_ENOUGH, ColumnFacts, Facts
from linker.catalog.description import labelled
from linker.errors import BudgetExceeded, ModelError
from linker.linking.actions import bare
from linker.linking.linking import ModelQuestions, QuestionAccount
from linker.linking.mschema import as_join, render
from linker.linking.result import Join, LinkedColumn, LinkedSchema
from linker.models import Prompt
from linker.prompts import render_prompt
from linker.retrieval.hybrid import HybridRetriever
from linker.sql import Attempt, Candidate, Result
from linker.sql.comparing import ResultGroup, grouped, largest
from linker.sql.statements import Statements
from linker.sql.verified import NearQuestion
from linker.sql_policy.visible_tables import MAX_MEMBERS
from linker.text.time_expressions import Period, periods_of
from linker.text.words import readable
from linker.types import ColumnRef, Family, Record, TableRef
from linker.warehouses import dialect_of

_MAX_EVIDENCE = 12
_MAX_NEAR = 12
_MAX_LIKE = 200
_MAX_VALUES = 12
_MAX_JOINS = 30
_MAX_NAMED = 7
_SAYING = ("category", "code", "text")
_FEW_LETTERS = 3
# A day or month at the end of a name.
_DAY = re.compile(r"(\d{4})\D?(\d\d)\D?(\d\d)?$")

STEP = "sql"
MAX_CORRECTIONS = 5
_FIRST_CANDIDATES = 3
# The first candidate is greedy, others are sampled.
_TEMPERATURE = 0.8
_ROWS_SHOWN = 5
_CELLS_SHOWN = 12
_LONGEST_CELL = 60
_LONGEST_STATEMENT = 10_000
# Each candidate follows another plan, the first none.
_PLANS: tuple[dict[str, str], ...] = ({}, {"by_steps": "yes"}, {"from_rows": "yes"})
_GAVE_NOTHING = "It ran, and gave no row, or nothing but nulls."
_GAVE_ZERO = "It ran, and gave nothing but zero."


def widened(schema: LinkedSchema, facts: Facts) -> LinkedSchema:
    """The schema with all values of short lists, and all joins between its columns."""
    sure = (as_join(pair) for pair in facts.joins if pair.confidence >= SURE_ENOUGH)
    shown = _shown(schema)
    joins = dict[frozenset[str], Join]()
    for join in (*schema.joins, *sure):
        if shown.issuperset(_keys(join)):
            joins.setdefault(frozenset(re.split(" = | and ", str(join))), join)
    listed = {ref: _with_values(column, facts.get(ref)) for ref, column in _columns(schema)}
    columns_of: dict[TableRef, list[LinkedColumn]] = {}
    for ref, column in listed.items():
        columns_of.setdefault(ref.table, []).append(column)
    tables = tuple(
        replace(linked, columns=tuple(columns_of.get(linked.table.ref, ())))
        for linked in schema.tables
    )
    return replace(schema, tables=tables, joins=tuple(joins.values())[:_MAX_JOINS])


def _shown(schema: LinkedSchema) -> set[ColumnRef]:
    """Columns shown in a prompt."""
    refs = set[ColumnRef]()
    for linked in (*schema.tables, *schema.further_tables):
        for column in (*linked.columns, *linked.further):
            refs.add(ColumnRef(linked.table.ref, column.column.path))
    return refs


def _keys(join: Join) -> Iterator[ColumnRef]:
    yield from (ColumnRef(join.left, path) for path in join.left_columns)
    yield from (ColumnRef(join.right, path) for path in join.right_columns)


def _columns(schema: LinkedSchema) -> Iterator[tuple[ColumnRef, LinkedColumn]]:
    for linked in schema.tables:
        yield from (
            (ColumnRef(linked.table.ref, column.column.path), column) for column in linked.columns
        )


def _with_values(linked: LinkedColumn, facts: ColumnFacts) -> LinkedColumn:
    is_short = (
        facts.category in _SAYING and facts.distinct_count == len(facts.values) <= _MAX_VALUES
    )
    return (
        replace(linked, examples=tuple(dict.fromkeys((*linked.examples, *facts.values))))
        if is_short
        else linked
    )


def briefing(schema: LinkedSchema) -> str:
    """The schema, how to query large families, the question's periods, and linked values."""
    periods = tuple(periods_of(schema.question))
    # A year-less weekday adds nothing to a full date.
    periods = tuple(item for item in periods if item.first or item.last) or periods
    families = ((linked.table.ref, linked.table.family) for linked in schema.tables)
    partitions = ((ref, family) for ref, family in families if family and not family.is_snapshots)
    large = (_reading(*item, periods) for item in partitions if len(item[1].members) > MAX_MEMBERS)
    times = (f"{period.words!r} is {period.bounds}" for period in periods)
    evidence = dict.fromkeys(_evidence_lines(schema))
    lines = (*large, *times, *list(evidence)[:_MAX_EVIDENCE])
    return "\n".join([render(schema), *map(readable, lines)])


def _evidence_lines(schema: LinkedSchema) -> Iterator[str]:
    """Values, statistics and probe results of the linked columns."""
    for ref, column in _columns(schema):
        for evidence in column.evidence:
            if evidence.kind in ("value", "probe", "statistic"):
                yield f"{'Probe' if evidence.kind == 'probe' else ref}: {evidence.text}"


def _reading(ref: TableRef, family: Family, periods: tuple[Period, ...]) -> str:
    """How to query a large family: which shards, if names tell the question's periods."""
    within: list[str] = []
    for name in family.members:
        day = _DAY.search(name)
        if day and any(item.first and _meets(item, day) for item in periods):
            within.append(name)
    shown = within if len(within) <= _MAX_NAMED else [*within[:2], "…", within[-1]]
    limit = f"{ref}: read at most {MAX_MEMBERS} of its tables, by their own names, with `union all`"
    return f"{limit}; of the time that is asked for are {', '.join(shown)}" if shown else limit


def _meets(period: Period, day: re.Match[str]) -> bool:
    month = f"{day[1]}-{day[2]}"
    return period.meets(f"{month}-{day[3] or '00'}", f"{month}-{day[3] or '99'}")


def near_values(schema: LinkedSchema, retriever: HybridRetriever) -> Iterator[str]:
    """Possible values in the schema, nearest first; without certain ones."""
    sure: dict[ColumnRef, list[str]] = {}
    comments: dict[ColumnRef, str | None] = {}
    for ref, column in _columns(schema):
        comments[ref] = column.column.description
        sure[ref] = [item.text for item in column.evidence if item.kind == "value"]
    lines: list[tuple[float, int, str]] = []
    for hit in retriever.search(schema.question, limit=_MAX_LIKE).columns:
        for match in hit.matches if hit.ref in sure else ():
            # `us` rarely means US.
            is_informative = len(match.words) > _FEW_LETTERS or match.words == match.value
            if is_informative and not any(match.value in certain for certain in sure[hit.ref]):
                value = labelled(match.value, comments[hit.ref])
                line = f"“{match.words}” may be the value {value} of {hit.ref}"
                lines.append((match.similarity, len(match.value), line))
    yield from (line for *_, line in sorted(lines, reverse=True)[:_MAX_NEAR])


class SqlReply(BaseModel):
    model_config = ConfigDict(json_schema_extra=bare)
    sql: Annotated[str, Field(max_length=_LONGEST_STATEMENT)]


class ChoiceReply(BaseModel):
    model_config = ConfigDict(json_schema_extra=bare)
    better: Literal["first", "second"]


class CandidateRequest(Record, frozen=True):
    """A linked question, with model, warehouse and further prompt content."""

    schema: LinkedSchema
    model: ModelQuestions
    statements: Statements
    account: QuestionAccount
    meanings: tuple[str, ...] = ()
    examples: tuple[NearQuestion, ...] = ()

    def prompt(self, name: str, **shown: str) -> Prompt:
        """A prompt with dialect hints in its stable part."""
        prompt = render_prompt(name, question=self.schema.question, **shown)
        hints = "\n".join(dialect_of(self.statements.dialect).sql_hints)
        return replace(prompt, instructions=f"{prompt.instructions}\n\n{hints}")

    @property
    def shown_schema(self) -> str:
        """The linked schema for prompts, with glossary, documents and values."""
        return "\n".join([briefing(self.schema), *map(readable, self.meanings)])

    @property
    def shown_examples(self) -> dict[str, str]:
        """Verified questions for a prompt; empty if there are none."""
        shown: list[str] = []
        for item in self.examples:
            differs = f"\nThe question above {item.differences}." if item.differences else ""
            shown.append(f"Question: {item.question}{differs}\n{item.sql}")
        return {"examples": "\n\n".join(shown)} if shown else {}

    def approach(self, number: int) -> dict[str, str]:
        """
        The hypothesis that a candidate follows, round robin, skipping those that lost a table or
        column.
        """
        lost = {item.ref for item in self.schema.discarded}
        summaries = list[str]()
        for item in self.schema.alternatives:
            is_whole = lost.isdisjoint((*item.tables, *item.columns))
            if item.summary and not item.ruled_out and is_whole:
                summaries.append(item.summary)
        return {"way": summaries[(number - 1) % len(summaries)]} if summaries else {}


def candidates(request: CandidateRequest, most: int) -> tuple[Candidate, ...]:
    """A few candidates, and more while they disagree, up to `most`."""
    first = min(most, _FIRST_CANDIDATES)
    written = _written(request, range(1, first + 1), MAX_CORRECTIONS)
    groups = grouped(written, request.schema.question)
    all_agree = bool(groups) and len(groups[0].members) == len(written)
    if first == most or all_agree or not any(item.attempts for item in written):
        return written
    corrections = sum(len(item.attempts[1:]) for item in written)
    return (*written, *_written(request, range(first + 1, most + 1), MAX_CORRECTIONS - corrections))


def _written(request: CandidateRequest, numbers: range, turns: int) -> tuple[Candidate, ...]:
    """Candidates sampled in parallel, run one by one, and corrected for up to `turns` rounds."""
    with ThreadPoolExecutor(len(numbers)) as pool:
        sampled = list(pool.map(lambda number: _sample(request, number), numbers))
    lost = [candidate for candidate in sampled if candidate.error]
    if lost:
        request.account.record_model_failure(
            f"{len(lost)} of {len(numbers)} candidates are missing: {lost[0].error}"
        )
    # Run equal statements once.
    statements = dict.fromkeys(item.last.sql for item in sampled if item.last)
    first_tries = {sql: _attempt(request, sql) for sql in statements}
    ran = {
        item.number: replace(item, attempts=(first_tries[item.last.sql],)) if item.last else item
        for item in sampled
    }
    looked_at = dict[str, Attempt]()
    while turns:
        failed = [tried for tried in ran.values() if tried.last and tried.is_to_mend]
        if not failed:
            break
        for candidate in failed[:turns]:
            last = candidate.attempts[-1]
            mended = looked_at.get(last.sql)
            if mended is None:
                turns -= 1
                mended = _corrected(request, last)
            if mended is None:
                return tuple(ran.values())
            if last.is_void:
                # Keep the executable attempt if its correction fails.
                mended = looked_at[last.sql] = mended if mended.has_run else last
            ran[candidate.number] = replace(candidate, attempts=(*candidate.attempts, mended))
    return tuple(ran.values())


def chosen(request: CandidateRequest, groups: Sequence[ResultGroup]) -> ResultGroup:
    """The largest group; ties are decided by pairwise comparison."""
    best, *others = largest(groups)
    try:
        for other in others:
            best = _better(request, best, other)
    except (ModelError, BudgetExceeded) as error:
        request.account.record_model_failure(
            f"of results with equally many votes the first was taken: {error.what}"
        )
        return groups[0]
    return best


def _sample(request: CandidateRequest, number: int) -> Candidate:
    plan = _PLANS[(number - 1) % len(_PLANS)]
    shown = {**plan, **request.approach(number), **request.shown_examples}
    prompt = request.prompt("sql_candidate", schema=request.shown_schema, **shown)
    try:
        drawn = replace(prompt, temperature=_TEMPERATURE if number > 1 else 0.0)
        reply = request.model.reply(STEP, drawn, SqlReply)
    except (ModelError, BudgetExceeded) as error:
        return Candidate(number, error=error.what)
    return Candidate(number, (Attempt(reply.sql),))


def _attempt(request: CandidateRequest, sql: str) -> Attempt:
    try:
        return request.statements.attempt(sql)
    except BudgetExceeded as error:
        request.account.warn(f"not all candidates ran: {error.what}")
        return request.statements.checked(sql)


def _corrected(request: CandidateRequest, last: Attempt) -> Attempt | None:
    """The next attempt; None if the model is no longer asked."""
    gave = (
        _GAVE_ZERO if last.result and any(0 in row for row in last.result.rows) else _GAVE_NOTHING
    )
    problem = last.error or "\n".join((gave, *request.statements.emptying(last.sql)))
    prompt = request.prompt(
        "sql_correction", schema=request.shown_schema, statement=last.sql, error=problem
    )
    try:
        reply = request.model.reply(STEP, prompt, SqlReply)
    except (ModelError, BudgetExceeded) as error:
        request.account.record_model_failure(
            f"a candidate that failed was not corrected: {error.what}"
        )
        return None
    return _attempt(request, reply.sql)


def _better(request: CandidateRequest, group: ResultGroup, other: ResultGroup) -> ResultGroup:
    shown = {
        "first_statement": group.attempt.sql,
        "first_rows": _rows(group.attempt.result),
        "second_statement": other.attempt.sql,
        "second_rows": _rows(other.attempt.result),
    }
    prompt = request.prompt("sql_choice", schema=request.shown_schema, **shown)
    return group if request.model.reply(STEP, prompt, ChoiceReply).better == "first" else other


def _rows(result: Result | None) -> str:
    """First rows of a result, for a prompt."""
    if not result or not result.rows:
        return "no rows"
    lines = [" | ".join(result.columns[:_CELLS_SHOWN])]
    for row in result.rows[:_ROWS_SHOWN]:
        cells = [readable(str(cell))[:_LONGEST_CELL] for cell in row[:_CELLS_SHOWN]]
        lines.append(" | ".join(cells))
    if len(result.rows) > _ROWS_SHOWN:
        lines.append(f"{len(result.rows) - _ROWS_SHOWN} rows more")
    return "\n".join(lines)
