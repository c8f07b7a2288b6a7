"""
Pydantic models of language model replies, and the actions in them with typed arguments.

Of the six refinement tools four only read and two decide; the agent of `autolink` has five actions
of its own. An invalid action is kept and answered with an error; it does not invalidate the others.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

_Name = Annotated[str, Field(min_length=1, max_length=500)]
_Names = Annotated[list[_Name], Field(min_length=1, max_length=100)]


# Schema parts that repeat the prompt, which would cost tokens in every turn.
_REPEATED = (
    "title",
    "description",
    "default",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "discriminator",
)

Text = Annotated[str, Field(max_length=2_000)]


def bare(schema: Any) -> None:  # noqa: ANN401 - any part of a JSON schema
    """Remove parts of a JSON schema that do not shape the answer; validation still applies them."""
    parts = schema if isinstance(schema, list) else []
    if isinstance(schema, dict):
        for key in _REPEATED:
            if not isinstance(schema.get(key), dict) or key == "discriminator":
                schema.pop(key, None)
        parts = list(schema.values())
    for part in parts:
        bare(part)


def _with_its_name(schema: dict[str, Any]) -> None:
    bare(schema)
    schema["required"] = ["tool", *schema.get("required", ())]


class _Action(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_with_its_name)


class Keep(_Action):
    tool: Literal["keep"] = "keep"
    items: _Names = Field(description="tables as schema.table, columns as schema.table.column")
    reason: str = Field("", max_length=1000)


class Discard(_Action):
    tool: Literal["discard"] = "discard"
    items: _Names = Field(description="tables as schema.table, columns as schema.table.column")
    reason: str = Field(
        max_length=1000, description="what the item is, and why no answer can need it"
    )


class ListTables(_Action):
    tool: Literal["list_tables"] = "list_tables"
    like: str = Field("", max_length=200)


class ListColumns(_Action):
    tool: Literal["list_columns"] = "list_columns"
    table: _Name
    like: str = Field("", max_length=200)


class GetFieldStats(_Action):
    tool: Literal["get_field_stats"] = "get_field_stats"
    columns: Annotated[list[_Name], Field(min_length=1, max_length=8)]


class ProbeSql(_Action):
    tool: Literal["probe_sql"] = "probe_sql"
    sql: str = Field(min_length=1, max_length=20_000)
    # Items that it is evidence for; by default all that it names.
    about: list[_Name] | None = Field(default=None, max_length=20)


class Explore(_Action):
    tool: Literal["explore"] = "explore"
    sql: str = Field(min_length=1, max_length=20_000)


class Retrieve(_Action):
    tool: Literal["retrieve"] = "retrieve"
    like: str = Field(min_length=1, max_length=500)


class Verify(_Action):
    tool: Literal["verify"] = "verify"
    sql: str = Field(min_length=1, max_length=20_000)


class Add(_Action):
    tool: Literal["add"] = "add"
    items: _Names = Field(description="columns as schema.table.column")
    reason: str = Field("", max_length=1000)


class Stop(_Action):
    tool: Literal["stop"] = "stop"


class Suggest(_Action):
    tool: Literal["suggest"] = "suggest"
    items: list[_Name] = []
    reason: str = Field("", max_length=1000)


class Malformed(_Action):
    """An invalid action, with the error."""

    tool: Literal["malformed"] = "malformed"
    text: str
    problem: str


Decision = Keep | Discard
Look = ListTables | ListColumns | GetFieldStats | ProbeSql
AgentAction = Explore | Retrieve | Verify | Add | Stop
Action = Decision | Look | AgentAction | Suggest | Malformed
_Known = Annotated[
    Keep | Discard | ListTables | ListColumns | GetFieldStats | ProbeSql,
    Field(discriminator="tool"),
]
_KnownLook = Annotated[
    ListTables | ListColumns | GetFieldStats | ProbeSql, Field(discriminator="tool")
]
_KnownDecision = Annotated[Keep | Discard, Field(discriminator="tool")]
_KnownToAgent = Annotated[Explore | Retrieve | Verify | Add | Stop, Field(discriminator="tool")]
AGENT_TOOLS = tuple(
    action.model_fields["tool"].default for action in (Explore, Retrieve, Verify, Add, Stop)
)


def _or_malformed(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 - whatever a model wrote
    if isinstance(value, dict):
        # Some models send all arguments of all tools, unused ones without a value.
        value = {name: given for name, given in value.items() if given or name == "reason"}
    try:
        return validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        return Malformed(
            text=str(value)[:300], problem=f"{where}: {first['msg']}" if where else first["msg"]
        )


def _in_one(*actions: type[_Action]) -> WithJsonSchema:
    """
    One schema for several actions: the prompt lists the arguments of each, and validation checks
    them.
    """
    schemas = [action.model_json_schema() for action in actions]
    arguments = dict[str, Any]()
    for schema in schemas:
        arguments |= schema["properties"]
    arguments.pop("about", None)
    tools = {
        "type": "string",
        "enum": [schema["properties"]["tool"]["const"] for schema in schemas],
    }
    return WithJsonSchema(
        {"type": "object", "properties": {**arguments, "tool": tools}, "required": ["tool"]}
    )


_LOOKS = _in_one(ListTables, ListColumns, GetFieldStats, ProbeSql)
_DECISIONS = _in_one(Keep, Discard)
AnyLook = Annotated[_KnownLook, WrapValidator(_or_malformed), _LOOKS]
AnyDecision = Annotated[_KnownDecision, WrapValidator(_or_malformed), _DECISIONS]
AnyAction = Annotated[_Known, WrapValidator(_or_malformed)]
AnyAgentAction = Annotated[_KnownToAgent, WrapValidator(_or_malformed)]


class Reply(BaseModel):
    """A reply; its JSON schema omits what the prompt says."""

    model_config = ConfigDict(json_schema_extra=bare)


class TablesReply(Reply):
    tables: list[Text]


class ColumnsOfTable(Reply):
    table: Text
    columns: list[Text]


class ColumnsReply(Reply):
    tables: list[ColumnsOfTable]


class HypothesisReply(Reply):
    """A hypothesis with all columns that it reads."""

    summary: Text = ""
    tables: list[ColumnsOfTable] = []


class PanoramaReply(Reply):
    """
    The reply to a schema overview, with one shape in all turns so that providers can cache the
    prefix.
    """

    hypotheses: list[HypothesisReply] = []
    maybe: list[ColumnsOfTable] = []
    look: list[AnyLook] = []
    decide: list[AnyDecision] = []
    missing: Text = ""


def whole_name(table: str, column: str) -> str:
    """Column name with table; some models repeat the table."""
    return column if column.startswith(f"{table}.") else f"{table}.{column}"
