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
    @property
    def name(self) -> str:
        """Identifies the model of a vector; known without loading anything."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""


__all__ = ["OFFLINE", "Embedder", "Vectors", "open_embedder"]

OFFLINE = "offline"
_ENDPOINT = "openai:"


def open_embedder(setting: str, *, base_url: str | None = None) -> Embedder:
    """The embedder by name; it loads weights or calls servers on first use."""
    if setting == OFFLINE:
        from linker.embedders.offline import OfflineEmbedder

        return OfflineEmbedder()
    if setting.startswith(_ENDPOINT):
        from linker.embedders.openai import OpenAIEmbedder

        return OpenAIEmbedder(setting.removeprefix(_ENDPOINT), base_url)
    from linker.embedders.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(setting)
