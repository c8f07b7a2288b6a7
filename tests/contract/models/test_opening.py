"""Models that cannot be opened, and the documented list of outcomes."""

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from linker.errors import ModelError, ModelErrorCode
from linker.models import open_model
from tests.contract.model_wires import WIRES, Wire


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("openai:model", "openai", "openai"),
        ("ollama:model", "openai", "openai"),
        ("anthropic:model", "anthropic", "anthropic"),
        ("google:model", "google.genai", "google"),
        # What a plain install lacks altogether.
        ("openai:model", "pydantic_ai", "openai"),
        ("google:model", "pydantic_ai", "google"),
        ("groq:model", "pydantic_ai", "llm"),
    ],
)
def test_a_provider_whose_package_is_missing_is_one_line_with_the_command(
    name: str, package: str, extra: str, checkout: Path
) -> None:
    code = f"""
import sys
sys.modules["{package}"] = sys.modules["{package}.client"] = None
from linker.errors import ModelError
from linker.models import open_model
try:
    open_model("{name}", "http://127.0.0.1:1")
except ModelError as error:
    print(error.code, error.what, error.hint, sep="|")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        f"setup|model `{name}` needs a package that is not installed|pip install --editable '.[{extra}]'\n"
    )


@pytest.mark.parametrize("name", ["nobody:model", "gpt-5", ":model", "openai:", ""])
def test_a_provider_that_does_not_exist_is_a_model_error_with_a_hint(name: str) -> None:
    with pytest.raises(ModelError, match=f"`{name}`") as caught:
        open_model(name)
    assert caught.value.code == "setup"
    assert "provider:name" in caught.value.hint


@pytest.mark.parametrize("wire", WIRES[:3], ids=lambda wire: wire.name)
def test_a_provider_without_its_key_is_a_model_error_that_names_the_variable(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(wire.key_variable, raising=False)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=wire.key_variable) as caught:
        open_model(wire.name)
    assert caught.value.code == "setup"


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host/v1", "http://", "just words"])
def test_a_base_url_that_is_none_is_a_model_error_that_does_not_repeat_it(url: str) -> None:
    with pytest.raises(ModelError, match="model_base_url") as caught:
        open_model("openai:test-model", url)
    assert url not in caught.value.what


def test_a_base_url_goes_with_the_providers_whose_format_is_known() -> None:
    with pytest.raises(ModelError, match="model_base_url") as caught:
        open_model("mistral:large", "http://localhost:1234/v1")
    assert "`openai:…`" in caught.value.hint


def test_every_outcome_stands_in_the_documentation(checkout: Path) -> None:
    page = (checkout / "docs" / "models.md").read_text("utf-8")
    codes = [code for part in get_args(ModelErrorCode) for code in (get_args(part) or [part])]
    assert [code for code in codes if f"| `{code}` |" not in page] == []
