"""
HTTP API: operations that return the JSON of the command of the same name, and their OpenAPI 3.1
description.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any

from msgspec.structs import replace
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from linker import __version__, pipeline
from linker.doctor import run_checks
from linker.environment import Environment
from linker.history.column_changes import Thresholds
from linker.history.runs import compare_runs, find_run, read_runs
from linker.identifiers.resolver import find
from linker.output import as_json, render, render_answer
from linker.output.card import render_card
from linker.output.json import AnswerRecord, SqlRecord, joins_json, search_json
from linker.output.runs import render_changes_json, render_runs_json
from linker.output.status import status_json
from linker.refresh.status import read_status
from linker.serve.lineage import ColumnLineage, LineageGraph
from linker.serve.session import RequestKind, ask, read_card
from linker.text.commands import for_others
from linker.text.escaping import MAX_CHARACTERS
from linker.text.numbers import parse_duration
from linker.types import ColumnRef, Record, as_dict

_SCHEMAS = "#/components/schemas/"
_RESPONSES = "#/components/responses/"
_HEADERS_OF = {401: "WWW-Authenticate", 405: "Allow", 503: "Retry-After"}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "Problem details, as RFC 9457 has them.",
    "required": ["type", "title", "status", "detail", "hint"],
    "properties": {
        **{name: {"type": "string"} for name in ("type", "title", "detail")},
        "status": {"type": "integer"},
        "hint": {"type": "string", "description": "What to do."},
    },
}


# Possible errors of every request, of linking, and of lookups.
_FAILURES = {
    400: "An argument or a setting is wrong.",
    401: "The token is missing or wrong.",
    403: "Cross-site request.",
    405: "Only GET and HEAD are allowed.",
    413: "The request is too large.",
    421: "Unknown host name.",
    500: "A bug of linker.",
    503: (
        "The warehouse, its profiles, the index or the embedding model is unavailable, or the "
        "queue is full."
    ),
}
_NOT_FOUND = {404: "No such table, column or run."}
_THINKING = {
    422: "A statement was refused before it reached the warehouse.",
    502: "The language model gave no valid reply.",
}


class ApiQuery(BaseModel):
    """Query parameters of an operation; unknown ones are rejected."""

    model_config = ConfigDict(extra="forbid")


class _AskQuery(ApiQuery):
    question: Annotated[
        str,
        Field(min_length=1, max_length=MAX_CHARACTERS, description="A question, in a sentence."),
    ]
    strategy: Annotated[str | None, Field(description="Linking strategy, as `--strategy`.")] = None
    recall: Annotated[
        float | None, Field(description="Target completeness of a shortlist, such as 0.95.")
    ] = None
    column_budget: Annotated[
        int | None, Field(description="Maximum number of columns of a shortlist.")
    ] = None

    @property
    def settings(self) -> dict[str, object]:
        """The settings it overrides."""
        given = {name: getattr(self, name) for name in ("strategy", "recall", "column_budget")}
        return {name: value for name, value in given.items() if value is not None}


class _LinkQuery(_AskQuery):
    explain: Annotated[bool, Field(description="Include all evidence and discarded items.")] = False


class _SqlQuery(_AskQuery):
    dry_run: Annotated[bool, Field(description="Write and check the statement; run nothing.")] = (
        False
    )


class _NameQuery(ApiQuery):
    name: Annotated[
        str,
        Field(
            min_length=1, description="table, schema.table, or one of these with .column behind."
        ),
    ]
    explain: Annotated[bool, Field(description="Include distributions and shapes of a table.")] = (
        False
    )


class _SearchQuery(ApiQuery):
    text: Annotated[
        str, Field(min_length=1, max_length=MAX_CHARACTERS, description="Words, names or values.")
    ]
    limit: Annotated[
        int, Field(ge=1, le=200, description="Maximum number of tables, and of columns.")
    ] = 20


class _JoinsQuery(ApiQuery):
    table: Annotated[
        list[str],
        Field(
            min_length=1,
            max_length=20,
            description="For one table all its joins, for several the join path.",
        ),
    ]


class _LineageQuery(ApiQuery):
    name: Annotated[
        str,
        Field(
            min_length=1, description="table, schema.table, or one of these with .column behind."
        ),
    ]


class _StatusQuery(ApiQuery):
    max_age: Annotated[
        timedelta | None,
        BeforeValidator(parse_duration, json_schema_input_type=str),
        Field(description="Maximum age, such as 24h; older schemas are listed as stale."),
    ] = None


class _RunsQuery(ApiQuery):
    limit: Annotated[
        int, Field(ge=1, le=1_000, description="Maximum number of entries, newest first.")
    ] = 20
    run: Annotated[int | None, Field(ge=1, description="Only this run.")] = None


class _DiffQuery(ApiQuery):
    run: Annotated[
        list[int], Field(max_length=2, description="Zero to two runs, as for the command.")
    ] = []


class Operation(Record, frozen=True):
    """
    An operation and its OpenAPI description.

    `doing` is `link` if a language model may be used; `looks_up` if a name may be unknown;
    `document` is the response model.
    """

    summary: str
    query: type[ApiQuery]
    answer: Callable[[Environment, Any], str]
    document: type[BaseModel] | None = None
    request_kind: RequestKind = "read"
    looks_up: bool = False
    needs_index: bool = True


def _ask(environment: Environment, query: _LinkQuery) -> str:
    schema = ask(query.question, environment.with_settings(**query.settings))
    return render(schema, "json", explain=query.explain)


def _sql(environment: Environment, query: _SqlQuery) -> str:
    # A probe is executed, too.
    dry = {"max_probes": 0} if query.dry_run else {}
    changed = environment.with_settings(**query.settings, **dry)
    schema = ask(query.question, changed)
    return render_answer(pipeline.sql(schema, changed, is_dry=query.dry_run), schema, "json")


def _show(environment: Environment, query: _NameQuery) -> str:
    return render_card(*read_card(environment, query.name), "json", explain=query.explain)


def _search(environment: Environment, query: _SearchQuery) -> str:
    hits = pipeline.search(query.text, environment, query.limit)
    return search_json(hits, query.text, environment.indexed.catalog, environment.target_key)


def _joins(environment: Environment, query: _JoinsQuery) -> str:
    return joins_json(pipeline.joins(query.table, environment))


def _lineage(environment: Environment, query: _LineageQuery) -> str:
    ref = find(query.name, environment.indexed.catalog)
    graph, table = LineageGraph(environment), ref.table
    lineage, columns = graph.get(table), graph.columns(table)
    if isinstance(ref, ColumnRef):
        columns = {path: item for path, item in columns.items() if path == ref.path}
    return as_json(
        {
            "version": 1,
            "target": environment.target_key,
            "table": str(table),
            "upstream": [list(map(str, step)) for step in lineage.up],
            "downstream": [list(map(str, step)) for step in lineage.down],
            "exposures": list(environment.indexed.catalog.table_by_ref[table].dbt.exposures),
            "columns": {path: _column_lineage(item) for path, item in columns.items()},
        }
    )


def _column_lineage(column: ColumnLineage) -> dict[str, list[str]]:
    parts = {"same": column.same, "computed_from": column.computed_from, "downstream": column.down}
    return {name: list(map(str, refs)) for name, refs in parts.items()}


def _status(environment: Environment, query: _StatusQuery) -> str:
    return status_json(read_status(environment), query.max_age)


def _runs(environment: Environment, query: _RunsQuery) -> str:
    runs = [find_run(environment, query.run)] if query.run else read_runs(environment, query.limit)
    return render_runs_json(environment.target_key, runs)


def _diff(environment: Environment, query: _DiffQuery) -> str:
    return render_changes_json(compare_runs(environment, query.run, Thresholds()))


def _health(environment: Environment, _: ApiQuery) -> str:
    # Polled often, so it must not pay for model calls.
    checks = run_checks(environment, asks_model=False)
    return as_json(
        [
            as_dict(replace(check, hint=for_others(check.hint, environment.flags)))
            for check in checks
        ]
    )


OPERATIONS: Mapping[str, Operation] = {
    "ask": Operation(
        "The tables and columns that a question needs.",
        _LinkQuery,
        _ask,
        document=AnswerRecord,
        request_kind="link",
    ),
    "sql": Operation(
        "The SQL that answers a question.", _SqlQuery, _sql, document=SqlRecord, request_kind="link"
    ),
    "show": Operation("The profile of a table or a column.", _NameQuery, _show, looks_up=True),
    "search": Operation(
        "Tables and columns by words, names or values, without judging what is needed.",
        _SearchQuery,
        _search,
    ),
    "joins": Operation(
        "The joins of a table, or the join path between several tables.",
        _JoinsQuery,
        _joins,
        looks_up=True,
    ),
    "lineage": Operation(
        "Upstream and downstream tables and columns by dbt and view definitions, and exposures.",
        _LineageQuery,
        _lineage,
        looks_up=True,
    ),
    "status": Operation(
        "How up to date profiles and index are, by schema.",
        _StatusQuery,
        _status,
        needs_index=False,
    ),
    "runs": Operation("The run history.", _RunsQuery, _runs, looks_up=True, needs_index=False),
    "diff": Operation(
        "What changed in the warehouse between two runs.",
        _DiffQuery,
        _diff,
        looks_up=True,
        needs_index=False,
    ),
    "health": Operation(
        "Health checks, without calling the language model.",
        ApiQuery,
        _health,
        needs_index=False,
    ),
}


def read_query(query: type[ApiQuery], given: Sequence[tuple[str, str]]) -> ApiQuery:
    """Parse a request's query; repeatable parameters are lists."""
    fields, values = query.model_fields, dict[str, Any]()
    for name, value in given:
        if name in fields and "list[" in str(fields[name].annotation):
            values.setdefault(name, []).append(value)
        else:
            values[name] = value
    return query.model_validate(values)


