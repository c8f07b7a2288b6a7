"""
The writer: enters a question with its linked schema, leaves a statement with what each part was taken for, or why none.

It is certain only where every word has a meaning, no other meaning is nearly as good, and no doubt is left.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from linker.facts import Facts
from linker.linked import LinkedSchema
from linker.mentions import Mentions, Period
from linker.sql.records import Reading as Told
from linker.sql.simple.building import Builder
from linker.sql.simple.chunks import Chunk, Chunker
from linker.sql.simple.doubting import doubts_of
from linker.sql.simple.errors import CannotWriteError
from linker.sql.simple.families import parts_of, with_parts
from linker.sql.simple.frame import Frame
from linker.sql.simple.joining import Joins
from linker.sql.simple.names import Names
from linker.sql.simple.parts import Parts
from linker.sql.simple.periods import periods_of
from linker.sql.simple.reading import read_frame
from linker.sql.simple.resolving import Resolved, Resolver
from linker.sql.simple.tokens import tokens_of
from linker.sql.simple.totals import with_totals
from linker.sql.simple.writing import Writing
from linker.words import stem


@dataclass(frozen=True, slots=True)
class Written:
    """
    A simple statement, or the reason why there is none.

    `ties` gives the same rows and one more, each with its rank's value as the last column, where only the first are
    asked for: whether the last place is shared, only the warehouse can tell.
    """

    sql: str = ""
    ties: str = ""
    why_not: str = ""
    readings: tuple[Told, ...] = ()
    open_words: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    open_share: float = 0.0

    @property
    def is_certain(self) -> bool:
        """Whether the whole question is accounted for."""
        return bool(self.sql) and not self.open_words and not self.doubts


def write(mentions: Mentions, schema: LinkedSchema, facts: Facts, dialect: str) -> Written:
    """The statement for a question, as far as rules know it."""
    names = Names(schema, facts)
    mentions = replace(mentions, periods=periods_of(mentions.question, mentions.periods))
    tokens = tokens_of(mentions.question)
    chunks = Chunker(tokens, mentions, names).chunks()
    open_words = tuple(chunk.text for chunk in chunks if chunk.is_open)
    frame = read_frame([chunk for chunk in chunks if not chunk.is_open])
    if frame.problems:
        return Written(why_not=frame.problems[0], open_words=open_words)
    joins = Joins(names.joins, (*names.tables, *sorted(names.bridges)), [token.low for token in tokens])
    resolved = Resolver(names, joins).resolve(frame)
    if resolved is None:
        return Written(why_not="no join is known that connects all that is asked for", open_words=open_words)
    frame = with_totals(frame, resolved, names)
    readings = tuple(_readings(chunks, resolved))
    # `on` and `at` are parts of many names of times, and say nothing.
    spoken = frozenset(stem(token.low) for token in tokens if len(token.low) > 2)
    parts = Parts(frame, resolved, names, joins, Writing(names, dialect), spoken)
    asked = tuple(_periods(frame))
    try:
        built = Builder(parts).build()
        families = {ref: names.tables[ref].table.family for ref in built.tables if ref in names.tables}
        sql = with_parts(built.tree, families, asked).sql(dialect=dialect, pretty=True)
        ties = with_parts(built.ties, families, asked).sql(dialect=dialect) if built.ties else ""
    except CannotWriteError as error:
        return Written(why_not=str(error), readings=readings, open_words=open_words)
    readings += tuple(Told(said, meaning) for said, meaning in parts.readings.items())
    chosen = (
        f"which tables of {ref} hold the rows of a time is taken from their names"
        for ref, family in families.items()
        if family and parts_of(family, asked) != family.members
    )
    doubts = (*frame.doubts, *parts.doubts, *chosen, *doubts_of(chunks, resolved, frame, joins))
    share = len(open_words) / max(1, sum(not chunk.ends_sentence for chunk in chunks))
    return Written(sql, ties, "", readings, open_words, tuple(dict.fromkeys(doubts)), share)


def _periods(frame: Frame) -> Iterator[Period]:
    """The periods in which something has to lie."""
    for condition in frame.conditions:
        for chunk in (condition.value, *condition.others):
            if condition.operator == "during" and chunk and chunk.period:
                yield chunk.period


def _readings(chunks: list[Chunk], resolved: Resolved) -> Iterator[Told]:
    for chunk in chunks:
        ref = resolved.refs.get(chunk)
        if ref is not None:
            held = next((one.value for one in chunk.values if one.ref == ref), None)
            yield Told(chunk.text, f"{ref} = {held}" if held is not None else str(ref))
        elif chunk.period:
            yield Told(chunk.text, f"{chunk.period.first} to {chunk.period.last}")
