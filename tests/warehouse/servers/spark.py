"""
Spark: its own Thrift server from PyPI, with a metastore and tables in the folder.

Nothing is compiled for statements over a few rows, which takes longer than to run them.
"""

import importlib.util
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.warehouse.servers.base import statements_of

SECONDS_TO_START = 600
SMALL = {
    "spark.ui.enabled": "false",
    "spark.default.parallelism": "1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
}


@dataclass(frozen=True)
class SparkServer:
    """A Thrift server on this machine."""

    port: int
    artifacts: str = "analytics_linker"
    text_type: str = "string"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""
        return {"CONSUMER_SPARK_PORT": str(self.port)}

    def execute(self, script: str) -> None:
        """Run the script."""
        for statement in statements_of(script):
            self.rows(statement)

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""
        found = []
        for row in self.rows(query):
            found.append(["" if cell is None else cell for cell in row])
        return found

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a statement, as the driver gives them."""
        with closing(self.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(statement)
            if not cursor.description:
                return []
            return [tuple(row) for row in cursor.fetchall()]

    def connect(self) -> Any:
        """A connection of PyHive."""
        from pyhive import hive

        settings = {"spark.sql.ansi.enabled": "false"}
        return hive.connect("127.0.0.1", self.port, "tester", configuration=settings)


@contextmanager
def start(folder: Path) -> Iterator[SparkServer]:
    """A new server that writes into the folder."""
    found = importlib.util.find_spec("pyspark")
    assert found
    assert found.submodule_search_locations
    home = Path(found.submodule_search_locations[0])
    port = _free_port()
    settings = {
        **SMALL,
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder}",
    }
    options = {
        "hive.server2.thrift.port": str(port),
        "hive.server2.thrift.bind.host": "127.0.0.1",
    }
    command = [
        str(home / "bin" / "spark-submit"),
        "--master",
        "local[2]",
        "--driver-memory",
        "2g",
        "--class",
        "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
        *_words("--conf", settings),
        "spark-internal",
        *_words("--hiveconf", options),
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "SPARK_HOME": str(home)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    server = SparkServer(port)
    try:
        _wait(server, process, folder / "log")
        yield server
    finally:
        process.terminate()
        process.wait()


def _words(option: str, values: Mapping[str, str]) -> list[str]:
    words = []
    for name, value in values.items():
        words += [option, f"{name}={value}"]
    return words


def _wait(server: SparkServer, process: "subprocess.Popen[bytes]", log: Path) -> None:
    from thrift.transport.TTransport import TTransportException

    ends_at = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            server.connect().close()
        except TTransportException:
            assert process.poll() is None, log.read_text("utf-8")[-2000:]
            assert time.monotonic() < ends_at, log.read_text("utf-8")[-2000:]
            time.sleep(0.5)
        else:
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
