"""A provider's key is sent to that provider only."""

import json

import pytest

from linker.config.servers import PROVIDERS, model_key, model_url
from linker.errors import LinkerError, ModelError
from linker.models import open_model
from linker.models.pydantic_ai.model import PydanticAIModel
from tests.contract.model_server import ModelServer, serve_model
from tests.contract.model_wires import WIRES, Wire
from tests.contract.models.scripted_provider import GOOD, KEY, OWN_KEY, PROMPT, Choice

OWN_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
# What looks like OpenAI's own host and is another, or could be read as another.
LOOKALIKES = (
    "https://api.openai.com.evil.example/v1",
    "https://evil-api.openai.com/v1",
    "https://api.openai.com@evil.example/v1",
    "https://evil.example/api.openai.com",
    "https://evil.example#api.openai.com",
    "https://openai.com/v1",
)


def all_that_was_sent(server: ModelServer) -> str:
    return json.dumps([server.headers, server.paths, server.requests])


@pytest.mark.parametrize("variable", ["setting", "environment"])
def test_another_server_gets_no_key_of_a_provider(
    wire: Wire, variable: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = wire.name.partition(":")[0]
    url = server.url + wire.base_path
    if variable == "environment":
        monkeypatch.setenv(PROVIDERS[provider].url_variable, url)
        monkeypatch.setenv("OLLAMA_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", OWN_KEY)
    server.replies = [wire.by_tool(GOOD)]
    model = PydanticAIModel(wire.name, url if variable == "setting" else None)
    try:
        assert model.complete(PROMPT, Choice).answer.confidence == 0.75
    finally:
        model.close()
    assert wire.key(server.headers[0]) == KEY
    assert OWN_KEY not in all_that_was_sent(server)


def test_headers_of_the_environment_do_not_carry_the_key(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = WIRES[1]
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"x-gateway-key: {OWN_KEY}")
    model = PydanticAIModel(wire.name, server.url + wire.base_path)
    server.replies = [wire.by_tool(GOOD)]
    with pytest.raises(ModelError, match="key of a provider"):
        model.complete(PROMPT, Choice)
    model.close()
    assert server.requests == []


@pytest.mark.parametrize(("provider", "url"), OWN_ADDRESSES.items())
def test_the_providers_own_host_gets_its_own_key(provider: str, url: str) -> None:
    assert model_url(provider, None) == url
    assert model_key(provider, url, is_setting=False) == OWN_KEY
    assert model_key(provider, url, is_setting=True) == OWN_KEY


@pytest.mark.parametrize("url", LOOKALIKES)
def test_what_looks_like_the_provider_gets_no_key_of_it(url: str) -> None:
    assert model_key("openai", url, is_setting=True) == KEY


def test_the_host_of_one_provider_gets_no_key_of_another() -> None:
    assert model_key("openai", OWN_ADDRESSES["anthropic"], is_setting=True) == KEY


@pytest.mark.parametrize("name", ["openai-chat:m", "openai-responses:m"])
def test_other_names_of_a_provider_change_nothing(
    name: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
    server.replies = [WIRES[0].by_tool(GOOD)] * 3
    model = PydanticAIModel(name, first_pause_seconds=0)
    try:
        model.complete(PROMPT, Choice)
    except ModelError:
        assert name == "openai-responses:m"  # its wire is another one
    finally:
        model.close()
    assert server.requests
    assert OWN_KEY not in all_that_was_sent(server)


@pytest.mark.parametrize(
    "url", ["http://models.example/v1", "http://10.0.0.5:11434", "http://0.0.0.0/v1"]
)
def test_plain_http_leads_to_this_machine_only(
    url: str, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LinkerError, match="this machine only"):
        open_model(wire.name, url)
    monkeypatch.setenv(PROVIDERS[wire.name.partition(":")[0]].url_variable, url)
    with pytest.raises(LinkerError, match="this machine only"):
        open_model(wire.name)


def test_a_server_on_this_machine_is_asked_by_no_proxy(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = WIRES[0]
    server.replies = [wire.by_tool(GOOD)]
    with serve_model() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        model = PydanticAIModel(wire.name, server.url + wire.base_path)
        try:
            model.complete(PROMPT, Choice)
        finally:
            model.close()
        assert (len(server.requests), len(proxy.requests)) == (1, 0)
