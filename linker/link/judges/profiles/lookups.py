"""
Lookups of the judge without a model: enters a question with its hypotheses, leave probes and statistics.

A name that no shown value holds may still be a value: one probe searches the columns that are likeliest to hold it.
A join that rests on names alone is tried. Where the question gives a period, the days of the tables are looked at.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from linker.link.actions import GetFieldStats, Look, ProbeSql
from linker.link.hypotheses import Hypothesis, JoinHint
from linker.link.judges.profiles.anchors import unbound_names
from linker.link.judges.profiles.hypotheses import are_alike
from linker.link.question import LinkedQuestion
from linker.ranking.roles import ROLES
from linker.types import ColumnRef, TableRef

_MOST_NAMES, _MOST_SEARCHED, _MOST_JOINS, _MOST_STATISTICS = 3, 12, 4, 8
_LIKELY_TABLES = 12
_TEXT = ("varchar", "text", "string", "char", "character varying", "nvarchar", "bpchar")


@dataclass(frozen=True, slots=True)
class Lookups:
    """All lookups for a question, the columns that names are searched in, and the probes that search and try joins."""

    actions: tuple[Look, ...]
    searched: tuple[ColumnRef, ...]
    searches: tuple[str, ...]
    joins: Mapping[str, JoinHint]


def lookups_for(question: LinkedQuestion, hypotheses: tuple[Hypothesis, ...], dialect: str) -> Lookups:
    """All that is worth looking up before anything is decided."""
    searched = searched_columns(question)
    searches = tuple(_searches(question, searched, dialect)) if searched else ()
    joins = dict(_tried_joins(question, hypotheses, dialect))
    probes = (ProbeSql(sql=sql, about=[]) for sql in (*searches, *joins))
    dated = day_columns(question, hypotheses) if question.mentions.periods else ()
    days = (GetFieldStats(columns=[str(ref) for ref in dated]),) if dated else ()
    return Lookups((*probes, *days), searched, searches, joins)


def _searches(question: LinkedQuestion, columns: tuple[ColumnRef, ...], dialect: str) -> Iterator[str]:
    for name in unbound_names(question)[:_MOST_NAMES]:
        from linker.link.judges.profiles.probes import search_for

        yield search_for(question, name, columns, dialect)


def searched_columns(question: LinkedQuestion) -> tuple[ColumnRef, ...]:
    """Columns of text in likely tables of which the profiles show some values and not all."""
    lexicon, odds = question.ranked.known.lexicon, question.ranked.columns
    order = np.argsort(-question.ranked.tables, kind="stable")[:_LIKELY_TABLES]
    places = np.flatnonzero(np.isin(lexicon.table_of, order))
    found = [lexicon.refs[place] for place in sorted(places, key=lambda place: (-odds[place], place))]
    return tuple(ref for ref in found if _may_hold_more(question, ref))[:_MOST_SEARCHED]


def _tried_joins(
    question: LinkedQuestion, hypotheses: Iterable[Hypothesis], dialect: str
) -> Iterator[tuple[str, JoinHint]]:
    """A statement for every join of the ways that rests on names alone; it gives a row where the sides meet."""
    known = {
        frozenset((ColumnRef(pair.left, left), ColumnRef(pair.right, right)))
        for pair in question.facts.joins
        for left, right in zip(pair.left_columns, pair.right_columns, strict=True)
    }
    hints = dict.fromkeys(pair for hypothesis in hypotheses for pair in hypothesis.joins)
    untried = [
        pair
        for pair in hints
        if frozenset(pair) not in known and not any(_is_nested(question, column) for column in pair)
    ]
    if untried:
        # The parser of SQL takes as long to import as all the rest of a question without probes.
        from linker.link.judges.profiles.probes import try_join

        yield from ((try_join(question, pair, dialect), pair) for pair in untried[:_MOST_JOINS])


def day_columns(question: LinkedQuestion, hypotheses: tuple[Hypothesis, ...]) -> tuple[ColumnRef, ...]:
    """The columns with days of rival tables, the likeliest first. Families tell theirs by name."""
    tables = {ref for pair in rivals(question, hypotheses) for ref in pair}
    tables = {ref for ref in tables if question.catalog.table_by_ref[ref].family is None}
    lexicon, odds = question.ranked.known.lexicon, question.ranked.columns
    is_day = lexicon.roles[:, ROLES.index("time_type")]
    places = [place for place in np.flatnonzero(is_day) if lexicon.refs[place].table in tables]
    return tuple(
        lexicon.refs[place] for place in sorted(places, key=lambda place: (-odds[place], place))[:_MOST_STATISTICS]
    )


def rivals(question: LinkedQuestion, hypotheses: tuple[Hypothesis, ...]) -> tuple[tuple[TableRef, TableRef], ...]:
    """Pairs of tables that tell of the same thing in two ways to answer: only one of them is needed."""
    pairs: dict[tuple[TableRef, TableRef], None] = {}
    for other in hypotheses[1:]:
        if any(divergence.signal in ("source", "granularity") for divergence in other.diverges):
            out = [ref for ref in hypotheses[0].tables if ref not in other.tables]
            new = [ref for ref in other.tables if ref not in hypotheses[0].tables]
            pairs.update(
                dict.fromkeys(
                    (table, rival) for table in out for rival in new if are_alike(question.catalog, table, rival)
                )
            )
    return tuple(pairs)


def _may_hold_more(question: LinkedQuestion, ref: ColumnRef) -> bool:
    facts, column = question.facts.of(ref), question.catalog.find(ref)
    is_text = column is not None and column.data_type.lower().split("(")[0] in _TEXT
    is_shown_in_part = bool(facts.values) and (facts.distinct_count or 0) > len(facts.values)
    return is_text and is_shown_in_part and not _is_nested(question, ref)


def _is_nested(question: LinkedQuestion, ref: ColumnRef) -> bool:
    column = question.catalog.find(ref)
    return column is None or column.depth > 0 or column.is_nested
