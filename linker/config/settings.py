"""
The settings as one record, read from linker.yml, the environment and flags in rising precedence.

docs/words/settings.yml describes each. No other module reads the environment.
"""

import difflib
import os
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from msgspec.structs import fields, replace

from linker.config.servers import EMBEDDER_KEY, MODEL_KEY, address, check_found_file
from linker.config.values import (
    Secret,
    TablePattern,
    Term,
    WrongError,
    duration,
    number,
    path,
    seconds,
    secret,
    table_patterns,
    terms,
    text,
    texts,
    up_to,
    yes_or_no,
)
from linker.errors import ConfigError
from linker.files import read_yaml
from linker.types import Record

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
# Steps that may have their own model.
STEPS = ("hypotheses", "evidence", "decision", "sql")

PREFIX = "LINKER_"

CONFIG_FILE = Path("linker.yml")
# Variables that are no settings: read by the shipped profiles.yml, by this module, or as secrets
# where needed.
OTHER_VARIABLES = (
    "LINKER_CONFIG",
    "LINKER_DUCKDB_PATH",
    "LINKER_MCP_TOKEN",
    "LINKER_SERVE_TOKEN",
    MODEL_KEY,
    EMBEDDER_KEY,
)


def effort(value: object) -> str:
    """Reasoning effort; models map it to the nearest that they support."""
    if value not in EFFORTS:
        raise WrongError(f"it should be one of {', '.join(EFFORTS)}")
    return str(value)


def models_by_step(value: object) -> tuple[tuple[str, str], ...]:
    """Models by step: a mapping, or `step=provider:name` separated by commas."""
    if isinstance(value, tuple):
        value = dict(value)
    if isinstance(value, str):
        value = dict(part.partition("=")[::2] for part in value.split(","))
    if not isinstance(value, Mapping) or not value:
        raise WrongError("it should have one `step: provider:name` per line")
    models = {str(step).strip(): text(model).strip() for step, model in value.items()}
    if unknown := next((step for step in models if step not in STEPS), None):
        raise WrongError(f"there is no step `{unknown}`; the steps are {', '.join(STEPS)}")
    return tuple(models.items())


class Settings(Record, frozen=True):
    """All settings with defaults. Names are the same in linker.yml, `LINKER_…` and `--…`."""

    profiles_dir: Annotated[Path | None, path] = None
    profile: Annotated[str | None, text] = None
    target: Annotated[str | None, text] = None
    artifacts_schema: Annotated[str | None, text] = None
    manifest: Annotated[Path | None, path] = None
    dbt: Annotated[str | None, text] = None
    exclude_columns: Annotated[tuple[str, ...], texts] = ()
    hide_columns: Annotated[tuple[str, ...], texts] = ()
    mask_columns: Annotated[tuple[str, ...], texts] = ()
    show_columns: Annotated[tuple[str, ...], texts] = ()
    state_dir: Annotated[Path, path] = Path(".linker")
    store_url: Annotated[Secret | None, secret] = None
    embedder: Annotated[str, text] = "offline"
    embedder_base_url: Annotated[str | None, address] = None
    reranker: Annotated[str | None, text] = None
    model: Annotated[str | None, text] = None
    model_base_url: Annotated[str | None, address] = None
    model_concurrency: Annotated[int, number(1, 64)] = 4
    model_timeout: Annotated[float, seconds] = 120.0
    model_effort: Annotated[str | None, effort] = None
    model_temperature: Annotated[float | None, up_to(2)] = None
    model_by_step: Annotated[tuple[tuple[str, str], ...], models_by_step] = ()
    max_tokens: Annotated[int, number(1_000, 1_000_000_000)] = 200_000
    max_calls: Annotated[int | None, number(1, 1_000_000)] = None
    max_probes: Annotated[int, number(0, 1_000_000)] = 40
    timeout: Annotated[float, seconds] = 300.0
    warn_age: Annotated[timedelta, duration] = timedelta(days=7)
    strategy: Annotated[str, text] = "auto"
    schema_tokens: Annotated[int, number(500, 10_000_000)] = 20_000
    panorama_tokens: Annotated[int, number(500, 10_000_000)] = 1_800
    scan_seconds: Annotated[int | None, number(1, 86_400)] = None
    kept_traces: Annotated[int, number(0, 100_000)] = 200
    kept_runs: Annotated[int, number(2, 100_000)] = 400
    sql_candidates: Annotated[int, number(1, 20)] = 5
    sql_rows: Annotated[int, number(1, 100_000)] = 100
    sql_seconds: Annotated[int, number(1, 86_400)] = 30
    time_travel: Annotated[bool, yes_or_no] = False
    session_memory_mb: Annotated[int, number(300, 1_000_000)] = 4_000
    ranking_weights: Annotated[Path | None, path] = None
    usage_sources: Annotated[tuple[str, ...], texts] = ()
    verified_questions: Annotated[Path, path] = Path("verified.yml")
    prefer: Annotated[tuple[TablePattern, ...], table_patterns] = ()
    exclude: Annotated[tuple[TablePattern, ...], table_patterns] = ()
    glossary: Annotated[tuple[Term, ...], terms] = ()
    documents: Annotated[tuple[str, ...], texts] = ()
    recall: Annotated[float | None, up_to(1)] = None
    column_budget: Annotated[int | None, number(1, 10_000)] = None
    ossie: Annotated[tuple[str, ...], texts] = ("osi",)
    explorer_url: Annotated[str | None, text] = None

    @property
    def most_columns(self) -> int:
        """Upper limit of columns where no other applies."""
        return self.column_budget or 60


