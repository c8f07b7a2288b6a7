"""
The settings: enter linker.yml, the environment and flags in rising precedence, leaves one validated record.

Read at the edge only; no other module looks at the environment.
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from linker.errors import ConfigError

CONFIG_FILE = Path("linker.yml")
PREFIX = "LINKER_"
# Read by the shipped profiles.yml, or by this module itself: they are no settings.
OTHER_VARIABLES = ("LINKER_CONFIG", "LINKER_DUCKDB_PATH")


class Settings(BaseModel):
    """Every setting, with its default. The name of a key is the same in linker.yml, `LINKER_…` and `--…`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    profiles_dir: Path | None = Field(
        None,
        description="Folder of dbt's profiles.yml. Default: where dbt looks (DBT_PROFILES_DIR, this folder, ~/.dbt), "
        "else the profiles that ship with linker.",
    )
    profile: str | None = Field(
        None,
        description="Profile in profiles.yml. Default: the one that dbt_project.yml in this folder names, "
        "else `linker`.",
    )
    target: str | None = Field(
        None, description="Target of the profile. Default: the profile's own. `demo` is the generated demo warehouse."
    )
    artifacts_schema: str | None = Field(
        None, description="Schema of the relations that dbt leaves. Default: `<schema of the target>_linker`."
    )
    state_dir: Path = Field(
        Path(".linker"), description="Folder for the embedded store, dbt's target and logs, and the demo warehouse."
    )
    store_url: SecretStr | None = Field(
        None,
        description="A Postgres with pgvector, as a `postgresql://` URL. Default: an embedded one in the state folder.",
    )
    embedder: str = Field(
        "offline",
        min_length=1,
        description="`offline` is all-MiniLM-L6-v2, computed on this machine; `openai:MODEL` asks an endpoint, "
        "with the key in OPENAI_API_KEY; else a name or path for the extra sentence-transformers.",
    )
    embedder_base_url: str | None = Field(
        None, description="Base URL of any OpenAI-compatible endpoint, with `embedder: openai:…`."
    )
    reranker: str | None = Field(
        None,
        description="Cross-encoder that reads the best hits together with the question: a name or path for the extra "
        "sentence-transformers. Default: none.",
    )
    model: str | None = Field(
        None,
        description="Language model, as `provider:name`: `openai:…`, `anthropic:…`, `google:…`, `ollama:…` "
        "([more](models.md)). Default: none; linking works without.",
    )
    model_base_url: str | None = Field(
        None,
        description="Where the model is served: any OpenAI-compatible endpoint with `model: openai:…`, or a server "
        "that speaks like Anthropic, Google or Ollama, with theirs. Default: the provider's own.",
    )
    model_concurrency: int = Field(
        4, ge=1, le=64, description="How many requests to the language model may run at once."
    )
    max_tokens: int = Field(
        200_000,
        ge=1_000,
        description="How many tokens the language model may use for one question, prompts and answers together.",
    )
    max_calls: int | None = Field(
        None, ge=1, description="How many requests to the language model one question may take. Default: any number."
    )
    max_probes: int = Field(40, ge=0, description="How many SQL probes one question may run in the warehouse.")
    timeout: float = Field(
        300.0, gt=0, le=86_400, allow_inf_nan=False, description="How many seconds one question may take."
    )
    strategy: str = Field("retrieval", description="How to link.")
    ranking_weights: Path | None = Field(
        None,
        description="Weights of the model-free ranking, as `linker tune` writes them. Default: those that ship with "
        "linker.",
    )
    column_budget: int = Field(30, ge=1, le=10_000, description="How many columns a linked schema may have.")


def load_settings(flags: Mapping[str, object], environment: Mapping[str, str] | None = None) -> Settings:
    """Merge the three sources and validate them; an error names the key and where it stands."""
    environment = os.environ if environment is None else environment
    config_file = Path(str(flags.get("config") or environment.get(f"{PREFIX}CONFIG") or CONFIG_FILE))
    _reject_unknown_variables(environment)
    sources: list[tuple[str, dict[str, object]]] = [
        (str(config_file), _read_config_file(config_file, required=config_file != CONFIG_FILE)),
        ("the environment", _from_environment(environment)),
        ("the flags", {key: value for key, value in flags.items() if value is not None and key != "config"}),
    ]
    merged: dict[str, object] = {}
    origin: dict[str, str] = {}
    for source, values in sources:
        merged.update(values)
        origin.update(dict.fromkeys(values, source))
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise _config_error(error, origin) from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, object]:
    names = {key: variable_of(key) for key in Settings.model_fields}
    return {key: environment[name] for key, name in names.items() if environment.get(name)}


def variable_of(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()


def _reject_unknown_variables(environment: Mapping[str, str]) -> None:
    known = [variable_of(key) for key in Settings.model_fields] + list(OTHER_VARIABLES)
    for name in environment:
        if name.startswith(PREFIX) and name not in known:
            raise ConfigError(f"unknown setting {name} in the environment", hint=_nearest(name, known))


def _read_config_file(path: Path, *, required: bool) -> dict[str, object]:
    if not path.exists() and not required:
        return {}
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}", hint="check --config or LINKER_CONFIG") from None
    except yaml.YAMLError as error:
        where = (
            f" line {error.problem_mark.line + 1}"
            if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark
            else ""
        )
        raise ConfigError(f"{path}{where} is not valid YAML", hint="write one `key: value` a line") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigError(f"{path} does not hold settings", hint="write one `key: value` a line")
    return {str(key): value for key, value in content.items() if value is not None}


def _config_error(error: ValidationError, origin: Mapping[str, str]) -> ConfigError:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    source = origin.get(key, "the settings")
    if first["type"] == "extra_forbidden":
        return ConfigError(f"unknown setting `{key}` in {source}", hint=_nearest(key, list(Settings.model_fields)))
    # The value is not repeated: it may be a secret.
    reason = first["msg"][0].lower() + first["msg"][1:]
    return ConfigError(f"setting `{key}` in {source} is not valid: {reason}", hint=f"see `{key}` in docs/settings.md")


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else f"the settings are {', '.join(known)}"
