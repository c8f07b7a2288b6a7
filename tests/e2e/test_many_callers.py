"""Concurrent callers: slow statements, disconnects, many requests and slow clients block no other client."""

import asyncio
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from urllib.parse import urlsplit

import anyio
import duckdb
import httpx
import psutil
import pytest
from mcp.client import Client
from mcp_types import CallToolResult

from tests.e2e.agents import called
from tests.e2e.serving import serving

# It runs until the limit of a probe, half a minute.
SLOW = "select count(*) from sales.orders a, sales.orders b, sales.orders c, sales.orders d, sales.orders e"
CARRIERS = "Which carrier delivers late most often?"
PATIENCE_SECONDS = 20


def busy_statements(home: Path) -> list[psutil.Process]:
    """The processes of statements of servers with that home which take a processor's time."""
    found = []
    for process in psutil.process_iter():
        try:
            is_session = "linker.warehouses.base.session" in " ".join(process.cmdline())
            is_ours = is_session and process.environ().get("HOME") == str(home)
            if is_ours and process.cpu_percent(0.2) > 20:
                found.append(process)
        except psutil.Error:
            continue
    return found


def wait_until(holds: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.1)


def connected(served: str) -> socket.socket:
    address = urlsplit(served)
    return socket.create_connection(
        (address.hostname or "", address.port or 0), timeout=PATIENCE_SECONDS
    )


def test_an_agent_calls_many_tools_at_once(client: Callable[[], Client]) -> None:
    async def session() -> list[CallToolResult]:
        async with client() as opened:
            calls = []
            for number in range(20):
                arguments = {"questions": [f"{CARRIERS} {number}"]}
                calls.append(opened.call_tool("search_schema", arguments))
            return await asyncio.gather(*calls)

    assert not [result for result in asyncio.run(session()) if result.is_error]


async def probe(opened: Client) -> CallToolResult:
    return await opened.call_tool("run_query", {"statements": [SLOW]})


def test_beside_a_slow_statement_others_are_answered_and_cancelling_ends_it(
    client: Callable[[], Client], linker_folder: Path
) -> None:
    async def session() -> None:
        async with client() as opened:
            probing = asyncio.create_task(probe(opened))
            await anyio.to_thread.run_sync(wait_until, lambda: busy_statements(linker_folder))
            for name, arguments in (
                ("describe", {"tables": ["logistics.carriers"]}),
                ("search_schema", {"questions": [CARRIERS]}),
                ("run_query", {"statements": ["select count(*) from logistics.carriers"]}),
            ):
                result = await opened.call_tool(name, arguments)
                assert not result.is_error, result.content
                assert not probing.done(), name
            probing.cancel()
            await anyio.to_thread.run_sync(wait_until, lambda: not busy_statements(linker_folder))
            again = await opened.call_tool("run_query", {"statements": ["select 1 as one"]})
            assert not again.is_error

    asyncio.run(session())


def test_a_statement_ends_with_the_session_of_its_client(
    mcp_address: str, linker_folder: Path
) -> None:
    async def session() -> None:
        async with Client(mcp_address) as opened:
            probing = asyncio.create_task(probe(opened))
            await anyio.to_thread.run_sync(wait_until, lambda: busy_statements(linker_folder))
            probing.cancel()

    asyncio.run(session())
    wait_until(lambda: not busy_statements(linker_folder))


def test_of_a_crowd_some_are_answered_and_the_others_are_told_when_to_come_again(
    served: str,
) -> None:
    with httpx.Client(base_url=served, timeout=60) as client:

        def ask(number: int) -> httpx.Response:
            return client.get("/api/ask", params={"question": f"{CARRIERS} {number}"})

        ask(0)
        with ThreadPoolExecutor(60) as crowd:
            # Programs, and a person at a page.
            answers = list(crowd.map(ask, range(60)))
        assert {answer.status_code for answer in answers} == {200, 503}
        for answer in answers:
            if answer.status_code == 503:
                assert int(answer.headers["retry-after"]) > 0
                assert answer.headers["content-type"] == "application/problem+json"
                assert "wait for their turn" in answer.json()["detail"]
        assert ask(61).status_code == 200


