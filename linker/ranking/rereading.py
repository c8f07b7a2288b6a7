"""
Reads the best columns once more: enters a ranking and a reranker, leaves the ranking in an order that both made.

The two orders are fused by the ranks they give, and the columns take the odds that they have together in that order:
tables, budget and joins are chosen as without a reranker.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from linker.ranking.ranker import Ranked
from linker.retrieval.fusion import fuse
from linker.retrieval.reranking import Reranker
from linker.types import ColumnRef

_MOST_READ = 100
_WEIGHTS = {"ranking": 1.0, "reranker": 1.0}


def reread(ranked: Ranked, reranker: Reranker, texts: Mapping[ColumnRef, str]) -> Ranked:
    """The same columns, of which the best may have changed places."""
    matches, lexicon = ranked.evidence.matches, ranked.known.lexicon
    best = [int(place) for place in np.argsort(-ranked.columns, kind="stable")[:_MOST_READ]]
    refs = [lexicon.refs[place] for place in best]
    read = reranker.scores(matches.question.text, [texts.get(ref, str(ref)) for ref in refs])
    scores = dict(zip(best, read, strict=True))
    rankings = {
        "ranking": [(place, float(ranked.columns[place])) for place in best],
        "reranker": sorted(scores.items(), key=lambda one: -one[1]),
    }
    order = [one.item for one in fuse(rankings, _WEIGHTS, limit=_MOST_READ)]
    columns = ranked.columns.copy()
    columns[order] = ranked.columns[best]
    return replace(ranked, columns=columns)
