"""
MCP tool `search_values`: finds columns that contain a value, or whose comment or name mentions it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from linker.catalog.column_metadata import ColumnFacts
from linker.catalog.description import CODED, column_name, cut, listed
from linker.catalog.profile import column_profile
from linker.environment import Environment
from linker.ranking.near_duplicates import keys_into, originals
from linker.serve.column_text import AnswerPart, ToolResponse
from linker.serve.tool_errors import answer_each, check_words
from linker.serve.tools_list import successors
from linker.text.numbers import counted
from linker.text.words import alnum_key, readable, words_of_name, words_of_text
from linker.types import ColumnRef, Hit

# Semantic types whose comments may explain values.
_EXPLAINED = (*CODED, "measure")
_LEGENDS = 2
_MAX_NAMES = 3
_VALUES_OF_COLUMN = 3
_LONGEST_LEGEND = 140
_LONGEST_VALUE = 60
_NO_VALUE = "no frequent value is like it"
_UNLISTED = 2
_MASKED = 3
# Types of texts, as warehouses write them.
_TEXTS = re.compile(r"\w*char\w*|text|string|citext", re.IGNORECASE)
_MOSTLY = 0.2
# Semantic types whose values hold digits.
_NUMBERED = ("identifier", "code", "foreign_key")
_FURTHER_VALUES = "raise `limit`, or ask for one text at a time"
_COPIES_NAMED = 2


def search_values(environment: Environment, texts: Sequence[str], limit: int) -> ToolResponse:
    """For each text the columns that contain it, with spelling and row counts."""
    return answer_each(texts, partial(_matching_values, environment, limit=limit), _FURTHER_VALUES)


def _matching_values(environment: Environment, text: str, limit: int) -> AnswerPart:
    """Columns that contain a text."""
    check_words(text)
    hits = environment.retriever.search(text, limit=200).columns
    # Values that match only one of two words come later.
    matching = sorted((hit for hit in hits if hit.matches), key=_weight, reverse=True)
    partial_matches = list[tuple[ColumnRef, str]]()
    for hit in matching:
        partial_matches += ((hit.ref, match.value) for match in hit.matches[:_VALUES_OF_COLUMN])
    full_matches = [(ref, value) for ref, value in partial_matches if _has_words(text, value)]
    full_matches += _within(environment, text, hits)
    columns_by_value = _by_value(environment, full_matches or partial_matches)
    lines = [
        *_value_lines(environment, columns_by_value, limit),
        *_legends(environment, text, hits),
    ] or ["; ".join((_NO_VALUE, *_elsewhere(environment, text, hits)))]
    if not full_matches:
        lines += _columns_named(hits, text)
    return AnswerPart(tuple(lines))


def _weight(hit: Hit) -> float:
    return max(len(match.words) * match.similarity for match in hit.matches)


def _within(
    environment: Environment, text: str, hits: Sequence[Hit]
) -> Iterator[tuple[ColumnRef, str]]:
    """Indexed values with all words of a text among others, in nearby columns."""
    wanted = set(words_of_text(text))
    for hit in hits if wanted else ():
        for value in environment.indexed.facts.get(hit.ref).values:
            if wanted <= set(words_of_text(value)):
                yield hit.ref, value


def _has_words(text: str, value: str) -> bool:
    """Whether a value contains all words of a text, or joins them."""
    return set(words_of_text(text)) <= set(words_of_text(value)) or alnum_key(text) == alnum_key(
        value
    )


def _original(environment: Environment, ref: ColumnRef) -> ColumnRef:
    """The column of the original table, if a copy's has one."""
    table = environment.derive(originals).get(ref.table, ref.table)
    known = environment.indexed.catalog.table_by_ref[table].column_by_path
    return ColumnRef(table, ref.path) if ref.path in known else ref


def _legends(environment: Environment, text: str, hits: Sequence[Hit]) -> list[str]:
    """Nearby code columns whose comment explains a text: GW goodwill."""
    catalog, facts, legends = environment.indexed.catalog, environment.indexed.facts, list[str]()
    for ref in dict.fromkeys(_original(environment, hit.ref) for hit in hits):
        if facts.get(ref).category not in _EXPLAINED or not words_of_text(text):
            continue
        comment = catalog.table_by_ref[ref.table].column_by_path[ref.path].description or ""
        if _has_words(text, comment):
            legends.append(
                f"{column_name(str(ref))}, by its comment: {cut(comment, _LONGEST_LEGEND)}"
            )
    return legends[:_LEGENDS]


