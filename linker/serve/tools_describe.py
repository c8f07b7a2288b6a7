"""MCP tools `describe`, `column_values` and `run_query`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.structs import replace

from linker.catalog.description import (
    ColumnDescription,
    column_name,
    listed,
    profile_epoch,
    statistics_line,
)
from linker.catalog.profile import ColumnProfile, ValueCount, column_profile
from linker.environment import Environment
from linker.errors import LinkerError, WarehouseError
from linker.history.column_changes import Thresholds
from linker.ranking.query_analysis import is_generic
from linker.ranking.table_tokens import is_of_loading
from linker.serve.code_labels import CodeLabels, explaining_comment
from linker.serve.column_text import FIGURES, AnswerPart, ToolResponse, table_line
from linker.serve.definitions import TableContents
from linker.serve.tool_errors import NameResolver, answer_each
from linker.serve.tools_list import lineage_lines, superseded_by, use_of
from linker.text.commands import for_others
from linker.text.escaping import escape_invisible
from linker.text.numbers import counted
from linker.text.words import readable, words_of_name, words_of_text
from linker.types import Column, ColumnRef, Record, Table, TableRef

if TYPE_CHECKING:
    from linker.sql_policy.guard import Probe

_LONGEST_VALUE = 60
_FURTHER = (
    "for their comments say words of theirs in `pattern`, describe fewer tables, or raise "
    "`max_chars`"
)
_NAMES_A_LINE = 12
# For all statements of a call.
_PROBE_SECONDS = 30
_NEAREST = 8
# As many generic words tell something.
_INFORMATIVE = 2
# A shorter text inside a word is chance: `age` in `message`.
_MIN_INSIDE = 4
# Values listed if none matches: all of a few, else the first.
_MAX_LISTED = 12
_FEW_VALUES = 5


def describe(
    environment: Environment,
    tables: Sequence[str],
    pattern: str,
    *,
    names_only: bool,
    lineage: bool = False,
) -> ToolResponse:
    """Tables with columns, optionally filtered by `pattern` or by name only."""
    names = NameResolver(environment)

    def tell(name: str) -> AnswerPart:
        ref = names.table(name)
        text = _TableText.create(environment, ref, pattern, names.correction(name, ref))
        more = lineage_lines(environment, ref) if lineage else ()
        return replace(text, remarks=(*more, *text.remarks)).part(names_only)

    return answer_each(tables, tell, _FURTHER, headed=False)


class _TableText(Record, frozen=True):
    """
    Lines of a table; if not all columns can be described, the `order` of columns says which are.
    """

    heading: str
    remarks: tuple[str, ...]
    columns: tuple[ColumnDescription, ...]
    details: tuple[str, ...]
    # Column indexes, informative ones first.
    order: tuple[int, ...]

    @classmethod
    def create(
        cls, environment: Environment, ref: TableRef, pattern: str, corrections: Iterable[str]
    ) -> "_TableText":
        table = environment.indexed.catalog.table_by_ref[ref]
        rows = f"; about {table.row_count_estimate:,} rows" if table.row_count_estimate else ""
        alike, remarks = _alike(table, pattern)
        columns = [environment.indexed.describe(ColumnRef(ref, item.path)) for item in alike]
        contents, past = TableContents(environment).text(table), superseded_by(environment, table)
        head = f"{table_line(environment, table)}{contents}{rows}{past}"
        used = () if pattern else tuple(use_of(environment, ref))
        lines = (*corrections, head, *used, *remarks)
        labels = CodeLabels(environment)
        codes = [labels.pairs_of(item.ref, pattern) for item in columns]
        details = tuple(map(_detail_line, columns, codes))
        turns = list(map(_turn, columns, map(bool, codes)))
        order = sorted(range(len(turns)), key=turns.__getitem__)
        return cls(lines[0], lines[1:], tuple(columns), details, tuple(order))

    def part(self, names_only: bool) -> AnswerPart:
        """The table with all columns, which can be shortened; or names only."""
        if names_only:
            return AnswerPart(tuple(self.lines(0, with_kinds=False)), self.heading)
        most = len(self.columns)
        lines = self.lines(most, with_kinds=True)
        return AnswerPart(tuple(lines), self.heading, self.shorter, most)

    def shorter(self, details: int, with_kinds: bool) -> tuple[list[str], int]:
        """Lines with details of so many columns, and the number of others."""
        return self.lines(details, with_kinds=with_kinds), len(self.columns) - details

    def lines(self, details: int, *, with_kinds: bool) -> list[str]:
        """Lines with details of so many columns; the others by name, optionally with type."""
        first = set(self.order[:details])
        lines, named = [*self.remarks], list[str]()
        for position, item in enumerate(self.columns):
            if position in first:
                lines.append(self.details[position])
            else:
                named.append(item.head() if with_kinds else item.named)
        also = "also " if first else ""
        starts = range(0, len(named), _NAMES_A_LINE)
        some = (", ".join(named[start : start + _NAMES_A_LINE]) for start in starts)
        return [*lines, *(f"  {also}{names}" for names in some)]


def _detail_line(column: ColumnDescription, codes: str) -> str:
    return f"  {column.short_line(column.facts.values, codes=codes, with_type=True)}"


def _turn(item: ColumnDescription, has_labels: bool) -> tuple[bool, bool, bool]:
    """Sort key: comments and code labels first, amounts before others, load metadata last."""
    is_figure = item.facts.category in FIGURES
    is_of_loading_or_hidden = item.name.startswith("_") or is_of_loading(item.column)
    is_uninformative = not (item.column.description or has_labels)
    return is_uninformative, is_of_loading_or_hidden, not is_figure


def column_values(
    environment: Environment, columns: Sequence[str], pattern: str, limit: int, *, statistics: bool
) -> ToolResponse:
    """The most frequent values of columns, optionally filtered, with statistics."""
    names = NameResolver(environment)

    def tell(name: str) -> AnswerPart:
        ref = names.column(name)
        values = _values_of(environment, ref, pattern, limit, statistics=statistics)
        lines = (*names.correction(name, ref), *values)
        return AnswerPart(lines[1:], lines[0])

    return answer_each(columns, tell, "name fewer columns, or a lower `limit`", headed=False)


def run_query(environment: Environment, statements: Sequence[str], rows: int) -> ToolResponse:
    """Rows of read-only statements, checked by the guard, within a shared limit."""
    until = monotonic() + _PROBE_SECONDS

    def tell(statement: str) -> AnswerPart:
        left = ceil(until - monotonic())
        if left <= 0:
            raise WarehouseError("those before it took the time of the call", hint="probe it alone")
        return AnswerPart(tuple(_rows_of(environment, statement, rows, left)))

    return answer_each(statements, tell, "select fewer rows or columns")


def schema_diff(environment: Environment) -> ToolResponse:
    """The schema diff of the last run that found changes."""
    from linker.history.runs import compare_runs
    from linker.output.runs import render_changes

    try:
        comparison = compare_runs(environment, (), Thresholds())
    except LinkerError as error:
        return ToolResponse((error.what,))
    text = render_changes(comparison, width=1_000, color=False)
    return ToolResponse(
        tuple(line for line in text.splitlines() if line.strip()), "raise `max_chars`"
    )


def status(environment: Environment) -> ToolResponse:
    """Coverage, age and failures of the profiles."""
    from linker.refresh.status import read_status

    report, model = read_status(environment), environment.model
    index, total = report.index, report.total
    refreshed = f"{total.last_refresh:%Y-%m-%d %H:%M} UTC" if total.last_refresh else "never"
    lines = [
        (
            f"target {report.target}: {index.logical_tables:,} tables, {index.columns:,} columns; "
            f"last refresh {refreshed}"
        ),
        (
            f"values: {counted(total.hidden_columns, 'column')} hidden, {total.masked_columns:,} "
            "masked"
        ),
        f"language model: {model.name if model else 'none is set; you are the model'}",
    ]
    if unread := total.excluded_columns + total.refused_columns:
        lines.append(f"not read: {counted(unread, 'column')}")
    lines += [f"could not be read: {escape_invisible(str(failure))}" for failure in total.failed]
    lines += [
        readable(f"verified question “{check.question}” failed: {check.reason}")
        for check in report.verified
        if check.outcome != "valid"
    ]
    lines += [f"not seen: {readable(reason)}" for reason in report.unseen]
    return ToolResponse(
        (
            *lines,
            *(
                readable(for_others(doubt, environment.flags))
                for doubt in environment.index.warnings()
            ),
        )
    )


def _alike(table: Table, pattern: str) -> tuple[list[Column], list[str]]:
    """
    Columns with all words of an alternative (`amount|price`) in name or comment, else those with
    most, and remarks about alternatives without a match.
    """
    matches, missing = dict[Column, None](), list[str]()
    alternatives = [item for item in pattern.split("|") if item.strip()] or [pattern]
    for alternative in alternatives:
        found = _with_all_words(table, alternative)
        matches.update(dict.fromkeys(found))
        missing += [] if found else [readable(alternative.strip())]
    if matches:
        remarks = [f"  no column has {' or '.join(f'“{item}”' for item in missing)}"]
        return [item for item in table.columns if item in matches], remarks if missing else []
    near = _nearest(table, pattern.replace("|", " "))
    if not near:
        count = len(table.columns)
        return [], [f"  no column has any of these words; without `pattern` come {count}"]
    return near, ["  no column has all of these words; nearest:"]


def _with_all_words(table: Table, pattern: str) -> list[Column]:
    """
    Columns with all words in name or comment, else with the text in their name: where a word begins
    (`ship` in `shipped_on`) before anywhere (`price` in `netprice`).
    """
    wanted = _wanted(pattern)
    matches = [item for item in table.columns if _shared(item, wanted) == wanted]
    if matches:
        return matches
    text = pattern.casefold().strip()
    inside = [item for item in table.columns if text in item.path.casefold()]
    at_start = re.compile(rf"(?<![^\W_]){re.escape(text)}")
    begun = [item for item in inside if at_start.search(item.path.casefold())]
    return begun or (inside if len(text) >= _MIN_INSIDE else [])


def _nearest(table: Table, pattern: str) -> list[Column]:
    """
    Columns with most words; alternatives take turns. Those with a generic word alone count where
    there are no others.
    """
    wanted, turns = _wanted(pattern), Counter[frozenset[str]]()
    near, generic = dict[Column, tuple[int, int]](), list[Column]()
    for item in table.columns:
        words = _shared(item, wanted)
        if len(words) < _INFORMATIVE and all(map(is_generic, words)):
            generic += [item] if words else []
            continue
        near[item] = -len(words), turns[words]
        turns[words] += 1
    return (sorted(near, key=near.__getitem__) or generic)[:_NEAREST]


def _wanted(pattern: str) -> frozenset[str]:
    return frozenset(words_of_text(pattern) or words_of_name(pattern))


def _shared(column: Column, wanted: frozenset[str]) -> frozenset[str]:
    """The words in a column's name or comment."""
    return wanted & frozenset(words_of_name(f"{column.path} {column.description or ''}"))


