"""
The offline encoder's network as an ONNX graph: `python -m benchmarks.bert_graph` writes linker's
bert.onnx anew.

Enter the shape of the network, leaves the graph, which names the weights and does not hold them.
The numbers of the fields are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import numpy as np
import numpy.typing as npt

from linker.embedders.offline.bert import BertConfig, read_weights
from linker.embedders.offline.embedder import installed_folder
from linker.embedders.offline.graph import GRAPH

_FLOAT = 1
_INT64 = 7
_IR_VERSION = 9
_OPERATOR_SET = 20
_ATTRIBUTE_TYPES = {float: (2, 1), int: (3, 2), tuple: (8, 7)}


def main() -> None:
    """Write the graph of the installed model."""
    GRAPH.write_bytes(written_graph())


def written_graph() -> bytes:
    """The graph of the installed model, over weights of its shapes."""
    folder = installed_folder()
    weights = read_weights(folder / "model.safetensors")
    return _Graph(
        BertConfig.read(folder / "config.json"),
        {name: each.shape for name, each in weights.items()},
    ).written()


class _Graph:
    """A network of that shape, over weights of these shapes."""

    def __init__(self, config: BertConfig, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self._config, self._shapes = config, shapes
        self._nodes, self._constants = list[bytes](), list[bytes]()
        self._numbers = count()
        self._named = set[str]()

    def written(self) -> bytes:
        """The graph as bytes."""
        width = self._config.width
        rows = self._node("Reshape", self._embedded(), self._constant(np.array([-1, width])))
        for number in range(self._config.layers):
            rows = self._layer(rows, f"encoder.layer.{number}")
        by_text = self._node(
            "Reshape", rows, self._node("Concat", "size", self._constant(np.array([width])), axis=0)
        )
        mean = self._node("ReduceMean", by_text, self._constant(np.array([1])), keepdims=0)
        self._nodes.append(_node("LpNormalization", [mean], "vectors", axis=-1, p=2))
        graph = [
            *(_field(1, node) for node in self._nodes),
            _field(2, b"bert"),
            *(_field(5, constant) for constant in self._constants),
            _field(11, _value("tokens", _INT64, ("texts", "length"))),
            _field(12, _value("vectors", _FLOAT, ("texts", width))),
        ]
        return (
            _field(1, _IR_VERSION)
            + _field(8, _field(2, _OPERATOR_SET))
            + _field(7, b"".join(graph))
        )

    def _embedded(self) -> str:
        self._nodes.append(_node("Shape", ["tokens"], "size"))
        words = self._node("Gather", self._weight("embeddings.word_embeddings.weight"), "tokens")
        length = self._node("Shape", "tokens", start=1, end=2)
        zero = self._constant(np.array([0]))
        positions = self._node(
            "Slice", self._weight("embeddings.position_embeddings.weight"), zero, length, zero
        )
        # Every token is of the first type.
        types = self._node("Gather", self._weight("embeddings.token_type_embeddings.weight"), zero)
        embedded = self._node("Add", words, self._node("Add", positions, types))
        return self._normalised(embedded, "embeddings.LayerNorm")

    def _layer(self, rows: str, prefix: str) -> str:
        config = self._config
        by_head = self._node("Concat", "size", self._constant(np.array([config.heads, -1])), axis=0)

        def headed(name: str, order: tuple[int, ...]) -> str:
            projected = self._applied(rows, f"{prefix}.attention.self.{name}")
            return self._node("Transpose", self._node("Reshape", projected, by_head), perm=order)

        query, key, value = (
            headed("query", (0, 2, 1, 3)),
            headed("key", (0, 2, 3, 1)),
            headed("value", (0, 2, 1, 3)),
        )
        scale = self._constant(np.float32((config.width // config.heads) ** -0.5))
        scores = self._node(
            "Softmax", self._node("Mul", self._node("MatMul", query, key), scale), axis=-1
        )
        attended = self._node("Transpose", self._node("MatMul", scores, value), perm=(0, 2, 1, 3))
        attended = self._node("Reshape", attended, self._constant(np.array([-1, config.width])))
        rows = self._added(
            rows,
            self._applied(attended, f"{prefix}.attention.output.dense"),
            f"{prefix}.attention.output",
        )
        widened = self._node("Gelu", self._applied(rows, f"{prefix}.intermediate.dense"))
        return self._added(
            rows, self._applied(widened, f"{prefix}.output.dense"), f"{prefix}.output"
        )

    def _added(self, rows: str, others: str, prefix: str) -> str:
        return self._normalised(self._node("Add", others, rows), f"{prefix}.LayerNorm")

    def _normalised(self, rows: str, name: str) -> str:
        affine = (self._weight(f"{name}.weight"), self._weight(f"{name}.bias"))
        return self._node(
            "LayerNormalization", rows, *affine, axis=-1, epsilon=self._config.epsilon
        )

    def _applied(self, rows: str, name: str) -> str:
        return self._node(
            "Gemm", rows, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"), transB=1
        )

    def _node(self, kind: str, *inputs: str, **attributes: float | tuple[int, ...]) -> str:
        output = f"{kind}_{next(self._numbers)}"
        self._nodes.append(_node(kind, inputs, output, **attributes))
        return output

    def _constant(self, numbers: npt.NDArray[np.int64] | np.float32) -> str:
        name = f"constant_{next(self._numbers)}"
        kind = _FLOAT if numbers.dtype == np.float32 else _INT64
        dims = b"".join(_field(1, size) for size in numbers.shape)
        self._constants.append(
            dims + _field(2, kind) + _field(8, name.encode()) + _field(9, numbers.tobytes())
        )
        return name

    def _weight(self, name: str) -> str:
        if name not in self._named:
            self._named.add(name)
            dims = b"".join(_field(1, size) for size in self._shapes[name])
            place = _field(13, _field(1, b"location") + _field(2, b"weights"))
            self._constants.append(
                dims + _field(2, _FLOAT) + _field(8, name.encode()) + place + _field(14, 1)
            )
        return name


def _node(
    kind: str, inputs: Sequence[str], output: str, **attributes: float | tuple[int, ...]
) -> bytes:
    parts = [
        *(_field(1, name.encode()) for name in inputs),
        _field(2, output.encode()),
        _field(4, kind.encode()),
    ]
    for name, value in attributes.items():
        number, kind_number = _ATTRIBUTE_TYPES[type(value)]
        values = value if isinstance(value, tuple) else (value,)
        held = b"".join(_field(number, each) for each in values)
        parts.append(_field(5, _field(1, name.encode()) + held + _field(20, kind_number)))
    return b"".join(parts)


def _value(name: str, kind: int, dims: Sequence[str | int]) -> bytes:
    sizes = (
        _field(2, size.encode()) if isinstance(size, str) else _field(1, size) for size in dims
    )
    shape = b"".join(_field(1, size) for size in sizes)
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _field(number: int, value: float | bytes) -> bytes:
    """A field of protobuf: a whole number, a float of four bytes, or bytes after their length."""
    if isinstance(value, bytes):
        return _varint(number << 3 | 2) + _varint(len(value)) + value
    if isinstance(value, float):
        return _varint(number << 3 | 5) + np.float32(value).tobytes()
    return _varint(number << 3) + _varint(value & (1 << 64) - 1)


def _varint(number: int) -> bytes:
    *first, last = _sevens(number)
    return bytes([*(part | 0x80 for part in first), last])


def _sevens(number: int) -> Iterator[int]:
    yield number & 0x7F
    while number := number >> 7:
        yield number & 0x7F


if __name__ == "__main__":
    main()
