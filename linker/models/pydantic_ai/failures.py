"""
Classifies failed model requests: a code, a message without secrets, and whether to retry.

Servers may quote the rejected key, so their messages are stripped of all keys in the environment
and of anything that looks like one.
"""

import os
import re
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from linker.errors import ModelError, ModelErrorCode
from linker.types import Usage

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError

_LONGEST_QUOTE = 200
_DEEPEST_BODY = 4
_KEY_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
SHORTEST_KEY = 8
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|gsk|xai)-[\w-]{8,}|\bAIza[\w-]{8,}|\b[Bb]earer\s+\S+|(?<=://)[^/@\s]+(?=@)|(?<=[?&]key=)[^&\s]+"
)
_SAYS_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size|too long)|(?:prompt|input|request).{0,20}too long|too many tokens",  # noqa: E501
    re.IGNORECASE,
)
# Statuses without an error class in pydantic-ai.
_CODES: dict[int, ModelErrorCode] = {
    HTTPStatus.REQUEST_TIMEOUT: "unavailable",
    HTTPStatus.CONFLICT: "unavailable",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_long",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limited",
}
_BROKEN = HTTPStatus.INTERNAL_SERVER_ERROR
_SAYS_NO_TOOLS = re.compile(r"\btools?\b|tool[_ -](?:choice|call)", re.IGNORECASE)


def hint_of(code: ModelErrorCode) -> str:
    """The fix for a code."""
    hints: dict[str, str] = yaml.safe_load(Path(__file__).with_name("hints.yml").read_text("utf-8"))
    return hints[code]


@dataclass(eq=False)
class RequestFailedError(Exception):
    """
    A failed request. Raised within a provider's package if a reply is aborted, and possibly wrapped
    there.
    """

    code: ModelErrorCode
    what: str
    may_pass: bool = False
    retry_after: float | None = None
    # The provider may charge for it although no answer arrived.
    may_be_paid: bool = False
    rejects_tools: bool = False
    rejects_streams: bool = False


def not_set_up(what: str, hint: str = "") -> ModelError:
    """Error for a model that is not configured correctly."""
    return ModelError(what, hint=hint or hint_of("setup"), code="setup")


def no_answer(model: str, code: ModelErrorCode, what: str, usage: Usage) -> ModelError:
    """Error for a model without a valid answer, with its cost."""
    message = f"model `{model}` gave no usable answer: {what}"
    return ModelError(message, hint=hint_of(code), code=code, usage=usage)


def failure_of(error: Exception) -> RequestFailedError:
    """The failure behind an exception or its causes."""
    from pydantic_ai import exceptions

    cause: BaseException | None = error
    while cause:
        if isinstance(cause, RequestFailedError):
            return cause
        cause = cause.__cause__
    if isinstance(error, exceptions.ModelHTTPError):
        return _failure_of_status(error)
    if isinstance(error, exceptions.ContentFilterError):
        return RequestFailedError("refused", "it refuses to answer")
    if isinstance(error, exceptions.ModelConnectionError | TimeoutError):
        return _failure_of_connection(error)
    is_unexpected = isinstance(error, exceptions.UnexpectedModelBehavior)
    if isinstance(error, exceptions.AgentRunError) and not is_unexpected:
        return RequestFailedError("unavailable", without_secrets(error), may_pass=True)
    what = "its reply is not a completion"
    return RequestFailedError("malformed", what, may_pass=True, may_be_paid=True)


def _failure_of_connection(error: "ModelConnectionError | TimeoutError") -> RequestFailedError:
    from pydantic_ai import exceptions

    # Our own timeout during reading.
    phase = error.phase if isinstance(error, exceptions.ModelConnectionError) else "read"
    if isinstance(error, exceptions.ModelTimeoutError | TimeoutError):
        what = "it did not answer in time"
        return RequestFailedError("timeout", what, may_be_paid=phase == "read")
    what = f"it cannot be reached: {without_secrets(error)}"
    if phase == "read":
        what = "the connection broke off"
    may_be_paid = phase in ("read", None)
    return RequestFailedError("unavailable", what, may_pass=True, may_be_paid=may_be_paid)


def _failure_of_status(error: "ModelHTTPError") -> RequestFailedError:
    status, code = error.status_code, _code_of_status(error)
    if code == "unauthorized":
        # The server may quote the rejected key.
        return RequestFailedError(code, f"the server refused the key (HTTP {status})")
    message = without_secrets(_words_of(error.body))
    is_rejected = code in ("rejected", "not_found")
    is_passing = code in ("rate_limited", "unavailable")
    return RequestFailedError(
        code,
        f"the server answers HTTP {status}: {message or 'nothing more'}",
        may_pass=is_passing and error.provider_retry_hint is not False,
        retry_after=error.retry_after,
        rejects_tools=is_rejected and bool(_SAYS_NO_TOOLS.search(message)),
        rejects_streams=is_rejected and "stream" in message.lower(),
    )


def _code_of_status(error: "ModelHTTPError") -> ModelErrorCode:
    from pydantic_ai import exceptions

    by_kind: dict[type[Exception], ModelErrorCode] = {
        exceptions.ModelQuotaExceededError: "quota",
        exceptions.ModelRateLimitError: "rate_limited",
        exceptions.ModelContextWindowExceededError: "too_long",
        exceptions.ModelAuthenticationError: "unauthorized",
        exceptions.ModelNotFoundError: "not_found",
    }
    for kind, code in by_kind.items():
        if isinstance(error, kind):
            return code
    if _SAYS_TOO_LONG.search(without_secrets(_words_of(error.body))):
        return "too_long"
    return _CODES.get(
        error.status_code, "unavailable" if error.status_code >= _BROKEN else "rejected"
    )


def _words_of(body: object) -> str:
    """The message in an error body, in the formats of known providers."""
    for _ in range(_DEEPEST_BODY):
        if isinstance(body, list) and body:
            body = body[0]
        elif isinstance(body, dict):
            body = body.get("error", body.get("message", body.get("detail", "")))
    return "" if isinstance(body, list | dict) else str(body or "")


def without_secrets(words: object) -> str:
    """One line without keys, at most 200 characters."""
    text = " ".join(str(words).split())
    for name, value in os.environ.items():
        if len(value) >= SHORTEST_KEY and _KEY_NAMES.search(name):
            text = text.replace(value, "…")
    text = _LOOKS_LIKE_A_KEY.sub("…", text)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
