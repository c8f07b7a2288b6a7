"""
The weights of the encoder as they lie in an ONNX file: enter its bytes, leave arrays by name.

Of a large matrix the file holds whole numbers of eight bits, and a factor for each of its columns
or rows. The fields are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto: a graph in
a model, tensors in the graph.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linker.types import Record

Matrix = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_GRAPH = 7
_TENSOR = 5
_DIMENSION, _TYPE, _NAME, _NUMBERS = 1, 2, 8, 9
_TYPES: Mapping[int, type[np.generic]] = {1: np.float32, 3: np.int8}
_OF_EIGHT_BITS = "_q"
_FACTORS = "_scale"
# The ways in which protobuf writes a value.
_VARINT, _COUNTED = 0, 2
_OF_FIXED_SIZE = {1: 8, 5: 4}


class Quantised(Record, frozen=True):
    """A matrix of eight bits a number, and what each of its columns or rows is multiplied by."""

    numbers: NDArray[np.int8]
    factors: Matrix

    def matrix(self) -> Matrix:
        """All of it in floating point."""
        return np.multiply(self.numbers, self.factors, dtype=np.float32)

    def rows(self, numbers: NDArray[np.int64]) -> Matrix:
        """Some rows in floating point, of a matrix with a factor for each row."""
        return np.multiply(self.numbers[numbers], self.factors[numbers], dtype=np.float32)


class BertWeights(Record, frozen=True):
    """The arrays of a file: vectors as they are, matrices in the order in which it holds them."""

    vectors: Mapping[str, Matrix]
    matrices: Mapping[str, Quantised]


def read_weights(content: Bytes) -> BertWeights:
    """The arrays of a file; they are views of its bytes, which may lie in a memory map."""
    arrays = dict(_arrays(content))
    matrices = {}
    for name, numbers in arrays.items():
        if name.endswith(_OF_EIGHT_BITS):
            whole = name.removesuffix(_OF_EIGHT_BITS)
            matrices[whole] = Quantised(numbers, arrays[whole + _FACTORS])
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
    """The fields of a message of protobuf: whole numbers, and pieces of bytes."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        field, form = key >> 3, key & 7
        size = _OF_FIXED_SIZE.get(form, 0)
        if form in (_VARINT, _COUNTED):
            number, place = _varint(message, place)
            if form == _VARINT:
                yield field, number
                continue
            size = number
        yield field, message[place : place + size]
        place += size


def _varint(message: Bytes, place: int) -> tuple[int, int]:
    """A whole number of seven bits a byte, the lowest first, and the place behind it."""
    number = shift = 0
    while True:
        byte = int(message[place])
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, place
