"""The pull request action: schema, and its steps in a shell."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

from tests.refresh.shop import Shop


@pytest.fixture(scope="module")
def steps() -> dict[str, str]:
    """The script of each step by its name."""
    action = yaml.safe_load((Path(__file__).resolve().parents[2] / "action.yml").read_text("utf-8"))
    return {step["name"]: step["run"] for step in action["runs"]["steps"] if "run" in step}


@pytest.fixture(scope="module")
def changed() -> Iterator[Shop]:
    """A shop that was refreshed, and then changed by a pull request."""
    with TemporaryDirectory(prefix="linker-action-") as folder:
        shop = Shop.open(Path(folder))
        shop.refresh()
        shop.execute(
            "drop table sales.customers; create table sales.customers as "
            "select 'c' || range as customer_no, 'p' || range || '@example.org' as email from range(9)"
        )
        yield shop


def shell(script: str, shop: Shop, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a step as GitHub does."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    folder = str(shop.folder)
    given = {"RUNNER_TEMP": folder, "GITHUB_STEP_SUMMARY": f"{folder}/summary.md"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        env={**shop.variables, "PATH": path, **given, **variables},
        cwd=shop.folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_is_one_by_the_schema_of_actions(checkout: Path) -> None:
    check = str(Path(sys.executable).with_name("check-jsonschema"))
    command = [check, "--builtin-schema", "vendor.github-actions", str(checkout / "action.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_steps_compare_and_write_one_comment(steps: dict[str, str], changed: Shop) -> None:
    compared = shell(steps["Compare"], changed, TARGET="")
    assert compared.returncode == 0, compared.stderr
    comment = (changed.folder / "linker.md").read_text("utf-8")
    assert comment.startswith("<!-- dbt-linker -->\n### Warehouse: tables: ")
    assert "**Broken joins**" in comment
    assert "sales.customers.customer\\_id is gone" in comment
    assert "sales.customers.email: masked" in comment
    assert (changed.folder / "summary.md").read_text("utf-8") == comment

    # A substitute for GitHub's client, which records its arguments and lists a comment.
    programs = changed.folder / "programs"
    programs.mkdir()
    (programs / "gh").write_text(
        '#!/bin/sh\necho "$@" >> calls\ncase "$*" in *--paginate*) echo $LISTED ;; esac\n', "utf-8"
    )
    (programs / "gh").chmod(0o755)
    where = {"PATH": f"{programs}:/usr/bin:/bin", "GITHUB_REPOSITORY": "o/shop", "PULL": "7"}
    for listed in ("", "41"):
        done = shell(steps["Comment"], changed, LISTED=listed, **where)
        assert done.returncode == 0, done.stderr
    calls = (changed.folder / "calls").read_text("utf-8").splitlines()
    written = [call for call in calls if "--method" in call]
    body = f"--field body=@{changed.folder}/linker.md"
    assert written == [
        f"api --method POST repos/o/shop/issues/7/comments {body}",
        f"api --method PATCH repos/o/shop/issues/comments/41 {body}",
    ]


def test_a_refresh_that_fails_ends_the_step(steps: dict[str, str], changed: Shop) -> None:
    done = shell(steps["Compare"], changed, TARGET="nowhere")
    assert done.returncode == 2
    assert "nowhere" in done.stderr


@pytest.mark.parametrize(
    ("adapter", "installed"),
    [("", "dbt-linker==0.1.0"), ("snowflake", "dbt-linker[snowflake]==0.1.0")],
)
def test_the_adapter_is_an_extra(
    steps: dict[str, str], tmp_path: Path, adapter: str, installed: str
) -> None:
    (tmp_path / "pip").write_text('#!/bin/sh\necho "$@"\n', "utf-8")
    (tmp_path / "pip").chmod(0o755)
    variables = {"PATH": f"{tmp_path}:{os.defpath}", "ADAPTER": adapter, "VERSION": "0.1.0"}
    done = subprocess.run(
        ["bash", "-e", "-c", steps["Install"]],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"install {installed}\n"
