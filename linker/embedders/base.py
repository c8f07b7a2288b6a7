"""The protocol of embedders: enter texts, leaves one vector of length one for each."""

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
