"""
Cross-encoder ranking of the hits of hybrid retrieval (CE-SL in papers, there over all columns).

The setting `reranker` fuses both rankings instead.
"""

from msgspec.structs import replace

from benchmarks.baselines.retrieval import taken
from linker.catalog.documents import column_texts
from linker.linking.column_selection_prompt import one_per_group
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import CoreStrategy

MAX_READ = 200


class CrossEncoderStrategy(CoreStrategy):
    """Takes the columns that the cross-encoder puts first."""

    name = "cross_encoder"
    needs_reranker = True
    rereads = False

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        environment = linking.environment
        hits = one_per_group(asked)[:MAX_READ]
        with linking.ledger.step("reading again"):
            texts = [environment.derive(column_texts).get(hit.ref, str(hit.ref)) for hit in hits]
            scores = (
                environment.reranker.scores(asked.question, texts) if environment.reranker else []
            )
        order = sorted(
            zip(scores, hits, strict=True), key=lambda scored: (-scored[0], scored[1].ref)
        )
        found = taken(asked, linking, [hit for _, hit in order], "by the cross-encoder")
        return replace(found, seen=(("read again", tuple(hit.ref for hit in hits)), *found.seen))
