"""
Solid-SQL: selects columns for paraphrases of the question and votes.

The original trains a linker on paraphrases, to be robust against wording.
"""

from benchmarks.baselines.prompting import render_prompt
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.strategies.bidirectional import QuestionsReply

_WORDINGS = 4


class SolidSqlStrategy(AskingStrategy):
    """Asks for wordings, and for the columns of each."""

    name = "solid_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("wordings"):
            prompt = render_prompt("reword_question", question=asked.question)
            reply = choosing.model.ask("wordings", prompt, QuestionsReply)
        wordings = [
            "",
            *(
                f"the question in other words: {query}"
                for query in (reply.questions if reply else [])[:_WORDINGS]
            ),
        ]
        with linking.ledger.step("columns"):
            chosen = choosing.model.together(
                *(
                    lambda hints=hints: choosing.columns("columns", view, hints=hints)
                    for hints in wordings
                ),
            )
        ways = (
            (f"wording {at}", query, "chosen by the language model")
            for at, query in enumerate(chosen, start=1)
        )
        return choosing.found(view, *ways)
