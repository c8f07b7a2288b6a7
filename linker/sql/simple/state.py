"""A question while it is read: the chunks, how far the reading is, what was found, and what waits for more."""

from collections.abc import Sequence

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import Aggregate, Clause, Condition, Draft, Operator


class State:
    """The reading of one question from left to right."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks, self.at = chunks, 0
        self.draft = Draft()
        self.clause: Clause = "select"
        # What the next name is for: an aggregate of it, one of each, its absence, a comparison with it.
        self.aggregate: Aggregate | None = None
        self.also: list[Aggregate] = []
        self.is_distinct = self.is_negated = self.is_descending = self.of_average = False
        self.operator: Operator | None = None
        self.number: float | None = None
        # A name in a condition that waits for what it is compared with.
        self.waiting: Chunk | None = None

    def next(self) -> Chunk | None:
        """The next chunk, which is then read; None at the end."""
        chunk = self.ahead
        self.at += chunk is not None
        return chunk

    @property
    def ahead(self) -> Chunk | None:
        """The chunk that comes next."""
        return self.chunks[self.at] if self.at < len(self.chunks) else None

    @property
    def named_ahead(self) -> Chunk | None:
        """The chunk that comes next, where it names something."""
        chunk = self.ahead
        return chunk if chunk and chunk.is_name else None

    @property
    def behind(self) -> Chunk | None:
        """The chunk before the one that is read."""
        return self.chunks[self.at - 2] if self.at > 1 else None

    @property
    def column_behind(self) -> Chunk | None:
        """The chunk before, where it names a column."""
        chunk = self.behind
        return chunk if chunk and chunk.is_name and not chunk.names_table() else None

    @property
    def last_column(self) -> Chunk | None:
        """The last of the chunks right before that names a column."""
        near = self.chunks[max(0, self.at - 4) : self.at]
        return next((one for one in reversed(near) if one.is_name and not one.names_table()), None)

    @property
    def has_measure(self) -> bool:
        """Whether anything is counted or summed so far."""
        return bool(self.aggregate) or self.opens_with_measure or any(item.aggregate for item in self.draft.items)

    @property
    def opens_with_measure(self) -> bool:
        """Whether a question begins with what is measured: takings of the shops in May, store by store."""
        first = self.chunks[0] if self.chunks else None
        return bool(first and first.is_name and not first.names_table() and first.meanings[0].is_measure)

    def open(self, clause: Clause) -> None:
        """What is named from here on belongs to another clause."""
        self.settle()
        self.clause = clause

    def settle(self) -> None:
        """A name that waited for a comparison and got none has to be a flag."""
        if self.waiting is not None:
            self.draft.conditions.append(Condition("flag", self.waiting))
            self.waiting = None

    def doubt(self, problem: str) -> None:
        """Note what no rule covers."""
        self.draft.problems[problem] = None

    def unselect(self, name: Chunk) -> None:
        """What was taken for something to select is compared instead."""
        self.draft.items = [item for item in self.draft.items if item.name is not name]

    def take_limit(self) -> int:
        """How many rows a number before a superlative asks for, or one."""
        limit, self.number = int(self.number or 1), None
        return limit
