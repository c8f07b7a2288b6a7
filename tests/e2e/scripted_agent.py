"""
A small agent by rule, as a command: counts the rows of a table that its tools lead to, and prints
the SQL as a coding agent does, as JSON with its usage.

It takes a file with the prompt and an MCP configuration, and speaks with the first server there.
"""

import asyncio
import json
import sys
from pathlib import Path

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

FIRST_TABLE = "select table_schema || '.' || table_name from information_schema.tables order by 1"


async def found_table(question: str, config: Path) -> str:
    """The table that the question is about, where a search is offered, else the first of all."""
    [server] = json.loads(config.read_text("utf-8"))["mcpServers"].values()
    parameters = StdioServerParameters(
        command=server["command"], args=server["args"], env=server["env"], cwd=server["cwd"]
    )
    async with Client(stdio_client(parameters)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        if "search_schema" in tools:
            result = await client.call_tool("search_schema", {"questions": [question]})
        else:
            assert tools == ["run_query"], tools
            result = await client.call_tool("run_query", {"statements": [FIRST_TABLE]})
        text = str((result.structured_content or {})["text"])
    return next(word for word in text.split() if word.count(".") == 1 and word[0].isalpha())


def main() -> None:
    """Answer one question, or fail as the question says."""
    prompt, config = Path(sys.argv[1]).read_text("utf-8"), Path(sys.argv[2])
    question = prompt.splitlines()[2]
    if "crash" in question:
        sys.stdout.write("half an answer")
        sys.exit("it crashed")
    table = "lost.table" if "lost" in question else asyncio.run(found_table(question, config))
    text = f"The table is {table}.\n```sql\nselect count(*) from {table};\n```"
    sys.stdout.write(
        json.dumps({"result": text, "usage": {"input_tokens": 70, "output_tokens": 30}})
    )


if __name__ == "__main__":
    main()
