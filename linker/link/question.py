"""What all steps of linking share: enters one question with what is known of it, leaves nothing but that record."""

from dataclasses import dataclass

from linker.catalog.facts import Facts
from linker.link.bindings import Mentions
from linker.ranking.ranker import Ranked
from linker.ranking.reading import QuestionCatalog
from linker.types import Catalog


@dataclass(frozen=True)
class LinkedQuestion:
    """
    A question, what it names, the catalogue, and what retrieval and ranking make of them.

    `catalog` and `facts` are whole; `read.known` and `ranked` hold of a large catalogue what comes first.
    """

    question: str
    mentions: Mentions
    catalog: Catalog
    facts: Facts
    read: QuestionCatalog
    ranked: Ranked