def _elsewhere(environment: Environment, text: str, hits: Sequence[Hit]) -> Iterator[str]:
    """
    How to look for a value in the nearest texts: those with more values than are known, which look
    like it.
    """
    unlisted, masked = list[ColumnRef](), list[ColumnRef]()
    past, facts_of = environment.derive(successors), environment.indexed.facts
    for ref in dict.fromkeys(_original(environment, hit.ref) for hit in hits):
        if ref.table in past:
            continue
        described = environment.indexed.describe(ref)
        facts = described.facts
        if not _TEXTS.match(described.column.data_type):
            continue
        if facts.is_masked and _may_be(text, facts.category):
            masked.append(ref)
        elif any(_looks_like(text, value) for value in facts.values):
            is_unlisted = (facts.distinct_count or 0) > len(facts.values)
            unlisted += [ref] if is_unlisted else []
    unlisted.sort(key=lambda ref: _is_mostly_known(facts_of.get(ref)))
    if unlisted:
        first, *others = unlisted[:_UNLISTED]
        also = f", also {listed(map(str, others))}" if others else ""
        yield f"run_query looks at all: `where {_contains(first)}`{also}"
    if masked:
        yield f"masked, compare with `=`: {listed(map(str, masked[:_MASKED]))}"


def _is_mostly_known(facts: ColumnFacts) -> bool:
    """Whether most values are known, so that another one is hardly there."""
    return len(facts.values) > _MOSTLY * (facts.distinct_count or 0)


def _looks_like(text: str, value: str) -> bool:
    """Whether both are numbers, codes with digits, addresses (`@`), or words."""
    return _form(text) == _form(value)


def _form(text: str) -> tuple[bool, bool, bool]:
    """Whether a text has an `@`, a digit, and a letter."""
    return "@" in text, any(map(str.isdigit, text)), any(map(str.isalpha, text))


def _may_be(text: str, category: str | None) -> bool:
    """Whether a text may be a value of a masked column, by its semantic type."""
    has_at, has_digit, has_letter = _form(text)
    if category == "email":
        return has_at
    if category == "phone":
        return has_digit and not has_letter
    # Names and addresses are texts without a semantic type.
    return not has_at and (has_digit or category not in _NUMBERED)


def _contains(ref: ColumnRef) -> str:
    return f"lower({column_name(str(ref))}) like '%…%'"


def _columns_named(hits: Sequence[Hit], text: str) -> list[str]:
    """Nearby columns with all words of a text in their name."""
    wanted = set(words_of_name(text))
    names = [str(hit.ref) for hit in hits if wanted and wanted <= set(words_of_name(hit.ref.path))]
    return [f"in the name of {listed(names, _MAX_NAMES)}"] if names else []


def _by_value(
    environment: Environment, held: Sequence[tuple[ColumnRef, str]]
) -> list[tuple[str, list[ColumnRef]]]:
    """Values with columns of one name: originals first, then most referenced tables."""
    pointed, copies = environment.derive(keys_into), environment.derive(originals)
    columns_of: dict[tuple[str, str], dict[ColumnRef, None]] = {}
    for ref, value in held:
        original = _original(environment, ref)
        # Copies may crowd the original out of the hits.
        if value in environment.indexed.facts.get(original).values:
            columns_of.setdefault((ref.path, value), {})[original] = None
        columns_of.setdefault((ref.path, value), {})[ref] = None
    return [
        (value, sorted(refs, key=lambda ref: (ref.table in copies, -pointed[ref.table])))
        for (_, value), refs in columns_of.items()
    ]


def _value_lines(
    environment: Environment, columns_by_value: Sequence[tuple[str, list[ColumnRef]]], limit: int
) -> Iterator[str]:
    for value, [ref, *copies] in columns_by_value[:limit]:
        column = column_profile(environment.profile_of(ref.table), ref.path)
        if column is None or not column.is_shown:
            continue
        counts = {entry.value: entry.count for entry in column.l2.representative_values or ()}
        family = environment.indexed.catalog.table_by_ref[ref.table].family
        coverage = f" ({family.coverage})" if family and family.coverage else ""
        rows = f", {counted(counts[value], 'row')}{coverage}" if value in counts else ""
        also = (
            f"; also in {listed((str(copy.table) for copy in copies), _COPIES_NAMED)}"
            if copies
            else ""
        )
        where = environment.indexed.facts.get(ref).where(value)
        yield f"{column_name(str(ref))} = '{readable(value)[:_LONGEST_VALUE]}'{where}{rows}{also}"
    if len(columns_by_value) > limit:
        yield f"… and {len(columns_by_value) - limit} more: raise `limit`"
