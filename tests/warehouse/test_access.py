"""Access of other projects: profile tables are public, intermediate models are not."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dbt.cli.main import dbtRunnerResult
    from dbt.contracts.graph.manifest import Manifest

ARTIFACTS = {
    "linker_tables",
    "linker_columns",
    "linker_families",
    "linker_plan",
    "linker_scans",
    "linker_attempts",
    "linker_profile_l1",
    "linker_profile_l2",
    "linker_profile_l3",
    "linker_joins",
    "linker_runs",
}
Parse = Callable[..., "dbtRunnerResult"]


@pytest.fixture(scope="module")
def parse(project_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Parse:
    """
    A function that parses the consumer project with further models, and needs no warehouse for it.
    """
    from dbt.cli.main import dbtRunner
    from dbt_common.tests import enable_test_caching

    # What Jinja read of the package before is not read again.
    enable_test_caching()
    folder = tmp_path_factory.mktemp("access") / "project"
    shutil.copytree(
        project_folder, folder, symlinks=True, ignore=shutil.ignore_patterns("logs", "target")
    )

    def parsed(**models: str) -> "dbtRunnerResult":
        for name, body in models.items():
            (folder / "models" / f"{name}.sql").write_text(body, "utf-8")
        quiet = (
            "--quiet",
            "--log-level",
            "none",
            "--log-path",
            str(folder / "logs"),
            "--no-send-anonymous-usage-stats",
        )
        where = ("--project-dir", str(folder), "--profiles-dir", str(folder), "--target", "duckdb")
        done = dbtRunner().invoke([*quiet, "parse", "--no-partial-parse", *where])
        for name in models:
            (folder / "models" / f"{name}.sql").unlink()
        return done

    return parsed


@pytest.fixture(scope="module")
def manifest(parse: Parse) -> "Manifest":
    """The consumer project with a model that refers to an artifact."""
    from dbt.contracts.graph.manifest import Manifest

    done = parse(wide_tables="select table_name from {{ ref('linker_columns') }}")
    assert isinstance(done.result, Manifest), done.exception
    return done.result


def test_each_model_is_a_public_artifact_or_a_private_step_that_no_docs_show(
    manifest: "Manifest",
) -> None:
    from dbt.artifacts.resources.types import AccessType
    from dbt.contracts.graph.nodes import ModelNode

    models = [
        node
        for node in manifest.nodes.values()
        if isinstance(node, ModelNode) and node.package_name == "linker"
    ]
    assert {node.name for node in models if node.access == AccessType.Public} == ARTIFACTS
    for node in models:
        is_artifact = node.name in ARTIFACTS
        assert (node.group, node.access == AccessType.Private, node.docs.show) == (
            "linker",
            not is_artifact,
            is_artifact,
        )
    [group] = [group for group in manifest.groups.values() if group.name == "linker"]
    assert group.owner.name == "dbt-linker"


def test_a_model_of_the_project_may_refer_to_an_artifact(manifest: "Manifest") -> None:
    assert manifest.nodes["model.consumer.wide_tables"].depends_on_nodes == [
        "model.linker.linker_columns"
    ]


def test_a_model_of_the_project_may_not_refer_to_a_step(parse: Parse) -> None:
    done = parse(curious="select table_name from {{ ref('linker_join_columns') }}")
    assert not done.success
    assert "the referenced node is private to the 'linker' group" in str(done.exception)
