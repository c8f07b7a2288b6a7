"""
Interface of embedders, which encode texts as unit vectors, and the choice made by the `embedder`
setting.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """
        Name that tells its vectors from those of another model, known without loading anything.
        """

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""


__all__ = ["OFFLINE", "Embedder", "Vectors", "open_embedder"]

OFFLINE = "offline"
_ENDPOINT = "openai:"


def open_embedder(setting: str, *, base_url: str | None = None) -> Embedder:
    """The embedder of that name; weights are loaded, and servers asked, when it first embeds."""
    if setting == OFFLINE:
        from linker.embedders.offline import OfflineEmbedder

        return OfflineEmbedder()
    if setting.startswith(_ENDPOINT):
        from linker.embedders.openai import OpenAIEmbedder

        return OpenAIEmbedder(setting.removeprefix(_ENDPOINT), base_url)
    from linker.embedders.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(setting)
