"""
The connection to the warehouse: enters the settings, leaves the target that dbt itself would use.

profiles.yml is read as dbt reads it (`env_var` and the `as_…` filters), without importing dbt, which takes seconds.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from jinja2 import StrictUndefined, TemplateError
from jinja2.nativetypes import NativeEnvironment

from linker.config import Settings
from linker.errors import ConfigError
from linker.profiling import dbt_project_dir

DEMO = "demo"
SHIPPED_PROFILE = "linker"


@dataclass(frozen=True)
class Target:
    """One dbt connection, rendered."""

    profile: str
    name: str
    kind: str
    schema: str
    profiles_dir: Path
    # May hold passwords: never shown.
    options: Mapping[str, Any] = field(repr=False)

    @property
    def key(self) -> str:
        """What tells this target's documents from those of others in one store."""
        return f"{self.profile}.{self.name}"

    def artifacts_schema(self, settings: Settings) -> str:
        """Where dbt leaves the artifacts."""
        return settings.artifacts_schema or f"{self.schema}_linker"


def load_target(settings: Settings) -> Target:
    """Find the profile and render its target."""
    profiles_dir, profile_name = _locate(settings)
    profiles_file = profiles_dir / "profiles.yml"
    profiles = _read_yaml(profiles_file)
    profile = profiles.get(profile_name)
    if not isinstance(profile, dict):
        names = ", ".join(name for name in profiles if name != "config") or "none"
        raise ConfigError(
            f"profile `{profile_name}` is not in {profiles_file}",
            hint=f"set `profile` in linker.yml to one of: {names}; or try the demo: --target {DEMO}",
        )
    render = _Renderer(settings.state_dir)
    name = settings.target or str(render(profile.get("target", "default"), profiles_file))
    outputs = profile.get("outputs") or {}
    if not isinstance(outputs, dict) or not isinstance(outputs.get(name), dict):
        raise ConfigError(
            f"target `{name}` is not in profile `{profile_name}` of {profiles_file}",
            hint=f"its targets are: {', '.join(outputs) or 'none'}",
        )
    options = {key: render(value, profiles_file) for key, value in outputs[name].items()}
    return Target(
        profile=profile_name,
        name=name,
        kind=str(options.get("type", "")),
        schema=str(options.get("schema") or options.get("dataset") or "main"),
        profiles_dir=profiles_dir,
        options=options,
    )


def _locate(settings: Settings) -> tuple[Path, str]:
    """The folder of profiles.yml and the profile's name, by dbt's own rules; the shipped ones where there are none."""
    shipped = dbt_project_dir() / "profiles"
    if settings.target == DEMO and settings.profile is None:
        return shipped, SHIPPED_PROFILE
    named = settings.profile or _profile_of_project(Path("dbt_project.yml"))
    if settings.profiles_dir is not None:
        return settings.profiles_dir, named or SHIPPED_PROFILE
    from_environment = os.environ.get("DBT_PROFILES_DIR")
    candidates = [Path(from_environment)] if from_environment else [Path(), Path.home() / ".dbt"]
    own = named if named != SHIPPED_PROFILE else None
    for folder in candidates:
        if (folder / "profiles.yml").exists() and (own or _holds(folder, SHIPPED_PROFILE)):
            return folder, own or SHIPPED_PROFILE
    if own:
        places = " or ".join(str(folder / "profiles.yml") for folder in candidates)
        raise ConfigError(
            f"profile `{own}` needs {places}, which does not exist",
            hint=f"write it as for dbt, set `profiles_dir`, or try the demo: --target {DEMO}",
        )
    return shipped, SHIPPED_PROFILE


def _holds(folder: Path, profile: str) -> bool:
    return profile in _read_yaml(folder / "profiles.yml")


def _profile_of_project(project_file: Path) -> str | None:
    if not project_file.exists():
        return None
    profile = _read_yaml(project_file).get("profile")
    return str(profile) if profile else None


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", hint="set `profiles_dir`, or write the file as for dbt"
        ) from None
    except yaml.YAMLError:
        raise ConfigError(f"{path} is not valid YAML", hint="`dbt debug` shows the line") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path} is empty", hint="write it as for dbt")
    return content


class _Renderer:
    """Renders the Jinja of profiles.yml: `env_var`, `var` is not allowed there, and dbt's type filters."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._jinja = NativeEnvironment(undefined=StrictUndefined)
        self._jinja.filters.update(as_text=str, as_bool=_as_bool, as_native=_same, as_number=_as_number)
        self._jinja.globals["env_var"] = self._env_var

    def __call__(self, value: object, source: Path) -> object:
        if not isinstance(value, str) or "{" not in value:
            return value
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
