"""`linker serve` answers over HTTP as the commands do."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from linker.output.json import AnswerRecord
from tests.messages import messages

CARRIERS = "Which carrier delivers late most often?"


def get(served: str, path: str, **query: Any) -> Any:
    answered = httpx.get(f"{served}/api/{path}", params=query, timeout=60)
    assert answered.status_code == 200, answered.text
    return answered.json()


def test_an_answer_is_the_document_of_the_command(served: str) -> None:
    answer = get(served, "ask", question=CARRIERS)
    assert set(answer) == {
        field.serialization_alias or name for name, field in AnswerRecord.model_fields.items()
    }
    assert "logistics.carriers" in {
        f"{table['schema']}.{table['name']}" for table in answer["tables"]
    }
    short = get(served, "ask", question=CARRIERS, column_budget=4)
    assert sum(len(table["columns"]) for table in short["tables"]) <= 4


@pytest.mark.parametrize(
    ("operation", "query", "words"),
    [
        ("show", {"name": "logistics.carriers"}, ["show", "logistics.carriers"]),
        ("show", {"name": "sales.customers.email"}, ["show", "sales.customers.email"]),
        ("runs", {}, ["runs"]),
    ],
)
def test_what_a_command_prints_is_what_is_answered(
    served: str,
    linker_command: Callable[..., Any],
    operation: str,
    query: dict[str, str],
    words: list[str],
) -> None:
    printed = linker_command(*words, "--target", "demo", "--format", "json")
    assert get(served, operation, **query) == json.loads(printed.stdout)


def test_search_finds_words_names_and_values(served: str) -> None:
    assert get(served, "search", text="shipments")["tables"][0]["name"] == "logistics.shipments"
    [tag] = [
        found["values"]
        for found in get(served, "search", text="black friday")["columns"]
        if found["name"] == "support.tags.tag_name"
    ]
    assert tag == ["black-friday"]
    assert all(
        "@" not in str(found)
        for found in get(served, "search", text="email of customers")["columns"]
    )


def ends(join: dict[str, Any]) -> set[Any]:
    return {(join["left"], *join["left_columns"]), (join["right"], *join["right_columns"])}


def test_joins_lead_from_table_to_table(served: str) -> None:
    path = get(served, "joins", table=["logistics.carriers", "sales.customers"])
    assert path["between"] == ["logistics.shipments", "sales.orders"]
    assert {("logistics.shipments", "carrier_code"), ("logistics.carriers", "carrier_code")} in map(
        ends, path["joins"]
    )
    neighbours = get(served, "joins", table="sales.orders")["joins"]
    assert {("sales.orders", "customer_id"), ("sales.customers", "customer_id")} in map(
        ends, neighbours
    )


def test_status_and_health_tell_how_things_stand(served: str) -> None:
    status = get(served, "status", max_age="24h")
    assert (status["target"], status["is_stale"]) == ("linker.demo", False)
    assert {check["part"]: check["state"] for check in get(served, "health")} == {
        **dict.fromkeys(("warehouse", "profiles", "store", "embedder"), "ok"),
        **dict.fromkeys(("privacy", "tables", "glossary"), "unused"),
    }


@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        ("show?name=sales.ordres", 404, "no table is called `sales.ordres`"),
        ("joins?table=nope_at_all", 404, "no table is called `nope_at_all`"),
        ("ask", 400, "`question`: Field required"),
        ("ask?question=x&colour=red", 400, "`colour`: Extra inputs are not permitted"),
        ("status?max_age=soon", 400, "`soon` is not a length of time"),
        ("show?name=sales.orders.nothing", 404, "sales.orders has no column `nothing`"),
        ("diff?run=99", 404, "run 99 of `linker.demo` is not stored"),
        ("runs?run=99", 404, "run 99 of `linker.demo` is not stored"),
        ("nothing", 404, "Not Found"),
    ],
)
def test_what_is_wrong_comes_as_problem_details(
    served: str, path: str, status: int, detail: str
) -> None:
    answered = httpx.get(f"{served}/api/{path}")
    assert answered.headers["content-type"] == "application/problem+json"
    problem = answered.json()
    assert (answered.status_code, problem["status"]) == (status, status)
    assert problem["detail"].startswith(detail)
    assert problem["hint"]


def test_openapi_describes_every_operation_and_its_arguments(served: str) -> None:
    described = get(served, "openapi.json")
    assert described["openapi"] == "3.1.0"
    arguments = {}
    for path, methods in described["paths"].items():
        arguments[path] = [
            (parameter["name"], parameter["required"]) for parameter in methods["get"]["parameters"]
        ]
    assert arguments == {
        "/api/ask": [
            ("question", True),
            ("strategy", False),
            ("recall", False),
            ("column_budget", False),
            ("explain", False),
        ],
        "/api/sql": [
            ("question", True),
            ("strategy", False),
            ("recall", False),
            ("column_budget", False),
            ("dry_run", False),
        ],
        "/api/show": [("name", True), ("explain", False)],
        "/api/search": [("text", True), ("limit", False)],
        "/api/joins": [("table", True)],
        "/api/lineage": [("name", True)],
        "/api/status": [("max_age", False)],
        "/api/runs": [("limit", False), ("run", False)],
        "/api/diff": [("run", False)],
        "/api/health": [],
    }
    referred = set(json.dumps(described).split('"#/components/schemas/')[1:])
    assert {name.split('"')[0] for name in referred} <= set(described["components"]["schemas"])


def test_another_address_needs_a_token(linker_command: Callable[..., Any]) -> None:
    done = linker_command("serve", "--target", "demo", "--host", "0.0.0.0")
    assert (done.returncode, messages(done.stderr)) == (
        2,
        [
            "error: other machines can reach the address 0.0.0.0",
            "   →   set LINKER_SERVE_TOKEN, or omit --host",
        ],
    )


def test_a_question_of_more_than_two_thousand_characters_is_refused(served: str) -> None:
    for path, name in (("ask", "question"), ("search", "text")):
        answered = httpx.get(f"{served}/api/{path}", params={name: "a" * 2_001}, timeout=60)
        assert answered.status_code == 400
        assert "2000 characters" in answered.text
