"""Scans on real DuckDB: single statements in memory, and whole runs over a file."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.profile.runs import EXCLUDED, Run, Warehouse
from tests.profile.statements import Scanner
from tests.rendering import Rendering

HERE = Path(__file__).resolve().parent
# The same in every run: another sample would be another scan.
VARIABLES: dict[str, object] = {
    "sample_rows": 2000,
    "hide_columns": ["*.people.diary", "main.hidden_table.*"],
    "mask_columns": ["*.people.nickname"],
}


@pytest.fixture
def scanner(rendering: Callable[[str], Rendering], checkout: Path) -> Iterator[Scanner]:
    """An empty DuckDB in memory, whose tables can be scanned."""
    with duckdb.connect() as connection:
        yield Scanner(rendering("duckdb"), connection, checkout)


@pytest.fixture(scope="module")
def corpus_scanner(rendering: Callable[[str], Rendering], checkout: Path) -> Iterator[Scanner]:
    """One for all tests of a file."""
    with duckdb.connect() as connection:
        yield Scanner(rendering("duckdb"), connection, checkout)


@pytest.fixture
def make_scanner(
    tmp_path: Path, checkout: Path
) -> Iterator[Callable[[dict[str, object]], Scanner]]:
    """An empty DuckDB in memory, and a project with the macros that says more of its tables."""
    with duckdb.connect() as connection:

        def make(described: dict[str, object]) -> Scanner:
            project = tmp_path / "project"
            (project / "target").mkdir(parents=True)
            shutil.copy(checkout / "dbt_project.yml", project)
            shutil.copytree(checkout / "macros", project / "macros")
            (project / "models").mkdir()
            shutil.copy(checkout / "models" / "groups.yml", project / "models")
            (project / "models" / "described.yml").write_text(yaml.safe_dump(described), "utf-8")
            rendering = Rendering(project, checkout / "profiles", "duckdb", project / "target")
            return Scanner(rendering, connection, checkout)

        yield make


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A DuckDB file with every kind of table."""
    made = Warehouse(tmp_path_factory.mktemp("warehouse"))
    wide = ", ".join(f"range + {number} as c{number}" for number in range(250))
    made.execute((HERE / "warehouse.sql").read_text("utf-8").replace("{{wide}}", wide))
    return made


@pytest.fixture(scope="session")
def planned(warehouse: Warehouse) -> Run:
    """The plan, before anything was scanned."""
    return warehouse.plan(VARIABLES)


@pytest.fixture(scope="session")
def first_run(warehouse: Warehouse, planned: Run) -> tuple[Run, str]:
    """The first run, and all that it left anywhere, as text."""
    return warehouse.profile(VARIABLES), warehouse.everything()


@pytest.fixture(scope="session")
def second_run(warehouse: Warehouse, first_run: tuple[Run, str]) -> Run:
    """A run after nothing changed."""
    return warehouse.profile(VARIABLES)


@pytest.fixture(scope="session")
def third_run(warehouse: Warehouse, second_run: Run) -> Run:
    """A run after every kind of change."""
    warehouse.execute((HERE / "changes.sql").read_text("utf-8"))
    return warehouse.profile(VARIABLES)


@pytest.fixture(scope="session")
def limited_run(warehouse: Warehouse, third_run: Run) -> Run:
    """A full run with a byte limit just below the largest table; two tables are sampled."""
    sizes = [
        (table.bytes or 0) * min(1, 30_000 / (table.rows or 1))
        for table in third_run.report.tables
        if table.table not in EXCLUDED
    ]
    variables: dict[str, object] = {
        "sample_rows": 2000,
        "include_tables": ["main.*"],
        "exclude_tables": [
            "*.small_*",
            "*.wide",
            "*.broken",
            "*.extended",
            "*.clients_*",
            "*.log_*",
            "*.survey_*",
            "*.coupons_*",
        ],
        "full_scan_rows": 30_000,
        "max_bytes": round(sum(sizes)) - 1,
        "show_columns": ["main.people.*"],
    }
    return warehouse.profile(variables, full_refresh=True)


@pytest.fixture(scope="session")
def selected_run(warehouse: Warehouse, limited_run: Run) -> Run:
    """A full run over new tables and two named ones, without one schema, after changes."""
    warehouse.execute(
        "insert into people select * replace (1000 as id) from people where id = 1; drop table added"
    )
    variables: dict[str, object] = {
        "sample_rows": 2000,
        "select": [
            {"pattern": "older:24h", "older_hours": 24},
            {"pattern": "main.*pt", "tables": ["main.*pt"]},
        ],
        "exclude": [
            {"pattern": "huge", "tables": ["main.huge", "main.broken", "main.extended"]},
            {"pattern": "*.no_such_table_*", "tables": ["*.no_such_table_*"]},
        ],
    }
    return warehouse.profile(variables, full_refresh=True)
