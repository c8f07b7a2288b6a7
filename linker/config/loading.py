"""
Reads the settings: enter linker.yml, the environment and flags in rising precedence, leaves one
validated record.

Read at the edge only; no other module looks at the environment.
"""

import difflib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_type_hints

from msgspec.structs import fields, replace

from linker.config.settings import PREFIX, Settings, variable_of
from linker.config.values import WrongError
from linker.errors import ConfigError
from linker.files import read_yaml

CONFIG_FILE = Path("linker.yml")
# Read by the shipped profiles.yml, by this module itself, or by the servers, as a secret: they are
# no settings.
OTHER_VARIABLES = ("LINKER_CONFIG", "LINKER_DUCKDB_PATH", "LINKER_MCP_TOKEN", "LINKER_SERVE_TOKEN")


def load_settings(
    flags: Mapping[str, object], environment: Mapping[str, str] | None = None
) -> Settings:
    """Merge the three sources and validate them; an error names the key and where it stands."""
    environment = os.environ if environment is None else environment
    config_file = Path(
        str(flags.get("config") or environment.get(f"{PREFIX}CONFIG") or CONFIG_FILE)
    )
    _reject_unknown_variables(environment)
    sources: list[tuple[str, dict[str, object]]] = [
        (str(config_file), _read_config_file(config_file, required=config_file != CONFIG_FILE)),
        ("the environment", _from_environment(environment)),
        (
            "the flags",
            {key: value for key, value in flags.items() if value is not None and key != "config"},
        ),
    ]
    merged: dict[str, Any] = {}
    for source, values in sources:
        merged |= _read(values, source)
    settings = Settings(**merged)
    if settings.model_by_step and not settings.model:
        raise ConfigError(
            "setting `model_by_step` names models of single steps, and `model` is not set",
            hint="set `model`, which is asked in all other steps",
        )
    return settings


def changed_settings(settings: Settings, changes: Mapping[str, object]) -> Settings:
    """The settings with some changed, which are validated."""
    return replace(settings, **_read(changes, "the call"))


def _read(values: Mapping[str, object], source: str) -> dict[str, Any]:
    known = {
        name: hint.__metadata__[0]
        for name, hint in get_type_hints(Settings, include_extras=True).items()
    }
    return {key: _read_value(key, value, source, known) for key, value in values.items()}


def _read_value(
    key: str, value: object, source: str, known: Mapping[str, Callable[[object], object]]
) -> object:
    if key not in known:
        raise ConfigError(f"unknown setting `{key}` in {source}", hint=_nearest(key, list(known)))
    try:
        return known[key](value)
    except WrongError as wrong:
        raise ConfigError(
            f"setting `{key}` in {source} is not valid: {wrong}",
            hint=f"see `{key}` in docs/settings.md",
        ) from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, object]:
    names = {setting.name: variable_of(setting.name) for setting in fields(Settings)}
    return {key: environment[name] for key, name in names.items() if environment.get(name)}


def _reject_unknown_variables(environment: Mapping[str, str]) -> None:
    known = [variable_of(setting.name) for setting in fields(Settings)] + list(OTHER_VARIABLES)
    for name in environment:
        if name.startswith(PREFIX) and name not in known:
            raise ConfigError(
                f"unknown setting {name} in the environment", hint=_nearest(name, known)
            )


def _read_config_file(path: Path, *, required: bool) -> dict[str, object]:
    if not path.exists() and not required:
        return {}
    hint = "write one `key: value` a line; --config and LINKER_CONFIG name another file"
    content = read_yaml(path, hint=hint)
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigError(f"{path} does not hold settings", hint=hint)
    return {str(key): value for key, value in content.items() if value is not None}


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else f"the settings are {', '.join(known)}"