def _values_of(
    environment: Environment, ref: ColumnRef, pattern: str, limit: int, *, statistics: bool
) -> Iterator[str]:
    column = column_profile(environment.profile_of(ref.table), ref.path)
    name = column_name(str(ref))
    if column is None:
        yield f"{name}: nothing was measured"
        return
    family = environment.indexed.catalog.table_by_ref[ref.table].family
    coverage = f" ({family.coverage})" if family and family.coverage else ""
    if statistics:
        # The most frequent values follow.
        yield (
            f"{column_name(str(ref.table))}.{statistics_line(column, with_values=False)}{coverage}"
        )
    elif not column.is_shown:
        yield f"{name}: {_not_shown(column)}"
    if column.is_shown:
        epoch = profile_epoch(column)
        measures = (_distinct(column), str(epoch or ""), _nulls(column))
        head = "" if statistics else f"{name}: {'; '.join(filter(None, measures))}{coverage}"
        yield from _frequent(environment, ref, column, pattern, limit, head)


def _distinct(column: ColumnProfile) -> str:
    count = column.l2.distinct_count
    return f"{'unknown many' if count is None else count} distinct"


def _nulls(column: ColumnProfile) -> str:
    nulls = column.l3.row_count - column.l3.value_count if column.l3 else 0
    return f"{nulls:,} null" if nulls else ""


