"""`linker profile` again: dbt starts only if there is work."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.refresh.shop import Shop

# Two visits are one family: five logical tables.
UNCHANGED = {"scanned": 0, "unchanged": 5, "left_out": 0, "failed": 0}


def test_what_no_run_of_dbt_could_change_is_left_to_the_metadata(shop: Shop) -> None:
    first = profiled(shop)
    assert numbers(first) == {**UNCHANGED, "scanned": 5, "unchanged": 0}
    runs = runs_of_dbt(shop)
    again = profiled(shop)
    assert numbers(again) == UNCHANGED
    assert "nothing changed in 5 tables" in again.stderr
    assert runs_of_dbt(shop) == runs


def test_a_changed_table_and_other_limits_are_work_for_dbt(shop: Shop) -> None:
    profiled(shop)
    shop.execute("insert into stock.items values (9, 'item 9')")
    assert numbers(profiled(shop))["scanned"] == 1
    runs = runs_of_dbt(shop)
    assert numbers(profiled(shop, "--select", "sales.*")) == {**UNCHANGED, "unchanged": 3}
    assert runs_of_dbt(shop) == runs + 1


@pytest.mark.slow
def test_an_artifact_that_is_gone_is_made_again(shop: Shop) -> None:
    profiled(shop)
    shop.execute("drop table main_linker.linker_joins")
    assert numbers(profiled(shop)) == UNCHANGED
    assert shop.rows("select count(*) from main_linker.linker_joins") != []


def test_a_refresh_after_it_still_brings_the_index_in_step(shop: Shop) -> None:
    shop.execute("alter table stock.items add column weight double")
    profiled(shop)
    assert shop.refresh()["embedded"] >= 1
    assert shop.refresh()["outcome"] == "unchanged"
    runs = runs_of_dbt(shop)
    assert numbers(profiled(shop)) == UNCHANGED
    assert runs_of_dbt(shop) == runs


@pytest.mark.slow
def test_what_could_not_be_read_is_named_each_time(shop: Shop) -> None:
    shop.execute("create view stock.broken as select error('no') as reason from stock.items")
    for done in (profiled(shop), profiled(shop)):
        assert numbers(done)["failed"] == 1
        assert "warning: stock.broken could not be scanned: " in done.stderr
    shop.execute("drop view stock.broken")
    assert numbers(profiled(shop)) == UNCHANGED


def profiled(shop: Shop, *words: str) -> "subprocess.CompletedProcess[str]":
    """A run that ends well."""
    done = shop.run("profile", *words, "--format", "json")
    assert done.returncode == 0, done.stderr
    return done


def numbers(done: "subprocess.CompletedProcess[str]") -> dict[str, int]:
    """What it says of the tables."""
    report: dict[str, int] = json.loads(done.stdout)
    return {name: report[name] for name in UNCHANGED}


def runs_of_dbt(shop: Shop) -> int:
    """How many runs the journal knows."""
    [(count,)] = shop.rows("select count(distinct run_id) from main_linker.linker_attempts")
    return int(count)


def test_a_warehouse_of_another_adapter_is_one_error_before_dbt_starts(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    output = {"type": "sqlite", "schema": "main", "database": "database", "threads": 1}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    for words in (("refresh",), ("profile",)):
        refused = shop.run(*words)
        assert refused.returncode == 2
        error, hint = refused.stderr.splitlines()[-2:]
        assert error == "error: target `dev` is a sqlite warehouse, which this version cannot read"
        assert "supported: duckdb, postgres, snowflake, bigquery, spark, databricks" in hint
        assert "Traceback" not in refused.stderr
        assert not list(tmp_path.rglob("dbt.log"))
