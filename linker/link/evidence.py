"""
Evidence for refinement: enters the state and the profiles, leaves what is uncertain with L2, and statistics (L3).

Values are shown where the profiles say that they may be; of masked and hidden columns only counts are told.
"""

from collections.abc import Callable, Iterator

from linker.catalog.profile import ColumnProfile, Semantics, Statistics, TableProfile
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Item, Refinement
from linker.link.views import name_of, structure_line
from linker.text.tokens import estimate_tokens
from linker.text.words import readable
from linker.types import ColumnRef, TableRef

ProfileOf = Callable[[TableRef], TableProfile | None]

UNDECIDED, LOCKED, OUTCOMES = 1_000, 250, 500
_VALUES_SHOWN, _LONGEST_VALUE, _LONGEST_DESCRIPTION = 4, 40, 120


def undecided_view(question: LinkedQuestion, state: Refinement, profile_of: ProfileOf, tokens: int = UNDECIDED) -> str:
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
        if item.fate in ("required", "kept"):
            ref = item.ref
            paths = by_table.setdefault(ref.table if isinstance(ref, ColumnRef) else ref, [])
            paths += [ref.path] if isinstance(ref, ColumnRef) else []
    lines, left = list[str](), tokens
    for table, paths in by_table.items():
        line = f"{name_of(str(table))}: {', '.join(map(name_of, paths))}"
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
    return "\n".join(_within(f"{outcome.action.tool}: {outcome.text}", share) for outcome in outcomes)


def statistics_line(column: ColumnProfile, *, may_show: bool) -> str:
    """Distribution of the values of a column (L3), in a line."""
    return f"{name_of(column.path)}: {'; '.join(_statistics(column, may_show=may_show))}"


def may_show(column: ColumnProfile) -> bool:
    """True if values of a column may be shown; those of a column that nobody has looked at may not."""
    return column.l2.privacy == "show"


def column_profile(profile: TableProfile | None, path: str) -> ColumnProfile | None:
    """The profile of one column."""
    return next((column for column in profile.columns if column.path == path), None) if profile else None


def _item_line(question: LinkedQuestion, item: Item, profile_of: ProfileOf) -> str:
    if isinstance(item.ref, TableRef):
        table = question.catalog.table_by_ref[item.ref]
        rows = f", about {table.row_count_estimate:,} rows" if table.row_count_estimate is not None else ""
        description = f" - {readable(table.description)[:_LONGEST_DESCRIPTION]}" if table.description else ""
        return f"table {name_of(str(item.ref))} ({len(table.columns)} columns{rows}; {_votes(item)}){description}"
    column = question.catalog.table_by_ref[item.ref.table].column_by_path[item.ref.path]
    facts = question.facts.of(item.ref)
    parts = [f"{name_of(str(item.ref.table))}.{structure_line(column, facts)}", _votes(item)]
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
    return next((evidence.text for evidence in item.evidence if evidence.kind == "vote"), "brought in")


def _statistics(column: ColumnProfile, *, may_show: bool) -> Iterator[str]:
    l2, l3 = column.l2, column.l3
    if l3 is None:
        yield "no statistics: its table was not scanned"
        return
    yield f"{l3.row_count} rows, {l3.value_count} values"
    if l2.distinct_count is not None:
        yield f"{l2.distinct_count} distinct"
    if may_show:
        yield from _distribution(l2, l3)
    else:
        yield "its values are not shown"


def _distribution(l2: Semantics, l3: Statistics) -> Iterator[str]:
    if l3.min_value is not None:
        yield f"from {_value(l3.min_value)} to {_value(l3.max_value)}"
    if l3.first_day:
        yield f"days {l3.first_day} to {l3.last_day}"
    if l3.mean is not None:
        yield f"mean {l3.mean:.4g}"
    if l3.quantiles:
        yield f"quantiles {', '.join(f'{quantile:.4g}' for quantile in _thinned(l3.quantiles))}"
    if l2.representative_values:
        frequent = (f"{_value(entry.value)} ({entry.count})" for entry in l2.representative_values[:5])
        yield f"most frequent {', '.join(frequent)}"
    if l3.is_sampled:
        yield "partly from a sample"


def _thinned(quantiles: tuple[float, ...]) -> tuple[float, ...]:
    step = max(1, (len(quantiles) - 1) // 4)
    return quantiles[::step]


def _value(value: str | None) -> str:
    return readable(value or "")[:_LONGEST_VALUE]


def _within(text: str, tokens: int) -> str:
    """A text cut where it would be too long; what is left out is said."""
    if estimate_tokens(text) <= tokens:
        return text
    lines, left = list[str](), tokens
    for line in text.splitlines():
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join([*lines, "…"]) if lines else f"{text[: 3 * tokens]}…"
