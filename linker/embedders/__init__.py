"""Embedders: encoders of texts as vectors, one of which the `embedder` setting names."""

from linker.embedders.base import Embedder, Vectors

__all__ = ["OFFLINE", "Embedder", "Vectors", "open_embedder"]

OFFLINE = "offline"
_ENDPOINT = "openai:"


def open_embedder(setting: str, *, base_url: str | None = None) -> Embedder:
    """The embedder of that name; weights are loaded, and servers asked, when it first embeds."""
    if setting == OFFLINE:
        from linker.embedders.offline.embedder import OfflineEmbedder

        return OfflineEmbedder()
    if setting.startswith(_ENDPOINT):
        from linker.embedders.openai import OpenAIEmbedder

        return OpenAIEmbedder(setting.removeprefix(_ENDPOINT), base_url)
    from linker.embedders.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(setting)
