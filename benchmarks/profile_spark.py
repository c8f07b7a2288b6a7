"""
Cost of a profile in a local Spark of two cores, beside `df.summary()` and one select per column.

One table of Parquet is generated. Each way has a Spark of its own with the same settings, whose
peak memory is that of the way alone. linker runs through a Thrift server within that Spark; dbt on
an empty warehouse is measured before, and an unchanged run after it.
"""

# ruff: noqa: S608 - every name in the SQL is our own

import argparse
import json
import multiprocessing
import os
import re
import resource
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import psutil

from benchmarks.generated_tables import rows_of
from benchmarks.progress_line import write_lines
from linker.dbt.profiling import DbtTarget, profile_warehouse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "shop"
TABLE = f"{SCHEMA}.orders"
COLUMNS = 11
QUANTILES = ", ".join(f"{0.05 * index:.2f}" for index in range(21))
NUMBERS = ("tinyint", "smallint", "int", "bigint", "double", "decimal")
MEBIBYTE = 2**20
SCAN_SECONDS = 7200
# Statements of linker that take long, and what they do.
STATEMENTS = {
    r"create table \S+linker_stage\S+ as\s+with source as": "scan",
    r"insert into \S+linker_scans .*with scan_1": "measures of the sample",
    r"count\(distinct `": "exact distinct counts",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What a part of one way took, and the bytes that its Spark had in memory at most."""

    name: str
    seconds: float
    processor_seconds: float
    memory: int
    statements: int


@dataclass
class Meter:
    """Measures a Spark, and the processes that were started beside it."""

    spark: "SparkSession"
    costs: list[Cost] = field(default_factory=list)

    def __post_init__(self) -> None:
        started = psutil.Process().children(recursive=True)
        self._java = next(process for process in started if process.name() == "java")
        self._peak = 0

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        ended = threading.Event()
        watching = threading.Thread(target=self._watch, args=[ended])
        self._peak = 0
        watching.start()
        statements, used, begun = len(executions(self.spark)), self._used(), time.perf_counter()
        yield
        seconds, used = time.perf_counter() - begun, self._used() - used
        ended.set()
        watching.join()
        statements = len(executions(self.spark)) - statements
        self.costs.append(Cost(name, seconds, used, self._peak, statements))

    def _used(self) -> float:
        times = self._java.cpu_times()
        beside = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(times.user + times.system + beside.ru_utime + beside.ru_stime)

    def _watch(self, ended: threading.Event) -> None:
        while not ended.wait(0.25):
            self._peak = max(self._peak, self._java.memory_info().rss)


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        parquet = Path(folder) / "orders.parquet"
        write_lines(_generated(parquet, options.rows))
        costs = []
        for name in WAYS:
            costs += _in_a_new_spark(name, parquet, Path(folder) / name, options.memory)
        write_lines(_figures(costs))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the table (10 million)")
    parser.add_argument("--memory", default="4g", help="of each Spark (4g)")
    parser.add_argument("--folder", type=Path, default=None, help="where the temporary files go")
    return parser.parse_args()


def _generated(parquet: Path, rows: int) -> Iterator[str]:
    begun = time.perf_counter()
    with duckdb.connect() as connection:
        connection.execute("set enable_progress_bar = false")
        connection.execute(f"copy ({rows_of(rows, COLUMNS)}) to '{parquet}' (format parquet)")
    yield (
        f"{rows:,} rows, {COLUMNS} columns, {parquet.stat().st_size / MEBIBYTE:,.0f} MiB of "
        f"Parquet in {time.perf_counter() - begun:.0f} s; load {os.getloadavg()[0]:.1f}"
    )


def _in_a_new_spark(name: str, parquet: Path, folder: Path, memory: str) -> list[Cost]:
    folder.mkdir()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        costs = pool.apply(_measured, [name, parquet, folder, memory])
    write_lines(_figures(costs))
    return costs


def _measured(name: str, parquet: Path, folder: Path, memory: str) -> list[Cost]:
    port = _free_port()
    spark = _started(folder, memory, port)
    try:
        meter = Meter(spark)
        spark.sql(f"create schema {SCHEMA}")
        spark.read.parquet(str(parquet)).limit(100_000).summary().collect()
        if name == "linker":
            _serve(spark, folder, port)
            with meter("dbt alone"):
                _profile(folder, tables=0)
        spark.sql(f"create table {TABLE} using parquet location '{parquet}'")
        WAYS[name](meter, folder)
        return meter.costs
    finally:
        spark.stop()


def _started(folder: Path, memory: str, port: int) -> "SparkSession":
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder}",
        "spark.hadoop.hive.server2.thrift.port": str(port),
        "spark.hadoop.hive.server2.thrift.bind.host": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ui.retainedExecutions": "10000",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master("local[2]").enableHiveSupport()
    for setting, value in settings.items():
        builder = builder.config(setting, value)
    return builder.getOrCreate()


def _serve(spark: "SparkSession", folder: Path, port: int) -> None:
    """Start the Thrift server, and write profiles.yml."""
    server = spark._jvm.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2
    server.startWithSparkSession(spark._jsparkSession, False)
    output = {"type": "spark", "method": "thrift", "host": "127.0.0.1", "port": port}
    output |= {"schema": SCHEMA, "user": "bench", "poll_interval": 1}
    profiles = {"bench": {"target": "spark", "outputs": {"spark": output}}}
    (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")


def _profile(folder: Path, tables: int) -> None:
    """Scan this many tables; none may be left out because it takes long."""
    variables = {"scan_seconds": SCAN_SECONDS}
    report = profile_warehouse(DbtTarget(folder, "bench", "spark", folder / "state", variables))
    if report.failures or report.scanned_count != tables:
        raise RuntimeError(f"{report}; {report.failures}")


def executions(spark: "SparkSession") -> list[Any]:
    """The statements that Spark ran so far."""
    listed = spark._jsparkSession.sharedState().statusStore().executionsList()
    return [listed.apply(place) for place in range(listed.size())]


def _linker(meter: Meter, folder: Path) -> None:
    with meter("linker"):
        _profile(folder, tables=1)
    for run in executions(meter.spark)[-meter.costs[-1].statements :]:
        for words, name in STATEMENTS.items():
            if re.search(words, run.description(), re.DOTALL) and run.completionTime().isDefined():
                seconds = (run.completionTime().get().getTime() - run.submissionTime()) / 1000
                meter.costs.append(Cost(f"  {name}", seconds, 0, 0, 1))
    with meter("linker, unchanged"):
        _profile(folder, tables=0)


def _summary(meter: Meter, folder: Path) -> None:  # noqa: ARG001 - every way gets both
    with meter("summary"):
        meter.spark.table(TABLE).summary().collect()


def _select_a_column(meter: Meter, folder: Path) -> None:  # noqa: ARG001 - every way gets both
    columns = meter.spark.table(TABLE).dtypes
    with meter("select a column"):
        for name, data_type in columns:
            measures = ["count(*)", *_measures(name, data_type)]
            meter.spark.sql(f"select {', '.join(measures)} from {TABLE}").collect()
            meter.spark.sql(
                f"select {name}, count(*) as rows from {TABLE} group by {name} order by rows desc "
                "limit 25"
            ).collect()


def _measures(name: str, data_type: str) -> list[str]:
    measures = [f"count({name})", f"approx_count_distinct({name})", f"min({name})", f"max({name})"]
    if data_type.startswith(NUMBERS):
        measures += [f"avg({name})", f"stddev_samp({name})"]
    if data_type.startswith((*NUMBERS, "date", "timestamp")):
        measures.append(f"percentile_approx({name}, array({QUANTILES}))")
    if data_type == "string":
        measures += [f"{measure}(length({name}))" for measure in ("min", "max", "avg")]
    return measures


WAYS: dict[str, Callable[[Meter, Path], None]] = {
    "linker": _linker,
    "summary": _summary,
    "select_a_column": _select_a_column,
}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _figures(costs: list[Cost]) -> Iterator[str]:
    yield f"load {os.getloadavg()[0]:.1f}"
    yield f"{'':<28}{'seconds':>9}{'processor':>11}{'memory':>10}{'statements':>12}"
    for cost in costs:
        yield (
            f"{cost.name:<28}{cost.seconds:>9.1f}{cost.processor_seconds:>11.1f}"
            f"{cost.memory / MEBIBYTE:>6,.0f} MiB{cost.statements:>12,}"
        )


if __name__ == "__main__":
    main()
