"""The endpoint encoder against a local server: requests and handling of answers."""

import re
import traceback
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from linker.embedders import Vectors
from linker.embedders.openai import OpenAIEmbedder
from linker.errors import EmbedderError
from tests.contract.embedding_server import EmbeddingServer, Reply, serve_embeddings

KEY = "sk-hidden-word-0123456789"
# OpenAI's, which no other server may see.
OWN_KEY = "sk-own-word-9876543210"


class Lengths:
    """Vectors that say how long the text is."""

    name = "lengths"
    dimension = 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("LINKER_EMBEDDER_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", OWN_KEY)
    with serve_embeddings(Lengths()) as running:
        yield running


@pytest.fixture
def embedder(server: EmbeddingServer) -> OpenAIEmbedder:
    return OpenAIEmbedder("test-model", server.url, first_pause_seconds=0)


def answer(*vectors: Sequence[object]) -> Reply:
    return Reply(
        {"data": [{"index": number, "embedding": vector} for number, vector in enumerate(vectors)]}
    )


def refusal_of(embedder: OpenAIEmbedder, count: int = 2) -> str:
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["text"] * count)
    assert KEY not in "".join(traceback.format_exception(caught.value)) + caught.value.hint
    assert "openai:test-model" in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_request_names_model_and_texts_and_carries_the_key(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    embedder.embed(["one", "three"])
    assert server.requests == [
        {"model": "test-model", "input": ["one", "three"], "encoding_format": "float"}
    ]
    assert server.keys == [f"Bearer {KEY}"]


def test_a_server_without_a_key_is_asked_without_one(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LINKER_EMBEDDER_API_KEY")
    OpenAIEmbedder("test-model", server.url).embed(["one"])
    assert server.keys == [None]


def test_without_key_and_server_the_error_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbedderError) as caught:
        OpenAIEmbedder("text-embedding-3-small").embed(["one"])
    assert "OPENAI_API_KEY" in caught.value.hint


def test_many_texts_are_asked_in_batches_and_come_back_in_order(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    vectors = embedder.embed(["x" * number for number in range(1, 301)])
    assert [len(request["input"]) for request in server.requests] == [128, 128, 44]
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], range(1, 301), rtol=1e-5)


def test_an_empty_text_is_sent_as_a_blank_which_endpoints_accept(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    embedder.embed(["", "x"])
    assert server.requests[0]["input"] == [" ", "x"]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_asked_again(
    server: EmbeddingServer, embedder: OpenAIEmbedder, status: int
) -> None:
    server.replies = [Reply({"error": {"message": "busy"}}, status, {"retry-after": "0"})] * 4
    assert embedder.embed(["text"]).shape == (1, 2)
    assert len(server.requests) == 5


def test_what_does_not_pass_ends_after_five_attempts_with_what_the_server_said(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    server.replies = [Reply({"error": {"message": "quota used up"}}, 429)] * 9
    assert "HTTP 429: quota used up" in refusal_of(embedder)
    assert len(server.requests) == 5


@pytest.mark.parametrize(
    ("status", "message"), [(400, "the text is too long"), (404, "no such model")]
)
def test_what_the_server_objects_to_is_not_asked_again(
    server: EmbeddingServer, embedder: OpenAIEmbedder, status: int, message: str
) -> None:
    server.replies = [Reply({"error": {"message": message}}, status)]
    assert f"HTTP {status}: {message}" in refusal_of(embedder)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_server_that_quotes_the_key_is_not_quoted(
    server: EmbeddingServer, embedder: OpenAIEmbedder, status: int
) -> None:
    server.replies = [Reply({"error": {"message": f"Incorrect API key provided: {KEY}"}}, status)]
    assert f"HTTP {status}" in refusal_of(embedder)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b"",
        {},
        [],
        {"data": None},
        {"data": [{"index": 0}]},
        {"data": [{"embedding": [1, 2]}]},
    ],
)
def test_a_body_that_is_no_list_of_vectors_is_an_embedder_error(
    server: EmbeddingServer, embedder: OpenAIEmbedder, body: object
) -> None:
    server.replies = [Reply(body)]
    assert re.search("did not return|returned a zero vector", refusal_of(embedder))


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(answer([1, 2]), id="one vector for two texts"),
        pytest.param(answer([1, 2], [1, 2], [1, 2]), id="three vectors for two texts"),
        pytest.param(answer([1, 2], [1, 2, 3]), id="vectors of two lengths"),
        pytest.param(answer([], []), id="vectors of no numbers"),
        pytest.param(answer([1, 2], [0, 0]), id="a vector of zeros"),
        pytest.param(answer([1, 2], [float("nan"), 1]), id="a vector with a number that is none"),
        pytest.param(answer([1, 2], ["a", "b"]), id="words in place of numbers"),
        pytest.param(
            Reply({"data": [{"index": 0, "embedding": [1, 2]}] * 2}), id="one index twice"
        ),
    ],
)
def test_vectors_that_cannot_be_right_are_an_embedder_error(
    server: EmbeddingServer, embedder: OpenAIEmbedder, reply: Reply
) -> None:
    server.replies = [reply]
    assert re.search("did not return|returned a zero vector", refusal_of(embedder))


def test_a_server_that_changes_the_dimension_is_an_embedder_error(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    embedder.embed(["text"])
    server.replies = [answer([1, 2, 3], [1, 2, 3])]
    assert "of 3 dimensions, and of 2 before" in refusal_of(embedder)


def test_a_server_that_nobody_runs_is_an_embedder_error(
    closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINKER_EMBEDDER_API_KEY", KEY)
    embedder = OpenAIEmbedder(
        "test-model", f"http://127.0.0.1:{closed_port}/v1", first_pause_seconds=0
    )
    assert "cannot be reached" in refusal_of(embedder)


@pytest.mark.parametrize(
    "url", ["not a url", "ftp://localhost/v1", "http://", "http://models.example/v1"]
)
def test_what_is_no_address_is_an_embedder_error(url: str) -> None:
    assert refusal_of(OpenAIEmbedder("test-model", url, first_pause_seconds=0))
