"""
The vote: enter the groundings of the hypotheses, leave two sets: required and uncertain.

Of M hypotheses n need an item. With nothing known before, the chance that one needs it is Beta(n +
1, M - n + 1), and credibility is how surely that chance lies above one half.
"""

from collections.abc import Sequence
from math import comb

from linker.link.grounding import Grounding
from linker.types import Record, Ref

# From here on an item is locked: four of four, or two of two; three of four are not enough.
REQUIRED_FROM = 0.85


class Vote(Record, frozen=True):
    """The hypotheses that need an item, and how surely it is needed."""

    ref: Ref
    hypotheses: tuple[int, ...]
    of: int
    credibility: float
    why: str = ""

    def __str__(self) -> str:
        return f"needed by {len(self.hypotheses)} of {self.of} ways to answer"


class Sets(Record, frozen=True):
    """Items that were voted on, in two sets that share nothing."""

    required: tuple[Vote, ...]
    uncertain: tuple[Vote, ...]


def credibility(votes: int, of: int) -> float:
    """
    P(p > 1/2) for p ~ Beta(n + 1, M - n + 1).

    For whole numbers it is the chance that of M + 1 throws of a coin at most n show heads.
    """
    if not 0 <= votes <= of:
        raise ValueError(f"{votes} votes of {of}")
    throws: int = sum(comb(of + 1, heads) for heads in range(votes + 1))
    return throws / float(2 ** (of + 1))


def vote(groundings: Sequence[Grounding]) -> Sets:
    """Count, and sort what hypotheses need into the two sets."""
    needing: dict[Ref, list[int]] = {}
    why: dict[Ref, str] = {}
    for grounding in groundings:
        # Who needs a column needs its table.
        needed: dict[Ref, None] = dict.fromkeys(
            (*grounding.tables, *(column.table for column in grounding.columns))
        )
        needed.update(dict.fromkeys(grounding.columns))
        for ref in needed:
            needing.setdefault(ref, []).append(grounding.hypothesis.number)
        for ref, reason in grounding.why:
            why.setdefault(ref, reason)
    of = len(groundings)
    votes = [
        Vote(ref, tuple(numbers), of, credibility(len(numbers), of), why.get(ref, ""))
        for ref, numbers in needing.items()
    ]
    return Sets(
        required=tuple(vote for vote in votes if vote.credibility >= REQUIRED_FROM),
        uncertain=tuple(vote for vote in votes if vote.credibility < REQUIRED_FROM),
    )
