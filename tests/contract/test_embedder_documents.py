"""
Documents that the offline encoder embeds with onnxruntime: the same vectors, and numpy where that
cannot be used.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks.bert_graph import written_graph
from linker.config import Settings, load_settings
from linker.doctor import run_checks
from linker.embedders.offline.embedder import OfflineEmbedder
from linker.embedders.offline.graph import GRAPH
from linker.environment import Environment
from linker.refresh.flows import index
from linker.refresh.steps import ProgressStage, quietly
from tests.embedded_texts import TEXTS

VECTORS = Path(__file__).resolve().parents[1] / "vectors.npy"
# Four times those of many lengths and scripts: 132 texts of 5,764 tokens. A hundred texts and 4,096
# tokens are many.
MANY = [*TEXTS] * 4
# Modules that a faulty installation may have in place of onnxruntime, and what is said of them.
OLD = "class SessionOptions: pass"
NEW = "class SessionOptions:\n    def add_external_initializers(self, names, values): pass\n"
VALUE = "class OrtValue:\n    ortvalue_from_numpy = staticmethod(lambda weight: weight)\n"
SESSION = "class InferenceSession:\n    def __init__(self, *given, **named): {made}\n    def run(self, *given): {ran}\n"
FAULTY = {
    "raise ImportError('libgomp.so.1: no\\nsuch file')": "cannot be used (ImportError: libgomp.so.1: no such file)",
    OLD + "\n" + VALUE: "cannot be used (AttributeError: 'SessionOptions' object has no attribute "
    "'add_external_initializers')",
    NEW
    + VALUE
    + SESSION.format(
        made="raise RuntimeError('Gelu(20) is not implemented')", ran="pass"
    ): "cannot be used (RuntimeError: Gelu(20) is not implemented)",
    NEW
    + VALUE
    + "import numpy\n"
    + SESSION.format(
        made="pass", ran="return [numpy.full((1, 384), numpy.nan)]"
    ): "gives other vectors, nan apart",
}


@pytest.fixture
def installed_as(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """Puts a module in the place of onnxruntime, or nothing."""

    def install(module: str | None) -> None:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        if module is not None:
            monkeypatch.delitem(sys.modules, "onnxruntime")
            (tmp_path / "onnxruntime.py").write_text(module, "utf-8")
            monkeypatch.syspath_prepend(tmp_path)

    return install


@cache
def embedded_alone() -> np.ndarray:
    """The vectors of the texts as numpy gives them, each text in a call of its own."""
    embedder = OfflineEmbedder()
    return np.concatenate([embedder.embed([text]) for text in TEXTS])


def test_the_graph_is_the_one_that_its_script_writes() -> None:
    assert GRAPH.read_bytes() == written_graph()


@pytest.mark.parametrize("threads", [1, 3])
def test_many_texts_have_the_vectors_of_numpy_and_of_sentence_transformers(threads: int) -> None:
    embedder = OfflineEmbedder(threads=threads)
    vectors = embedder.embed(MANY)
    assert (embedder.engine(), embedder.obstacle) == ("onnxruntime", "")
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, np.tile(embedded_alone(), (4, 1)), rtol=0, atol=5e-7)
    np.testing.assert_allclose(vectors, np.tile(np.load(VECTORS), (4, 1)), rtol=0, atol=1e-5)


def test_onnxruntime_is_imported_for_many_documents_alone() -> None:
    few = (
        "['Which carrier broke its promise?']",
        "['order'] * 1000",
        # A question and the longest passages of documents: no more are embedded of one question.
        "['Which carrier broke its promise?', *['a b c d e f g h ' * 25] * 80]",
        "['name of the customer who placed the order'] * 256",
    )
    many = "['name of the customer who placed the order in the shop of his town'] * 256"
    code = (
        "import sys; from linker.embedders import open_embedder; opened = open_embedder('offline')\n"
        f"for texts in ({', '.join((*few, many))}):\n"
        "    opened.embed(texts); print('onnxruntime' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n" * len(few) + "True\n", "")


@pytest.mark.parametrize(
    ("module", "reason"), FAULTY.items(), ids=["broken", "old", "no operator", "wrong"]
)
def test_where_onnxruntime_cannot_be_used_numpy_embeds_and_the_reason_is_known(
    installed_as: Callable[[str | None], None], module: str, reason: str
) -> None:
    installed_as(module)
    embedder = OfflineEmbedder()
    np.testing.assert_allclose(
        embedder.embed(MANY), np.tile(embedded_alone(), (4, 1)), rtol=0, atol=5e-7
    )
    assert embedder.obstacle == f"onnxruntime {reason}"


def test_an_index_says_why_its_documents_were_embedded_by_numpy(
    installed_as: Callable[[str | None], None], settings: Settings
) -> None:
    summaries = list[str]()

    @contextmanager
    def stages(step: str) -> Iterator[ProgressStage]:
        with quietly(step) as stage:
            yield stage
            summaries.append(stage.summary)

    for module in (None, OLD):
        installed_as(module)
        with Environment(settings) as environment:
            environment.embedder.embed(MANY)
            index(environment, stages)
    # It is an extra: who has not asked for it is told by `linker doctor` alone.
    assert summaries[0].endswith(" removed")
    assert "removed; by numpy, as onnxruntime cannot be used (AttributeError: " in summaries[1]


@pytest.mark.parametrize(
    ("module", "engine"),
    [
        (None, "numpy, as onnxruntime is not installed"),
        (
            OLD,
            "numpy, as onnxruntime cannot be used (AttributeError: module 'onnxruntime' has no attribute 'OrtValue')",
        ),
    ],
)
def test_doctor_says_that_numpy_embeds_documents_and_what_is_faster(
    installed_as: Callable[[str | None], None],
    tmp_path: Path,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str | None,
    engine: str,
) -> None:
    monkeypatch.chdir(checkout)
    installed_as(module)
    hint = "a sixth faster with it: pip install --editable '.[onnxruntime]'"
    assert (
        embedder_detail(tmp_path)
        == f"all-MiniLM-L6-v2 embeds, 384 dimensions; documents by {engine}; {hint}"
    )


def test_doctor_says_that_onnxruntime_embeds_documents(tmp_path: Path) -> None:
    assert (
        embedder_detail(tmp_path)
        == "all-MiniLM-L6-v2 embeds, 384 dimensions; documents by onnxruntime"
    )


def embedder_detail(tmp_path: Path) -> str:
    """The line of `linker doctor` on the embedder; the other parts are not there."""
    nowhere = {
        "profiles_dir": str(tmp_path),
        "store_url": "postgresql://127.0.0.1:1/none",
        "state_dir": str(tmp_path),
    }
    with Environment(load_settings(nowhere, {})) as environment:
        [found] = [
            check for check in run_checks(environment, asks_model=False) if check.part == "embedder"
        ]
    assert (found.state, found.hint) == ("ok", "")
    return found.detail
