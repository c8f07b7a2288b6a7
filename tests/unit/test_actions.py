"""Actions in model replies: repaired and invalid ones."""

from pydantic import BaseModel

from linker.linking.actions import AnyLook, ListTables, Malformed


class Looks(BaseModel):
    """A reply that looks."""

    look: list[AnyLook]


def test_arguments_without_a_value_that_a_tool_does_not_take_do_no_harm() -> None:
    empty: dict[str, object] = {
        "tool": "list_tables",
        "like": "orders",
        "table": "",
        "columns": [],
        "sql": None,
    }
    wrong = {"tool": "list_tables", "like": "orders", "table": "sales.orders"}
    first, second = Looks.model_validate({"look": [empty, wrong]}).look
    assert first == ListTables(like="orders")
    assert isinstance(second, Malformed)