def test_what_is_read_is_answered_beside_a_crowd_that_asks(served: str) -> None:
    with httpx.Client(base_url=served, timeout=60) as client, ThreadPoolExecutor(30) as crowd:
        question = {"question": CARRIERS}
        asking = [crowd.submit(client.get, "/api/ask", params=question) for _ in range(30)]
        assert client.get("/api/show", params={"name": "logistics.carriers"}).status_code == 200
        assert client.get("/index.html").status_code == 200
        assert {item.result().status_code for item in asking} <= {200, 503}


@pytest.mark.slow
def test_the_statements_of_a_call_share_one_limit_of_time(mcp_address: str) -> None:
    statements = {"statements": [SLOW, "select count(*) from logistics.carriers"]}
    [result] = called(lambda: Client(mcp_address), ("run_query", statements))
    [content] = result.content
    lines = getattr(content, "text", "").splitlines()
    assert result.is_error
    assert "took longer than 30 seconds" in lines[0]
    assert lines[1] == "those before it took the time of the call; probe it alone"


@contextmanager
def silent_model() -> Iterator[tuple[str, Event, Event]]:
    """The address of a model that never answers; whether it was asked, and whether it was let go."""
    asked, left = Event(), Event()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            while self.connection.recv(100_000):
                asked.set()
            left.set()

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked, left
        server.shutdown()


@pytest.mark.parametrize("path", ["/api/ask", "/ask.html"])
def test_a_model_is_not_waited_for_when_who_asked_is_gone(
    demo: "subprocess.CompletedProcess[str]",
    linker_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    assert demo.returncode == 0, demo.stderr
    with silent_model() as (url, asked, left):
        monkeypatch.setenv("LINKER_MODEL", "openai:silent")
        monkeypatch.setenv("LINKER_MODEL_BASE_URL", url)
        with serving(linker_folder, "serve", "--target", "demo") as served:
            with connected(served) as connection:
                request = f"GET {path}?question=late+carriers HTTP/1.1"
                host = urlsplit(served).netloc
                connection.sendall(f"{request}\r\nhost: {host}\r\n\r\n".encode())
                assert asked.wait(PATIENCE_SECONDS)
                assert not left.is_set()
            assert left.wait(PATIENCE_SECONDS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /index.html HT",
        b"GET /index.html HTTP/1.1\r\nhost: ",
        b"POST /index.html HTTP/1.1\r\ncontent-length: 100\r\n\r\nabc",
    ],
)
def test_a_client_that_does_not_finish_its_request_is_let_go(served: str, begun: bytes) -> None:
    with connected(served) as connection:
        connection.sendall(begun)
        while connection.recv(10_000):
            pass
    assert httpx.get(f"{served}/index.html").status_code == 200


def test_a_question_is_answered_while_many_connections_say_nothing(served: str) -> None:
    with ExitStack() as silent:
        for _ in range(100):
            silent.enter_context(connected(served))
        assert httpx.get(f"{served}/api/ask", params={"question": CARRIERS}).status_code == 200


def test_others_can_write_soon_after_each_use_of_a_warehouse_that_is_a_file(
    client: Callable[[], Client], linker_folder: Path
) -> None:
    file = linker_folder / ".linker" / "demo" / "warehouse.duckdb"

    def is_free() -> bool:
        try:
            duckdb.connect(str(file)).close()
        except duckdb.IOException:
            return False
        return True

    async def session() -> None:
        async with client() as opened:
            for _ in range(2):
                statements = {"statements": ["select max(ordered_at) from sales.orders"]}
                assert not (await opened.call_tool("run_query", statements)).is_error
                await anyio.to_thread.run_sync(wait_until, is_free)

    asyncio.run(session())
