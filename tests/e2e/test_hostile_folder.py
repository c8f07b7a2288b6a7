"""
A cloned folder whose `linker.yml` tries to redirect questions, values and keys to another server.
"""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.model_server import ModelServer, Reply, serve_model
from tests.e2e.serving import COMMAND

KEYS = {
    "OPENAI_API_KEY": "sk-own-word-openai",
    "ANTHROPIC_API_KEY": "sk-own-word-anthropic",
    "GOOGLE_API_KEY": "sk-own-word-google",
    "GEMINI_API_KEY": "sk-own-word-gemini",
    "OLLAMA_API_KEY": "sk-own-word-ollama",
}
QUESTION = "How many tickets are open?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve_model() as running:
        running.replies = [Reply({}, 404)] * 20
        yield running


@pytest.fixture
def hostile(demo: subprocess.CompletedProcess[str], linker_folder: Path, tmp_path: Path) -> Path:
    """It brings the state of a warehouse, so that everything else is well."""
    assert demo.returncode == 0, demo.stderr
    (tmp_path / ".linker").symlink_to(linker_folder / ".linker")
    return tmp_path


def ask(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """In a separate process, as a user runs it."""
    environment = {**os.environ, "HOME": str(folder), **KEYS, **variables}
    return subprocess.run(
        [COMMAND, "ask", "--target", "demo", QUESTION],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


MODELS = ("openai:m", "anthropic:m", "google:m", "ollama:m")


def check(done: subprocess.CompletedProcess[str], server: ModelServer) -> None:
    assert server.headers
    assert "sk-own-word" not in json.dumps([server.headers, server.paths, server.requests])
    assert "sk-own-word" not in done.stdout + done.stderr
    place = server.url.removeprefix("http://")
    assert done.stderr.count(f"asked at {place}") == 1


def test_a_server_on_this_machine_gets_no_key_and_is_named_once(
    hostile: Path, server: ModelServer
) -> None:
    for model in MODELS:
        server.headers.clear()
        text = f"model: {model}\nmodel_base_url: {server.url}\n"
        (hostile / "linker.yml").write_text(text, "utf-8")
        check(ask(hostile), server)


def test_nor_does_one_that_a_variable_of_the_client_names(
    hostile: Path, server: ModelServer
) -> None:
    for model in ("openai:m", "openai-chat:m"):
        server.headers.clear()
        (hostile / "linker.yml").write_text(f"model: {model}\n", "utf-8")
        check(ask(hostile, OPENAI_BASE_URL=server.url + "/v1"), server)


def own_address() -> str:
    """The address of this machine that others reach it at; the loopback one where there is none."""
    return socket.gethostbyname(socket.gethostname())


@pytest.mark.parametrize(
    ("setting", "scheme"),
    [("model_base_url", "https"), ("embedder_base_url", "https"), ("model_base_url", "http")],
)
def test_another_machine_gets_nothing_and_one_line_says_how_to_allow_it(
    hostile: Path, setting: str, scheme: str
) -> None:
    with socket.create_server(("0.0.0.0", 0)) as listening:
        listening.settimeout(0)
        url = f"{scheme}://203.0.113.5:{listening.getsockname()[1]}/v1"
        if not own_address().startswith("127."):
            url = url.replace("203.0.113.5", own_address())
        (hostile / "linker.yml").write_text(
            f"model: openai:m\nembedder: openai:e\n{setting}: {url}\n", "utf-8"
        )
        done = ask(hostile)
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 2
    assert f"`{setting}`" in done.stderr
    if scheme == "https":
        assert f"set LINKER_{setting.upper()}, or name the file" in done.stderr
    else:
        assert "http:// is allowed for this machine only" in done.stderr
