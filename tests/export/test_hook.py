"""The hook of .pre-commit-hooks.yaml, run by pre-commit in a repository whose dbt project is in a folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

from tests.export.conftest import EXPLORER, export, run


def run_hook(repository: Path, config: Path) -> "subprocess.CompletedProcess[str]":
    """Run pre-commit on all files, in an environment that is there already."""
    programs = Path(sys.executable).parent
    variables = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(config.parent / "home"),
        "LINKER_EXPLORER_URL": EXPLORER,
    }
    return subprocess.run(
        [programs / "pre-commit", "run", "--all-files", "--config", config],
        cwd=repository,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_hook_fails_with_the_patch_and_passes_once_it_is_applied(
    project: Path, checkout: Path, tmp_path: Path
) -> None:
    [hook] = yaml.safe_load((checkout / ".pre-commit-hooks.yaml").read_text("utf-8"))
    entry = f'sh -c "cd warehouse/shop && {hook["entry"]}"'
    hooks = [{**hook, "language": "system", "entry": entry}]
    config = tmp_path / "config.yaml"
    config.write_text(json.dumps({"repos": [{"repo": "local", "hooks": hooks}]}), "utf-8")
    (project / "linker.yml").write_text("profile: shop\nprofiles_dir: .\n", "utf-8")
    repository = project.parents[1]

    failed = run_hook(repository, config)
    patch = export(project, "dbt", LINKER_EXPLORER_URL=EXPLORER).stdout
    assert failed.returncode == 1, failed.stderr
    assert "- exit code: 1" in failed.stdout
    assert patch
    assert patch in failed.stdout

    (project / "proposals.patch").write_text(patch, "utf-8")
    run(project, "git", "apply", "proposals.patch")
    passed = run_hook(repository, config)
    assert passed.returncode == 0, passed.stdout
