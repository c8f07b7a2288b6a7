"""
Reranking by a cross-encoder, of the extra `sentence-transformers`.

It costs one forward pass per text, so only the best are reranked.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from linker.config.installed import install_command
from linker.errors import EmbedderError

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


class Reranker(Protocol):
    """Scores texts for a question."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better."""


class CrossEncoderReranker:
    """A sentence-transformers cross-encoder, by name or folder."""

    def __init__(self, model: str) -> None:
        self._model = model

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better."""
        if not texts:
            return []
        predicted = self._encoder.predict(
            [(question, text) for text in texts], show_progress_bar=False
        )
        return [float(score) for score in predicted]

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
