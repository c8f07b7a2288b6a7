"""
Compares every measure of a profiled DuckDB file with the exact value.

Measures over all rows must be equal; those from a sample or sketch have a median and a worst error.
"""

# ruff: noqa: S608 - every name in the SQL is our own

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import duckdb

ORDERED_KINDS = ("integer", "number", "date", "timestamp")


@dataclass(slots=True)
class Errors:
    """The errors of each measure, by column."""

    by_measure: dict[str, list[tuple[float, str]]] = field(default_factory=dict)

    def add(self, measure: str, column: str, error: float) -> None:
        self.by_measure.setdefault(measure, []).append((error, column))

    def add_relative(self, measure: str, column: str, found: float, exact: float) -> None:
        """Record a relative error."""
        self.add(
            measure, column, abs(found - exact) / max(abs(exact), 1e-9) if found != exact else 0.0
        )


def accuracy(path: Path, artifacts: str) -> Iterator[str]:
    """Compare all columns of all tables that were scanned."""
    errors = Errors()
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("set enable_progress_bar = false")
        for profile in _profiles(connection, artifacts):
            for compare in (_compare_counts, _compare_frequencies, _compare_distribution):
                compare(connection, profile, errors)
    yield f"\n{path.stem}: errors against the exact values of the same table"
    yield f"  {'':<58}{'columns':>8}{'median':>9}{'worst':>9}"
    for measure, found in errors.by_measure.items():
        worst, column = max(found)
        named = f"  {column}" if worst > 0 else ""
        yield (
            "  "
            f"{measure:<58}{len(found):>8}{median(error for error, _ in found):>9.2%}{worst:>9.2%}"
            f"{named}"
        )


def _profiles(connection: duckdb.DuckDBPyConnection, artifacts: str) -> list[dict[str, Any]]:
    rows = connection.execute(
        f"select * from {artifacts}.linker_scans where privacy = 'show' qualify row_number() over "
        "(partition by attempt_id, column_path order by scanned_at desc) = 1 order by all"
    )
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


def _source(profile: dict[str, Any]) -> tuple[str, str]:
    return f'"{profile["schema_name"]}"."{profile["table_name"]}"', f'"{profile["column_path"]}"'


def _only_row(
    connection: duckdb.DuckDBPyConnection, statement: str, values: list[Any] | None = None
) -> tuple[Any, ...]:
    [row] = connection.execute(statement, values).fetchall()
    return tuple(row)


def _compare_counts(
    connection: duckdb.DuckDBPyConnection, profile: dict[str, Any], errors: Errors
) -> None:
    """Measures over all rows."""
    relation, column = _source(profile)
    name = profile["column_path"]
    values, distinct, least, most = _only_row(
        connection,
        f"select count({column}), count(distinct {column}), min({column}), max({column}) from "
        f"{relation}",
    )
    errors.add_relative("value count", name, profile["value_count"], values)
    if least is not None and profile["min_value"] is not None:
        data_type = _only_row(connection, f"select typeof({column}) from {relation} limit 1")[0]
        same = _only_row(
            connection,
            f"select ?::{data_type} = ?::{data_type} and ?::{data_type} = ?::{data_type}",
            [profile["min_value"], least, profile["max_value"], most],
        )[0]
        errors.add("smallest and largest value", name, 0.0 if same else 1.0)
    measure = (
        "distinct count, marked as exact"
        if profile["distinct_is_exact"]
        else "distinct count, marked as estimate"
    )
    errors.add_relative(measure, name, profile["distinct_count"], distinct)
    if profile["mean"] is not None:
        mean, deviation = _only_row(
            connection, f"select avg({column}), stddev_samp({column}) from {relation}"
        )
        # Near a mean of zero a relative error is meaningless: it is given in deviations.
        errors.add(
            "mean, in deviations", name, abs(profile["mean"] - float(mean)) / float(deviation)
        )
        errors.add_relative("deviation", name, profile["deviation"], float(deviation))
    if profile["mean_length"] is not None:
        [length] = _only_row(connection, f"select avg(length({column})) from {relation}")
        errors.add_relative("mean length", name, profile["mean_length"], length)


def _compare_frequencies(
    connection: duckdb.DuckDBPyConnection, profile: dict[str, Any], errors: Errors
) -> None:
    """Measures from value counts in the sample."""
    if profile["top_values"] is None:
        return
    relation, column = _source(profile)
    name = profile["column_path"]
    counted = (
        f"select {column} as value, count(*) as n from {relation} where {column} is not null group "
        "by value"
    )
    total, top, entropy = _only_row(
        connection,
        f"select sum(n), max(n), (ln(sum(n)) - sum(n * ln(n)) / sum(n)) / ln(2) from ({counted})",
    )
    errors.add(
        "share of the top value, in points", name, abs(profile["top_value_share"] - top / total)
    )
    # A value that is to be expected 30 times in the sample is a frequent one.
    frequent = connection.execute(
        f"select value::varchar, n from ({counted}) where n * {profile['sample_row_count']} >= 30 "
        f"* {profile['row_count']} order by n desc, value limit 10"
    ).fetchall()
    if len(frequent) > 1:
        seen = {entry["value"]: entry["count"] for entry in json.loads(profile["top_values"])}
        missing = sum(value not in seen for value, _ in frequent)
        errors.add("ten top values, those missing among our 25", name, missing / len(frequent))
        read = profile["sample_row_count"] / profile["row_count"]
        worst = max(abs(seen.get(value, 0) / read - n) / total for value, n in frequent)
        errors.add("shares of ten top values, in points, the worst", name, worst)
    few = profile["distinct_count"] <= 1000
    values = "up to 1,000" if few else "over 1,000"
    errors.add(
        f"entropy, in bits x 1 %, {values} distinct values",
        name,
        abs(profile["entropy"] - entropy) / 100,
    )


def _compare_distribution(
    connection: duckdb.DuckDBPyConnection, profile: dict[str, Any], errors: Errors
) -> None:
    """Measures from the order of sampled values."""
    if profile["quantiles"] is None or profile["value_kind"] not in ORDERED_KINDS:
        return
    relation, column = _source(profile)
    name = profile["column_path"]
    is_time = profile["value_kind"] in ("date", "timestamp")
    number = f"epoch({column}::timestamp)" if is_time else f"{column}::double"
    quantiles = json.loads(profile["quantiles"])
    below = ", ".join(
        f"count(*) filter (v < {q!r}) / count(v), count(*) filter (v <= {q!r}) / count(v)"
        for q in quantiles
    )
    shares = _only_row(connection, f"select {below} from (select {number} as v from {relation})")
    wrong = []
    for index in range(len(quantiles)):
        aim = index / (len(quantiles) - 1)
        wrong.append(max(shares[2 * index] - aim, aim - shares[2 * index + 1], 0.0))
    # The ends are the sample's; minimum and maximum are those of all rows.
    errors.add("quantiles, in points of rank, worst of 21", name, max(wrong))
    if profile["monotonicity"] is not None:
        [order] = _only_row(connection, f"select corr(rowid, {number}) from {relation}")
        errors.add("monotonicity, in points", name, abs(profile["monotonicity"] - order))
    if is_time:
        days, gap = _only_row(
            connection,
            f"""
            select count(*), max(gap) from (
                select day - lag(day) over (order by day) as gap
                from (select distinct {column}::date as day from {relation}
                    where {column} is not null)
            )
            """,
        )
        errors.add_relative("days", name, profile["day_count"], days)
        errors.add("largest gap, in days x 1 %", name, abs(profile["largest_gap_days"] - gap) / 100)
