"""Judges each column's relevance in a separate call."""

from collections.abc import Sequence

from benchmarks.baselines.prompting import render_prompt
from linker.catalog.description import heading
from linker.linking.actions import Reply
from linker.linking.linking import LinkSession, ModelQuestions
from linker.linking.prompt_sections import bound_view
from linker.linking.value_linking import LinkedQuestion
from linker.ranking.column_selection import allocate
from linker.types import ColumnRef

MAX_COLUMNS = 80


class ColumnReply(Reply):
    """Whether one column is relevant."""

    relevant: bool


def candidates(asked: LinkedQuestion, linking: LinkSession) -> tuple[ColumnRef, ...]:
    """The most relevant columns, limited because each costs a call; the limit is reported."""
    lexicon = asked.ranked.index.lexicon
    chosen = tuple(lexicon.refs[index] for index in allocate(asked.ranked, MAX_COLUMNS).columns)
    count = sum(1 + len(asked.read.siblings.get(ref.table, ())) for ref in chosen)
    if (left := asked.catalog.column_count - count) > 0:
        linking.warn(
            f"{left:,} columns were not asked for: one call each is made for the likeliest "
            f"{MAX_COLUMNS}"
        )
    return chosen


def relevant(
    asked: LinkedQuestion, linking: LinkSession, model: ModelQuestions, due: Sequence[ColumnRef]
) -> tuple[ColumnRef, ...]:
    """Columns judged relevant; unjudged ones are left out and reported."""
    judged = model.together(*(lambda ref=ref: _is_relevant(model, asked, ref) for ref in due))
    if unanswered := sum(judgement is None for judgement in judged):
        linking.warn(f"{unanswered:,} of {len(due):,} columns were not judged, and are left out")
    return tuple(ref for ref, is_relevant in zip(due, judged, strict=True) if is_relevant)


def _is_relevant(model: ModelQuestions, asked: LinkedQuestion, ref: ColumnRef) -> bool | None:
    table = asked.catalog.table_by_ref[ref.table]
    siblings = asked.read.siblings.get(ref.table, ())
    prompt = render_prompt(
        "one_column",
        question=asked.question,
        bound=bound_view(asked),
        column=f"{heading(table, siblings)}\n  {asked.describe(ref).line()}",
    )
    reply = model.ask("columns", prompt, ColumnReply)
    return reply.relevant if reply else None
