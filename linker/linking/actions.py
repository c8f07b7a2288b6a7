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


# The prompt says in words what the tools are; what a schema repeats of that is paid for with every
# turn.
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
    """Leaves of a schema what tells the shape of an answer; checked is all the same everything."""
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
    """Take undecided items, or items that were left out, into the answer."""

    tool: Literal["keep"] = "keep"
    items: _Names = Field(description="tables as schema.table, columns as schema.table.column")
    reason: str = Field("", max_length=1000)


class Discard(_Action):
    """Take undecided items out of the answer, for a reason that lies in what they mean."""

    tool: Literal["discard"] = "discard"
    items: _Names = Field(description="tables as schema.table, columns as schema.table.column")
    reason: str = Field(
        max_length=1000, description="what the item is, and why no answer can need it"
    )


class ListTables(_Action):
    """Tables of the whole catalogue whose names, columns or descriptions are near some words."""

    tool: Literal["list_tables"] = "list_tables"
    like: str = Field("", max_length=200)


class ListColumns(_Action):
    """The columns of one table."""

    tool: Literal["list_columns"] = "list_columns"
    table: _Name
    like: str = Field("", max_length=200)


class GetFieldStats(_Action):
    """Distribution of the values of columns."""

    tool: Literal["get_field_stats"] = "get_field_stats"
    columns: Annotated[list[_Name], Field(min_length=1, max_length=8)]


class ProbeSql(_Action):
    """Run one small `select` over known tables."""

    tool: Literal["probe_sql"] = "probe_sql"
    sql: str = Field(min_length=1, max_length=20_000)
    # Items that it is evidence for; else all that it names.
    about: list[_Name] | None = Field(default=None, max_length=20)


class Explore(_Action):
    """Look at rows or at the information schema by one `select`, not yet to answer the question."""

    tool: Literal["explore"] = "explore"
    sql: str = Field(min_length=1, max_length=20_000)


class Retrieve(_Action):
    """Search for columns by what they may be called or mean."""

    tool: Literal["retrieve"] = "retrieve"
    like: str = Field(min_length=1, max_length=500)


class Verify(_Action):
    """Try the whole query: whether what is linked suffices to answer."""

    tool: Literal["verify"] = "verify"
    sql: str = Field(min_length=1, max_length=20_000)


class Add(_Action):
    """Take columns into the linked schema."""

    tool: Literal["add"] = "add"
    items: _Names = Field(description="columns as schema.table.column")
    reason: str = Field("", max_length=1000)


class Stop(_Action):
    """Nothing is missing any more."""

    tool: Literal["stop"] = "stop"


class Suggest(_Action):
    """Bring in what may be needed besides, as undecided; the program does it for a model."""

    tool: Literal["suggest"] = "suggest"
    items: list[_Name] = []
    reason: str = Field("", max_length=1000)


class Malformed(_Action):
    """A text that was meant as an action and is none, and the problem with it."""

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


def _or_malformed(value: Any, known: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 - whatever a model wrote
    if isinstance(value, dict):
        # Some models name every argument of every tool, those that it does not take without a
        # value.
        value = {name: given for name, given in value.items() if given or name == "reason"}
    try:
        return known(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        return Malformed(
            text=str(value)[:300], problem=f"{where}: {first['msg']}" if where else first["msg"]
        )


def _in_one(*actions: type[_Action]) -> WithJsonSchema:
    """
    One schema for several actions: which arguments each takes is said by the prompt, and checked
    all the same.
    """
    schemas = [action.model_json_schema() for action in actions]
    arguments = {
        name: shape
        for schema in schemas
        for name, shape in schema["properties"].items()
        if name != "about"
    }
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
    """A reply; what its schema repeats of the prompt is left out of it."""

    model_config = ConfigDict(json_schema_extra=bare)


class TablesReply(Reply):
    """Chosen tables."""

    tables: list[Text]


class ColumnsOfTable(Reply):
    """Chosen columns of one table."""

    table: Text
    columns: list[Text]


class ColumnsReply(Reply):
    """Chosen columns."""

    tables: list[ColumnsOfTable]


class HypothesisReply(Reply):
    """One way to answer, with all columns that it reads."""

    summary: Text = ""
    tables: list[ColumnsOfTable] = []


class PanoramaReply(Reply):
    """
    What a model says of a panorama: in every turn the same shape, so that providers can cache what
    came before.
    """

    hypotheses: list[HypothesisReply] = []
    maybe: list[ColumnsOfTable] = []
    look: list[AnyLook] = []
    decide: list[AnyDecision] = []
    missing: Text = ""


def whole_name(table: str, column: str) -> str:
    """The column with its table, which some models write twice."""
    return column if column.startswith(f"{table}.") else f"{table}.{column}"
