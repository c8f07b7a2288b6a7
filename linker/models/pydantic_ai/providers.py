"""
pydantic-ai's model for `provider:name` and perhaps a base URL; nothing is sent yet.

Providers that are tested here ask through a client of ours; one of another name brings its own.

A key comes from the provider's own variable. A server that was named by a base URL may need none,
but the clients insist on one, so it gets a word instead.
"""

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from linker.config.installed import install_command
from linker.models.pydantic_ai.failures import not_set_up, without_secrets

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model

_NO_KEY = "none"
# The variables of their keys; pydantic-ai reads that of Ollama, which needs none.
_KEYS: dict[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": (),
}
# The providers whose package comes with an extra of their name.
_EXTRAS = ("anthropic", "google")
_OLLAMA = "http://localhost:11434/v1"


def open_provider(name: str, base_url: str | None, client: "AsyncClient") -> "Model":
    """The model of that name, asked through a client; ModelError says what is missing."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    provider, _, model = name.partition(":")
    if not provider or not model:
        raise not_set_up(f"cannot use model `{name}`: it is no provider:name")
    if base_url:
        _check_url(base_url)
        if provider not in _KEYS:
            known = ", ".join(f"`{each}:…`" for each in _KEYS)
            raise not_set_up(f"model `{name}` takes no `model_base_url`", f"it goes with {known}")
    try:
        if provider not in _KEYS:
            return infer_model(name)
        # What compatible servers speak, and not what pydantic-ai takes OpenAI itself to speak.
        kind = "openai-chat" if provider == "openai" else provider
        return infer_model(f"{kind}:{model}", lambda _kind: _opened(provider, base_url, client))
    except (UserError, ValueError) as error:
        raise not_set_up(f"cannot use model `{name}`: {without_secrets(error)}") from None
    except ImportError as error:
        what = f"model `{name}` needs a package that is not installed"
        if provider in _EXTRAS:
            raise not_set_up(what, install_command(provider)) from None
        raise not_set_up(f"{what}: {without_secrets(error)}", "pip install what it names") from None


def _opened(name: str, base_url: str | None, client: "AsyncClient") -> Any:  # noqa: ANN401 - a Provider of a type that the name decides
    from pydantic_ai.providers import infer_provider_class

    provider: Any = infer_provider_class(name)
    if name == "ollama":
        return provider(base_url=_address_of_ollama(base_url), http_client=client)
    key = next((os.environ[each] for each in _KEYS[name] if os.environ.get(each)), None)
    if key is None and not base_url:
        variables = " or ".join(_KEYS[name])
        raise ValueError(f"set {variables}, or `model_base_url` to a server of your own")
    return provider(base_url=base_url, api_key=key or _NO_KEY, http_client=client)


def _address_of_ollama(base_url: str | None) -> str:
    """People give the address of the server; what speaks like OpenAI lies below it."""
    url = base_url or os.environ.get("OLLAMA_BASE_URL") or _OLLAMA
    return url if urlsplit(url).path.strip("/") else url.rstrip("/") + "/v1"


def _check_url(base_url: str) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise not_set_up(
            "`model_base_url` is no address", "write it as http://host:port/path or https://…"
        )
