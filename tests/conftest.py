"""
Options and fixtures of all tests, and the marks `integration` and `slow`, which `make test` leaves out.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
import yaml
from hypothesis import HealthCheck, settings
from sqlglot import exp

from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.config.target import Target
from linker.types import Catalog
from linker.warehouses import open_warehouse

if TYPE_CHECKING:
    from tests.rendering import Rendering

ROOT = Path(__file__).resolve().parent.parent
# How long an example takes depends on what else the machine does: it decides no test.
STEADY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples in each run; HYPOTHESIS_PROFILE=random tries others, and finds what these do
# not.
settings.register_profile("linker", STEADY, derandomize=True)
settings.register_profile("random", STEADY)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "linker"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """How tests are dealt out where several processes run them."""
    from tests.distribution import ByFile

    return ByFile(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """
    One process more than processors: a sixth of the time they wait for dbt, servers and disks.
    """
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Commands that the tests run are kept warm, for all processes of a session together."""
    if sys.platform == "linux" and not hasattr(config, "workerinput"):
        from tests.warm import keep_warm

        config.add_cleanup(keep_warm())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    In an order that keeps all processes busy to the end; what dbt runs in an emulator is slow.
    """
    from tests.distribution import is_integration, longest_first

    longest_first(items)
    for item in items:
        if is_integration(item.nodeid):
            item.add_marker(pytest.mark.integration)
        callspec = getattr(item, "callspec", None)
        if callspec and callspec.params.get("consumer") in ("bigquery", "snowflake"):
            item.add_marker(pytest.mark.slow)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name all that was not really run in a warehouse."""
    from tests.warehouse.project import what_stood_in

    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    if any(getattr(report, "nodeid", "").startswith("tests/warehouse/") for report in reports):
        terminalreporter.section(
            "macros that a stand-in replaced, since an emulator lacks something"
        )
        for line in what_stood_in():
            terminalreporter.line(line)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="Write the golden files anew instead of comparing.",
    )
    parser.addoption(
        "--rewrite-pictures", action="store_true", help="Make the pictures of the docs anew."
    )


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside() -> None:
    """
    The tests mean the same on every machine: settings of the person who runs them are left out.
    """
    # But for those of a real account, where the tests are to run in one.
    signs_in = {"snowflake": "SNOWFLAKE_", "bigquery": "GOOGLE_"}.get(
        os.environ.get("TESTED_ACCOUNT", ""), " "
    )
    for name in list(os.environ):
        settings_of_others = name.startswith(("LINKER_", "DBT_", "PG", "SNOWFLAKE_", "GOOGLE_"))
        if (settings_of_others and not name.startswith(signs_in)) or name in (
            "COLUMNS",
            "NO_COLOR",
        ):
            del os.environ[name]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a golden file beside the test, or write it with `--rewrite-golden`."""

    def compare(name: str, text: str) -> None:
        path = request.path.parent / name
        if request.config.getoption("--rewrite-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", "utf-8")
        assert path.exists(), (
            f"there is no golden file {path.relative_to(ROOT)}; write it with: make golden"
        )
        assert path.read_text("utf-8") == text + "\n"

    return compare


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def rendering(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], "Rendering"]:
    """The shipped project as dbt renders it for a target, parsed once, on demand."""
    from tests.rendering import Rendering

    assert request.config.cache
    kept = request.config.cache.mkdir("manifests")

    @cache
    def parsed(target: str) -> Rendering:
        folder = tmp_path_factory.mktemp(f"rendering-{target}")
        return Rendering(ROOT, ROOT / "profiles", target, folder, kept)

    return parsed


# The types of the contracts, as dbt renders them for each warehouse.
TYPES = {
    "duckdb": {"string": "varchar"},
    "postgres": {"string": "text", "double": "double precision"},
    "snowflake": {"string": "varchar"},
    "bigquery": {"bigint": "int64", "boolean": "bool", "double": "float64"},
    "spark": {"timestamp": "timestamp_ntz"},
}


@pytest.fixture(scope="session")
def artifact_statements() -> Callable[[str, str], Iterator[str]]:
    """
    The statements that write tests/artifacts.yml into a schema, with the columns of the contracts.
    """
    rows_by_relation = yaml.safe_load((ROOT / "tests" / "artifacts.yml").read_text("utf-8"))

    def statements(dialect: str, schema: str) -> Iterator[str]:
        for file in sorted((ROOT / "models").glob("*/*.yml")):
            [model] = yaml.safe_load(file.read_text("utf-8"))["models"]
            types = {
                column["name"]: TYPES[dialect].get(column["data_type"], column["data_type"])
                for column in model["columns"]
            }
            yield f"create table {schema}.{file.stem} ({', '.join(f'{name} {kind}' for name, kind in types.items())})"
            rows = [_as_written(row) for row in rows_by_relation.get(file.stem, [])]
            assert {name for row in rows for name in row} <= set(types), file.stem
            values = []
            for row in rows:
                literals = [_literal(row.get(name), dialect) for name in types]
                values.append(f"({', '.join(literals)})")
            if rows:
                names = ", ".join(types)
                yield f"insert into {schema}.{file.stem} ({names}) values {', '.join(values)}"

    return statements


@pytest.fixture(scope="session")
def profiled_file(
    tmp_path_factory: pytest.TempPathFactory,
    artifact_statements: Callable[[str, str], Iterator[str]],
) -> Path:
    """A DuckDB file that holds those artifacts in the schema `shop_linker`."""
    path = tmp_path_factory.mktemp("profiled") / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema shop_linker")
        for statement in artifact_statements("duckdb", "shop_linker"):
            connection.execute(statement)
    return path


@pytest.fixture(scope="session")
def artifacts(profiled_file: Path) -> Iterator[Artifacts]:
    """Those artifacts, read as the command reads them."""
    target = Target(
        "shop", "dev", "duckdb", "shop", profiled_file.parent, {"path": str(profiled_file)}
    )
    warehouse = open_warehouse(target)
    yield Artifacts(warehouse, "shop_linker")
    warehouse.close()


@pytest.fixture(scope="session")
def catalog(artifacts: Artifacts) -> Catalog:
    """The catalog of those artifacts."""
    return read_catalog(artifacts)


def _literal(value: object, dialect: str) -> str:
    if not isinstance(value, datetime):
        return exp.convert(value).sql(dialect)
    return f"{TYPES[dialect].get('timestamp', 'timestamp')} '{value}'"


def _as_written(row: dict[str, Any]) -> dict[str, Any]:
    """A row with lists as dbt's JSON, and a histogram of its quantiles."""
    row = dict(row)
    if "quantiles" in row:
        edges = row["quantiles"]
        share = 1 / (len(edges) - 1)
        row["histogram"] = [
            {"from": low, "to": high, "share": share} for low, high in pairwise(edges)
        ]
    for name in ("representative_values", "patterns"):
        if name in row:
            row[name] = [{"value": value, "count": count} for value, count in row[name]]
    return {
        name: json.dumps(value) if isinstance(value, list) else value for name, value in row.items()
    }
