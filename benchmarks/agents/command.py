"""
An agent as a command, for `linker eval agent`: a language model with the tools of an MCP
configuration.

    linker eval agent --root questions.yml --command 'python -m benchmarks.agents.command
        {prompt_file} {mcp_config} --model openai:any --base-url http://127.0.0.1:8766/v1'
"""

import argparse
import asyncio
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic import BaseModel, Field

from benchmarks.agents.conversation import ToolUse
from benchmarks.agents.interfaces import descriptions, text_of_call
from linker.budget import CallLimit
from linker.models import LanguageModel, MessagePair, Prompt, open_model

_MAX_TURNS = 12
_PATIENCE_SECONDS = 7_200.0
_PATIENCE = CallLimit(seconds=_PATIENCE_SECONDS)
_INSTRUCTIONS = """\
You answer questions with SQL. In each reply either call tools or give the statement in the \
field `sql`, alone and without a code block, whatever form the task asks for. You have no other \
knowledge of this \
database than what the tools give."""
_LAST_TURN = "\n\nThis is the last turn: give the statement now."


class Turn(BaseModel):
    """A reply of the model: tools to call, or the statement."""

    calls: list[ToolUse] = Field(
        default_factory=list,
        description=(
            "Tools to call now, several at once where none waits for another; empty with the "
            "answer."
        ),
    )
    sql: str = Field(default="", description="The answer: one statement.")


async def answer(task: str, config: Path, model: LanguageModel) -> tuple[str, int]:
    """The statement for a task, and the tokens of all prompts and replies."""
    [server] = json.loads(config.read_text("utf-8"))["mcpServers"].values()
    exchanges, tokens, content, sql = list[MessagePair](), 0, task, ""
    async with Client(stdio_client(StdioServerParameters(**server))) as client:
        tools = (await client.list_tools()).tools
        instructions = "\n\n".join((_INSTRUCTIONS, client.instructions or "", *descriptions(tools)))
        for turn in range(1, _MAX_TURNS + 1):
            content += _LAST_TURN if turn == _MAX_TURNS else ""
            prompt = Prompt(instructions, content, earlier=tuple(exchanges))
            completion = await asyncio.to_thread(model.complete, prompt, Turn, _PATIENCE)
            tokens += completion.usage.tokens
            reply = completion.answer
            exchanges.append(MessagePair(content, reply.model_dump_json(exclude_defaults=True)))
            if not reply.calls:
                sql = reply.sql
                break
            results: list[str] = []
            for number, use in enumerate(reply.calls, 1):
                result = await text_of_call(client, use.tool, use.arguments)
                results.append(f"{number}. {use.tool}:\n{result}")
            content = "\n\n".join(results)
    return sql, tokens


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("prompt", type=Path)
    parser.add_argument("config", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url")
    given = parser.parse_args()
    with closing(open_model(given.model, given.base_url, _PATIENCE_SECONDS)) as model:
        sql, tokens = asyncio.run(answer(given.prompt.read_text("utf-8"), given.config, model))
    output: dict[str, Any] = {"result": f"```sql\n{sql}\n```", "usage": {"total_tokens": tokens}}
    sys.stdout.write(json.dumps(output))


if __name__ == "__main__":
    main()
