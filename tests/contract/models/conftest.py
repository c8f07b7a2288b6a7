"""Models of all providers at one scripted server; docs/models.md lists the outcomes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.contract.model_server import ModelServer, serve_model
from tests.contract.model_wires import WIRES, Wire
from tests.contract.models.scripted_provider import KEY, OWN_KEY, Asking


@pytest.fixture(scope="session")
def running() -> Iterator[ModelServer]:
    with serve_model() as running:
        yield running


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.forget()
    return running


@pytest.fixture(scope="session")
def opened(running: ModelServer) -> Iterator[Callable[[Wire], Asking]]:
    """Each model is opened once: a client reads all certificates of the machine first."""
    askings: dict[str, Asking] = {}

    def opening(wire: Wire) -> Asking:
        if wire.name not in askings:
            askings[wire.name] = Asking(wire, running)
        return askings[wire.name]

    yield opening
    for asking in askings.values():
        asking.model.close()


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKER_MODEL_API_KEY", KEY)
    for wire in WIRES:
        monkeypatch.setenv(wire.key_variable, OWN_KEY)


@pytest.fixture(params=WIRES, ids=lambda wire: wire.name.partition(":")[0])
def wire(request: pytest.FixtureRequest) -> Wire:
    wire: Wire = request.param
    return wire


@pytest.fixture
def asking(wire: Wire, opened: Callable[[Wire], Asking], server: ModelServer) -> Asking:
    asking = opened(wire)
    asking.pauses.clear()
    return asking


@pytest.fixture
def open_asking(server: ModelServer) -> Iterator[Callable[..., Asking]]:
    """A model of one's own, with options."""
    askings: list[Asking] = []

    def opening(wire: Wire, **options: Any) -> Asking:
        askings.append(Asking(wire, server, **options))
        return askings[-1]

    yield opening
    for asking in askings:
        asking.model.close()
