"""A whole profile in Spark: the figures, joins and answers of the same tables in DuckDB."""

import json
from pathlib import Path
from typing import Any

import yaml

from tests.spark.conftest import Sakila

MODELS = Path(__file__).resolve().parents[2] / "models"
# Names of the warehouse, its types and fingerprints, times of runs, and the order in which rows are stored, which
# Spark does not tell.
OTHERS = {
    "database_name",
    "from_database",
    "to_database",
    "data_type",
    "fingerprint",
    "column_signature",
    "from_fingerprint",
    "to_fingerprint",
    "row_count_estimate",
    "scanned_at",
    "monotonicity",
}
FIGURES = (
    "inventory/linker_columns",
    "inventory/linker_tables",
    "joins/linker_join_candidates",
    "joins/linker_join_columns",
    "joins/linker_joins",
    "profiles/linker_profile_l1",
    "profiles/linker_profile_l2",
    "profiles/linker_profile_l3",
)
# As the schema of Sakila declares them; in `rental` the ids are of another type than in the tables of the keys.
JOINS = {
    ("film", "language_id", "language"),
    ("city", "country_id", "country"),
    ("customer", "city_id", "city"),
    ("inventory", "film_id", "film"),
    ("rental", "inventory_id", "inventory"),
    ("rental", "customer_id", "customer"),
}
QUESTION = "Which films were rented most often by customers of each country?"


def differences(sakila: Sakila) -> list[str]:
    """The figures that are others in Spark than in DuckDB."""
    found = []
    for name in FIGURES:
        [model] = yaml.safe_load((MODELS / f"{name}.yml").read_text("utf-8"))["models"]
        columns = [column["name"] for column in model["columns"] if column["name"] not in OTHERS]
        query = f"select {', '.join(columns)} from sakila_linker.{model['name']}"
        here, there = (sorted(map(_plain, rows)) for rows in sakila.rows(query))
        for one, other in zip(here, there, strict=True):
            found += [
                f"{model['name']}.{column}: {cell} and {same} in {one[:3]}"
                for column, cell, same in zip(columns, one, other, strict=True)
                if cell != same
            ]
    return found


def _plain(row: tuple[Any, ...]) -> list[str]:
    """Numbers and lists of JSON as Python writes them."""
    cells = []
    for cell in row:
        value = json.loads(cell) if isinstance(cell, str) and cell.startswith(("[", "{")) else cell
        cells.append(str(float(value) if isinstance(value, int | float) else value))
    return cells


def joins(sakila: Sakila) -> set[tuple[Any, ...]]:
    found, _ = sakila.rows(
        "select from_table, from_columns, to_table from sakila_linker.linker_joins"
    )
    return {(table, *json.loads(columns), to) for table, columns, to in found}


def test_spark_counts_no_rows_of_a_table_that_a_select_made(profiled: Sakila) -> None:
    told = profiled.spark.rows("show table extended in sakila like 'city'")
    assert ", 0 rows" in told[0][3]
    estimated, _ = profiled.rows(
        "select row_count_estimate from sakila_linker.linker_tables where table_name = 'city'"
    )
    scanned, _ = profiled.rows(
        "select distinct row_count from sakila_linker.linker_scans where table_name = 'city'"
    )
    assert (estimated, scanned) == ([(None,)], [(16,)])


def test_settings_of_the_target_hold_again_after_our_own(profiled: Sakila) -> None:
    """Our own are for statements over profile tables."""
    assert "set spark.sql.shuffle.partitions=1" in profiled.log
    assert "set spark.sql.shuffle.partitions=2" in profiled.log
    assert "reset spark.sql.adaptive.enabled" in profiled.log
    assert "reset spark.sql.shuffle.partitions" not in profiled.log


def test_the_figures_are_those_of_duckdb(profiled: Sakila) -> None:
    assert differences(profiled) == []


def test_joins_are_found_between_integers_of_other_sizes(profiled: Sakila) -> None:
    assert joins(profiled) == JOINS


def test_a_question_has_the_same_answer(profiled: Sakila) -> None:
    answers = []
    for target in ("spark", "duckdb"):
        answer = json.loads(profiled.run(target, "ask", "--format", "json", QUESTION))
        tables = [table["name"] for table in answer["tables"]]
        # What is hardly needed may be cut at another place: types have other names, which documents show.
        needed = {
            (table["name"], column["path"])
            for table in answer["tables"]
            for column in table["columns"]
            if column["score"] > 0.15
        }
        joined = {str(join) for join in answer["joins"]}
        answers.append((tables, needed, joined))
    assert answers[0] == answers[1]


def test_after_a_change_the_figures_are_again_those_of_duckdb(profiled: Sakila) -> None:
    """Rows of Parquet are never deleted: what is outdated stays, and is not read."""
    profiled.execute(
        "insert into sakila.rental values (321, timestamp '2005-05-27 00:00:00', 187, 1, null)"
    )
    for target in ("duckdb", "spark"):
        profiled.run(target, "profile")
    assert differences(profiled) == []
    assert joins(profiled) == JOINS
    counted, _ = profiled.rows(
        "select count(*), count(distinct attempt_id) from sakila_linker.linker_scans where table_name = 'rental'"
    )
    assert counted == [(10, 2)]
