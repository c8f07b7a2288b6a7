"""
Candidates grouped by what they gave: enter candidates that ran, leave groups of the same result, the largest first.

A candidate joins the first group whose first result is the same as its own. Numbers may differ by noise, columns may
change places, and the order of rows counts only where the question asks for one or every candidate gives one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from linker.link.vote import credibility
from linker.sql.comparing import same_result
from linker.sql.records import Attempt, Candidate

_ASKS_FOR_ORDER = re.compile(
    r"\b(?:sort(?:ed)?|order(?:ed)? (?:by|of|from)|(?:in|by) (?:\w+ ){0,3}order\b|rank(?:ed|ing)?|ascending|descending"
    r"|alphabetical(?:ly)?|chronological(?:ly)?|from (?:the )?\w+est to)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """Candidates with the same result; the one with the lowest number speaks for them."""

    members: tuple[Candidate, ...]

    @property
    def speaker(self) -> Candidate:
        """The candidate whose statement is shown."""
        return self.members[0]

    @property
    def attempt(self) -> Attempt:
        """The statement that is shown, which ran."""
        last = self.speaker.last
        if last is None or last.result is None:
            raise ValueError("a group holds candidates that ran")
        return last


def asks_for_order(question: str) -> bool:
    """Whether a question says that the order of the rows matters."""
    return bool(_ASKS_FOR_ORDER.search(question))


def grouped(candidates: Sequence[Candidate], question: str) -> tuple[ResultGroup, ...]:
    """The groups, the largest first, and of equal ones that of the first candidate."""
    ran = [(one, one.last) for one in sorted(candidates, key=lambda one: one.number) if one.last and one.last.has_run]
    is_ordered = bool(ran) and (asks_for_order(question) or all(attempt.is_ordered for _, attempt in ran))
    groups: list[list[tuple[Candidate, Attempt]]] = []
    for candidate, attempt in ran:
        home = next((group for group in groups if _is_same(group[0][1], attempt, ordered=is_ordered)), None)
        if home is None:
            groups.append([(candidate, attempt)])
        else:
            home.append((candidate, attempt))
    found = [ResultGroup(tuple(candidate for candidate, _ in group)) for group in groups]
    return tuple(sorted(found, key=lambda group: (-len(group.members), group.speaker.number)))


def confidence(group: ResultGroup, of: int) -> float:
    """How surely more than half of all candidates would give this result; one that did not run votes against it."""
    return credibility(len(group.members), of)


def tied(groups: Sequence[ResultGroup]) -> tuple[ResultGroup, ...]:
    """The largest groups where there are several of a size."""
    first = [group for group in groups if len(group.members) == len(groups[0].members)] if groups else []
    return tuple(first) if len(first) > 1 else ()


def _is_same(one: Attempt, other: Attempt, *, ordered: bool) -> bool:
    if one.result is None or other.result is None or one.result.is_cut != other.result.is_cut:
        return False
    return same_result(one.result.rows, other.result.rows, ordered=ordered)