def _not_shown(column: ColumnProfile) -> str:
    if column.l2.privacy != "mask":
        return "its values are not shown"
    return "; ".join(filter(None, (_distinct(column), _nulls(column), "masked, compare with `=`")))


def _frequent(
    environment: Environment,
    ref: ColumnRef,
    column: ColumnProfile,
    pattern: str,
    limit: int,
    head: str,
) -> Iterator[str]:
    """The most frequent matching values with counts and labels, under a heading, if given."""
    wanted = pattern.casefold().strip()
    values = column.l2.representative_values or ()
    labels = CodeLabels(environment).get(ref, [entry.value for entry in values])
    frequent = list[ValueCount]()
    for entry in values:
        if wanted in f"{entry.value} {labels.get(entry.value, '')}".casefold():
            frequent.append(entry)
    distinct = column.l2.distinct_count
    missing = _missing(column, pattern) if wanted and not frequent else ""
    if head:
        yield "; ".join(filter(None, (head, missing)))
    elif missing:
        yield f"  {missing}"
    shown = frequent[:limit]
    comment = "" if labels else explaining_comment(environment, ref, [item.value for item in shown])
    if comment:
        yield f"  by its comment: {comment}"
    for entry in shown:
        members = f" in {listed(entry.members)}" if entry.members else ""
        label = f" = {labels[entry.value]}" if entry.value in labels else ""
        value = readable(entry.value)[:_LONGEST_VALUE] or "''"
        yield f"  {value}{label} ({entry.count}{members})"
    if not missing and distinct is not None and distinct > len(shown):
        yield f"  … {distinct - len(shown)} others: raise `limit`, or run_query"


