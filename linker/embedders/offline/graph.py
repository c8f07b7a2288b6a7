"""
The same network in onnxruntime, an extra, for many documents: enter token numbers, leave the
vectors of numpy.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from linker.embedders.base import Vectors
from linker.embedders.offline.bert import BertEncoder, Matrix

# It names the weights and holds none; `python -m benchmarks.bert_graph` writes it.
GRAPH = Path(__file__).with_name("bert.onnx")
# Tokens of two texts; before it is used, it must give the vectors that numpy gives.
_SAMPLES = ([101, 2344, 1997, 1037, 8013, 102], [101, 102])
_MOST_APART = 1e-5


class GraphEncoder:
    """The network in onnxruntime, one thread a batch."""

    def __init__(self, weights: Mapping[str, Matrix]) -> None:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # nothing on stderr: what fails raises
        # The session keeps no reference to what it is handed.
        self._weights = {
            name: ort.OrtValue.ortvalue_from_numpy(weight) for name, weight in weights.items()
        }
        options.add_external_initializers([*self._weights], [*self._weights.values()])
        self._session = ort.InferenceSession(
            GRAPH.read_bytes(), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """
        One row a text, given as the numbers of its tokens; texts of one length must be neighbours.
        """
        runs = (np.array([*run], dtype=np.int64) for _, run in groupby(texts, key=len))
        return np.concatenate([self._session.run(None, {"tokens": run})[0] for run in runs])


def open_graph(in_numpy: BertEncoder) -> tuple[GraphEncoder | None, str]:
    """
    The network in onnxruntime, or the reason why that computes nothing here: none where it is not
    installed.
    """
    try:
        graph = GraphEncoder(in_numpy.weights)
        apart = float(np.abs(graph.encode(_SAMPLES) - in_numpy.encode(_SAMPLES)).max())
    except ModuleNotFoundError:
        return None, ""
    except Exception as error:  # noqa: BLE001 - another version, or a broken one, may raise anything
        return (
            None,
            f"onnxruntime cannot be used ({type(error).__name__}: {' '.join(str(error).split())})",
        )
    return (
        (graph, "")
        if apart <= _MOST_APART
        else (None, f"onnxruntime gives other vectors, {apart:.1e} apart")
    )
