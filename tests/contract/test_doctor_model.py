"""Language model check of `linker doctor`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from linker.config.settings import load_settings
from linker.doctor import Check, run_checks
from linker.environment import Environment
from tests.contract.model_server import ModelServer, serve_model
from tests.contract.model_wires import OpenAI

KEY = "sk-hidden-word-0123456789"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve_model() as running:
        yield running


@pytest.fixture
def check_of_model(
    tmp_path: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Check]:
    """The other parts are not there, which keeps the model from nothing."""
    monkeypatch.setenv("LINKER_MODEL_API_KEY", KEY)

    def check(**flags: str) -> Check:
        nowhere = {
            "profiles_dir": str(tmp_path),
            "store_url": f"postgresql://127.0.0.1:{closed_port}/none",
        }
        with Environment(
            load_settings(nowhere | {"state_dir": str(tmp_path), "embedder": "openai:"} | flags, {})
        ) as environment:
            [found] = [check for check in run_checks(environment) if check.part == "model"]
        return found

    return check


def test_no_model_is_no_fault(check_of_model: Callable[..., Check]) -> None:
    assert check_of_model().state == "unused"


def test_a_model_that_answers_is_well(
    check_of_model: Callable[..., Check], server: ModelServer
) -> None:
    server.replies = [OpenAI().by_tool({"word": "ready"}, usage=(1000, 0, 234))]
    check = check_of_model(model="openai:test-model", model_base_url=server.url + "/v1")
    assert (check.state, check.detail) == ("ok", "openai:test-model answers, 1,234 tokens")
    assert len(server.requests) == 1


def test_a_model_that_needs_a_second_request_is_well_and_that_is_said(
    check_of_model: Callable[..., Check], server: ModelServer
) -> None:
    server.replies = [OpenAI().by_text("ready"), OpenAI().by_tool({"word": "ready"})]
    check = check_of_model(model="openai:test-model", model_base_url=server.url + "/v1")
    assert (check.state, check.detail) == (
        "ok",
        "openai:test-model answers in 2 requests, 300 tokens",
    )


def test_a_model_that_cannot_keep_to_a_schema_is_a_failure(
    check_of_model: Callable[..., Check], server: ModelServer
) -> None:
    server.replies = [OpenAI().by_text("ready")] * 2
    check = check_of_model(model="openai:test-model", model_base_url=server.url + "/v1")
    assert check.state == "failed"
    assert check.hint == "use a model that keeps to a JSON schema"


def test_a_key_that_is_refused_is_a_failure_that_does_not_show_it(
    check_of_model: Callable[..., Check], server: ModelServer
) -> None:
    server.replies = [OpenAI().error(401, f"Incorrect API key provided: {KEY}")]
    check = check_of_model(model="openai:test-model", model_base_url=server.url + "/v1")
    assert check.state == "failed"
    assert "refused the key" in check.detail
    assert KEY not in check.detail + check.hint


def test_a_model_that_does_not_exist_at_the_provider_is_a_failure(
    check_of_model: Callable[..., Check], server: ModelServer
) -> None:
    server.replies = [OpenAI().error(404, "The model `test-model` does not exist")]
    check = check_of_model(model="openai:test-model", model_base_url=server.url + "/v1")
    assert (check.state, check.hint) == (
        "failed",
        "check the name in `model`, and `model_base_url`",
    )


def test_a_provider_that_nobody_knows_is_a_failure(check_of_model: Callable[..., Check]) -> None:
    check = check_of_model(model="nobody:model")
    assert (check.state, check.hint) == (
        "failed",
        "set `model` to provider:name and the provider's key",
    )


def test_the_models_of_single_steps_are_asked_too(
    check_of_model: Callable[..., Check], server: ModelServer
) -> None:
    server.replies = [OpenAI().by_tool({"word": "ready"}), OpenAI().by_tool({"word": "ready"})]
    check = check_of_model(
        model="openai:large",
        model_base_url=server.url + "/v1",
        model_by_step="decision=openai:judge,sql=openai:judge,evidence=openai:large",
    )
    assert (check.state, check.detail) == (
        "ok",
        "openai:large answers, 150 tokens; openai:judge answers, 150 tokens",
    )
    assert [request["model"] for request in server.requests] == ["large", "judge"]
