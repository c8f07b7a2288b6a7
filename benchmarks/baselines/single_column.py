"""
Judges each column by a call of its own, plain or with lexical matches.

Paper: "The Death of Schema Linking?", where it is called SCSL and HySCSL.
"""

from benchmarks.baselines.judging import candidates, relevant
from linker.linking.column_selection_prompt import (
    Chosen,
    keyword_matches,
    make_grounding,
    to_strategy_result,
)
from linker.linking.linking import LinkSession, ModelQuestions, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy


class SingleColumnStrategy(AskingStrategy):
    """Asks once for each of the likeliest columns."""

    name = "single_column"
    is_hybrid = False

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        likeliest = candidates(asked, linking)
        matched = keyword_matches(asked) if self.is_hybrid else {}
        with linking.ledger.step("columns"):
            due = [ref for ref in likeliest if ref not in matched]
            chosen = relevant(asked, linking, ModelQuestions(linking), due)
        every = Chosen(columns=tuple(dict.fromkeys((*chosen, *matched))))
        grounding = make_grounding(
            1, "column by column", every, "called relevant by the language model", matched
        )
        seen = (("candidates", likeliest), ("chosen", every.columns))
        return to_strategy_result(asked, linking, [grounding], seen, is_voted=False)


class HybridSingleColumnStrategy(SingleColumnStrategy):
    """The same, with keyword matching."""

    name = "single_column_hybrid"
    is_hybrid = True
