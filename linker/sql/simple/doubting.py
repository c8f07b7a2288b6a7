"""What makes a simple statement uncertain: enter the chunks with what they stand for, leave doubts in words."""

from collections.abc import Iterator

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import Frame
from linker.sql.simple.joining import Joins
from linker.sql.simple.names import Meaning
from linker.sql.simple.resolving import Resolved
from linker.types import ColumnRef, Ref

# What is named less well is told as a doubt, unless nothing else comes near.
_WELL_NAMED, _NAMED = 0.8, 0.6


def doubts_of(chunks: list[Chunk], resolved: Resolved, frame: Frame, joins: Joins) -> Iterator[str]:
    """What else a question may mean, and what of it is in no part of the statement."""
    others: dict[Chunk, Ref] = {}
    for chunk, other in resolved.others:
        others.setdefault(chunk, other)
    for condition in frame.conditions:
        if condition.name and (elsewhere := _elsewhere(condition.name, resolved)):
            others.setdefault(condition.name, elsewhere)
    for chunk, other in others.items():
        yield f"“{chunk.text}” may be {other} as well"
    named = {table for chunk in chunks if chunk.is_name and (table := resolved.table(chunk))}
    for chunk in chunks:
        table = resolved.table(chunk) if chunk.values else None
        if table and table not in named and joins.distance(table, named) > 1:
            yield f"“{chunk.text}” stands in {table}, which the question does not name"
    used = {chunk.text.lower() for chunk in (*resolved.refs, *frame.others)}
    for chunk in chunks:
        yield from _of_chunk(chunk, resolved, used)


def _of_chunk(chunk: Chunk, resolved: Resolved, used: set[str]) -> Iterator[str]:
    ref = resolved.refs.get(chunk)
    if ref is None and (chunk.meanings or chunk.values) and chunk.text.lower() not in used:
        yield f"“{chunk.text}” is not part of the statement"
    told = next((one.value for one in chunk.values if one.ref == ref and one.is_told), None)
    if told is not None:
        yield f"“{chunk.text}” is taken for {told} of {ref}, as its description says"
    best = next((one for one in chunk.meanings if one.ref == ref), None)
    if best and best.score < _WELL_NAMED and not _is_alone(chunk, best):
        what = "column" if isinstance(ref, ColumnRef) else "table"
        yield f"“{chunk.text}” is only near to the {what} {ref}"


def _is_alone(chunk: Chunk, best: Meaning) -> bool:
    """Whether nothing else in the linked schema comes near to what the words say."""
    return best.score >= _NAMED and all(one is best or one.score < best.score - 0.15 for one in chunk.meanings)


def _elsewhere(chunk: Chunk, resolved: Resolved) -> ColumnRef | None:
    """A column of another table of the statement that is called as well as the chosen one."""
    ref = resolved.refs.get(chunk)
    score = next((one.score for one in chunk.meanings if one.ref == ref), None)
    if score is None:
        return None
    others = (one.ref for one in chunk.meanings if isinstance(one.ref, ColumnRef) and one.score >= score - 0.1)
    return next((one for one in others if one != ref and one.table in resolved.tables), None)
