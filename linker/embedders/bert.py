"""
BERT forward pass in numpy: token ids to mean-pooled unit vectors, with weights read from an ONNX
file.

A batch is concatenated without padding: large products see one long matrix, attention sees texts of
one length together, so no mask is needed and no text affects another's vector. Large matrices are
stored as 8-bit integers with a scale per row or column. Field numbers follow
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linker.embedders import Vectors
from linker.types import Record

Matrix = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_GRAPH = 7
_TENSOR = 5
_DIMENSION = 1
_TYPE = 2
_NAME = 8
_NUMBERS = 9
_TYPES: Mapping[int, type[np.generic]] = {1: np.float32, 3: np.int8}
_OF_EIGHT_BITS = "_q"
_FACTORS = "_scale"
# Wire types of protobuf.
_VARINT = 0
_COUNTED = 2
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
