"""A dbt project in a git repository, built and profiled."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from linker.catalog.profile import TableProfile
from linker.cli import main
from linker.config.settings import load_settings
from linker.dbt.project import DbtProject, DbtTable
from linker.environment import Environment
from linker.pipeline import profile_project
from tests.warehouse.project import run_dbt

HERE = Path(__file__).resolve().parent
EXPLORER = "https://explorer.example.com/shop"


def run(folder: Path, *command: str) -> str:
    """Run a command in a folder; what it printed."""
    who = {
        f"GIT_{role}_{what}": "t@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **who}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def dbt(folder: Path, *words: str) -> str:
    return run(
        folder,
        sys.executable,
        "-m",
        "dbt.cli.main",
        "--no-send-anonymous-usage-stats",
        "--no-use-colors",
        *words,
    )


def export(folder: Path, *words: str, **variables: str) -> Result:
    """Run `linker export` on the project in that folder."""
    flags = ("--project-dir", str(folder), "--profile", "shop", "--profiles-dir", str(folder))
    command = ["export", words[0], *flags, "--state-dir", str(folder / ".linker"), *words[1:]]
    return CliRunner(env=variables).invoke(main, command)


def build_project(folder: Path, files: Mapping[str, str]) -> None:
    """
    Write the models and other files of a project into a folder, build it in DuckDB, and profile it.
    """
    (folder / "models").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "models" / name).write_text(text, "utf-8")
    models = {"+materialized": "table"}
    project = {
        "name": "shop",
        "version": "1.0",
        "config-version": 2,
        "profile": "shop",
        "models": models,
    }
    (folder / "dbt_project.yml").write_text(json.dumps(project), "utf-8")
    output = {"type": "duckdb", "path": str(folder / "shop.duckdb"), "schema": "main"}
    (folder / "profiles.yml").write_text(
        json.dumps({"shop": {"target": "dev", "outputs": {"dev": output}}}), "utf-8"
    )
    run_dbt(folder, "run")
    run(
        folder,
        str(Path(sys.executable).with_name("linker")),
        "profile",
        "--profile",
        "shop",
        "--profiles-dir",
        ".",
    )


def profiles(folder: Path) -> tuple[dict[str, tuple[DbtTable, TableProfile]], DbtProject]:
    """By name the tables of the project in that folder with their profiles, and the project."""
    flags = {"profile": "shop", "profiles_dir": str(folder), "state_dir": str(folder / ".linker")}
    with Environment(load_settings(flags)) as environment:
        project, found = profile_project(folder, (), environment)
    return {table.name: (table, profile) for table, profile in found}, project


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the project after `dbt run` and `linker profile`."""
    root = tmp_path_factory.mktemp("repository")
    folder = root / "warehouse" / "shop"
    shutil.copytree(HERE / "shop", folder)
    output = {"type": "duckdb", "path": str(folder / "shop.duckdb"), "schema": "main"}
    (folder / "profiles.yml").write_text(
        json.dumps({"shop": {"target": "dev", "outputs": {"dev": output}}}), "utf-8"
    )
    with duckdb.connect(str(folder / "shop.duckdb")) as warehouse:
        warehouse.execute((HERE / "shop.sql").read_text("utf-8"))
    dbt(folder, "run", "--quiet")
    command = str(Path(sys.executable).with_name("linker"))
    run(folder, command, "profile", "--profile", "shop", "--profiles-dir", ".")
    (root / ".gitignore").write_text("target\nlogs\n.linker\n*.duckdb\n*.patch\n", "utf-8")
    run(root, "git", "init", "-q")
    run(root, "git", "add", ".")
    run(root, "git", "commit", "-qm", "The shop")
    return folder


@pytest.fixture(scope="session")
def manifest(built: Path) -> str:
    """What dbt wrote of the project as it was committed."""
    return (built / "target" / "manifest.json").read_text("utf-8")


@pytest.fixture
def project(built: Path, manifest: str) -> Path:
    """The same, with its files as they were committed."""
    (built / "target" / "manifest.json").write_text(manifest, "utf-8")
    run(built, "git", "checkout", "-q", ".")
    run(built, "git", "clean", "-qfd")
    return built


@dataclass(frozen=True)
class Applied:
    """Results of dbt's tests with both patches, manifests, files, and the remaining exports."""

    said: str
    semantic_manifest: str
    manifest: str
    files: dict[str, str]
    exported_again: str
    checked_again: int


@pytest.fixture(scope="session")
def applied(built: Path, manifest: str) -> Applied:
    """The project with all that is proposed, parsed and tested by dbt."""
    for form in ("dbt", "semantic-models"):
        (built / f"{form}.patch").write_text(
            export(built, form, LINKER_EXPLORER_URL=EXPLORER).stdout, "utf-8"
        )
        run(built, "git", "apply", f"{form}.patch")
    said = dbt(built, "test")
    return Applied(
        said=said,
        semantic_manifest=(built / "target" / "semantic_manifest.json").read_text("utf-8"),
        manifest=(built / "target" / "manifest.json").read_text("utf-8"),
        files={
            str(path.relative_to(built)): path.read_text("utf-8")
            for path in (built / "models").rglob("*.*")
        },
        exported_again="".join(
            export(built, form, LINKER_EXPLORER_URL=EXPLORER).stdout
            for form in ("dbt", "semantic-models")
        ),
        checked_again=export(built, "dbt", "--check", LINKER_EXPLORER_URL=EXPLORER).exit_code,
    )
