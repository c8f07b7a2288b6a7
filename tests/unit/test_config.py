"""Settings: three sources, precedence, errors that name the key."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.budget import Limits
from linker.cli import main
from linker.config.settings import Settings, load_settings
from linker.environment import Environment
from linker.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    path = folder / "linker.yml"
    path.write_text(text, "utf-8")
    return path


def test_without_any_source_the_defaults_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings({}, {})
    assert (settings.embedder, settings.strategy, settings.column_budget) == (
        "offline",
        "auto",
        None,
    )
    assert settings.state_dir == Path(".linker")


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "column_budget: 10\ntarget: from_file\nstrategy: from_file\n")
    environment = {"LINKER_COLUMN_BUDGET": "20", "LINKER_TARGET": "from_environment"}
    settings = load_settings({"config": path, "column_budget": 40}, environment)
    assert settings.column_budget == 40
    assert settings.target == "from_environment"
    assert settings.strategy == "from_file"


def test_a_list_is_written_as_one_and_in_the_environment_with_commas(tmp_path: Path) -> None:
    path = write(tmp_path, "usage_sources: [queries.sql, history]\n")
    assert load_settings({"config": path}, {}).usage_sources == ("queries.sql", "history")
    assert load_settings({}, {"LINKER_USAGE_SOURCES": "a.sql, history"}).usage_sources == (
        "a.sql",
        "history",
    )
    with pytest.raises(ConfigError, match="usage_sources"):
        load_settings({"config": write(tmp_path, "usage_sources: [3]\n")}, {})


def test_a_flag_that_is_not_given_hides_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "target: from_file\n")
    assert load_settings({"config": path, "target": None}, {}).target == "from_file"


def test_an_unknown_key_in_the_file_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    path = write(tmp_path, "colum_budget: 10\n")
    with pytest.raises(ConfigError) as caught:
        load_settings({"config": path}, {})
    assert "`colum_budget`" in caught.value.what
    assert "linker.yml" in caught.value.what
    assert caught.value.hint == "did you mean column_budget?"


def test_an_unknown_variable_is_named_with_the_nearest_one() -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({}, {"LINKER_STROE_URL": "postgresql://u:secret@host/db"})
    assert "LINKER_STROE_URL" in caught.value.what
    assert caught.value.hint == "did you mean LINKER_STORE_URL?"
    assert "secret" not in caught.value.what + caught.value.hint


@pytest.mark.parametrize(
    ("environment", "key"),
    [
        ({"LINKER_COLUMN_BUDGET": "many"}, "column_budget"),
        ({"LINKER_COLUMN_BUDGET": "0"}, "column_budget"),
    ],
)
def test_a_value_of_the_wrong_kind_names_its_key_and_source(
    environment: dict[str, str], key: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings({}, environment)
    assert f"`{key}` in the environment" in caught.value.what


def test_a_secret_is_never_shown_by_the_settings() -> None:
    settings = load_settings({}, {"LINKER_STORE_URL": "postgresql://user:hunter2@host/db"})
    assert "hunter2" not in repr(settings)
    assert settings.store_url is not None
    assert settings.store_url.get_secret_value() == "postgresql://user:hunter2@host/db"


def test_an_invalid_secret_is_not_repeated_in_the_error(tmp_path: Path) -> None:
    path = write(tmp_path, "store_url: [hunter2]\n")
    with pytest.raises(ConfigError) as caught:
        load_settings({"config": path}, {})
    assert "hunter2" not in caught.value.what + caught.value.hint


@pytest.mark.parametrize("text", ["a: [", "- one\n- two\n", "just words\n"])
def test_a_file_that_holds_no_settings_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"linker\.yml"):
        load_settings({"config": write(tmp_path, text)}, {})


def test_a_named_file_that_does_not_exist_is_an_error_and_the_default_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings({}, {}).target is None
    with pytest.raises(ConfigError, match="cannot read"):
        load_settings({"config": tmp_path / "other.yml"}, {})


def test_an_empty_file_and_empty_values_leave_the_defaults(tmp_path: Path) -> None:
    assert load_settings({"config": write(tmp_path, "")}, {}).column_budget is None
    assert (
        load_settings({"config": write(tmp_path, "recall:\n")}, {"LINKER_TARGET": ""}).recall
        is None
    )


def test_the_limits_of_a_question_come_from_every_source(tmp_path: Path) -> None:
    path = write(tmp_path, "max_tokens: 50000\nmax_calls: 20\n")
    environment = {
        "LINKER_MAX_PROBES": "0",
        "LINKER_MODEL_CONCURRENCY": "8",
        "LINKER_TIMEOUT": "60",
    }
    limits = Environment(load_settings({"config": path, "timeout": 12.5}, environment)).limits
    assert limits == Limits(max_tokens=50_000, max_calls=20, max_probes=0, timeout_seconds=12.5)


def test_a_question_has_limits_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    limits = Environment(load_settings({}, {})).limits
    assert limits == Limits(max_tokens=200_000, max_calls=None, max_probes=40, timeout_seconds=300)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_tokens", "999"),
        ("max_tokens", "many"),
        ("max_calls", "0"),
        ("max_probes", "-1"),
        ("timeout", "0"),
        ("timeout", "nan"),
        ("timeout", "inf"),
        ("model_concurrency", "0"),
        ("model_concurrency", "65"),
        ("model_temperature", "2.1"),
        ("model_temperature", "warm"),
        ("model_effort", "much"),
        ("model_by_step", "openai:gpt-5"),
        ("model_by_step", "judge=openai:gpt-5"),
        ("model_by_step", "decision="),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(key: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"`{key}`"):
        load_settings({}, {f"LINKER_{key.upper()}": value})


@pytest.mark.parametrize(
    ("flag", "key"), [("--max-tokens", "max_tokens"), ("--timeout", "timeout")]
)
def test_a_limit_given_as_a_flag_is_validated_like_the_setting(flag: str, key: str) -> None:
    done = CliRunner().invoke(main, ["ask", flag, "0", "How many orders?"])
    assert done.exit_code == 2
    assert f"setting `{key}` in the flags is not valid" in done.output


@pytest.mark.parametrize("name", ["LINKER_MCP_TOKEN", "LINKER_SERVE_TOKEN"])
def test_the_secret_of_a_server_is_no_setting(name: str) -> None:
    assert load_settings({}, {name: "secret"}) == load_settings({}, {})


def test_models_of_steps_are_written_as_a_mapping_and_in_the_environment_with_commas(
    tmp_path: Path,
) -> None:
    path = write(
        tmp_path, "model: openai:a\nmodel_by_step:\n  decision: anthropic:b\n  sql: ollama:c:8b\n"
    )
    expected = (("decision", "anthropic:b"), ("sql", "ollama:c:8b"))
    assert load_settings({"config": path}, {}).model_by_step == expected
    environment = {
        "LINKER_MODEL": "openai:a",
        "LINKER_MODEL_BY_STEP": "decision=anthropic:b, sql=ollama:c:8b",
    }
    assert load_settings({}, environment).model_by_step == expected


def test_a_step_that_is_none_is_named_with_those_that_are() -> None:
    with pytest.raises(
        ConfigError, match="no step `judge`; the steps are hypotheses, evidence, decision, sql"
    ):
        load_settings({}, {"LINKER_MODEL_BY_STEP": "judge=openai:a"})


def test_models_of_steps_without_a_model_for_the_others_are_an_error() -> None:
    with pytest.raises(ConfigError, match="requires `model`"):
        load_settings({}, {"LINKER_MODEL_BY_STEP": "decision=openai:a"})


def test_a_question_changes_its_own_settings_and_none_that_an_open_part_has_read() -> None:
    with Environment(Settings(recall=0.5)) as environment:
        changed = environment.with_settings(recall=0.9)
        assert (changed.settings.recall, environment.settings.recall) == (0.9, 0.5)
        for others in ({"model": "openai:any"}, {"exclude": "raw.*", "recall": 0.9}):
            with pytest.raises(ValueError, match=r"open parts read (model|exclude)"):
                environment.with_settings(**others)
        with pytest.raises(AttributeError):
            environment.settings = changed.settings  # type: ignore[misc]
