"""
Renders Jinja and models to SQL as dbt does, for any warehouse and without a connection.

dbt parses a project once per target for all processes until a file of it changes; rendering an
expression then takes tenths of a second, so many go together.
"""

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from dbt.contracts.graph.manifest import Manifest

SEPARATOR = "-- the next expression --"
INLINE = "inline_query"
# Google's client wants credentials before it is asked for anything; it never uses these.
CREDENTIALS = {
    "type": "authorized_user",
    "client_id": "-",
    "client_secret": "-",
    "refresh_token": "-",
}


class Rendering:
    """One dbt project, parsed for one target."""

    def __init__(
        self, project: Path, profiles: Path, target: str, folder: Path, kept: Path | None = None
    ) -> None:
        self._folder = folder
        self._target = target
        self._where = (
            "--project-dir",
            str(project),
            "--profiles-dir",
            str(profiles),
            "--target",
            target,
            "--target-path",
            str(folder),
        )
        self._manifest = self._parsed() if kept is None else self._kept(kept, project, profiles)

    def _parsed(self) -> "Manifest":
        from dbt.contracts.graph.manifest import Manifest
        from dbt_common.tests import enable_test_caching

        # Most of each project is the package; what Jinja read of it before is not read again.
        enable_test_caching()
        parsed = self._invoke(None, "parse")
        assert isinstance(parsed, Manifest)
        return parsed

    def _kept(self, kept: Path, project: Path, profiles: Path) -> "Manifest":
        """The manifest that lies in that folder, or is left there, as the files are now."""
        from dbt.contracts.graph.manifest import Manifest

        file = kept / f"{self._target}-{_fingerprint(project, profiles, self._target)}"
        with (kept / f"{self._target}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                for earlier in kept.glob(f"{self._target}-*"):
                    earlier.unlink()
                part = kept / f"{self._target}.part"
                part.write_bytes(self._parsed().to_msgpack())
                part.rename(file)
            return Manifest.from_msgpack(file.read_bytes())

    def expressions(self, *templates: str, **variables: object) -> list[str]:
        """The SQL of Jinja texts such as `{{ linker.literal('a') }}`, in one compilation."""
        # The manifest still has the failed nodes, which would interfere.
        self._manifest.nodes = {
            name: node for name, node in self._manifest.nodes.items() if not name.endswith(INLINE)
        }
        inline = f"\n{SEPARATOR}\n".join(templates)
        results = self._invoke(
            self._manifest,
            "compile",
            "--no-introspect",
            "--no-populate-cache",
            "--inline",
            inline,
            "--vars",
            json.dumps(variables),
        )
        return [
            text.strip("\n") for text in results.results[-1].node.compiled_code.split(SEPARATOR)
        ]

    def expression(self, template: str, **variables: object) -> str:
        """The SQL of one Jinja text."""
        [rendered] = self.expressions(template, **variables)
        return rendered

    def models(self, *names: str, **variables: object) -> dict[str, str]:
        """The SQL of whole models, by name."""
        results = self._invoke(
            self._manifest,
            "compile",
            "--no-introspect",
            "--no-populate-cache",
            "--select",
            *names,
            "--vars",
            json.dumps(variables),
        )
        return {result.node.name: result.node.compiled_code for result in results.results}

    def _invoke(self, manifest: "Manifest | None", *words: str) -> Any:
        from dbt.cli.main import dbtRunner

        errors: list[str] = []

        def note(event: Any) -> None:
            if event.info.level == "error":
                errors.append(event.info.msg)

        runner = dbtRunner(manifest=manifest, callbacks=[note])
        quiet = (
            "--quiet",
            "--log-level",
            "none",
            "--log-level-file",
            "none",
            "--log-path",
            str(self._folder),
        )
        harmless = (
            "--no-send-anonymous-usage-stats",
            "--no-version-check",
            "--no-partial-parse",
            "--no-write-json",
        )
        with _environment(self._folder):
            done = runner.invoke([*quiet, *harmless, *words, *self._where])
        assert done.success, "\n".join([*errors, str(done.exception)])
        return done.result


def _fingerprint(project: Path, profiles: Path, target: str) -> str:
    """What a project is parsed from."""
    packages = ("dbt-core", "dbt-adapters", f"dbt-{target}")
    made_of = hashlib.sha256(" ".join(map(version, packages)).encode())
    files = [project / "dbt_project.yml", *profiles.rglob("*.yml")]
    for folder in ("macros", "models"):
        files += [path for path in (project / folder).rglob("*") if path.is_file()]
    for path in sorted(files):
        made_of.update(f"\n{path}\n".encode() + path.read_bytes())
    return made_of.hexdigest()


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """The shipped profiles ask for these; everything else that they ask for has a default."""
    credentials = folder / "credentials.json"
    credentials.write_text(json.dumps(CREDENTIALS | {"quota_project_id": "project"}), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(credentials))
        patch.setenv("GOOGLE_CLOUD_PROJECT", "project")
        patch.setenv("LINKER_DUCKDB_PATH", str(folder / "warehouse.duckdb"))
        yield
