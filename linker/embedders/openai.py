"""
Encoder behind an OpenAI-compatible embeddings endpoint, one request per batch.

OPENAI_API_KEY is sent to OpenAI's host only, LINKER_EMBEDDER_API_KEY to any other endpoint; neither
is printed.
"""

import time
from collections.abc import Sequence
from functools import cached_property
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from linker.config.servers import EMBEDDER_KEY, PROVIDERS, address, embedder_key
from linker.config.values import WrongError
from linker.embedders import Vectors
from linker.errors import EmbedderError, first_line

if TYPE_CHECKING:
    import httpx2

_OPENAI = PROVIDERS["openai"]
_BATCH_SIZE = 128
_ATTEMPTS = 5
_LONGEST_PAUSE_SECONDS = 30.0
_TIMEOUT_SECONDS = 60.0
_CONNECT_TIMEOUT_SECONDS = 10.0
_LONGEST_QUOTE = 200


class OpenAIEmbedder:
    """A model at an endpoint."""

    def __init__(
        self, model: str, base_url: str | None = None, *, first_pause_seconds: float = 0.5
    ) -> None:
        self._model = model
        self._base_url = base_url or _OPENAI.url
        self._url = self._base_url.rstrip("/") + "/embeddings"
        self._first_pause_seconds = first_pause_seconds
        # Servers may use the same model name for different vectors. The part before @ may be a
        # secret.
        self.name = f"openai:{model}" + (
            f" at {urlsplit(base_url).netloc.rpartition('@')[2]}" if base_url else ""
        )
        self._dimension = 0

    @property
    def dimension(self) -> int:
        return self._dimension or int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        # The endpoint rejects empty texts.
        filled = [text or " " for text in texts]
        batches = [
            filled[start : start + _BATCH_SIZE] for start in range(0, len(filled), _BATCH_SIZE)
        ]
        return np.concatenate([self._vectors(self._ask(batch), len(batch)) for batch in batches])

    def _ask(self, batch: Sequence[str]) -> Any:  # noqa: ANN401 - JSON from outside, judged by _vectors
        import httpx2

        body = {"model": self._model, "input": list(batch), "encoding_format": "float"}
        for attempt in count(1):
            try:
                response = self._client.post(self._url, json=body)
            except httpx2.TransportError as error:
                if attempt == _ATTEMPTS:
                    raise self._error(f"cannot be reached: {first_line(error)}") from None
                time.sleep(self._pause_seconds(attempt, None))
                continue
            except httpx2.InvalidURL as error:
                raise self._error(f"has an invalid address: {first_line(error)}") from None
            if response.status_code == HTTPStatus.OK:
                return self._json(response)
            if not _may_pass(response.status_code) or attempt == _ATTEMPTS:
                raise self._error(self._refusal(response))
            time.sleep(self._pause_seconds(attempt, response.headers.get("retry-after")))
        raise AssertionError  # the loop above ends by itself

    def _vectors(self, answer: Any, expected: int) -> Vectors:  # noqa: ANN401 - JSON from outside
        try:
            items = sorted(answer["data"], key=lambda item: int(item["index"]))
            numbers = [int(item["index"]) for item in items]
            vectors = np.array([item["embedding"] for item in items], dtype=np.float32)
        except (KeyError, TypeError, ValueError):
            raise self._error("did not return a list of vectors") from None
        if numbers != list(range(expected)):
            raise self._error(f"did not return one vector per text ({len(numbers)} for {expected})")
        if vectors.ndim != 2 or not vectors.shape[1]:
            raise self._error("did not return a list of vectors")
        if self._dimension and vectors.shape[1] != self._dimension:
            raise self._error(
                f"returned vectors of {vectors.shape[1]} dimensions, and of {self._dimension} "
                "before"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise self._error("returned a zero vector")
        self._dimension = int(vectors.shape[1])
        return np.asarray(vectors / lengths, dtype=np.float32)

    @cached_property
    def _key(self) -> str:
        """The key for this endpoint; empty if none is needed."""
        try:
            return embedder_key(address(self._base_url)) or ""
        except WrongError as wrong:
            raise self._error(f"has an invalid address: {wrong}") from None

    @cached_property
    def _client(self) -> "httpx2.Client":
        import httpx2

        if not self._model:
            raise EmbedderError(
                "`openai:` has no model name", hint="set `embedder` to openai:MODEL"
            )
        if not self._key and _OPENAI.is_at(self._base_url):
            raise EmbedderError(
                f"embedding model `{self.name}` needs a key",
                hint="set OPENAI_API_KEY, or `embedder_base_url` to a server",
            )
        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        # No proxy for this machine, which would read plain text.
        return httpx2.Client(
            headers=headers,
            trust_env=not self._url.startswith("http:"),
            timeout=httpx2.Timeout(_TIMEOUT_SECONDS, connect=_CONNECT_TIMEOUT_SECONDS),
        )

    def _pause_seconds(self, attempt: int, retry_after: str | None) -> float:
        """The server's Retry-After, else exponential backoff."""
        try:
            pause = float(retry_after or "")
        except ValueError:  # none, or a date
            pause = self._first_pause_seconds * 2 ** (attempt - 1)
        return min(max(pause, 0.0), _LONGEST_PAUSE_SECONDS)

    def _json(self, response: "httpx2.Response") -> Any:  # noqa: ANN401 - JSON from outside
        try:
            return response.json()
        except ValueError:
            raise self._error("did not return JSON") from None

    def _refusal(self, response: "httpx2.Response") -> str:
        """The server's error; omitted for a rejected key, which it may quote."""
        status = response.status_code
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return f"refused the key (HTTP {status})"
        try:
            message = str(response.json()["error"]["message"])
        except (ValueError, KeyError, TypeError):
            message = response.text
        message = message.replace(self._key, "…") if self._key else message
        return (
            f"returned HTTP {status}: "
            f"{' '.join(message.split())[:_LONGEST_QUOTE] or 'nothing more'}"
        )

    def _error(self, what: str) -> EmbedderError:
        key = "OPENAI_API_KEY" if self._base_url == _OPENAI.url else EMBEDDER_KEY
        return EmbedderError(
            f"encoder `{self.name}` {what}",
            hint=f"check `embedder`, `embedder_base_url` and {key}",
        )


def _may_pass(status: int) -> bool:
    return (
        status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
        or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )
