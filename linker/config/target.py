"""
Resolves the warehouse connection of the dbt target.

profiles.yml is read as dbt reads it, without importing dbt, which takes seconds.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from linker.config.installed import dbt_project_dir
from linker.config.servers import KEY_VARIABLES
from linker.config.settings import Settings
from linker.errors import ConfigError
from linker.files import read_yaml
from linker.types import Record

DEMO = "demo"
SHIPPED_PROFILE = "linker"


class _Unshown(Record, frozen=True):
    """May hold passwords: its repr is its name."""

    profile: str
    name: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.profile!r}, {self.name!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("profile", self.profile), ("name", self.name)]


class Target(_Unshown, frozen=True):
    """One rendered dbt connection."""

    kind: str
    schema: str
    profiles_dir: Path
    options: Mapping[str, Any]
    # Memory limit of a session's process, in MB.
    session_memory_mb: int = 4_000

    @property
    def key(self) -> str:
        """Key of this target's documents in a shared store."""
        return _key(self.profile, self.name)

    @property
    def filled_options(self) -> dict[str, Any]:
        """Options with a value."""
        return {key: value for key, value in self.options.items() if value not in (None, "")}

    @property
    def database(self) -> str:
        """The database; empty if the connection names none, as for a file."""
        names = map(self.options.get, ("database", "project", "dbname"))
        return str(next(filter(None, names), ""))

    def artifacts_schema(self, settings: Settings) -> str:
        """Schema for the profile tables."""
        return settings.artifacts_schema or f"{self.schema}_linker"


class _Output(_Unshown, frozen=True):
    """A target as in profiles.yml."""

    profiles_file: Path
    options: Mapping[str, object]


def target_key(settings: Settings) -> str:
    """Target key without rendering the connection; reads no file if names are given."""
    if settings.target:
        return _key(_locate(settings)[1], settings.target)
    output = _find_output(settings)
    return _key(output.profile, output.name)


def load_target(settings: Settings) -> Target:
    """Find the profile and render its target."""
    output = _find_output(settings)
    options = {
        key: _rendered(value, output.profiles_file, settings.state_dir)
        for key, value in output.options.items()
    }
    return Target(
        profile=output.profile,
        name=output.name,
        kind=str(options.get("type", "")),
        schema=str(options.get("schema") or options.get("dataset") or "main"),
        profiles_dir=output.profiles_file.parent,
        options=options,
        session_memory_mb=settings.session_memory_mb,
    )


def _key(profile: str, name: str) -> str:
    return f"{profile}.{name}"


def _find_output(settings: Settings) -> _Output:
    profiles_dir, profile_name = _locate(settings)
    profiles_file = profiles_dir / "profiles.yml"
    profiles = _read_yaml(profiles_file)
    profile = profiles.get(profile_name)
    if not isinstance(profile, dict):
        names = ", ".join(name for name in profiles if name != "config") or "none"
        raise ConfigError(
            f"profile `{profile_name}` is not in {profiles_file}",
            hint=f"set `profile` to one of: {names}; or try: linker demo",
        )
    name = settings.target or str(
        _rendered(profile.get("target", "default"), profiles_file, settings.state_dir)
    )
    outputs = profile.get("outputs") or {}
    if not isinstance(outputs, dict) or not isinstance(outputs.get(name), dict):
        raise ConfigError(
            f"target `{name}` is not in profile `{profile_name}` of {profiles_file}",
            hint=f"its targets are: {', '.join(outputs) or 'none'}",
        )
    return _Output(profile_name, name, profiles_file, outputs[name])


def _locate(settings: Settings) -> tuple[Path, str]:
    """
    Folder of profiles.yml and profile name, by dbt's rules; the shipped profiles if there are none.
    """
    shipped = dbt_project_dir() / "profiles"
    if settings.target == DEMO and settings.profile is None:
        return shipped, SHIPPED_PROFILE
    named = settings.profile or profile_of_project(Path("dbt_project.yml"))
    if settings.profiles_dir is not None:
        return settings.profiles_dir, named or SHIPPED_PROFILE
    candidates = _candidates()
    own = named if named != SHIPPED_PROFILE else None
    for folder in candidates:
        if (folder / "profiles.yml").exists() and (
            own or SHIPPED_PROFILE in _read_yaml(folder / "profiles.yml")
        ):
            return folder, own or SHIPPED_PROFILE
    if own:
        places = " or ".join(str(folder / "profiles.yml") for folder in candidates)
        raise ConfigError(
            f"profile `{own}` needs {places}, which does not exist",
            hint="write it as for dbt, set `profiles_dir`, or try: linker demo",
        )
    return shipped, SHIPPED_PROFILE


def _candidates() -> list[Path]:
    """Folders that dbt searches for profiles.yml."""
    from_environment = os.environ.get("DBT_PROFILES_DIR")
    return [Path(from_environment)] if from_environment else [Path(), Path.home() / ".dbt"]


def profile_names(settings: Settings) -> tuple[str, ...]:
    """Profile names in the profiles.yml that dbt would use; ConfigError if there is none."""
    folders = [settings.profiles_dir] if settings.profiles_dir else _candidates()
    for folder in folders:
        if (folder / "profiles.yml").exists():
            names = _read_yaml(folder / "profiles.yml")
            return tuple(name for name in names if name != "config")
    places = " and no ".join(str(folder / "profiles.yml") for folder in folders)
    raise ConfigError(
        f"there is no {places}",
        hint="write it as for dbt, name its folder by `profiles_dir`, or try: linker demo",
    )


def profile_of_project(project_file: Path) -> str | None:
    """The profile that a dbt project names."""
    if not project_file.exists():
        return None
    profile = _read_yaml(project_file).get("profile")
    return str(profile) if profile else None


def _read_yaml(path: Path) -> dict[str, Any]:
    content = read_yaml(
        path, hint="write the file as for dbt, which `dbt debug` checks, or set `profiles_dir`"
    )
    if not isinstance(content, dict):
        kind = "nothing" if content is None else f"a {type(content).__name__}"
        raise ConfigError(f"{path} holds no `name: …`, but {kind}", hint="write it as for dbt")
    return {str(name): value for name, value in content.items()}


def _rendered(value: object, source: Path, state_dir: Path) -> object:
    """A value as dbt renders it."""
    if not isinstance(value, str) or "{" not in value:
        return value
    return _renderer(state_dir)(value, source)


@lru_cache(maxsize=8)
def _renderer(state_dir: Path) -> "_Renderer":
    return _Renderer(state_dir)


class _Renderer:
    """Jinja with `env_var` and dbt's type filters; `var` is not allowed in profiles.yml."""

    def __init__(self, state_dir: Path) -> None:
        # Importing Jinja takes 0.1 s, which questions answered from the index do not need.
        from jinja2 import StrictUndefined
        from jinja2.nativetypes import NativeEnvironment
        from jinja2.sandbox import SandboxedEnvironment

        class Sandbox(SandboxedEnvironment, NativeEnvironment):
            """As in dbt: a profile reaches nothing but the given functions."""

        self._state_dir = state_dir
        self._jinja = Sandbox(undefined=StrictUndefined)
        self._jinja.filters.update(
            as_text=str, as_bool=_as_bool, as_native=lambda value: value, as_number=_as_number
        )
        self._jinja.globals["env_var"] = self._env_var

    def __call__(self, value: str, source: Path) -> object:
        from jinja2 import TemplateError

        try:
            return self._jinja.from_string(value).render()
        except (TemplateError, ValueError) as error:
            raise ConfigError(
                f"cannot render {source}: {error}", hint="`dbt debug` shows how dbt reads it"
            ) from None

    def _env_var(self, name: str, default: str | None = None) -> str:
        if name == "LINKER_STATE_DIR":
            return str(self._state_dir)
        if name in KEY_VARIABLES:
            raise ConfigError(
                f"profiles.yml uses {name}, the key of a language model, which linker never sends "
                "to a warehouse",
                hint="use another variable",
            )
        value = os.environ.get(name, default)
        if value is None:
            raise ConfigError(
                f"profiles.yml needs the environment variable {name}, which is not set",
                hint=f"export {name}=…",
            )
        return value


def _as_bool(value: object) -> bool:
    return str(value).lower() in ("true", "1", "yes")


def _as_number(value: object) -> int | float:
    text = str(value)
    return int(text) if text.lstrip("-").isdigit() else float(text)
