"""Describes tables and columns, and probes: enter names and statements, leave lines for a model."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from linker.catalog.description import ColumnDescription, listed, name_of, statistics_line
from linker.catalog.profile import column_profile
from linker.environment import Environment
from linker.errors import LinkerError
from linker.serve.lines import AnswerPart, Lookup, table_line
from linker.serve.outcomes import Named, answer_each
from linker.text.commands import for_others
from linker.text.numbers import counted
from linker.text.safe import spelled
from linker.text.words import readable, words_of_name, words_of_text
from linker.types import Column, ColumnRef, Record, Table, TableRef

_LONGEST_VALUE = 60
_FURTHER = (
    "for their comments say words of theirs in `like`, describe fewer tables, or raise `characters`"
)
_NAMES_A_LINE = 12
_PROBE_SECONDS = 30
_NEAREST = 8


def describe(
    environment: Environment, tables: Sequence[str], like: str, *, names_only: bool
) -> Lookup:
    """
    Tables with their columns, or those that have the words of `like`; names alone where asked for.
    """
    names = Named(environment)

    def tell(name: str) -> AnswerPart:
        ref = names.table(name)
        return _TableText.of(environment, ref, like, names.correction(name, ref)).part(names_only)

    return answer_each(tables, tell, _FURTHER, headed=False)


class _TableText(Record, frozen=True):
    """
    A table in a line, and its columns: those with most to say come first where not all can be told
    in full.
    """

    heading: str
    remarks: tuple[str, ...]
    columns: tuple[ColumnDescription, ...]

    @classmethod
    def of(
        cls, environment: Environment, ref: TableRef, like: str, corrections: Iterable[str]
    ) -> "_TableText":
        table = environment.indexed.catalog.table_by_ref[ref]
        rows = f"; about {table.row_count_estimate:,} rows" if table.row_count_estimate else ""
        alike, remarks = _alike(table, like)
        columns = [environment.indexed.describe(ColumnRef(ref, each.path)) for each in alike]
        lines = (*corrections, f"{table_line(environment, table)}{rows}", *remarks)
        return cls(lines[0], lines[1:], tuple(columns))

    def part(self, names_only: bool) -> AnswerPart:
        """The table with all its columns, which can be told in short; or with their names alone."""
        if names_only:
            return AnswerPart(tuple(self.lines(-1)), self.heading)
        most = len(self.columns)
        return AnswerPart(tuple(self.lines(most)), self.heading, self.shorter, most)

    def shorter(self, details: int) -> tuple[list[str], int]:
        """The lines with the details of so many columns, and how many are left."""
        return self.lines(details), max(0, len(self.columns) - max(0, details))

    def lines(self, details: int) -> list[str]:
        """
        The lines with the details of so many columns, and the others by name and kind; of -1 the
        names alone.
        """
        by_comment = sorted(self.columns, key=lambda each: not each.column.description)
        first = {each.column.path for each in by_comment[: max(0, details)]}
        lines, named = [*self.remarks], list[str]()
        for each in self.columns:
            if each.column.path in first:
                lines.append(f"  {each.short_line(each.facts.values, with_type=True)}")
            else:
                named.append(each.head() if details >= 0 else each.name)
        also = "also " if first else ""
        places = range(0, len(named), _NAMES_A_LINE)
        some = (", ".join(named[at : at + _NAMES_A_LINE]) for at in places)
        return [*lines, *(f"  {also}{names}" for names in some)]


def values(
    environment: Environment, columns: Sequence[str], like: str, limit: int, *, statistics: bool
) -> Lookup:
    """
    The most frequent values of columns with their counts, or those like a text; and how they are
    distributed.
    """
    names = Named(environment)

    def tell(name: str) -> AnswerPart:
        ref = names.column(name)
        found = _values_of(environment, ref, like, limit, statistics=statistics)
        lines = (*names.correction(name, ref), *found)
        return AnswerPart(lines[1:], lines[0])

    return answer_each(columns, tell, "name fewer columns, or a lower `limit`", headed=False)


def probe(environment: Environment, statements: Sequence[str], rows: int) -> Lookup:
    """The rows of statements that only read, each checked by the guard first."""

    def tell(statement: str) -> AnswerPart:
        return AnswerPart(tuple(_rows_of(environment, statement, rows)))

    return answer_each(statements, tell, "select fewer rows or columns")


def changes(environment: Environment) -> Lookup:
    """What the last run that found a change found changed."""
    from linker.history.column_changes import Thresholds
    from linker.history.runs import compare_runs
    from linker.render.runs import render_changes

    try:
        comparison = compare_runs(environment, (), Thresholds())
    except LinkerError as error:
        return Lookup((error.what,))
    text = render_changes(comparison, width=1_000, color=False)
    return Lookup(tuple(line for line in text.splitlines() if line.strip()), "raise `characters`")


def health(environment: Environment) -> Lookup:
    """What is known, how old it is, and what could not be read."""
    from linker.refresh.status import read_status

    found, model = read_status(environment), environment.model
    index, whole = found.index, found.total
    refreshed = f"{whole.last_refresh:%Y-%m-%d %H:%M} UTC" if whole.last_refresh else "never"
    lines = [
        f"target {found.target}: {index.logical_tables:,} tables, {index.columns:,} columns; last refresh {refreshed}",
        f"values: {whole.hidden_columns:,} columns hidden, {whole.masked_columns:,} masked",
        f"language model: {model.name if model else 'none is set; you are the model'}",
    ]
    if unread := whole.excluded_columns + whole.refused_columns:
        lines.append(f"not read: {counted(unread, 'column')}")
    lines += [f"could not be read: {spelled(str(failure))}" for failure in whole.failed]
    lines += [f"not seen: {readable(reason)}" for reason in found.unseen]
    return Lookup(
        (
            *lines,
            *(
                readable(for_others(doubt, environment.flags))
                for doubt in environment.index.doubts()
            ),
        )
    )


def _alike(table: Table, like: str) -> tuple[list[Column], list[str]]:
    """
    The columns that have all words of a text in name or comment; where none has, those with most of
    them.
    """
    wanted, text = set(words_of_text(like) or words_of_name(like)), like.casefold().strip()
    has = {
        each.path: wanted & set(words_of_name(f"{each.path} {each.description or ''}"))
        for each in table.columns
    }
    if wanted not in has.values():
        has |= {path: wanted for path in has if text in path.casefold()}
    if whole := [each for each in table.columns if has[each.path] == wanted]:
        return whole, []
    # Words may be alternatives: each has its turn among those that share as many.
    turns = Counter[frozenset[str]]()
    near = dict[Column, tuple[int, int]]()
    for each in table.columns:
        if words := frozenset(has[each.path]):
            near[each] = -len(words), turns[words]
            turns[words] += 1
    if not near:
        return [], [f"  no column has any of these words; without `like` come {len(has)}"]
    return sorted(near, key=near.__getitem__)[:_NEAREST], [
        "  no column has all of these words; nearest:"
    ]


def _values_of(
    environment: Environment, ref: ColumnRef, like: str, limit: int, *, statistics: bool
) -> Iterator[str]:
    column = column_profile(environment.profile_of(ref.table), ref.path)
    name = name_of(str(ref))
    if column is None:
        yield f"{name}: nothing was measured"
        return
    if statistics:
        yield f"{name_of(str(ref.table))}.{statistics_line(column)}"
    if not column.is_shown:
        if not statistics:
            yield f"{name}: its values are not shown"
        return
    known = [
        entry
        for entry in column.l2.representative_values or ()
        if like.casefold().strip() in entry.value.casefold()
    ]
    distinct = column.l2.distinct_count
    yield f"{name}: {distinct if distinct is not None else 'unknown many'} distinct" + (
        "" if known else "; none of the frequent ones is like that: probe() looks at all"
    )
    for entry in known[:limit]:
        places = f" in {listed(entry.members)}" if entry.members else ""
        yield f"  {readable(entry.value)[:_LONGEST_VALUE]} ({entry.count}{places})"
    if distinct is not None and distinct > len(known[:limit]):
        yield f"  … {distinct - len(known[:limit])} others: raise `limit`, or probe()"


def _rows_of(environment: Environment, statement: str, rows: int) -> Iterator[str]:
    from linker.guard import ProbeLimits

    if not environment.warehouse.is_profiled:
        raise LinkerError(
            "there are no rows to probe", hint=environment.away or "run: linker refresh"
        )
    guard = environment.warehouse.guard_within(ProbeLimits(rows=rows, seconds=_PROBE_SECONDS))
    checked = guard.check(statement)
    found = environment.warehouse.session.query(checked.sql, (), checked.bounds)
    yield f"{len(found)} row{'s' * (len(found) != 1)}" + (
        " (the limit of `rows`)" if len(found) == rows else ""
    )
    # Of several columns each needs its name.
    if found and len(checked.heads) == len(found[0]) > 1:
        yield " | ".join(map(name_of, checked.heads))
    for row in found:
        yield " | ".join(readable(str(cell)) for cell in row)
