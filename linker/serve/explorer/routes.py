"""HTTP routes of the catalog UI, including streamed progress of a question."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from anyio import create_task_group
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from linker.environment import Environment
from linker.errors import LinkerError
from linker.linking.result import LinkedSchema
from linker.linking.trace import watched
from linker.output.trace import render_step
from linker.serve.explorer import html
from linker.serve.explorer.html import growing_page, schemas_by_slug, slug, tables_by_slugs
from linker.serve.explorer.pages import Pages
from linker.serve.security_middleware import disconnected, headers_of, status_of
from linker.serve.session import RequestQueues, ServerSession, ask
from linker.text.escaping import MAX_CHARACTERS
from linker.types import Record, TableRef

_WIDTH = 110
# Titles of trace steps.
_TITLES = {
    "found": "retrieved candidates",
    "ranking": "ranking",
    "mentions": "recognized terms",
    "groundings": "columns of each hypothesis",
}

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")
# Pages that start work, which other sites must not link to.
COSTLY = ("/ask.html",)
_MAX_PAGES = 10_000


class ShownStep(Record, frozen=True):
    """A step with title and text."""

    title: str
    text: str


class AskOutcome(Record, frozen=True):
    """The answer or an error."""

    schema: LinkedSchema | None = None
    problem: str = ""


class LiveQuestion:
    """A question answered in its own thread, so that steps can be streamed."""

    def __init__(self, question: str) -> None:
        self.question = question
        self._events: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._outcome = AskOutcome(problem="no answer")

    def page(self) -> Iterator[str]:
        """The page, streamed while the question is answered."""
        return growing_page(
            "ask",
            "ask.html",
            question=self.question,
            steps=self._steps(),
            answer=self._answer,
            served=True,
        )

    def think(self, resident: ServerSession) -> None:
        try:
            with resident.used() as environment, watched(self._events.put):
                self._outcome = AskOutcome(ask(self.question, environment))
        except LinkerError as error:
            self.fail(error)
        finally:
            self._events.put(None)

    def fail(self, error: LinkerError) -> None:
        """End with an error."""
        self._outcome = AskOutcome(problem=f"{error.what}; {error.hint}")
        self._events.put(None)

    def _steps(self) -> Iterator[ShownStep]:
        while event := self._events.get():
            title, _, text = render_step(event, width=_WIDTH).partition("\n")
            if title:
                yield ShownStep(_TITLES.get(title, title), text)

    def _answer(self) -> AskOutcome:
        """The result, after the last step."""
        return self._outcome


class AskResponse(StreamingResponse):
    """Streams a question's page; a disconnect cancels the work."""

    def __init__(self, request: Request, resident: ServerSession, queues: RequestQueues) -> None:
        question = request.query_params.get("question", "")[:MAX_CHARACTERS].strip()
        self._live, self._resident, self._turns = LiveQuestion(question), resident, queues
        self._gone = partial(disconnected, request)
        super().__init__(
            self._live.page(), media_type="text/html", headers={"cache-control": "no-store"}
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer and send concurrently."""
        async with create_task_group() as group:
            group.start_soon(self._think)
            await super().__call__(scope, receive, send)
            group.cancel_scope.cancel()

    async def _think(self) -> None:
        try:
            await self._turns.run("link", partial(self._live.think, self._resident), self._gone)
        except LinkerError as error:
            self._live.fail(error)


class _PageResponses(Record, frozen=True):
    """Builds responses for pages."""

    pages: Pages
    resident: ServerSession
    queues: RequestQueues

    def shown(
        self, make: Callable[[Environment, Request], str]
    ) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a page."""

        async def answer(request: Request) -> Response:
            url = request.url.path.removeprefix("/")

            def made() -> str:
                with self.resident.used() as environment:
                    return make(environment, request)

            try:
                return HTMLResponse(
                    await self.queues.run("read", made, partial(disconnected, request))
                )
            except LinkerError as error:
                return self._refused(url, error)
            except HTTPException:
                page = self.pages.problem(url, "Page not found", "Use the search.")
                return HTMLResponse(page, 404)

        return answer

    def ask(self, request: Request) -> Response:
        """The page of a new question."""
        if request.method == "HEAD":
            return HTMLResponse()
        try:
            self.queues.check("link")
        except LinkerError as error:
            return self._refused("ask.html", error)
        return AskResponse(request, self.resident, self.queues)

    def _refused(self, url: str, error: LinkerError) -> Response:
        page = self.pages.problem(url, error.what, error.hint)
        return HTMLResponse(page, status_of(error), headers_of(error))


def explorer_routes(resident: ServerSession, queues: RequestQueues) -> list[Route]:
    """Routes of all pages of a target."""
    pages = Pages(is_served=True)
    responses = _PageResponses(pages, resident, queues)
    shown = responses.shown
    return [
        Route("/", start),
        Route("/static/{name}", asset),
        Route("/ask.html", responses.ask),
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
    """Redirect to the first page."""
    return RedirectResponse("index.html")


def asset(request: Request) -> Response:
    """A static asset."""
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
    """A URL segment without its page number, and the number."""
    slug, _, number = name.partition(".")
    if number and not (number.isdecimal() and 1 < int(number[:6]) < _MAX_PAGES):
        raise HTTPException(404)
    return slug, int(number or 1)


def _of(items: dict[KeyT, ValueT], key: KeyT) -> ValueT:
    if key not in items:
        raise HTTPException(404)
    return items[key]


def _text(request: Request, name: str) -> str:
    return request.query_params.get(name, "")[:500]


def _two_runs(request: Request) -> tuple[int, ...]:
    numbers = [request.query_params.get(name, "") for name in ("before", "after")]
    return tuple(
        int(number) for number in numbers if number.isdecimal() and len(number) < 10 and int(number)
    )
