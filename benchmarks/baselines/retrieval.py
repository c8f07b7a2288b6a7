"""
Retrieval alone: the top columns of one retriever, up to the column budget.

Dense is DE-SL in papers; lexical matches words; fused combines meaning, words and values.
"""

from collections.abc import Iterable, Iterator

from linker.linking.column_selection_prompt import one_per_group, placed, to_strategy_result
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import CoreStrategy
from linker.types import Hit


class DenseStrategy(CoreStrategy):
    """Takes the columns nearest in meaning."""

    name = "retrieval_dense"
    rereads = False
    # What a hit calls its score in this way to search; all of them together where it is empty.
    way = "dense"
    reason = "by meaning"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        hits = list(found_by(self.way, one_per_group(asked)))
        return taken(asked, linking, hits, self.reason)


class LexicalStrategy(DenseStrategy):
    """Takes the columns with the words of the question."""

    name = "retrieval_lexical"
    way = "lexical"
    reason = "by words"


class FusedStrategy(DenseStrategy):
    """Takes the columns that meaning, words and values bring up together."""

    name = "retrieval_fused"
    way = ""
    reason = "by meaning, words and values"


def found_by(way: str, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Hits of one search, best first."""
    if not way:
        yield from hits
        return
    scored = [(dict(hit.scores)[way], hit) for hit in hits if way in dict(hit.scores)]
    yield from (hit for _, hit in sorted(scored, key=lambda pair: (-pair[0], pair[1].ref)))


def taken(
    asked: LinkedQuestion, linking: LinkSession, hits: list[Hit], reason: str
) -> StrategyResult:
    """The first hits within the budget."""
    best = hits[: linking.environment.settings.most_columns]
    grounding = placed(best, f"found {reason}", f"holds what was found {reason}", reason)
    return to_strategy_result(
        asked,
        linking,
        [grounding],
        (("budget", grounding.columns),),
        is_voted=False,
        nothing=f"nothing was found {reason}",
    )
