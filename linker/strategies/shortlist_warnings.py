"""What a shortlist warns of: unmatched words, values that are not listed, other languages."""

from collections.abc import Sequence

from linker.linking.mschema import MAX_EXAMPLES
from linker.linking.result import UNMATCHED_TERMS, LinkedTable, Unanswerable
from linker.linking.value_linking import LinkedQuestion
from linker.ranking.answerability import UnmatchedTerms
from linker.text.words import is_english, words_of_text
from linker.types import ColumnRef, Ref

_DOUBT = "the question may be out of scope"
_MAY_BE_VALUES = "possibly values that are not listed"
# Warning for questions in other languages, where word matches are unreliable.
_LANGUAGE = "the question is not in English; without a language model, English questions work best"


def unanswerable(unmatched: UnmatchedTerms) -> Unanswerable | None:
    if not unmatched.is_no_question:
        return None
    missing = ", ".join(f"“{phrase}”" for phrase in unmatched.phrases) or "the whole question"
    nearest: tuple[Ref, ...] = (*unmatched.nearest_tables[:2], *unmatched.nearest[:3])
    return Unanswerable(f"no table, column or value matches {missing}", nearest)


def warnings_of(
    question: LinkedQuestion, unmatched: UnmatchedTerms, tables: Sequence[LinkedTable]
) -> tuple[str, ...]:
    if unmatched.is_no_question or not (unmatched.phrases or unmatched.has_low_confidence):
        return ()
    if not is_english(question.question):
        if not unmatched.is_far:
            return ()
        warnings = [_LANGUAGE]
    elif unmatched.phrases and not _are_shown(unmatched.phrases, question, tables):
        # Terms that match separately are no warning by themselves.
        warnings = [_doubt(unmatched)]
    else:
        return ()
    # Unread shards may contain the value.
    families = ((linked.table.ref, linked.table.family) for linked in tables)
    warnings += [
        f"{ref}: {family.coverage}" for ref, family in families if family and family.coverage
    ]
    return tuple(warnings)


def _are_shown(
    phrases: Sequence[str], question: LinkedQuestion, tables: Sequence[LinkedTable]
) -> bool:
    """Whether shown values contain all words of the phrases."""
    values = list[str]()
    for linked in tables:
        for item in linked.columns:
            column_values = question.facts_of(ColumnRef(linked.table.ref, item.column.path)).values
            values += column_values[:MAX_EXAMPLES]
    return set(words_of_text(" ".join(values))).issuperset(words_of_text(" ".join(phrases)))


def _doubt(unmatched: UnmatchedTerms) -> str:
    parts = [f"{UNMATCHED_TERMS} {', '.join(f'“{phrase}”' for phrase in unmatched.phrases)}"]
    if unmatched.may_be_values:
        parts.append(_MAY_BE_VALUES)
    elif unmatched.has_low_confidence:
        parts.append(_DOUBT)
    return "; ".join(parts)
