"""Problem details (RFC 9457): enters what is wrong, leaves a response that programs understand."""

from http import HTTPStatus

from starlette.responses import JSONResponse

from linker.errors import (
    ArtifactError,
    BusyError,
    EmbedderError,
    GuardError,
    LimitReached,
    LinkerError,
    ModelError,
    NameLookupError,
    StoreError,
    WarehouseError,
)

# By the kind of error, the narrowest first; any other is a wrong setting or argument.
_STATUS: tuple[tuple[type[LinkerError], int], ...] = (
    (NameLookupError, 404),
    (GuardError, 422),
    (WarehouseError, 503),
    (ArtifactError, 503),
    (StoreError, 503),
    (BusyError, 503),
    (EmbedderError, 503),
    (ModelError, 502),
    (LimitReached, 503),
)


def status_of(error: LinkerError) -> int:
    """The status of HTTP that an error of linker has."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def problem(status: int, detail: str, hint: str) -> JSONResponse:
    """The response to a request that is not answered; `hint` is the one thing to do."""
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "hint": hint,
    }
    return JSONResponse(content, status_code=status, media_type="application/problem+json")
