"""
Fusion of rankings: enter rankings of the same things, leaves one of all, by the ranks alone.

Scores of different retrievers are never added: a cosine and the weight of a word have no common
scale, ranks have.
"""

from collections.abc import Mapping

import numpy as np

from linker.store import Ranking

_RANKS_THAT_HARDLY_DIFFER = 60


def fuse(rankings: Mapping[str, Ranking], weights: Mapping[str, float], *, limit: int) -> Ranking:
    """
    The best of all rankings; ties keep the rankings' order.

    Weighted reciprocal rank fusion: a thing at rank r of a ranking of weight w gets w / (60 + r);
    its score is the sum, divided by what the first of all rankings would have.
    """
    every = np.concatenate([ranking.items for ranking in rankings.values()])
    items, first, place_of = np.unique(every, return_index=True, return_inverse=True)
    points, begin = np.zeros(len(items)), 0
    for name, ranking in rankings.items():
        ranks = _RANKS_THAT_HARDLY_DIFFER + np.arange(1, len(ranking) + 1)
        points[place_of[begin : begin + len(ranking)]] += weights[name] / ranks
        begin += len(ranking)
    most = sum(weights[name] for name in rankings) / (_RANKS_THAT_HARDLY_DIFFER + 1)
    best = np.lexsort((first, -points))[:limit]
    return Ranking(items[best], points[best] / most)
