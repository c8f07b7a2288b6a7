"""OpenAPI description: valid, and equal to the server."""

from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from linker import errors
from linker.serve.api import OPERATIONS, openapi
from linker.serve.security_middleware import status_of


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return openapi(OPERATIONS)


def test_the_document_is_valid(described: dict[str, Any]) -> None:
    found = [error.message for error in OpenAPIV31SpecValidator(described).iter_errors()]
    assert found == []


def test_no_argument_of_an_address_is_null(described: dict[str, Any]) -> None:
    parameters = [
        parameter for path in described["paths"].values() for parameter in path["get"]["parameters"]
    ]
    assert len(parameters) > 15
    for parameter in parameters:
        assert "null" not in str(parameter["schema"])
        assert parameter["schema"].get("default", "") is not None
    types = {parameter["name"]: parameter["schema"]["type"] for parameter in parameters}
    assert (types["max_age"], types["recall"], types["run"]) == ("string", "number", "array")


def test_every_error_is_described_as_problem_details(described: dict[str, Any]) -> None:
    responses = described["components"]["responses"]
    assert all(
        [*response["content"]] == ["application/problem+json"] for response in responses.values()
    )
    assert {*responses["405"]["headers"]} == {"Allow"}
    kinds = [errors.LinkerError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    for kind in kinds:
        assert str(status_of(kind.__new__(kind))) in responses
    for name, operation in OPERATIONS.items():
        told = {*described["paths"][f"/api/{name}"]["get"]["responses"]}
        assert {"200", "400", "401", "403", "405", "421", "500", "503"} <= told
        assert ("502" in told) == (operation.request_kind == "link")
    assert {
        name
        for name in OPERATIONS
        if "404" in described["paths"][f"/api/{name}"]["get"]["responses"]
    } == {"show", "joins", "lineage", "runs", "diff"}