def openapi(operations: Mapping[str, Operation]) -> dict[str, Any]:
    """The OpenAPI document."""
    schemas = {"Problem": _PROBLEM}
    paths = {
        f"/api/{name}": {"get": _operation(name, operations[name], schemas)} for name in operations
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dbt-linker",
            "version": __version__,
            "description": "Read-only.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": dict(_failed_responses()),
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
    return {
        "operationId": name,
        "summary": operation.summary,
        "parameters": list(_parameters(operation.query)),
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": schema}},
            },
            **{str(status): {"$ref": f"{_RESPONSES}{status}"} for status in _failures(operation)},
        },
    }


def _failures(operation: Operation) -> list[int]:
    """Possible error statuses."""
    further = _THINKING if operation.request_kind == "link" else {}
    return sorted(_FAILURES | further | (_NOT_FOUND if operation.looks_up else {}))


def _failed_responses() -> Iterator[tuple[str, dict[str, Any]]]:
    """Error responses by status."""
    content = {"application/problem+json": {"schema": {"$ref": f"{_SCHEMAS}Problem"}}}
    for status, description in (_FAILURES | _NOT_FOUND | _THINKING).items():
        response: dict[str, Any] = {"description": description, "content": content}
        if header := _HEADERS_OF.get(status):
            response["headers"] = {header: {"schema": {"type": "string"}}}
        yield str(status), response


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
            "schema": _without_null(schema),
        }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """An optional parameter's schema without null, which URLs cannot express."""
    if schema.get("default", ...) is None:
        schema = {key: value for key, value in schema.items() if key != "default"}
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) == 1:
        del schema["anyOf"]
        schema |= kinds[0]
    return schema
