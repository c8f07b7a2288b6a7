"""
The description of the API in OpenAPI 3.1: enter the operations, leaves a document for tools and
clients.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from linker import __version__
from linker.serve.api import ApiQuery, Operation

_SCHEMAS = "#/components/schemas/"
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "Problem details, as RFC 9457 has them.",
    "required": ["type", "title", "status", "detail", "hint"],
    "properties": {
        **{name: {"type": "string"} for name in ("type", "title", "detail")},
        "status": {"type": "integer"},
        "hint": {"type": "string", "description": "The one thing to do."},
    },
}


def openapi(operations: Mapping[str, Operation]) -> dict[str, Any]:
    """The whole document."""
    schemas = {"Problem": _PROBLEM}
    paths = {
        f"/api/{name}": {"get": _operation(name, operations[name], schemas)} for name in operations
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dbt-linker",
            "version": __version__,
            "description": "All of it only reads.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(name: str, operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "description": f"What `linker {name} --format json` prints, where there is that command."
    }
    if model := operation.document:
        own = TypeAdapter(model).json_schema(
            by_alias=True, mode="serialization", ref_template=_SCHEMAS + "{model}"
        )
        schemas |= own.pop("$defs", {}) | {model.__name__: own}
        schema = {"$ref": _SCHEMAS + model.__name__}
    failed = {"application/problem+json": {"schema": {"$ref": f"{_SCHEMAS}Problem"}}}
    return {
        "operationId": name,
        "summary": operation.summary,
        "parameters": list(_parameters(operation.query)),
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": schema}},
            },
            "default": {"description": "What is wrong, and what to do.", "content": failed},
        },
    }


def _parameters(query: type[ApiQuery]) -> Iterator[dict[str, Any]]:
    described = query.model_json_schema()
    for name, schema in described.get("properties", {}).items():
        words = schema.pop("description", "")
        schema.pop("title", None)
        is_required = name in described.get("required", ())
        yield {
            "name": name,
            "in": "query",
            "required": is_required,
            "description": words,
            "schema": schema,
        }
