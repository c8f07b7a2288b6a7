"""
The forward pass of BERT in numpy: enter token numbers, leave one vector of length one for each
text.

A text's vector is the mean over its tokens.
Texts of a batch are laid end to end, without padding: the large products see one long matrix,
and attention sees the texts of one length together, so no mask is needed and no text changes
another's vector.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linker.embedders.base import Vectors
from linker.types import Record

Matrix = NDArray[np.float32]

# Rows of which gelu is taken at a time, so that they stay in the cache; products are faster the
# more rows they get.
_ROWS = 64
# gelu(x) = x * Phi(x), and log(Phi(x) / Phi(-x)) = x * p(x * x) for this p: at most 6e-7 off in
# float32. `python benchmarks/fit_gelu.py` writes them anew. The last is positive, so that far out p
# saturates as Phi does.
_GELU = (
    1.59576854,
    7.26682968e-02,
    -6.60521985e-05,
    -1.10547160e-04,
    7.94819680e-06,
    -2.67569933e-07,
    3.62793603e-09,
)


class BertConfig(Record, frozen=True):
    """The shape of the network."""

    layers: int
    heads: int
    width: int
    epsilon: float

    @classmethod
    def read(cls, path: Path) -> "BertConfig":
        """From the config.json beside the weights."""
        values = json.loads(path.read_text("utf-8"))
        return cls(
            layers=values["num_hidden_layers"],
            heads=values["num_attention_heads"],
            width=values["hidden_size"],
            epsilon=values["layer_norm_eps"],
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
    """
    Neighbouring texts of one length: where their tokens start, how many texts, how many tokens
    each.
    """

    start: int
    texts: int
    tokens: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.start + self.texts * self.tokens)


class BertEncoder:
    """One network; its weights may lie in a memory map and are never written to."""

    def __init__(self, config: BertConfig, weights: Mapping[str, Matrix]) -> None:
        self._config = config
        self.weights = {
            name: weight for name, weight in weights.items() if not name.startswith("pooler.")
        }
        self._words = weights["embeddings.word_embeddings.weight"]
        # Every token is of the first type.
        types = weights["embeddings.token_type_embeddings.weight"][0]
        self._positions = weights["embeddings.position_embeddings.weight"] + types
        self._norm = _affine(weights, "embeddings.LayerNorm")
        self._layers = tuple(
            self._layer(weights, f"encoder.layer.{number}") for number in range(config.layers)
        )

    def encode(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """
        One row a text, given as the numbers of its tokens; texts of one length must be neighbours.
        """
        runs = _runs(texts)
        tokens = np.concatenate([np.asarray(text, dtype=np.int64) for text in texts])
        hidden = self._words[tokens]
        for run in runs:
            _by_text(hidden[run.rows], run)[:] += self._positions[: run.tokens]
        self._normalise(hidden, self._norm)
        for layer in self._layers:
            self._attend(hidden, layer, runs)
            self._feed_forward(hidden, layer)
        return _pooled(hidden, runs)

    def _layer(self, weights: Mapping[str, Matrix], prefix: str) -> _Layer:
        parts = [
            _affine(weights, f"{prefix}.attention.self.{name}")
            for name in ("query", "key", "value")
        ]
        qkv = _Affine(
            np.concatenate([part.weight for part in parts]),
            np.concatenate([part.bias for part in parts]),
        )
        # Queries are divided by the root of a head's width here, once, and not at every product.
        scale = np.float32((self._config.width // self._config.heads) ** -0.5)
        qkv.weight[: self._config.width] *= scale
        qkv.bias[: self._config.width] *= scale
        return _Layer(
            qkv=qkv,
            attended=_affine(weights, f"{prefix}.attention.output.dense"),
            attended_norm=_affine(weights, f"{prefix}.attention.output.LayerNorm"),
            widened=_affine(weights, f"{prefix}.intermediate.dense"),
            narrowed=_affine(weights, f"{prefix}.output.dense"),
            narrowed_norm=_affine(weights, f"{prefix}.output.LayerNorm"),
        )

    def _attend(self, hidden: Matrix, layer: _Layer, runs: Sequence[_Batch]) -> None:
        qkv = _apply(layer.qkv, hidden)
        attended = np.empty_like(hidden)
        for run in runs:
            # Text, then query, key or value, then head, token, number: views, nothing is copied.
            split = (
                qkv[run.rows]
                .reshape(run.texts, run.tokens, 3, self._config.heads, -1)
                .transpose(2, 0, 3, 1, 4)
            )
            query, key, value = split
            scores = np.matmul(query, key.swapaxes(-1, -2))
            _softmax(scores)
            target = (
                attended[run.rows]
                .reshape(run.texts, run.tokens, self._config.heads, -1)
                .transpose(0, 2, 1, 3)
            )
            np.matmul(scores, value, out=target)
        hidden += _apply(layer.attended, attended)
        self._normalise(hidden, layer.attended_norm)

    def _feed_forward(self, hidden: Matrix, layer: _Layer) -> None:
        wide = _apply(layer.widened, hidden)
        for start in range(0, len(wide), _ROWS):
            _gelu(wide[start : start + _ROWS])
        hidden += _apply(layer.narrowed, wide)
        self._normalise(hidden, layer.narrowed_norm)

    def _normalise(self, rows: Matrix, norm: _Affine) -> None:
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float32(self._config.width)
        rows /= np.sqrt(variance + np.float32(self._config.epsilon))
        rows *= norm.weight
        rows += norm.bias


def read_weights(path: Path) -> dict[str, Matrix]:
    """
    The matrices of a safetensors file, in a memory map: what is not used is not read.

    https://github.com/huggingface/safetensors#format: eight bytes of length, a JSON header, the numbers.
    """
    content = np.memmap(path, dtype=np.uint8, mode="r")
    start = 8 + int.from_bytes(content[:8].tobytes(), "little")
    header = json.loads(content[8:start].tobytes())
    weights = {}
    for name, tensor in header.items():
        if name != "__metadata__" and tensor["dtype"] == "F32":
            first, last = (start + offset for offset in tensor["data_offsets"])
            weights[name] = (
                np.asarray(content[first:last]).view(np.float32).reshape(tensor["shape"])
            )
    return weights


def _runs(texts: Sequence[Sequence[int]]) -> list[_Batch]:
    runs: list[_Batch] = []
    start = 0
    for tokens, group in groupby(texts, key=len):
        runs.append(_Batch(start, sum(1 for _ in group), tokens))
        start += runs[-1].texts * tokens
    return runs


def _affine(weights: Mapping[str, Matrix], name: str) -> _Affine:
    return _Affine(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _apply(linear: _Affine, rows: Matrix) -> Matrix:
    result: Matrix = np.matmul(rows, linear.weight.T)
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
