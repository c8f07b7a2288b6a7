"""Addresses of the explorer on a server: enters a request, leaves the page that it means."""

from collections.abc import Callable
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from linker.environment import Environment
from linker.errors import LinkerError
from linker.serve.explorer import html
from linker.serve.explorer.asking import ask_page
from linker.serve.explorer.pages import Pages
from linker.serve.explorer.places import schemas_by_slug, slug, tables_by_slugs
from linker.serve.problems import status_of
from linker.serve.resident import Resident
from linker.types import TableRef

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

# What has a language model think: a page from elsewhere may not lead there.
COSTLY = ("/ask.html",)
_MOST_PAGES = 10_000


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
