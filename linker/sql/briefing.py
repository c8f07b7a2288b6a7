"""
Briefing of who writes SQL: enters a linked schema and what is known besides, leaves the text that
prompts show of it.

Short lists of values are whole, and so are the joins of the chosen tables. What linking saw stands
below. Values that the question may mean are found by their likeness.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from linker.catalog.facts import SURE_ENOUGH, ColumnFacts, Facts
from linker.guard.private import MOST_MEMBERS
from linker.link.answer import Join, LinkedColumn, LinkedSchema
from linker.link.mschema import as_join, render
from linker.retrieval.hybrid import HybridRetriever
from linker.text.periods import Period, periods_of
from linker.text.words import readable
from linker.types import ColumnRef, Family, TableRef

_MOST_FOUND = 12
_MOST_NEAR = 12
_MOST_LIKE = 200
_MOST_VALUES = 12
_MOST_JOINS = 30
_MOST_NAMED = 7
_SAYING = ("category", "code", "text")
_FEW_LETTERS = 3
# A day, or a month, at the end of a name.
_DAY = re.compile(r"(\d{4})\D?(\d\d)\D?(\d\d)?$")


def widened(schema: LinkedSchema, facts: Facts) -> LinkedSchema:
    """
    The schema with all values of short lists, and all joins that are known between its tables.
    """
    chosen = {linked.table.ref for linked in schema.tables}
    sure = (
        pair
        for pair in facts.joins
        if pair.confidence >= SURE_ENOUGH and {pair.left, pair.right} <= chosen
    )
    joins = dict[frozenset[str], Join]()
    for join in (*schema.joins, *map(as_join, sure)):
        joins.setdefault(frozenset(re.split(" = | and ", str(join))), join)
    listed = {ref: _with_values(column, facts.of(ref)) for ref, column in _columns(schema)}
    columns_of: dict[TableRef, list[LinkedColumn]] = {}
    for ref, column in listed.items():
        columns_of.setdefault(ref.table, []).append(column)
    tables = tuple(
        replace(linked, columns=tuple(columns_of.get(linked.table.ref, ())))
        for linked in schema.tables
    )
    return replace(schema, tables=tables, joins=tuple(joins.values())[:_MOST_JOINS])


def _columns(schema: LinkedSchema) -> Iterator[tuple[ColumnRef, LinkedColumn]]:
    for linked in schema.tables:
        yield from (
            (ColumnRef(linked.table.ref, column.column.path), column) for column in linked.columns
        )


def _with_values(linked: LinkedColumn, facts: ColumnFacts) -> LinkedColumn:
    is_short = (
        facts.category in _SAYING and facts.distinct_count == len(facts.values) <= _MOST_VALUES
    )
    return (
        replace(linked, examples=tuple(dict.fromkeys((*linked.examples, *facts.values))))
        if is_short
        else linked
    )


def briefing(schema: LinkedSchema) -> str:
    """
    The schema, how to read its large families, the periods of the question, and what linking saw of
    its values.
    """
    periods = tuple(periods_of(schema.question))
    # Beside `28 November 2025` a `Friday` of any year says nothing.
    periods = tuple(each for each in periods if each.first or each.last) or periods
    families = ((linked.table.ref, linked.table.family) for linked in schema.tables)
    partitions = ((ref, family) for ref, family in families if family and not family.is_snapshots)
    large = (_reading(*each, periods) for each in partitions if len(each[1].members) > MOST_MEMBERS)
    found = dict.fromkeys(
        f"{'Probe' if evidence.kind == 'probe' else ref}: {evidence.text}"
        for ref, column in _columns(schema)
        for evidence in column.evidence
        if evidence.kind in ("value", "probe", "statistic")
    )
    times = (f"{period.words!r} is {period}" for period in periods)
    return "\n".join([render(schema), *map(readable, (*large, *times, *list(found)[:_MOST_FOUND]))])


def _reading(ref: TableRef, family: Family, periods: tuple[Period, ...]) -> str:
    """
    The way to read a large family: by which tables, where names tell which hold the periods of the
    question.
    """
    within: list[str] = []
    for name in family.members:
        day = _DAY.search(name)
        if day and any(each.first and _meets(each, day) for each in periods):
            within.append(name)
    shown = within if len(within) <= _MOST_NAMED else [*within[:2], "…", within[-1]]
    limit = (
        f"{ref}: read at most {MOST_MEMBERS} of its tables, by their own names, with `union all`"
    )
    return f"{limit}; of the time that is asked for are {', '.join(shown)}" if shown else limit


def _meets(period: Period, day: re.Match[str]) -> bool:
    month = f"{day[1]}-{day[2]}"
    return period.meets(f"{month}-{day[3] or '00'}", f"{month}-{day[3] or '99'}")


def near_values(schema: LinkedSchema, retriever: HybridRetriever) -> Iterator[str]:
    """
    Values of columns of the schema that the question may mean, the nearest first; none that surely
    is meant.
    """
    sure: dict[ColumnRef, list[str]] = {}
    for ref, column in _columns(schema):
        sure[ref] = [each.text for each in column.evidence if each.kind == "value"]
    found: list[tuple[float, int, str]] = []
    for hit in retriever.search(schema.question, limit=_MOST_LIKE).columns:
        for match in hit.matches if hit.ref in sure else ():
            # `us` is hardly US.
            is_telling = len(match.words) > _FEW_LETTERS or match.words == match.value
            if is_telling and not any(match.value in known for known in sure[hit.ref]):
                line = f"“{match.words}” may be the value {match.value} of {hit.ref}"
                found.append((match.similarity, len(match.value), line))
    yield from (line for *_, line in sorted(found, reverse=True)[:_MOST_NEAR])
