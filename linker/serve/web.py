"""
The web server: enter resident environments and an address, leaves the application that answers API
and pages.
"""

from collections.abc import Callable
from json import dumps

import uvicorn
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
from linker.serve.gate import Address, Gate, problem, status_of
from linker.serve.resident import Resident
from linker.types import Record

_JSON = "application/json"


class Residents(Record, frozen=True):
    """
    One environment to look things up, and one to think: who browses does not wait for a language
    model.
    """

    looking: Resident
    thinking: Resident

    @classmethod
    def of(cls, environment: Environment) -> "Residents":
        """Both over one environment, unless there is a language model to wait for."""
        looking = Resident(environment)
        if not environment.settings.model:
            return cls(looking, looking)
        return cls(looking, Resident(Environment(environment.settings, environment.flags)))

    def close(self) -> None:
        """Let go of what was opened."""
        self.thinking.environment.close()
        self.looking.environment.close()


def serve_web(environment: Environment, address: Address) -> None:
    """Serve until the process is ended."""
    residents = Residents.of(environment)
    try:
        app = application(residents, address)
        uvicorn.run(
            app, host=address.host, port=address.port, log_level="warning", server_header=False
        )
    finally:
        residents.close()


def application(residents: Residents, address: Address) -> ASGIApp:
    """The application of that address."""
    described = dumps(openapi(OPERATIONS), indent=2)

    async def described_api(_: Request) -> Response:
        return Response(described, media_type=_JSON)

    routes = [
        Route("/api/openapi.json", described_api),
        *(
            Route(f"/api/{name}", _answering(operation, residents))
            for name, operation in OPERATIONS.items()
        ),
        *explorer_routes(residents.looking, residents.thinking),
    ]
    handlers = {HTTPException: _refused, LinkerError: _failed, Exception: _broken}
    app = Starlette(routes=routes, exception_handlers=handlers)
    costly = [f"/api/{name}" for name, operation in OPERATIONS.items() if operation.thinks]
    return Gate(app, address, (*costly, *COSTLY))


def _answering(operation: Operation, residents: Residents) -> Callable[[Request], Response]:
    """The endpoint of an operation; it runs in a thread, as it waits for its turn."""
    resident = residents.thinking if operation.thinks else residents.looking

    def answer(request: Request) -> Response:
        try:
            query = read_query(operation.query, request.query_params.multi_items())
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            return problem(400, f"`{where}`: {first['msg']}", "see /api/openapi.json")
        with resident.turn(needs_index=operation.needs_index) as environment:
            found = operation.answer(environment, query)
        return Response(found, media_type=_JSON, headers={"cache-control": "no-store"})

    return answer


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as it was registered
    return problem(error.status_code, error.detail, "see /api/openapi.json")


def _failed(_: Request, error: Exception) -> Response:
    assert isinstance(error, LinkerError)  # noqa: S101 - as it was registered
    return problem(status_of(error), error.what, error.hint)


def _broken(_: Request, error: Exception) -> Response:
    """A bug; its traceback is in the log of the server."""
    return problem(
        500, f"a bug of linker: {type(error).__name__}", "report it with the server's log"
    )
