"""
Reranks texts with a cross-encoder: enter a question and texts, leaves how well each answers it.

It costs a forward pass for every text, so only the best are read. Needs the extra
`sentence-transformers`.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from linker.config.installed import install_command
from linker.errors import EmbedderError

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


class Reranker(Protocol):
    """Reads texts together with a question."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One for each text, the higher the better."""


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers, by name or folder."""

    def __init__(self, model: str) -> None:
        self._model = model

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One for each text, the higher the better."""
        if not texts:
            return []
        found = self._encoder.predict([(question, text) for text in texts], show_progress_bar=False)
        return [float(score) for score in found]

    @cached_property
    def _encoder(self) -> "CrossEncoder":
        try:
            from sentence_transformers import CrossEncoder
        except ImportError:
            raise EmbedderError(
                f"the cross-encoder `{self._model}` needs sentence-transformers",
                hint=f"{install_command('sentence-transformers')}, or leave `reranker` unset",
            ) from None
        try:
            return CrossEncoder(self._model, device="cpu")
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"sentence-transformers cannot load `{self._model}`: {str(error).splitlines()[0]}",
                hint="set `reranker` to a model's name or folder, or leave it unset",
            ) from error
