"""
Re-ranking by a cross-encoder: enters a retriever, leaves one whose best hits were read together with the question.

It costs a forward pass for every hit, so only the best are read. Needs the extra `sentence-transformers`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from linker.errors import EmbedderError
from linker.retrievers.base import Retriever
from linker.types import ColumnRef, Hit

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_MOST_READ = 100


class CrossEncoderRetriever:
    """Puts the best hits of another retriever in the order of a cross-encoder; the others follow as they were."""

    def __init__(self, retriever: Retriever, model: str, texts: Callable[[], Mapping[ColumnRef, str]]) -> None:
        self._retriever = retriever
        self._model = model
        self._texts = texts

    def retrieve(self, text: str, *, limit: int, excluded: Sequence[ColumnRef] = ()) -> list[Hit]:
        """The best columns, best first."""
        hits = self._retriever.retrieve(text, limit=max(limit, _MOST_READ), excluded=excluded)
        texts = self._texts()
        pairs = [(text, texts.get(hit.ref, str(hit.ref))) for hit in hits[:_MOST_READ]]
        scores = [float(score) for score in self._encoder.predict(pairs, show_progress_bar=False)] if pairs else []
        read = sorted(zip(hits, scores, strict=False), key=lambda one: (-one[1], one[0].ref))
        ranked = [replace(hit, scores=(*hit.scores, ("cross-encoder", score))) for hit, score in read]
        # A score tells the order of all of them: those that were read keep the scores they have together.
        kept = sorted((hit.score for hit in ranked), reverse=True)
        reordered = [replace(hit, score=score) for hit, score in zip(ranked, kept, strict=True)]
        return [*reordered, *hits[_MOST_READ:]][:limit]

    @cached_property
    def _encoder(self) -> "CrossEncoder":
        try:
            from sentence_transformers import CrossEncoder
        except ImportError:
            raise EmbedderError(
                f"the cross-encoder `{self._model}` needs sentence-transformers",
                hint="pip install 'dbt-linker[sentence-transformers]', or leave `reranker` unset",
            ) from None
        try:
            return CrossEncoder(self._model, device="cpu")
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"sentence-transformers cannot load `{self._model}`: {str(error).splitlines()[0]}",
                hint="set `reranker` to a model's name or folder, or leave it unset",
            ) from error
