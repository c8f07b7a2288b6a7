"""Embedders by the `embedder` setting."""

from linker.embedders.base import Embedder, Vectors

__all__ = ["OFFLINE", "Embedder", "Vectors", "open_embedder"]

OFFLINE = "offline"


def open_embedder(setting: str) -> Embedder:
    """The embedder of that name; its weights are loaded when it first embeds."""
    from linker.embedders.sentence_transformers import SentenceTransformersEmbedder, offline_embedder

    return offline_embedder() if setting == OFFLINE else SentenceTransformersEmbedder(name=setting, source=setting)
