"""
Servers of models and encoders: provider URLs, which key goes to which server, and which servers a
file in the working directory may name.
"""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, urlsplit

from linker.config.values import Secret, WrongError, text
from linker.errors import ConfigError
from linker.types import Record

if TYPE_CHECKING:
    from linker.config.settings import Settings

MODEL_KEY = "LINKER_MODEL_API_KEY"
EMBEDDER_KEY = "LINKER_EMBEDDER_API_KEY"
# Settings that name a server, which receives questions and values.
SERVER_SETTINGS = ("model_base_url", "embedder_base_url", "store_url")
_ADDRESS = "it should be a URL, such as https://host/path"


class Provider(Record, frozen=True):
    """A provider: host, address, and the variables of its keys and address."""

    host: str
    url: str
    key_variables: tuple[str, ...]
    url_variable: str

    def is_at(self, url: str) -> bool:
        """Whether a URL is on the provider's own host, which may receive its key."""
        parts = split_url(url)
        host = parts.hostname or ""
        return parts.scheme == "https" and (host == self.host or host.endswith(f".{self.host}"))

    @property
    def key(self) -> str | None:
        """The provider's key from the environment."""
        for variable in self.key_variables:
            if os.environ.get(variable):
                return os.environ[variable]
        return None


PROVIDERS = {
    "openai": Provider(
        "api.openai.com", "https://api.openai.com/v1", ("OPENAI_API_KEY",), "OPENAI_BASE_URL"
    ),
    "anthropic": Provider(
        "api.anthropic.com",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        "ANTHROPIC_BASE_URL",
    ),
    "google": Provider(
        "generativelanguage.googleapis.com",
        "https://generativelanguage.googleapis.com",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
    ),
    "ollama": Provider(
        "ollama.com", "http://localhost:11434", ("OLLAMA_API_KEY",), "OLLAMA_BASE_URL"
    ),
}
# Aliases of providers in pydantic-ai.
_OTHER_NAMES = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "openai-decisions": "openai",
    "google-gla": "google",
    "google-decisions": "google",
}
# Variables that hold keys, none of which a warehouse connection needs.
KEY_VARIABLES = (
    *chain.from_iterable(provider.key_variables for provider in PROVIDERS.values()),
    MODEL_KEY,
    EMBEDDER_KEY,
)


def provider_of(model: str) -> str:
    """The provider of `provider:name`, with aliases resolved."""
    name = model.partition(":")[0]
    return _OTHER_NAMES.get(name, name)


def split_url(url: str) -> SplitResult:
    """Parse a URL; WrongError if it is invalid or ambiguous."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise WrongError(_ADDRESS) from None
    is_odd = any(character.isspace() or character == "\\" for character in url)
    if is_odd or parts.scheme not in ("http", "https") or not parts.hostname:
        raise WrongError(_ADDRESS)
    return parts


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def address(value: object) -> str:
    """A server's URL: https, or http on this machine."""
    url = text(value)
    parts = split_url(url)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise WrongError("http:// is allowed for this machine only; use https:// for others")
    return url


def shown_host(url: str) -> str:
    """Host and port without credentials."""
    return split_url(url).netloc.rpartition("@")[2]


def model_url(provider: str, base_url: str | None) -> str:
    """
    URL for a provider's model: the setting, else the variable of the provider's client, else the
    default.
    """
    defaults = PROVIDERS[provider]
    if base_url:
        return address(base_url)
    named = os.environ.get(defaults.url_variable)
    try:
        return address(named or defaults.url)
    except WrongError as wrong:
        raise ConfigError(
            f"variable {defaults.url_variable} is not valid: {wrong}",
            hint="set `model_base_url`, or unset the variable",
        ) from None


def is_here(model: str, base_url: str | None) -> bool:
    """Whether a model is reached by plain http, hence on this machine."""
    provider = PROVIDERS.get(provider_of(model))
    url = base_url or (provider and (os.environ.get(provider.url_variable) or provider.url)) or ""
    return url.startswith("http:")


def model_key(provider: str, url: str, *, is_setting: bool) -> str | None:
    """The key for a URL: the provider's on its own host, else LINKER's."""
    defaults = PROVIDERS[provider]
    # Ollama has no default host: its variables set both URL and key, or neither.
    if defaults.is_at(url) or (provider == "ollama" and not is_setting):
        return defaults.key
    return os.environ.get(MODEL_KEY)


def embedder_key(url: str) -> str | None:
    """The key for an embeddings endpoint."""
    openai = PROVIDERS["openai"]
    return openai.key if openai.is_at(url) else os.environ.get(EMBEDDER_KEY)


def external_hosts(settings: "Settings") -> dict[str, str]:
    """Hosts other than the providers' own and local Ollama, with their purpose and setting."""
    hosts: dict[str, str] = {}
    main = provider_of(settings.model or "")
    of_steps = [provider_of(model) for _, model in settings.model_by_step]
    for provider in dict.fromkeys([main, *of_steps]):
        defaults = PROVIDERS.get(provider)
        if not defaults:
            continue
        base_url = settings.model_base_url if provider == main else None
        url = model_url(provider, base_url)
        if url != defaults.url and not defaults.is_at(url):
            name = "model_base_url" if base_url else defaults.url_variable
            hosts[shown_host(url)] = f"the language model ({name}) is"
    url = settings.embedder_base_url or ""
    if url and settings.embedder.startswith("openai:") and not PROVIDERS["openai"].is_at(url):
        host = shown_host(url)
        both = "the language model and the embedding model (embedder_base_url) are"
        hosts[host] = both if host in hosts else "the embedding model (embedder_base_url) is"
    return hosts


def check_found_file(
    settings: Mapping[str, object], given: Mapping[str, object], file: str
) -> None:
    """
    Reject what a settings file found in the working directory may not set, since it may come from a
    cloned repository: servers on other machines, and programs by path. Environment and flags may.
    """
    for key in SERVER_SETTINGS:
        if key in settings and key not in given:
            elsewhere = _elsewhere(key, settings[key])
            if elsewhere:
                raise _not_trusted(key, f"would send data to {elsewhere}", file)
    program = str(settings.get("dbt", ""))
    if "dbt" not in given and ("/" in program or "\\" in program):
        raise _not_trusted("dbt", "would run a program of its own", file)


def _not_trusted(key: str, does: str, file: str) -> ConfigError:
    return ConfigError(
        f"`{key}` in {file} {does}; a settings file in the working directory may not set it",
        hint=f"if that is intended, set LINKER_{key.upper()}, or name the file: --config {file}",
    )


def _elsewhere(key: str, value: object) -> str:
    """The foreign host that a setting names; empty for this machine and providers."""
    if key == "store_url":
        return _store_elsewhere(
            str(value.get_secret_value() if isinstance(value, Secret) else value)
        )
    url = str(value)
    if any(provider.is_at(url) for provider in PROVIDERS.values()):
        return ""
    return "" if is_loopback(split_url(url).hostname or "") else shown_host(url)


def _store_elsewhere(url: str) -> str:
    """The foreign host of a Postgres URL, by all ways in which libpq takes one."""
    try:
        parts = urlsplit(url)
        hosts = [parts.hostname or ""]
    except ValueError:
        return "a server"
    for name, value in parse_qsl(parts.query):
        if name in ("host", "hostaddr", "service"):
            hosts.append(value)
    for host in hosts:
        is_socket = host.startswith(("/", "%2f"))
        if host and not is_socket and not is_loopback(host):
            return host
    return ""
