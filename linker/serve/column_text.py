"""
Table and column descriptions for agents: most important first, truncated to a character limit, with
how to get the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace
from pydantic import BaseModel, Field

from linker.catalog.description import CODED, ColumnDescription, column_name, heading
from linker.environment import Environment
from linker.ranking.near_duplicates import current_tables
from linker.ranking.table_tokens import ROLES, roles_of
from linker.text.escaping import shortened
from linker.text.numbers import counted
from linker.text.words import parts as parts_of
from linker.text.words import readable, word_list
from linker.types import ColumnRef, Record, Table, TableRef

FIGURES = ("measure", "money")
# Semantic types of columns that are the same in all rows.
UNINFORMATIVE = ("constant", "empty")
_BY = (*CODED, "foreign_key", "date", "timestamp", "year")
_NO_TIMES = ("boolean", "code", "constant", "empty")
_SIBLINGS_NAMED = 2
_MIN_HEADING = 16


class AnswerPart(Record, frozen=True):
    """
    Description of one requested item, under a heading.

    `shorter` gives lines with details of some `things`, and the number of others listed by name or
    kind.
    """

    lines: tuple[str, ...]
    heading: str = ""
    shorter: Callable[[int, bool], tuple[list[str], int]] | None = None
    things: int = 0

    def under(self, heading: str) -> "AnswerPart":
        """With another heading, if given."""
        return replace(self, heading=heading) if heading else self

    @property
    def whole(self) -> tuple[str, ...]:
        """All lines."""
        return (self.heading, *self.lines) if self.heading else self.lines


class Heading(str):
    """A heading line in a list."""

    __slots__ = ()


class ToolResponse(Record, frozen=True):
    """Lines of an answer, possibly in parts; `further` says how to get the rest."""

    lines: tuple[str, ...]
    further: str = "ask for less at once, or raise `max_chars`"
    parts: tuple[AnswerPart, ...] = ()


def of_parts(parts: Sequence[AnswerPart], further: str) -> ToolResponse:
    """Combine parts that share the character limit."""
    lines = tuple(chain.from_iterable(part.whole for part in parts))
    return ToolResponse(lines, further, tuple(parts))


class Answer(BaseModel):
    """Text, and the number of omitted lines."""

    text: str = Field(description="The answer, a thing a line.")
    left_out: int = Field(
        description="Lines that did not fit; the last line of the text says how to get them."
    )


def truncate(lookup: ToolResponse, characters: int) -> Answer:
    """
    Truncate to a number of characters, shared among parts; headings stay and say how much is
    missing, and the last line how to get it.
    """
    parts = lookup.parts or tuple(_parts_of(lookup.lines))
    is_one = len(parts) == 1
    # Names may use the space of the last line; details may not.
    reserve = len(lookup.further) if is_one else 0
    shares = shared_out([_size(part.whole) for part in parts], characters)
    cuts = [
        _cut(part, share, reserve, is_one=is_one) for part, share in zip(parts, shares, strict=True)
    ]
    shown = list(chain.from_iterable(cut.lines for cut in cuts))
    left_out = sum(len(part.whole) for part in parts) - len(shown)
    in_short = sum(cut.in_short for cut in cuts)
    if any(cut.is_cut_off for cut in cuts):
        shown.append(f"… {counted(left_out, 'more line')}: {lookup.further}")
    elif in_short:
        shown.append(f"… {counted(in_short, 'column')} in short: {lookup.further}")
    return Answer(text="\n".join(shown), left_out=left_out)


def shared_out(sizes: Sequence[int], total: int) -> list[int]:
    """Fair shares: small sizes in full, the remainder for large ones."""
    shares = [0] * len(sizes)
    smallest_first = sorted(range(len(sizes)), key=sizes.__getitem__)
    for number, index in enumerate(smallest_first):
        shares[index] = min(sizes[index], total // (len(sizes) - number))
        total -= shares[index]
    return shares


def _parts_of(lines: Sequence[str]) -> Iterator[AnswerPart]:
    """Parts, each starting at a heading."""
    heading, below = "", list[str]()
    for line in lines:
        if isinstance(line, Heading):
            if heading or below:
                yield AnswerPart(tuple(below), heading)
            heading, below = line, []
        else:
            below.append(line)
    yield AnswerPart(tuple(below), heading)


class _Cut(Record, frozen=True):
    """Lines of a part that fit, and how many items are abbreviated."""

    lines: tuple[str, ...]
    in_short: int = 0
    is_cut_off: bool = False


def _cut(part: AnswerPart, share: int, reserve: int, *, is_one: bool) -> _Cut:
    """The lines that fit with most detail; the heading always stays."""
    if _size(part.whole) <= share:
        return _Cut(part.whole)
    left = share - (len(part.heading) + 1 if part.heading else 0)
    lines, in_short = [*part.lines], 0
    if part.shorter:
        lines, in_short = _shorter(part.shorter, part.things, left - reserve)
    if _size(lines) <= left:
        heading = [part.heading] if part.heading else []
        return _Cut((*heading, *lines), in_short)
    if not part.heading:
        return _Cut(tuple(_first(lines, left)), in_short, is_cut_off=True)
    # With several parts each says what is omitted; else the last line does.
    note = "" if is_one else f" (… {len(part.lines)} more lines)"
    heading_line = shortened(part.heading, max(_MIN_HEADING, share - len(note) - 1))
    below = _first(lines, share - len(heading_line) - len(note) - 1)
    if note:
        heading_line += f" (… {counted(len(part.lines) - len(below), 'more line')})"
    return _Cut((heading_line, *below), in_short, is_cut_off=True)


def _shorter(
    tell: Callable[[int, bool], tuple[list[str], int]], things: int, characters: int
) -> tuple[list[str], int]:
    """The most detailed lines that fit: first kinds are dropped, then all but names."""
    for with_kinds in (True, False):
        for details in range(things - 1, 0, -1):
            short = tell(details, with_kinds)
            if _size(short[0]) <= characters:
                return short
    return tell(0, False)


def _first(lines: Sequence[str], characters: int) -> list[str]:
    """Leading lines that fit."""
    first = list[str]()
    for line in lines:
        characters -= len(line) + 1
        if characters < 0:
            break
        first.append(line)
    return first


def _size(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def with_heading(text: str, count: int, lines: Sequence[str]) -> list[str]:
    """Lines below a heading if several items were requested."""
    return [Heading(f"== {readable(text)}"), *lines] if count > 1 else [*lines]


def table_line(environment: Environment, table: Table, siblings: Sequence[TableRef] = ()) -> str:
    """A table in one line; without a comment a description from kind, name or columns."""
    line = heading(table, siblings, _SIBLINGS_NAMED)
    if table.description:
        return line
    originals = environment.derive(current_tables).get(table.ref)
    meanings = [f"kept beside {column_name(str(originals))}"] if originals else []
    meanings += ["view"] if table.kind == "view" else []
    meanings += _figures(environment, table)
    return f"{line} - {'; '.join(meanings)}" if meanings else line


def _figures(environment: Environment, table: Table) -> list[str]:
    """Figures and time columns of a table without a key, if it has both."""
    by, figures, has_times = list[str](), list[str](), False
    for column in table.columns:
        described = environment.indexed.describe(ColumnRef(table.ref, column.path))
        is_time, kind = tells_time(described), described.facts.category
        if is_time or kind in _BY:
            by.append(described.name)
        elif kind in FIGURES:
            figures.append(described.name)
        if described.facts.is_primary_key or not (is_time or kind in (*_BY, *FIGURES)):
            return []
        has_times = has_times or is_time
    return [f"figures by {', '.join(by)}"] if has_times and len(figures) > 1 else []


def tells_time(described: ColumnDescription) -> bool:
    """
    Whether a column is an event time, by its days, type or name; a single day for all rows does not
    count.
    """
    column, facts = described.column, described.facts
    if facts.days:
        return facts.days[0] < facts.days[1]
    words = parts_of(column.path)
    is_number = not word_list("naming_times_as_numbers").isdisjoint(words)
    is_named = is_number or roles_of(column, words, (), facts)[ROLES.index("time")]
    return is_named and "per" not in words and facts.category not in _NO_TIMES
