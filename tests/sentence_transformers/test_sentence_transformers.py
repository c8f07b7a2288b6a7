"""
The extra sentence-transformers: embedder contract, and similarity to the offline encoder.

Needs `make test-sentence-transformers`, with `--rewrite-golden` for tests/vectors.npy.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.encode_documents import BareOnnxruntime, documents, whole_model
from linker.embedders import Embedder, open_embedder
from linker.errors import EmbedderError
from tests.contract.test_embedder import (
    VECTORS,
    test_a_text_has_the_same_vector_each_time_alone_and_in_a_batch_of_any_order,
    test_a_text_that_is_given_twice_has_two_equal_rows,
    test_every_vector_has_length_one,
    test_no_text_gives_no_row,
    test_there_is_one_row_a_text_as_long_as_the_dimension,
)
from tests.embedded_texts import TEXTS

__all__ = [
    "test_a_text_has_the_same_vector_each_time_alone_and_in_a_batch_of_any_order",
    "test_a_text_that_is_given_twice_has_two_equal_rows",
    "test_every_vector_has_length_one",
    "test_no_text_gives_no_row",
    "test_there_is_one_row_a_text_as_long_as_the_dimension",
]

NEAREST = 20
ASKS_FOR_AN_UNKNOWN_MODEL = """
from linker.embedders import open_embedder
from linker.errors import EmbedderError
try:
    open_embedder("nobody/has-published-this").embed(["text"])
except EmbedderError as error:
    print(error, error.hint, sep="\\n")
"""


@pytest.fixture(scope="module", autouse=True)
def asking_for_an_unknown_model() -> Iterator["subprocess.Popen[str]"]:
    """Started first: imports are slow, and huggingface reads its setting only once."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_HUB_OFFLINE", "1")
        command = [sys.executable, "-c", ASKS_FOR_AN_UNKNOWN_MODEL]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        yield process
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def model_folder() -> Path:
    return whole_model()


@pytest.fixture(scope="session")
def embedder(model_folder: Path) -> Embedder:
    return open_embedder(str(model_folder))


def test_the_stored_vectors_are_those_that_onnxruntime_computes(
    request: pytest.FixtureRequest,
) -> None:
    vectors = BareOnnxruntime(threads=1).embed(TEXTS)
    if request.config.getoption("--rewrite-golden"):
        np.save(VECTORS, vectors)
    np.testing.assert_allclose(np.load(VECTORS), vectors, rtol=0, atol=1e-6)


def test_offline_weights_of_eight_bits_give_nearly_the_vectors_of_whole_ones(
    embedder: Embedder,
) -> None:
    """Measured: 0.9993 at least of 711 column documents, 0.9963 of texts of any kind."""
    columns = documents(200)
    assert cosines(embedder, columns).min() > 0.999
    plain = [text for text in TEXTS if "[" not in text]  # brackets are no tokens of their own here
    assert cosines(embedder, plain).min() > 0.996


def test_offline_the_nearest_are_nearly_those_of_whole_weights(embedder: Embedder) -> None:
    columns = sorted(set(documents(600)))
    same = nearest(embedder, columns) & nearest(open_embedder("offline"), columns)
    assert len(same) / (len(columns) * NEAREST) > 0.97


def cosines(embedder: Embedder, texts: list[str]) -> np.ndarray:
    """Those between the vectors of the offline encoder and of another."""
    products = open_embedder("offline").embed(texts) * embedder.embed(texts)
    return np.asarray(products.sum(axis=1))


def nearest(embedder: Embedder, texts: list[str]) -> set[tuple[int, int]]:
    """Each text with each of its nearest others."""
    vectors = embedder.embed(texts)
    near = np.argsort(-(vectors @ vectors.T), axis=1)[:, 1 : NEAREST + 1]
    pairs = np.column_stack([np.repeat(np.arange(len(texts)), NEAREST), near.ravel()])
    return set(map(tuple, pairs.tolist()))


def test_the_name_is_that_of_the_setting(embedder: Embedder, model_folder: Path) -> None:
    assert embedder.name == str(model_folder)


@pytest.mark.parametrize("setting", ["/no/such/folder", "no name of a model!"])
def test_what_is_no_model_is_an_embedder_error_with_a_hint(setting: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        open_embedder(setting).embed(["text"])
    assert f"`{setting}`" in str(caught.value)
    assert "`embedder`" in caught.value.hint


def test_a_folder_without_a_model_is_an_embedder_error(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError) as caught:
        open_embedder(str(tmp_path)).embed(["text"])
    assert str(tmp_path) in str(caught.value)


def test_a_name_that_nobody_published_is_an_embedder_error(
    asking_for_an_unknown_model: "subprocess.Popen[str]",
) -> None:
    output, _ = asking_for_an_unknown_model.communicate(timeout=60)
    what, hint = output.splitlines()
    assert what.startswith("sentence-transformers cannot load `nobody/has-published-this`: ")
    assert "`offline`" in hint
