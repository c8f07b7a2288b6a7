"""Servers that settings and local files may name."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.cli import main
from linker.config.servers import embedder_key, external_hosts
from linker.config.settings import Settings, load_settings
from linker.config.target import load_target
from linker.errors import ConfigError

SERVERS = (
    "model_base_url: https://models.example/v1",
    "embedder_base_url: https://user:hunter2@models.example/v1",
    "model_base_url: https://127.0.0.1.models.example/v1",
    "model_base_url: https://127.0.0.1@models.example/v1",
    "store_url: postgresql://user:hunter2@models.example/db",
    "store_url: postgresql://127.0.0.1,models.example/db",
    "store_url: postgresql:///db?host=models.example",
    "store_url: postgresql://127.0.0.1/db?hostaddr=203.0.113.5",
    "dbt: ./dbt",
)
HERE = (
    "model_base_url: http://127.0.0.1:8000/v1",
    "model_base_url: http://[::1]:8000/v1",
    "model_base_url: http://localhost:11434",
    "model_base_url: https://eu.api.openai.com/v1",
    "store_url: postgresql://user@localhost/db",
    "store_url: postgresql:///db?host=/var/run/postgresql",
    "dbt: dbt-fusion",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, into which somebody else wrote."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", SERVERS)
def test_a_file_that_lies_in_the_working_directory_names_no_other_machine(
    line: str, folder: Path
) -> None:
    (folder / "linker.yml").write_text(line + "\n", "utf-8")
    key = line.partition(":")[0]
    with pytest.raises(ConfigError, match=f"`{key}` in linker.yml") as caught:
        load_settings({}, {})
    assert caught.value.hint == (
        f"if that is intended, set LINKER_{key.upper()}, or name the file: --config linker.yml"
    )
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("line", SERVERS)
def test_a_file_that_somebody_named_may(line: str, folder: Path) -> None:
    (folder / "linker.yml").write_text(line + "\n", "utf-8")
    key = line.partition(":")[0]
    assert getattr(load_settings({"config": "linker.yml"}, {}), key)
    assert getattr(load_settings({}, {"LINKER_CONFIG": "linker.yml"}), key)


@pytest.mark.parametrize("line", HERE)
def test_it_may_name_this_machine_and_the_providers_themselves(line: str, folder: Path) -> None:
    (folder / "linker.yml").write_text(line + "\n", "utf-8")
    assert getattr(load_settings({}, {}), line.partition(":")[0])


def test_what_the_environment_says_counts_instead_of_it(folder: Path) -> None:
    (folder / "linker.yml").write_text("model_base_url: https://evil.example/v1\n", "utf-8")
    ours = "https://models.example/v1"
    assert load_settings({}, {"LINKER_MODEL_BASE_URL": ours}).model_base_url == ours
    assert load_settings({"model_base_url": ours}, {}).model_base_url == ours


@pytest.mark.parametrize("key", ["model_base_url", "embedder_base_url"])
@pytest.mark.parametrize(
    "url",
    [
        "http://models.example/v1",
        "ftp://localhost/v1",
        "localhost:1234",
        "https://a\\@b/v1",
        "http://",
    ],
)
def test_an_address_is_https_or_on_this_machine(key: str, url: str) -> None:
    with pytest.raises(ConfigError, match=f"`{key}`") as caught:
        load_settings({key: url}, {})
    assert url not in str(caught.value)


def test_an_error_is_one_line_with_exit_code_2(folder: Path) -> None:
    (folder / "linker.yml").write_text("model_base_url: http://models.example/v1\n", "utf-8")
    done = CliRunner().invoke(main, ["ask", "How many orders?"])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 2
    assert "http:// is allowed for this machine only" in done.stderr


def test_the_key_of_openai_is_for_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "own")
    monkeypatch.setenv("LINKER_EMBEDDER_API_KEY", "ours")
    assert embedder_key("https://api.openai.com/v1") == "own"
    assert embedder_key("https://models.example/v1") == "ours"


def test_only_servers_that_are_not_the_providers_own_are_named() -> None:
    assert external_hosts(Settings(model="openai:m")) == {}
    assert external_hosts(Settings(model="ollama:m")) == {}
    assert external_hosts(Settings(model_base_url="https://models.example/v1")) == {}
    named = Settings(model="openai:m", model_base_url="https://u:hunter2@models.example/v1")
    assert external_hosts(named) == {"models.example": "the language model (model_base_url) is"}
    both = Settings(
        model="openai:m",
        model_base_url="https://models.example/v1",
        embedder="openai:e",
        embedder_base_url="https://models.example/v1",
    )
    [words] = external_hosts(both).values()
    assert words == "the language model and the embedding model (embedder_base_url) are"


@pytest.mark.parametrize(
    "password",
    [
        "env_var('OPENAI_API_KEY')",
        "env_var('OPENAI_API_KEY', 'none')",
        "cycler.__init__.__globals__.os.environ.OPENAI_API_KEY",
        "env_var.__func__.__globals__.os.environ.OPENAI_API_KEY",
    ],
)
def test_no_profile_may_ask_for_the_key_of_a_model(
    password: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden-word")
    (folder / "profiles.yml").write_text(
        "linker: {target: p, outputs: {p: {type: postgres, host: h, user: u, dbname: d, schema: s,"
        f' password: "{{{{ {password} }}}}"}}}}}}\n',
        "utf-8",
    )
    with pytest.raises(ConfigError) as caught:
        load_target(Settings())
    assert "sk-hidden-word" not in str(caught.value)
