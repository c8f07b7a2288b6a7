"""
Fuses rankings: enter several rankings of the same things, leaves one, with the score that each gave.

The rule is weighted reciprocal rank fusion: a thing at rank r of a ranking of weight w gets w / (60 + r), and its score
is the sum over the rankings, divided by what the first of all of them would have. Scores of different retrievers are
never added: a cosine and the weight of a word have no common scale, their ranks have.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT", bound=Hashable)

_RANKS_THAT_HARDLY_DIFFER = 60


@dataclass(frozen=True, slots=True)
class Fused(Generic[ItemT]):
    """A thing, its score from 0 to 1, and the score of each ranking that holds it."""

    item: ItemT
    score: float
    scores: tuple[tuple[str, float], ...]


def fuse(
    rankings: Mapping[str, Sequence[tuple[ItemT, float]]], weights: Mapping[str, float], *, limit: int
) -> list[Fused[ItemT]]:
    """The best of all rankings, each of which is best first and holds a thing once; ties keep the rankings' order."""
    points: dict[ItemT, float] = defaultdict(float)
    told: dict[ItemT, list[tuple[str, float]]] = defaultdict(list)
    for name, ranking in rankings.items():
        weight = weights[name]
        for rank, (item, score) in enumerate(ranking, start=_RANKS_THAT_HARDLY_DIFFER + 1):
            points[item] += weight / rank
            told[item].append((name, score))
    most = sum(weights[name] for name in rankings) / (_RANKS_THAT_HARDLY_DIFFER + 1)
    ranked = sorted(points, key=points.__getitem__, reverse=True)
    return [Fused(item, points[item] / most, tuple(told[item])) for item in ranked[:limit]]
