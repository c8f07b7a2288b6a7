"""The seam to retrieval: enters a question, leave columns with the reason they were found."""

from collections.abc import Sequence
from typing import Protocol

from linker.types import ColumnRef, Hit


class Retriever(Protocol):
    """Finds columns for a text."""

    def retrieve(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> list[Hit]:
        """The best columns, best first."""
