"""
Explains a failed request: enters the client's error, leaves a code, a message without secrets, and
whether to retry.

A server may quote the key that it refuses; its words are cleaned of all keys of the environment,
and of what looks like one.
"""

import os
import re
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from linker.errors import ModelErrorCode
from linker.types import Record

if TYPE_CHECKING:
    from pydantic_ai.exceptions import AgentRunError, ModelHTTPError

_LONGEST_QUOTE = 200
_DEEPEST_BODY = 4
_KEY_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_KEY = 8
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|gsk|xai)-[\w-]{8,}|\bAIza[\w-]{8,}|\b[Bb]earer\s+\S+|(?<=://)[^/@\s]+(?=@)|(?<=[?&]key=)[^&\s]+"
)
_SAYS_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size|too long)|(?:prompt|input|request).{0,20}too long|too many tokens",
    re.IGNORECASE,
)
_SAYS_NO_TOOLS = re.compile(r"\btools?\b|tool[_ -](?:choice|call)", re.IGNORECASE)


def hint_of(code: ModelErrorCode) -> str:
    """The thing to do about a failure of that code."""
    hints: dict[str, str] = yaml.safe_load(Path(__file__).with_name("hints.yml").read_text("utf-8"))
    return hints[code]


class RequestFailure(Record, frozen=True):
    """One request that brought nothing."""

    code: ModelErrorCode
    what: str
    may_pass: bool = False
    retry_after_seconds: float | None = None
    # The provider may have worked on it, and charge for that, although nothing of it came back.
    may_be_paid: bool = False
    rejects_tools: bool = False
    rejects_streams: bool = False


NO_COMPLETION = RequestFailure(
    "malformed", "it answers with something that is no completion", may_pass=True, may_be_paid=True
)


class RefusedReplyError(Exception):
    """
    A reply that is not read, or not to its end; raised inside a provider's package, which may wrap
    it.
    """

    def __init__(self, failure: RequestFailure) -> None:
        super().__init__(failure.what)
        self.failure = failure


def failure_of(error: "AgentRunError | RefusedReplyError") -> RequestFailure:
    """The failure that an exception of pydantic-ai, or one that it wraps, stands for."""
    cause: BaseException | None = error
    while cause:
        if isinstance(cause, RefusedReplyError):
            return cause.failure
        cause = cause.__cause__
    return _failure_of_request(error)


def _failure_of_request(error: Exception) -> RequestFailure:
    from pydantic_ai import exceptions

    if isinstance(error, exceptions.ModelHTTPError):
        return _failure_of_status(error)
    if isinstance(error, exceptions.ContentFilterError):
        return RequestFailure("refused", "it refuses to answer")
    if isinstance(error, exceptions.ModelTimeoutError):
        return RequestFailure(
            "timeout", "it did not answer in time", may_be_paid=error.phase == "read"
        )
    if isinstance(error, exceptions.ModelConnectionError):
        is_sent = error.phase in ("read", None)
        what = (
            "the connection broke off"
            if error.phase == "read"
            else f"it cannot be reached: {without_secrets(error)}"
        )
        return RequestFailure("unavailable", what, may_pass=True, may_be_paid=is_sent)
    if isinstance(error, exceptions.UnexpectedModelBehavior):
        return NO_COMPLETION
    return RequestFailure("unavailable", without_secrets(error), may_pass=True)


def _failure_of_status(error: "ModelHTTPError") -> RequestFailure:
    status = error.status_code
    message = (
        ""
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
        else without_secrets(_words_of(error.body))
    )
    code = _code_of_status(error, message)
    if code == "unauthorized":
        return RequestFailure(code, f"the server refused the key (HTTP {status})")
    may_pass = code in ("rate_limited", "unavailable") and error.provider_retry_hint is not False
    return RequestFailure(
        code,
        f"the server answers HTTP {status}: {message or 'nothing more'}",
        may_pass=may_pass,
        retry_after_seconds=error.retry_after,
        rejects_tools=code in ("rejected", "not_found") and bool(_SAYS_NO_TOOLS.search(message)),
        rejects_streams=code in ("rejected", "not_found") and "stream" in message.lower(),
    )


def _code_of_status(error: "ModelHTTPError", message: str) -> ModelErrorCode:
    from pydantic_ai import exceptions

    status = error.status_code
    by_kind: dict[type[Exception], ModelErrorCode] = {
        exceptions.ModelQuotaExceededError: "quota",
        exceptions.ModelRateLimitError: "rate_limited",
        exceptions.ModelContextWindowExceededError: "too_long",
        exceptions.ModelAuthenticationError: "unauthorized",
        exceptions.ModelNotFoundError: "not_found",
    }
    known = next((code for kind, code in by_kind.items() if isinstance(error, kind)), None)
    if known:
        return known
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "rate_limited"
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or _SAYS_TOO_LONG.search(message):
        return "too_long"
    may_pass = status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in (
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.CONFLICT,
    )
    return "unavailable" if may_pass else "rejected"


def _words_of(body: object) -> str:
    """The message in a server's body, in the shapes that providers use."""
    for _ in range(_DEEPEST_BODY):
        if isinstance(body, list) and body:
            body = body[0]
        elif isinstance(body, dict):
            body = body.get("error", body.get("message", body.get("detail", "")))
    return "" if isinstance(body, list | dict) else str(body or "")


def without_secrets(words: object) -> str:
    """One line of what was said, without keys; at most two hundred characters."""
    text = " ".join(str(words).split())
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST_KEY and _KEY_NAMES.search(name):
            text = text.replace(value, "…")
    text = _LOOKS_LIKE_A_KEY.sub("…", text)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
