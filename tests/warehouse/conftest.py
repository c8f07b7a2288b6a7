"""The consumer project after it ran the package, once for every target, and what stood in for an emulator's gaps."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.warehouse.project import HERE, SELECTED, Consumer, run_dbt, stand_ins
from tests.warehouse.servers import TARGETS, start

RAN = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def project_folder(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """The consumer project with its packages."""
    folder = tmp_path_factory.mktemp("consumer") / "project"
    shutil.copytree(HERE / "consumer", folder)
    (folder / "packages.yml").write_text(yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8")
    run_dbt(folder, "deps")
    return folder


@pytest.fixture(scope="session", params=TARGETS)
def consumer(
    request: pytest.FixtureRequest, project_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Consumer]:
    """The consumer project and its warehouse after it ran the package there."""
    request.config.stash[RAN] = True
    with start(request.param, tmp_path_factory.mktemp(request.param)) as server:
        ran = Consumer(project_folder, request.param, server)
        ran.set_up()
        ran.dbt("run", "--select", *SELECTED)
        yield ran


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name every macro that was not really run: it is proven by its golden file only."""
    if RAN in config.stash:
        terminalreporter.section("macros that a stand-in replaced, since an emulator lacks something")
        for file, macros in stand_ins().items():
            terminalreporter.line(f"{file}: {', '.join(macros)}")
        terminalreporter.line("bigquery_create_table.sql, snowflake_show_objects.sql: one macro of dbt's own each")
        terminalreporter.line("servers/snowflake.py: the views that fakesnow leaves out of information_schema.tables")
        terminalreporter.line(
            "servers/bigquery.py: JSON and descriptions of columns, which bqemulator forgets of a table made by SQL"
        )
