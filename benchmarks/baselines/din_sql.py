"""DIN-SQL schema linking: the model maps each phrase of the question to columns. One call."""

from benchmarks.baselines.prompting import telling
from benchmarks.baselines.thinking import links_of
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy


class DinSqlStrategy(AskingStrategy):
    """Asks for links, with the steps that lead to them."""

    name = "din_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("links"):
            _, links = links_of(choosing, "links", view, telling("link_by_phrase"))
        return choosing.found(view, ("links", links, "a phrase of the question means it"))
