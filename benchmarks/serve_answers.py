"""
How long `linker serve` takes to answer when it is warm, on the demo: `make bench-serve`; needs `make demo` before.

Every question of the demo is asked over HTTP, then every table is shown, read for the first time and again; the pages
of both besides. No language model is asked.
"""

import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from linker.demo.questions import demo_questions

_ROUNDS = 3


@contextmanager
def served() -> Iterator[httpx.Client]:
    """A client of a server that has answered once."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [str(Path(sys.executable).with_name("linker")), "serve", "--target", "demo", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command) as server, httpx.Client(base_url=address, timeout=60) as client:  # noqa: S603 - ours
        while server.poll() is None:
            try:
                client.get("/api/ask", params={"question": "Which carrier delivers late?"}).raise_for_status()
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        yield client
        server.terminate()


def milliseconds(client: httpx.Client, path: str, queries: Sequence[dict[str, str]]) -> list[float]:
    """What each answer took."""
    taken = []
    for query in queries:
        began = time.perf_counter()
        client.get(path, params=query).raise_for_status()
        taken.append(1_000 * (time.perf_counter() - began))
    return taken


def main() -> None:
    """Ask, and print a line for each kind of answer."""
    questions = [{"question": question.question} for question in demo_questions()]
    with served() as client:
        client.get("/index.html").raise_for_status()
        tables = client.get("/api/search", params={"text": "orders", "limit": "100"}).json()["tables"]
        names = [{"name": table["name"]} for table in tables]
        milliseconds(client, "/api/ask", questions)
        rows = {
            "ask": milliseconds(client, "/api/ask", questions * _ROUNDS),
            "page of a question": milliseconds(client, "/ask.html", questions),
            "search": milliseconds(client, "/api/search", [{"text": each["question"]} for each in questions]),
            "show, first time": milliseconds(client, "/api/show", names),
            "show, again": milliseconds(client, "/api/show", names * _ROUNDS),
            "page of the warehouse": milliseconds(client, "/index.html", [{}] * 20),
        }
    lines = ["| answer | count | median ms | 95th percentile ms | most ms |", "|---|---|---|---|---|"]
    for name, taken in rows.items():
        end = statistics.quantiles(taken, n=20)[18]
        lines.append(f"| {name} | {len(taken)} | {statistics.median(taken):.0f} | {end:.0f} | {max(taken):.0f} |")
    sys.stdout.write("\n".join((*lines, "")))


if __name__ == "__main__":
    main()
