"""
Interfaces under test: the tools of `linker mcp`, and a plain SQL tool over the same warehouse.
"""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import duckdb
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import Prompt as ServerPrompt
from mcp_types import TextContent, Tool

_LONGEST_RESULT = 6_000
_LONGEST_CELL = 200
_ANSWER = (
    "In each reply either call tools or give your answer, the columns. You have no other "
    "knowledge of this warehouse than what the tools give."
)
_SQL_INSTRUCTIONS = f"""\
You find the columns of a data warehouse that a question needs. {_ANSWER}

The warehouse is DuckDB, and there is one tool:

query(statement): runs one statement that reads. Answers of more than {_LONGEST_RESULT} \
characters are cut, and it is \
said how many rows are missing. `information_schema.tables`, `information_schema.columns`, \
`duckdb_tables()`, \
`duckdb_columns()` (with comments) and `duckdb_constraints()` describe the schema.
arguments: {{"statement": {{"type": "string"}}}}
"""
_SQL_TASK = """\
Find the tables and columns that this question needs: {question}

Look at the schema, settle doubts by queries, then answer with every column that the query reads \
(shown, filtered, \
joined, grouped, ordered, counted).
"""


class McpInterface:
    """The tools, instructions and prompt of `linker mcp`, as its own texts describe them."""

    def __init__(self, client: Client, tools: list[Tool], prompt: ServerPrompt) -> None:
        self._client, self._prompt = client, prompt
        self.instructions = "\n\n".join((_ANSWER, client.instructions or "", *descriptions(tools)))

    async def task(self, question: str) -> str:
        """The server's prompt for a question."""
        prompt = await self._client.get_prompt(self._prompt.name, {"question": question})
        return "\n".join(_text(message.content) for message in prompt.messages)

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """The text of a tool."""
        return await text_of_call(self._client, tool, arguments)


@asynccontextmanager
async def mcp_interface(command: str, state_dir: Path | None) -> AsyncIterator[McpInterface]:
    """
    A server over stdio, on the target `demo` of a state folder or on the project of the working
    directory.
    """
    demo = ["--target", "demo", "--state-dir", str(state_dir.resolve())] if state_dir else []
    parameters = StdioServerParameters(command=command, args=["mcp", *demo])
    async with Client(stdio_client(parameters)) as client:
        tools, prompts = (await client.list_tools()).tools, (await client.list_prompts()).prompts
        yield McpInterface(client, tools, prompts[0])


class SqlInterface:
    """A read-only SQL tool without linker's metadata."""

    instructions = _SQL_INSTRUCTIONS

    def __init__(self, warehouse: Path) -> None:
        self._connection = duckdb.connect(
            str(warehouse), read_only=True, config={"enable_external_access": "false"}
        )

    async def task(self, question: str) -> str:
        """The server's task without its tools."""
        return _SQL_TASK.format(question=question)

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """The rows of a statement."""
        if tool != "query" or not isinstance(arguments.get("statement"), str):
            return (
                f"there is no such tool: {tool}({', '.join(arguments)}); there is query(statement)"
            )
        try:
            cursor = self._connection.cursor().execute(arguments["statement"])
            rows = [tuple(name for name, *_ in cursor.description or ()), *cursor.fetchall()]
        except duckdb.Error as error:
            return str(error)
        lines, left = list[str](), _LONGEST_RESULT
        for row in rows:
            line = " | ".join(str(cell)[:_LONGEST_CELL] for cell in row)
            left -= len(line) + 1
            if left < 0:
                return "\n".join((*lines, f"… {len(rows) - len(lines)} more rows"))
            lines.append(line)
        return "\n".join(lines)

    def close(self) -> None:
        self._connection.close()


def descriptions(tools: list[Tool]) -> Iterator[str]:
    """The description and arguments of each tool."""
    for tool in tools:
        arguments = json.dumps(_arguments(tool), ensure_ascii=False)
        yield f"## {tool.name}\n{tool.description}\narguments: {arguments}"


async def text_of_call(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Result of a call, or its error."""
    result = await client.call_tool(tool, arguments)
    return "\n".join(_text(content) for content in result.content)


def _arguments(tool: Tool) -> dict[str, Any]:
    """The arguments without what a client generates for its own forms."""
    properties = cast("dict[str, dict[str, Any]]", tool.input_schema.get("properties", {}))
    arguments: dict[str, dict[str, Any]] = {}
    for name, schema in properties.items():
        arguments[name] = {word: value for word, value in schema.items() if word != "title"}
    return arguments


def _text(content: object) -> str:
    return content.text if isinstance(content, TextContent) else str(content)