def _missing(column: ColumnProfile, pattern: str) -> str:
    """The message if no value matches: where to look, unless all are known, and some values."""
    text, values = readable(pattern), list[str]()
    for entry in column.l2.representative_values or ():
        values.append(readable(entry.value)[:_LONGEST_VALUE] or "''")
    count = column.l2.distinct_count or len(values)
    shown = values if count == len(values) <= _MAX_LISTED else values[:_FEW_VALUES]
    others = f" and {count - len(shown):,} more" if count > len(shown) else ""
    such = f"; there are {', '.join(shown)}{others}" if shown else ""
    if column.l2.distinct_is_exact and count == len(values):
        return f"no value has “{text}” in it{such}"
    is_text = column.l1.value_kind == "text"
    where = f" `where lower({column_name(column.path)}) like '%…%'`" if is_text else ""
    return f"no frequent value has “{text}” in it: run_query{where} looks at all{such}"


def _rows_of(environment: Environment, statement: str, rows: int, seconds: int) -> Iterator[str]:
    from linker.sql_policy.guard import ProbeLimits

    if not environment.warehouse.is_profiled:
        raise LinkerError(
            "there are no rows to probe", hint=environment.warehouse_error or "run: linker refresh"
        )
    # One row more shows whether the result is complete.
    limits = ProbeLimits(rows=rows + 1, seconds=seconds)
    checked = environment.warehouse.guard_within(limits).check(statement)
    rows_read = environment.warehouse.session.query(checked.sql, (), checked.bounds)
    more, rows_read = len(rows_read) > rows, rows_read[:rows]
    yield counted(len(rows_read), "row") + (" (the limit of `rows`)" if more else "")
    yield from _snapshots_read(environment, checked)
    # Several columns need names.
    heads = checked.heads or _names_behind_star(environment, checked.sql)
    if rows_read and len(heads) == len(rows_read[0]) > 1:
        yield " | ".join(map(column_name, heads))
    for row in rows_read:
        yield " | ".join(readable(str(cell)) for cell in row)


def _snapshots_read(environment: Environment, checked: "Probe") -> Iterator[str]:
    """Snapshot families in a statement, whose newest shard is read."""
    for ref in checked.tables:
        family = environment.indexed.catalog.table_by_ref[ref].family
        if family and family.is_snapshots and ref.name in checked.original:
            newest = column_name(family.representative)
            yield f"{column_name(str(ref))} was read as its newest snapshot, {newest}, alone"


def _names_behind_star(environment: Environment, sql: str) -> tuple[str, ...]:
    """Column names of a `select *`; empty if only the warehouse knows their number or order."""
    from sqlglot.errors import SqlglotError

    from linker.sql_analysis import MergedTables, Tables
    from linker.sql_analysis.queries import read_query, scope_of
    from linker.sql_analysis.statements import parse

    tables = Tables(MergedTables.create(environment.dialect, environment.indexed.catalog))
    try:
        relation = read_query(parse(sql, environment.dialect), scope_of(sql, tables))
    except (SqlglotError, RecursionError):
        return ()
    names = tuple(name for name, _ in relation.columns)
    return names if relation.is_listed and all(names) else ()
