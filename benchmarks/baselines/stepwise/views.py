"""
Prompt texts of the stepwise judge, each bounded in size.

Uncertain items are shown at level L2; masked and hidden columns with counts only.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from linker.catalog.description import (
    ColumnDescription,
    column_name,
    cut,
    heading,
    listed,
)
from linker.catalog.profile import TableProfile, column_profile
from linker.linking.linking_state import ActionResult, Hypothesis, Item, Refinement
from linker.linking.prompt_sections import View, ranked_columns
from linker.linking.value_linking import LinkedQuestion
from linker.models import estimate_tokens
from linker.strategies.autolink_turns import within
from linker.text.words import readable
from linker.types import ColumnRef, TableRef

ProfileOf = Callable[[TableRef], TableProfile | None]

# Tokens by the estimate, each for the changing part of one prompt.
TABLES_FOR_HYPOTHESES = 1_100
COLUMNS = 1_900
UNDECIDED = 1_000
LOCKED = 250
OUTCOMES = 500
_MIN_COLUMNS = 4
_VALUES_SHOWN = 4
_LONGEST_VALUE = 40
_LONGEST_DESCRIPTION = 120


def column_view(
    question: LinkedQuestion, tables: Sequence[TableRef], tokens: int = COLUMNS
) -> View:
    """
    The columns of tables with type and kind (L1); each table shows some, the rest goes to the
    likeliest.
    """
    order = {ref: index for index, ref in enumerate(ranked_columns(question, tables))}
    chosen: dict[TableRef, list[ColumnRef]] = {ref: [] for ref in tables}
    left = tokens - sum(
        estimate_tokens(heading(question.catalog.table_by_ref[ref], ())) + 2 for ref in tables
    )
    of_table: dict[TableRef, list[ColumnRef]] = defaultdict(list)
    for column in order:
        of_table[column.table].append(column)
    first = chain.from_iterable(of_table[ref][:_MIN_COLUMNS] for ref in tables)
    for column in dict.fromkeys((*first, *order)):
        cost = estimate_tokens(_column_line(question, column))
        if cost <= left:
            left -= cost
            chosen[column.table].append(column)
    lines = []
    for ref, columns in chosen.items():
        table = question.catalog.table_by_ref[ref]
        indexes = {column.path: index for index, column in enumerate(table.columns)}
        lines.append(heading(table, ()))
        lines += [
            _column_line(question, column)
            for column in sorted(columns, key=lambda column: indexes[column.path])
        ]
    shown = tuple(chain.from_iterable(chosen.values()))
    return View("\n".join(lines), shown, len(order) - len(shown))


def ways_view(hypotheses: Iterable[Hypothesis]) -> str:
    """The hypotheses, a line or two each."""
    return "\n".join(way_view(hypothesis) for hypothesis in hypotheses)


def way_view(hypothesis: Hypothesis) -> str:
    """One hypothesis with its hints."""
    parts = [f"{hypothesis.number}. {cut(hypothesis.summary, 300)}"]
    parts += [
        f"   differs by {cut(str(divergence), 160)}" for divergence in hypothesis.diverges[:3]
    ]
    if hypothesis.tables:
        parts.append(f"   tables: {listed(map(str, hypothesis.tables))}")
    if hypothesis.joins:
        parts.append(
            f"   joins: {listed(f'{column} = {other}' for column, other in hypothesis.joins)}"
        )
    if hypothesis.columns:
        parts.append(f"   columns: {listed(map(str, hypothesis.columns))}")
    return "\n".join(parts)


def undecided_view(
    question: LinkedQuestion, state: Refinement, profile_of: ProfileOf, tokens: int = UNDECIDED
) -> str:
    """Undecided items with what they mean (L2), as far as they fit; tables come first."""
    lines, left, shown = list[str](), tokens, 0
    for item in state.undecided:
        line = _item_line(question, item, profile_of)
        left -= estimate_tokens(line)
        if left < 0:
            break
        lines.append(line)
        shown += 1
    rest = len(state.undecided) - shown
    return "\n".join([*lines, f"{rest} more, shown when these are decided"] if rest else lines)


def locked_view(state: Refinement, tokens: int = LOCKED) -> str:
    """Items that cannot be discarded, by name, table by table."""
    by_table: dict[TableRef, list[str]] = {}
    for item in state.answer:
        if item.status in ("required", "kept"):
            ref = item.ref
            paths = by_table.setdefault(ref.table if isinstance(ref, ColumnRef) else ref, [])
            paths += [ref.path] if isinstance(ref, ColumnRef) else []
    lines, left = list[str](), tokens
    for table, paths in by_table.items():
        line = f"{column_name(str(table))}: {', '.join(map(column_name, paths))}"
        left -= estimate_tokens(line)
        if left < 0:
            return "\n".join([*lines, f"and {len(by_table) - len(lines)} more tables"])
        lines.append(line)
    return "\n".join(lines) or "nothing"


def outcomes_view(outcomes: tuple[ActionResult, ...], tokens: int = OUTCOMES) -> str:
    """Results of the tools, each cut to its share."""
    if not outcomes:
        return "nothing yet"
    share = max(40, tokens // len(outcomes))
    return "\n".join(
        within(f"{outcome.action.tool}: {outcome.text}", share) for outcome in outcomes
    )


def _item_line(question: LinkedQuestion, item: Item, profile_of: ProfileOf) -> str:
    if isinstance(item.ref, TableRef):
        table = question.catalog.table_by_ref[item.ref]
        rows = (
            f", about {table.row_count_estimate:,} rows"
            if table.row_count_estimate is not None
            else ""
        )
        description = (
            f" - {readable(table.description)[:_LONGEST_DESCRIPTION]}" if table.description else ""
        )
        return (
            f"table {column_name(str(item.ref))} ({len(table.columns)} columns{rows}; "
            f"{_votes(item)}){description}"
        )
    described = _described(question, item.ref)
    column, facts = described.column, described.facts
    parts = [f"{column_name(str(item.ref.table))}.{described.structure()}", _votes(item)]
    if column.description:
        parts.append(readable(column.description)[:_LONGEST_DESCRIPTION])
    if facts.values:
        shown = (readable(value)[:_LONGEST_VALUE] for value in facts.values[:_VALUES_SHOWN])
        parts.append(f"such as {', '.join(shown)}")
    profile = column_profile(profile_of(item.ref.table), item.ref.path)
    if profile and profile.l2.null_ratio is not None:
        parts.append(f"{profile.l2.null_ratio:.0%} null")
    if facts.distinct_count is not None:
        parts.append(f"{facts.distinct_count} distinct")
    return "; ".join(parts)


def _votes(item: Item) -> str:
    """The votes, in the words of the prompt with which the figures were measured."""
    votes = (evidence.text for evidence in item.evidence if evidence.kind == "vote")
    return next(votes, "brought in").replace("hypotheses", "ways to answer")


def _column_line(question: LinkedQuestion, ref: ColumnRef) -> str:
    return f"  {_described(question, ref).structure()}"


def _described(question: LinkedQuestion, ref: ColumnRef) -> ColumnDescription:
    table = question.catalog.table_by_ref[ref.table]
    return ColumnDescription(table, table.column_by_path[ref.path], question.facts.get(ref))