def variable_of(key: str) -> str:
    return PREFIX + key.upper()


def load_settings(
    flags: Mapping[str, object],
    environment: Mapping[str, str] | None = None,
    called: str = "the flags",
) -> Settings:
    """
    Merge and validate the three sources; errors name the key and its source, with flags in the
    spelling of `called`.
    """
    environment = os.environ if environment is None else environment
    named = flags.get("config") or environment.get(f"{PREFIX}CONFIG")
    config_file = Path(str(named or CONFIG_FILE))
    _reject_unknown_variables(environment)
    given = {key: value for key, value in flags.items() if value is not None and key != "config"}
    in_file = _read(_read_config_file(config_file, required=bool(named)), str(config_file))
    in_environment = _read(_from_environment(environment), "the environment")
    in_flags = _read(given, called)
    if not named:
        check_found_file(in_file, in_environment | in_flags, str(config_file))
    merged: dict[str, Any] = in_file | in_environment | in_flags
    settings = Settings(**merged)
    if settings.model_by_step and not settings.model:
        raise ConfigError(
            "setting `model_by_step` requires `model`",
            hint="set `model`, which answers all other steps",
        )
    return settings


def changed_settings(settings: Settings, changes: Mapping[str, object]) -> Settings:
    """A validated copy with changes."""
    return replace(settings, **_read(changes, "the call"))


def _read(values: Mapping[str, object], source: str) -> dict[str, Any]:
    readers = {
        name: hint.__metadata__[0]
        for name, hint in get_type_hints(Settings, include_extras=True).items()
    }
    return {key: _read_value(key, value, source, readers) for key, value in values.items()}


def _read_value(
    key: str, value: object, source: str, readers: Mapping[str, Callable[[object], object]]
) -> object:
    if key not in readers:
        raise ConfigError(f"unknown setting `{key}` in {source}", hint=_nearest(key, list(readers)))
    try:
        return readers[key](value)
    except WrongError as wrong:
        raise ConfigError(
            f"setting `{key}` in {source} is not valid: {wrong}",
            hint=f"see `{key}` in docs/settings.md",
        ) from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, object]:
    names = {setting.name: variable_of(setting.name) for setting in fields(Settings)}
    return {key: environment[name] for key, name in names.items() if environment.get(name)}


def _reject_unknown_variables(environment: Mapping[str, str]) -> None:
    variables = [variable_of(setting.name) for setting in fields(Settings)] + list(OTHER_VARIABLES)
    for name in environment:
        if name.startswith(PREFIX) and name not in variables:
            raise ConfigError(
                f"unknown setting {name} in the environment", hint=_nearest(name, variables)
            )


def _read_config_file(path: Path, *, required: bool) -> dict[str, object]:
    if not path.exists() and not required:
        return {}
    hint = "write one `key: value` per line; --config and LINKER_CONFIG name another file"
    content = read_yaml(path, hint=hint)
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigError(f"{path} is not a settings file", hint=hint)
    return {str(key): value for key, value in content.items() if value is not None}


def _nearest(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else f"the settings are {', '.join(names)}"
