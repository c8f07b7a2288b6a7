"""
Addresses of the explorer on a server: a request leads to the page that it means, and a question
that is thought about to its steps as they happen, and the answer.
"""

from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from linker.environment import Environment
from linker.errors import LinkerError
from linker.link.answer import LinkedSchema
from linker.link.trace import watched
from linker.render.trace import render_step
from linker.serve.explorer import html
from linker.serve.explorer.html import growing_page, schemas_by_slug, slug, tables_by_slugs
from linker.serve.explorer.pages import Pages
from linker.serve.gate import status_of
from linker.serve.resident import Resident, ask
from linker.types import Record, TableRef

_WIDTH = 110
# What people call the steps whose names are those of the trace.
_TITLES = {
    "found": "what lies near",
    "ranking": "what is likely",
    "mentions": "what it names",
    "groundings": "columns of each way",
}

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")
# What has a language model think: a page from elsewhere may not lead there.
COSTLY = ("/ask.html",)
_MOST_PAGES = 10_000


class ShownStep(Record, frozen=True):
    """A step, its title and what it says."""

    title: str
    text: str


class AskOutcome(Record, frozen=True):
    """The answer, or what is wrong."""

    schema: LinkedSchema | None = None
    problem: str = ""


def ask_page(resident: Resident, question: str) -> Iterator[str]:
    """The page of a question, piece by piece while it is thought about."""
    live = _Live(resident, question)
    shown: dict[str, Any] = {
        "question": question,
        "steps": live.steps(),
        "answer": live.answer,
        "served": True,
    }
    return growing_page("ask", "ask.html", **shown)


class _Live:
    """One question, answered in a thread of its own, so that its steps can be shown meanwhile."""

    def __init__(self, resident: Resident, question: str) -> None:
        self._resident, self._question = resident, question
        self._events: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._outcome = AskOutcome(problem="it was not answered")

    def steps(self) -> Iterator[ShownStep]:
        """The steps; it is asked when the first one is wanted."""
        Thread(target=copy_context().run, args=(self._think,), daemon=True).start()
        while event := self._events.get():
            title, _, text = render_step(event, width=_WIDTH).partition("\n")
            if title:
                yield ShownStep(_TITLES.get(title, title), text)

    def answer(self) -> AskOutcome:
        """What came of it, after the last step."""
        return self._outcome

    def _think(self) -> None:
        try:
            with self._resident.turn() as environment, watched(self._events.put):
                self._outcome = AskOutcome(ask(self._question, environment))
        except LinkerError as error:
            self._outcome = AskOutcome(problem=f"{error.what}; {error.hint}")
        finally:
            self._events.put(None)


def explorer_routes(looking: Resident, thinking: Resident) -> list[Route]:
    """All pages of one target."""
    pages = Pages(is_served=True)

    def shown(make: Callable[[Environment, Request], str]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            place = request.url.path.removeprefix("/")
            try:
                with looking.turn() as environment:
                    return HTMLResponse(make(environment, request))
            except LinkerError as error:
                return HTMLResponse(pages.problem(place, error.what, error.hint), status_of(error))
            except HTTPException:
                return HTMLResponse(
                    pages.problem(place, "There is no such page", "Search for what you are after."),
                    404,
                )

        return answer

    def ask(request: Request) -> Response:
        if request.method == "HEAD":
            return HTMLResponse()
        pieces = ask_page(thinking, request.query_params.get("question", "")[:2_000].strip())
        return StreamingResponse(
            pieces, media_type="text/html", headers={"cache-control": "no-store"}
        )

    return [
        Route("/", start),
        Route("/static/{name}", asset),
        Route("/ask.html", ask),
        Route("/index.html", shown(lambda environment, _: pages.home(environment))),
        Route("/runs.html", shown(lambda environment, _: pages.runs(environment))),
        Route(
            "/changes.html",
            shown(lambda environment, request: pages.changes(environment, _two_runs(request))),
        ),
        Route(
            "/search.html",
            shown(lambda environment, request: pages.search(environment, _text(request, "text"))),
        ),
        Route("/schemas/{schema}.html", shown(lambda *given: _schema(pages, *given))),
        Route(
            "/tables/{schema}/{table}.html",
            shown(lambda env, request: pages.table(env, *_ref(env, request))),
        ),
        Route(
            "/tables/{schema}/{table}/{column}.html", shown(lambda *given: _column(pages, *given))
        ),
        Route(
            "/joins/{schema}/{table}.html",
            shown(lambda env, request: pages.joins(env, _ref(env, request)[0])),
        ),
    ]


def start(_: Request) -> Response:
    """Lead from the root to the first page."""
    return RedirectResponse("index.html")


def asset(request: Request) -> Response:
    """A file that all pages need."""
    name = request.path_params["name"]
    if name not in html.FILES:
        raise HTTPException(404)
    return Response(
        html.file(name), media_type=html.FILES[name], headers={"cache-control": "max-age=3600"}
    )


def _schema(pages: Pages, environment: Environment, request: Request) -> str:
    part, number = _numbered(request.path_params["schema"])
    return pages.schema(
        environment, _of(environment.derive(schemas_by_slug), part), number, _text(request, "like")
    )


def _column(pages: Pages, environment: Environment, request: Request) -> str:
    ref, _ = _ref(environment, request)
    paths = {
        slug(column.path): column.path
        for column in environment.indexed.catalog.table_by_ref[ref].columns
    }
    return pages.column(environment, ref, _of(paths, request.path_params["column"]))


def _ref(environment: Environment, request: Request) -> tuple[TableRef, int]:
    part, number = _numbered(request.path_params["table"])
    return _of(environment.derive(tables_by_slugs), (request.path_params["schema"], part)), number


def _numbered(name: str) -> tuple[str, int]:
    """The part of an address before the number of the page, and that number."""
    slug, _, number = name.partition(".")
    if number and not (number.isdecimal() and 1 < int(number[:6]) < _MOST_PAGES):
        raise HTTPException(404)
    return slug, int(number or 1)


def _of(known: dict[KeyT, ValueT], key: KeyT) -> ValueT:
    if key not in known:
        raise HTTPException(404)
    return known[key]


def _text(request: Request, name: str) -> str:
    return request.query_params.get(name, "")[:500]


def _two_runs(request: Request) -> tuple[int, ...]:
    numbers = [request.query_params.get(name, "") for name in ("before", "after")]
    return tuple(
        int(number) for number in numbers if number.isdecimal() and len(number) < 10 and int(number)
    )
