"""Drop protection before dbt starts, in every warehouse."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from linker.config.settings import Settings
from linker.errors import WarehouseError
from linker.refresh.drop_protection import guard_against_drops
from linker.types import ColumnRef, TableRef
from tests.contract.warehouses import Running, running
from tests.figures import keep_loss

# The schemas in the tests' profile tables.
PROFILED = ("crm", "sales", "web")
INTEGER = {"bigquery": "int64"}
AWAY: dict[str, dict[str, object]] = {
    "duckdb": {"path": "missing/warehouse.duckdb"},
    "postgres": {"port": 1},
    "snowflake": {"port": 1, "login_timeout": 1},
    "bigquery": {"api_endpoint": "http://127.0.0.1:1", "job_retries": 0},
}


# An emulator of its own each, started for one test.
EMULATED = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("snowflake", "bigquery")]


@pytest.fixture(scope="module", params=["duckdb", "postgres", *EMULATED])
def place(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    artifact_statements: Callable[[str, str], Iterator[str]],
) -> Iterator[Running]:
    with running(
        request.param, tmp_path_factory.mktemp(request.param), artifact_statements
    ) as started:
        number = INTEGER.get(request.param, "integer")
        started.server.execute("".join(f"create schema {name};\n" for name in PROFILED))
        started.server.execute(
            "".join(f"create table {name}.things (id {number});\n" for name in PROFILED)
        )
        yield started


def refused(place: Running, options: dict[str, object] | None = None, **given: object) -> str:
    """The error of a run; empty where it may go on."""
    target = replace(place.target, options={**place.target.options, **(options or {})})
    try:
        guard_against_drops(Settings(), target, **given)  # type: ignore[arg-type]
    except WarehouseError as error:
        return error.what
    return ""


def test_what_is_away_is_told_from_what_is_there_until_a_person_says_that_it_was_dropped(
    place: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(place) == ""
    of_another = [ColumnRef(TableRef("stock", "items"), "item_id")]
    assert "schema stock had tables and now show none" in refused(place, indexed=of_another)
    assert refused(place, options=AWAY[place.kind]) != ""
    place.server.execute("drop table web.things;\n")
    empty = refused(place)
    assert "schema web had tables and now show none" in empty
    place.server.execute("drop table crm.things;\ndrop schema crm;\n")
    vanished = refused(place)
    assert "schemas crm, web had tables and now show none" in vanished
    assert refused(place, allow_empty_schemas=True) == ""
    assert list(tmp_path.iterdir()) == []
    for away in ("the warehouse", "all tables of a schema", "a schema"):
        keep_loss(place.kind, away, "refused before dbt")
