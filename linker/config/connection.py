"""
Renders the values of profiles.yml: enters Jinja, leaves what dbt would make of it.

It knows `env_var` and dbt's type filters; `var` is not allowed there.
"""

import os
from functools import lru_cache
from pathlib import Path

from jinja2 import StrictUndefined, TemplateError
from jinja2.nativetypes import NativeEnvironment

from linker.errors import ConfigError


def render(value: str, source: Path, state_dir: Path) -> object:
    """The value of a template that stands in the file `source`."""
    return _renderer(state_dir)(value, source)


@lru_cache(maxsize=8)
def _renderer(state_dir: Path) -> "_Renderer":
    return _Renderer(state_dir)


class _Renderer:
    """One environment of Jinja, for one state folder."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._jinja = NativeEnvironment(undefined=StrictUndefined)
        self._jinja.filters.update(as_text=str, as_bool=_as_bool, as_native=_same, as_number=_as_number)
        self._jinja.globals["env_var"] = self._env_var

    def __call__(self, value: str, source: Path) -> object:
        try:
            return self._jinja.from_string(value).render()
        except (TemplateError, ValueError) as error:
            raise ConfigError(f"cannot render {source}: {error}", hint="`dbt debug` shows how dbt reads it") from None

    def _env_var(self, name: str, default: str | None = None) -> str:
        if name == "LINKER_STATE_DIR":
            return str(self._state_dir)
        value = os.environ.get(name, default)
        if value is None:
            raise ConfigError(
                f"profiles.yml needs the environment variable {name}, which is not set", hint=f"export {name}=…"
            )
        return value


def _same(value: object) -> object:
    return value


def _as_bool(value: object) -> bool:
    return str(value).lower() in ("true", "1", "yes")


def _as_number(value: object) -> int | float:
    text = str(value)
    return int(text) if text.lstrip("-").isdigit() else float(text)
