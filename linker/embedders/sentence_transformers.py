"""
Encoders of sentence-transformers by name or path; an extra because it brings torch.

Imported when the first text is embedded, which takes seconds.
"""

import importlib.util
import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from linker.config.installed import install_command
from linker.embedders import Vectors
from linker.errors import EmbedderError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# CPU build, in the versions of the extra.
_INSTALL_TORCH = "pip install 'torch<2.14' --index-url https://download.pytorch.org/whl/cpu"
_BATCH_SIZE = 64


class SentenceTransformersEmbedder:
    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def dimension(self) -> int:
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
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
        if importlib.util.find_spec("sentence_transformers") is None:
            raise EmbedderError(
                f"embedding model `{self.name}` needs sentence-transformers, which is not "
                "installed",
                hint=(
                    f"{install_command('sentence-transformers')}; on Linux first: {_INSTALL_TORCH}"
                ),
            )
        # Read on import: libraries must not show progress.
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        try:
            return SentenceTransformer(self.name, device="cpu")
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"sentence-transformers cannot load `{self.name}`: {str(error).splitlines()[0]}",
                hint="set `embedder` to a model's name or folder, or to `offline`",
            ) from error
