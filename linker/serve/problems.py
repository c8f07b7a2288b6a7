"""Problem details (RFC 9457): enters what is wrong, leaves a response that programs understand."""

from http import HTTPStatus

from starlette.responses import JSONResponse

from linker import errors

_AWAY = (
    errors.WarehouseError,
    errors.ArtifactError,
    errors.StoreError,
    errors.BusyError,
    errors.EmbedderError,
)
# By the kind of error, the narrowest first; any other is a wrong setting or argument.
_STATUS = (
    (errors.NameLookupError, 404),
    (errors.GuardError, 422),
    (errors.ModelError, 502),
    (_AWAY, 503),
    (errors.LimitReached, 503),
)


def status_of(error: errors.LinkerError) -> int:
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
