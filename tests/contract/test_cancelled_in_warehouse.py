"""
A statement that nobody waits for any more is cancelled in the warehouse, where it would go on.

Both are servers here that speak as the drivers expect, and end no statement: the emulators run
each at once, or know no call that cancels.
"""

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from linker.cancellation import Cancellation
from linker.config.target import Target
from linker.errors import CallerGoneError, WarehouseError
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import Bounds


class Jobs(ThreadingHTTPServer):
    """Endless jobs, and the cancelled ones."""

    daemon_threads = True

    def server_activate(self) -> None:
        """None yet."""
        self.started, self.cancelled = threading.Event(), threading.Event()
        super().server_activate()


class Job(BaseHTTPRequestHandler):
    """https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs"""

    server: Jobs

    def do_POST(self) -> None:
        """Insert a job, of which a dry run is done at once, or cancel one."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        if "/cancel" in self.path:
            self.server.cancelled.set()
            self._answer({"job": self._job({})})
            return
        self._answer(self._job(body["configuration"]))

    def do_GET(self) -> None:
        """A job that never finishes; each request waits for it."""
        self.server.started.set()
        time.sleep(0.05)
        self._answer({"jobComplete": False, **self._job({"query": {"query": "select 1"}})})

    def _job(self, configuration: dict[str, Any]) -> dict[str, Any]:
        is_done = bool(configuration.get("dryRun"))
        return {
            "kind": "bigquery#job",
            "jobReference": {"projectId": "p", "jobId": "j", "location": "US"},
            "configuration": {"jobType": "QUERY", **configuration},
            "status": {"state": "DONE" if is_done else "RUNNING"},
            "statistics": {"query": {"statementType": "SELECT"}},
        }

    def _answer(self, content: dict[str, Any]) -> None:
        text = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class says so
        """No log output."""


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    server = Jobs(("127.0.0.1", 0), Job)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def session(jobs: Jobs, tmp_path: Path) -> Iterator[Warehouse]:
    address = f"http://127.0.0.1:{jobs.server_port}"
    options = {"method": "oauth-secrets", "token": "t", "project": "p", "api_endpoint": address}
    opened = open_warehouse(Target("p", "bigquery", "bigquery", "shop", tmp_path, options))
    yield opened
    opened.close()


def cancelled(session: Warehouse, sql: str, is_running: Callable[[], object]) -> float:
    """Ask in a thread and cancel it once it runs: the seconds until the client has ended."""
    cancellation = Cancellation()

    def ask() -> None:
        with cancellation.current():
            session.query(sql, (), Bounds(seconds=600))

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask)
        is_running()
        start = time.monotonic()
        cancellation.cancel()
        with pytest.raises(CallerGoneError):
            asking.result(timeout=60)
        return time.monotonic() - start


def test_a_job_of_bigquery_is_cancelled_where_it_runs(jobs: Jobs, session: Warehouse) -> None:
    assert cancelled(session, "select 1", lambda: jobs.started.wait(60)) < 2
    assert jobs.cancelled.wait(10)


def test_a_job_of_bigquery_that_takes_too_long_is_cancelled_too(
    jobs: Jobs, session: Warehouse
) -> None:
    with pytest.raises(WarehouseError, match="a statement took longer than 1 second"):
        session.query("select 1", (), Bounds(seconds=1))
    assert jobs.cancelled.wait(10)


class Account(ThreadingHTTPServer):
    """A session of Snowflake in which the first statement runs for ever, and the texts of all."""

    daemon_threads = True

    def server_activate(self) -> None:
        """Nothing ran yet."""
        self.texts, self.started, self.cancelled = list[str](), threading.Event(), threading.Event()
        super().server_activate()


class Statement(BaseHTTPRequestHandler):
    """What the connector asks for: a sign-in, and statements, each in a request that waits."""

    server: Account

    def do_POST(self) -> None:
        """Sign in, or run a statement."""
        sent = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            sent = gzip.decompress(sent)
        if "login-request" in self.path:
            self._answer({"token": "t", "masterToken": "m", "sessionId": 4711, "parameters": []})
            return
        text = json.loads(sent or "{}").get("sqlText", "")
        self.server.texts.append(text)
        if "cancel" in text:
            self.server.cancelled.set()
        elif "select 1" in text:
            self.server.started.set()
            self.server.cancelled.wait(60)
        self._answer({"rowtype": [], "rowset": [], "queryId": "q", "queryResultFormat": "json"})

    def _answer(self, data: dict[str, Any]) -> None:
        text = json.dumps({"data": data, "success": True, "code": None, "message": None}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class says so
        """No log output."""


def test_what_runs_in_a_session_of_snowflake_is_cancelled(tmp_path: Path) -> None:
    server = Account(("127.0.0.1", 0), Statement)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = {
        "account": "a",
        "host": "127.0.0.1",
        "port": server.server_port,
        "protocol": "http",
        "user": "tester",
        "password": "none",
        "database": "warehouse",
    }
    session = open_warehouse(Target("p", "snowflake", "snowflake", "shop", tmp_path, options))
    assert cancelled(session, "select 1", lambda: server.started.wait(60)) < 2
    assert server.cancelled.wait(10)
    assert "select system$cancel_all_queries(4711)" in server.texts
    session.close()
    server.shutdown()
    server.server_close()
