"""
The providers: enters `provider:name` and perhaps a base URL, leaves pydantic-ai's model for it;
nothing is sent yet.

Providers that are tested here ask through a client of ours; one of another name brings its own.

A key comes from the provider's own variable. A server that was named by a base URL may need none,
but the clients insist on one, so it gets a word instead.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from linker.config.installed import install_command
from linker.errors import ModelError
from linker.models.pydantic_ai.failures import hint_of, without_secrets

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model

_NO_KEY = "none"
# The providers whose package comes with an extra of their name.
_EXTRAS = ("anthropic", "google")
_OLLAMA = "http://localhost:11434/v1"


def open_provider(name: str, base_url: str | None, client: "AsyncClient") -> "Model":
    """The model of that name, asked through a client; ModelError says what is missing."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    provider, _, model = name.partition(":")
    if not provider or not model:
        raise _cannot(f"cannot use model `{name}`: it is no provider:name")
    opener = _OPENERS.get(provider)
    if base_url:
        _check_url(base_url)
        if not opener:
            known = ", ".join(f"`{each}:…`" for each in _OPENERS)
            raise _cannot(f"model `{name}` takes no `model_base_url`", f"it goes with {known}")
    try:
        return opener(model, base_url, client) if opener else infer_model(name)
    except (UserError, ValueError) as error:
        raise _cannot(f"cannot use model `{name}`: {without_secrets(error)}") from None
    except ImportError as error:
        what = f"model `{name}` needs a package that is not installed"
        if provider in _EXTRAS:
            raise _cannot(what, install_command(provider)) from None
        raise _cannot(f"{what}: {without_secrets(error)}", "pip install what it names") from None


def _openai(model: str, base_url: str | None, client: "AsyncClient") -> "Model":
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    key = _key(base_url, "OPENAI_API_KEY")
    return OpenAIChatModel(
        model, provider=OpenAIProvider(base_url=base_url, api_key=key, http_client=client)
    )


def _anthropic(model: str, base_url: str | None, client: "AsyncClient") -> "Model":
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    key = _key(base_url, "ANTHROPIC_API_KEY")
    return AnthropicModel(
        model, provider=AnthropicProvider(base_url=base_url, api_key=key, http_client=client)
    )


def _google(model: str, base_url: str | None, client: "AsyncClient") -> "Model":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    key = _key(base_url, "GOOGLE_API_KEY", "GEMINI_API_KEY")
    return GoogleModel(
        model, provider=GoogleProvider(base_url=base_url, api_key=key, http_client=client)
    )


def _ollama(model: str, base_url: str | None, client: "AsyncClient") -> "Model":
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    url = base_url or os.environ.get("OLLAMA_BASE_URL") or _OLLAMA
    # People give the address of the server; what speaks like OpenAI lies below it.
    url = url if urlsplit(url).path.strip("/") else url.rstrip("/") + "/v1"
    return OllamaModel(model, provider=OllamaProvider(base_url=url, http_client=client))


_OPENERS: dict[str, Callable[[str, str | None, "AsyncClient"], "Model"]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "ollama": _ollama,
}


def _key(base_url: str | None, *variables: str) -> str | None:
    key = next((os.environ[name] for name in variables if os.environ.get(name)), None)
    if key is None and not base_url:
        raise ValueError(
            f"set {' or '.join(variables)}, or `model_base_url` to a server of your own"
        )
    return key or _NO_KEY


def _check_url(base_url: str) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _cannot(
            "`model_base_url` is no address", "write it as http://host:port/path or https://…"
        )


def _cannot(what: str, hint: str | None = None) -> ModelError:
    return ModelError(what, hint=hint or hint_of("setup"), code="setup")
