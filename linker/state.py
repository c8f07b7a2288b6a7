"""The state folder: the embedded store, dbt's target and logs, the demo warehouse."""

from pathlib import Path

from linker.errors import ConfigError


def state_folder(state_dir: Path, *parts: str) -> Path:
    """A folder inside the state folder, made when it is first needed; git is told to leave it alone."""
    folder = state_dir.joinpath(*parts).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = state_dir / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise ConfigError(
            f"cannot write to the state folder {state_dir}: {error.strerror}", hint="set `state_dir` to another folder"
        ) from None
    return folder
