"""
Links step by step: the model goes through the question phrase by phrase, and says which columns
each phrase means.

The first prompt of DIN-SQL, its schema linking. One call.
"""

from benchmarks.baselines.composing import AskingStrategy, found, schema_of
from benchmarks.baselines.prompting import telling
from benchmarks.baselines.thinking import links_of
from linker.link.choosing import Choosing
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion


class DinSqlStrategy(AskingStrategy):
    """Asks for links, with the steps that lead to them."""

    name = "din_sql"

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """The columns of one answer."""
        choosing = Choosing(asked, linking)
        view = schema_of(choosing)
        with linking.ledger.step("links"):
            _, links = links_of(choosing, "links", view, telling("link_by_phrase"))
        return found(choosing, view, ("links", links, "a phrase of the question means it"))
