"""The consumer project after the package ran, once per target."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from tests.warehouse.project import HERE, SELECTED, Consumer, run_dbt
from tests.warehouse.servers import TARGETS, start
from tests.warehouse.servers.accounts import tested_account

SLOWEST_FIRST = ("spark", "bigquery", "duckdb", "postgres", "snowflake")
AT_A_TIME = 2
# The emulators lack views of the catalogue that a look reads.
WATCHED = ("duckdb", "postgres")


@pytest.fixture(scope="session")
def project_folder(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """The consumer project with its packages."""
    folder = tmp_path_factory.mktemp("consumer") / "project"
    # A real account needs no emulator.
    left_out = (
        ("*_emulator.sql", "bigquery_create_table.sql", "snowflake_show_objects.sql")
        if tested_account()
        else ()
    )
    shutil.copytree(HERE / "consumer", folder, ignore=shutil.ignore_patterns(*left_out))
    (folder / "packages.yml").write_text(
        yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
    )
    run_dbt(folder, "deps")
    return folder


@pytest.fixture(scope="session")
def consumers(
    request: pytest.FixtureRequest, project_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Consumer]]:
    """The consumer project per warehouse after a package run; slowest first, in parallel."""
    wanted = {
        str(item.callspec.params["consumer"])
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and hasattr(item, "callspec")
        and "consumer" in item.callspec.params
    }
    with ExitStack() as servers, ThreadPoolExecutor(AT_A_TIME) as waiting:
        made: dict[str, tuple[Consumer, Future[None]]] = {}
        for target in sorted(wanted, key=SLOWEST_FIRST.index):
            server = servers.enter_context(start(target, tmp_path_factory.mktemp(target)))
            ran = Consumer(project_folder, target, server)
            ran.set_up()
            made[target] = (ran, waiting.submit(_run, ran))

        def ready(target: str) -> Consumer:
            ran, running = made[target]
            running.result()
            return ran

        yield ready
        waiting.shutdown(cancel_futures=True)


def _run(consumer: Consumer) -> None:
    """The first run of the package, after the models of the project."""
    package, *models = SELECTED
    consumer.dbt("run", "--select", *models)
    watch: tuple[str, ...] = ()
    if consumer.target in WATCHED:
        watch = ("--vars", "{watch: true}")
        consumer.dbt("run-operation", "linker.report_views", *watch)
    consumer.dbt("run", "--select", package, *watch)


@pytest.fixture(scope="session", params=TARGETS)
def consumer(request: pytest.FixtureRequest, consumers: Callable[[str], Consumer]) -> Consumer:
    """The consumer project and its warehouse after it ran the package there."""
    return consumers(request.param)
