"""Web server: the application of HTTP API and catalog UI for one environment and address."""

from collections.abc import Awaitable, Callable
from functools import partial
from json import dumps

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from linker.environment import Environment
from linker.errors import LinkerError
from linker.serve.api import OPERATIONS, Operation, openapi, read_query
from linker.serve.explorer.routes import COSTLY, explorer_routes
from linker.serve.http_server import run_server
from linker.serve.security_middleware import (
    Address,
    SecurityMiddleware,
    disconnected,
    headers_of,
    problem,
    status_of,
)
from linker.serve.session import WAITING_OF_WEB, RequestQueues, ServerSession, usual_capacities

_JSON = "application/json"


def serve_web(environment: Environment, address: Address) -> None:
    """Serve until the process ends."""
    run_server(application(environment, address), address)


def application(environment: Environment, address: Address) -> ASGIApp:
    """The ASGI application of API and UI."""
    resident = ServerSession(environment)
    queues = RequestQueues(
        usual_capacities(WAITING_OF_WEB, asks_model=bool(environment.settings.model))
    )
    described = dumps(openapi(OPERATIONS), indent=2)

    async def described_api(_: Request) -> Response:
        return Response(described, media_type=_JSON)

    routes = [
        Route("/api/openapi.json", described_api),
        *(
            Route(f"/api/{name}", _answering(operation, resident, queues))
            for name, operation in OPERATIONS.items()
        ),
        *explorer_routes(resident, queues),
    ]
    handlers = {HTTPException: _refused, LinkerError: _failed, Exception: _broken}
    app = Starlette(routes=routes, exception_handlers=handlers)
    costly = [
        f"/api/{name}" for name, operation in OPERATIONS.items() if operation.request_kind == "link"
    ]
    return SecurityMiddleware(app, address, (*costly, *COSTLY))


def _answering(
    operation: Operation, resident: ServerSession, queues: RequestQueues
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of an operation."""

    async def answer(request: Request) -> Response:
        try:
            query = read_query(operation.query, request.query_params.multi_items())
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            return problem(400, f"`{where}`: {first['msg']}", "see /api/openapi.json")

        def answered() -> str:
            with resident.used(needs_index=operation.needs_index) as environment:
                return operation.answer(environment, query)

        response = await queues.run(
            operation.request_kind, answered, partial(disconnected, request)
        )
        return Response(response, media_type=_JSON, headers={"cache-control": "no-store"})

    return answer


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as it was registered
    return problem(error.status_code, error.detail, "see /api/openapi.json")


def _failed(_: Request, error: Exception) -> Response:
    assert isinstance(error, LinkerError)  # noqa: S101 - as it was registered
    body = problem(status_of(error), error.what, error.hint)
    body.headers.update(headers_of(error))
    return body


def _broken(_: Request, error: Exception) -> Response:
    """A bug; its traceback is in the server's log."""
    return problem(
        500, f"a bug of linker: {type(error).__name__}", "report it with the server's log"
    )
