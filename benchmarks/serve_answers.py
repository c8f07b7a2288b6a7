"""
Latency of a warm `linker serve` on the demo: `make bench-serve`, after `make demo`.

Every question over HTTP, sequentially and concurrently, then every table twice, API and pages; at
the end a hundred clients for a minute. No language model is called. The server's processor time is
reported, since other load affects it less than latency.
"""

import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http import HTTPStatus
from itertools import chain, cycle
from pathlib import Path

import httpx
import psutil

from linker.demo.questions import demo_questions

_ROUNDS = 3
# As many are at work or wait on two processors; one more would be sent away.
_ASKERS = 6
_CROWD = 100
_CROWD_SECONDS = 60


@contextmanager
def served() -> Iterator[tuple[httpx.Client, psutil.Process]]:
    """A client of a server that has answered once, and its process."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [
        str(Path(sys.executable).with_name("linker")),
        "serve",
        "--target",
        "demo",
        "--port",
        str(port),
    ]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command) as server, client_of(address) as client:  # noqa: S603 - ours
        while server.poll() is None:
            try:
                client.get(
                    "/api/ask", params={"question": "Which carrier delivers late?"}
                ).raise_for_status()
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        yield client, psutil.Process(server.pid)
        server.terminate()


def client_of(address: str) -> httpx.Client:
    """A client with a connection for each of the crowd."""
    limits = httpx.Limits(max_connections=_CROWD)
    return httpx.Client(base_url=address, timeout=60, limits=limits)


def milliseconds(client: httpx.Client, path: str, queries: Sequence[dict[str, str]]) -> list[float]:
    """What each answer took."""
    taken = []
    for query in queries:
        began = time.perf_counter()
        client.get(path, params=query).raise_for_status()
        taken.append(1_000 * (time.perf_counter() - began))
    return taken


def by_many(client: httpx.Client, path: str, queries: Sequence[dict[str, str]]) -> list[float]:
    """What each answer took where several ask at once, each the same."""
    with ThreadPoolExecutor(_ASKERS) as askers:
        every = askers.map(lambda _: milliseconds(client, path, queries), range(_ASKERS))
        return list(chain.from_iterable(every))


def main() -> None:
    questions = [{"question": question.question} for question in demo_questions()]
    with served() as (client, server):
        client.get("/index.html").raise_for_status()
        tables = client.get("/api/search", params={"text": "orders", "limit": "100"}).json()[
            "tables"
        ]
        names = [{"name": table["name"]} for table in tables]
        milliseconds(client, "/api/ask", questions)
        asked: tuple[tuple[str, Callable[..., list[float]], str, Sequence[dict[str, str]]], ...] = (
            ("ask", milliseconds, "/api/ask", questions * _ROUNDS),
            (f"ask, {_ASKERS} at once", by_many, "/api/ask", questions[:20]),
            ("page of a question", milliseconds, "/ask.html", questions),
            (
                "search",
                milliseconds,
                "/api/search",
                [{"text": question["question"]} for question in questions],
            ),
            ("show, first time", milliseconds, "/api/show", names),
            ("show, again", milliseconds, "/api/show", names * _ROUNDS),
            ("page of the warehouse", milliseconds, "/index.html", [{}] * 20),
        )
        sys.stdout.write(
            "| answer | count | median ms | 95th percentile ms | most ms | processor of the "
            "server, ms |\n"
        )
        sys.stdout.write("|---|---|---|---|---|---|\n")
        for name, ask, path, queries in asked:
            before = processor_seconds(server)
            taken = ask(client, path, queries)
            used = 1_000 * (processor_seconds(server) - before) / len(taken)
            end = statistics.quantiles(taken, n=20)[18]
            numbers = " | ".join(
                f"{number:.0f}" for number in (statistics.median(taken), end, max(taken), used)
            )
            sys.stdout.write(f"| {name} | {len(taken)} | {numbers} |\n")
        write_crowd(client, questions)


def write_crowd(client: httpx.Client, questions: Sequence[dict[str, str]]) -> None:
    """Print what became of the requests of a crowd, beside those of one who asks alone."""
    alone = statistics.median(milliseconds(client, "/api/ask", questions))
    until = time.monotonic() + _CROWD_SECONDS
    with ThreadPoolExecutor(_CROWD) as crowd:
        every = crowd.map(lambda number: insisting(client, questions, number, until), range(_CROWD))
        outcomes = list(chain.from_iterable(every))
    answered = sorted(taken for status, taken in outcomes if status == HTTPStatus.OK)
    busy = [taken for status, taken in outcomes if status == HTTPStatus.SERVICE_UNAVAILABLE]
    end = statistics.quantiles(answered, n=20)[18]
    sys.stdout.write(
        f"\n{_CROWD} askers, {_CROWD_SECONDS} s: {len(answered)} answered, {len(busy)} told when "
        f"to come again, {len(outcomes) - len(answered) - len(busy)} failed; an answer took "
        f"{statistics.median(answered):.0f} ms by the median, {end:.0f} ms at the 95th "
        f"percentile, {end / alone:.1f} times that of one who asks alone ({alone:.0f} ms); a "
        f"refusal {statistics.median(busy):.0f} ms\n"
    )


def insisting(
    client: httpx.Client, questions: Sequence[dict[str, str]], number: int, until: float
) -> list[tuple[int, float]]:
    """The statuses that one of the crowd got, and the milliseconds that each took."""
    outcomes = []
    for query in cycle(questions[number % len(questions) :]):
        began = time.perf_counter()
        try:
            response = client.get("/api/ask", params=query)
        except httpx.HTTPError:
            outcomes.append((0, 0.0))
            continue
        outcomes.append((response.status_code, 1_000 * (time.perf_counter() - began)))
        time.sleep(float(response.headers.get("retry-after", 0)))
        if time.monotonic() > until:
            break
    return outcomes


def processor_seconds(process: psutil.Process) -> float:
    """What a process took of the processor so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    main()
