"""Runs one agent conversation and records the columns that it named and its cost."""

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from pydantic import BaseModel, Field

from linker.budget import CallLimit
from linker.errors import ModelError
from linker.models import LanguageModel, MessagePair, Prompt

_MAX_TURNS = 10
_PATIENCE = CallLimit(seconds=7_200.0)
_LAST_TURN = "\n\nThis is the last turn: give the columns now."


class ToolUse(BaseModel):
    """A tool to call."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Turn(BaseModel):
    """A reply of the model: tools to call, or its answer."""

    calls: list[ToolUse] = Field(
        default_factory=list,
        description=(
            "Tools to call now, several at once where none waits for another; empty with the "
            "answer."
        ),
    )
    columns: list[str] = Field(
        default_factory=list,
        description="The answer, where nothing is left to call: every column that the query reads, "
        "as schema.table.column, and no other.",
    )
    note: str = Field(default="", description="With the answer: what was assumed, in a sentence.")


class AgentInterface(Protocol):
    """An agent's interface to a warehouse: tools and instructions."""

    @property
    def instructions(self) -> str:
        """Everything an agent reads before a question."""

    async def task(self, question: str) -> str:
        """The prompt for a question."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Result of a tool call, or its error as text."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with its cost: replies, tool calls, and characters that tools returned."""

    question_id: str
    columns: tuple[str, ...]
    turns: int
    calls: int
    characters: int
    seconds: float
    note: str = ""
    error: str = ""


async def converse(
    question_id: str, question: str, interface: AgentInterface, model: LanguageModel
) -> Answered:
    """Let the model call tools until it answers, or record an error."""
    began = perf_counter()
    exchanges = list[MessagePair]()
    calls = characters = 0
    content, reply, error = await interface.task(question), Turn(), ""
    for turn in range(1, _MAX_TURNS + 1):
        content += _LAST_TURN if turn == _MAX_TURNS else ""
        prompt = Prompt(interface.instructions, content, earlier=tuple(exchanges))
        try:
            reply = (await asyncio.to_thread(model.complete, prompt, Turn, _PATIENCE)).answer
        except ModelError as failure:
            error = failure.what
            break
        exchanges.append(MessagePair(content, reply.model_dump_json(exclude_defaults=True)))
        if not reply.calls:
            break
        results = [await interface.call(use.tool, use.arguments) for use in reply.calls]
        calls, characters = calls + len(results), characters + sum(map(len, results))
        content = "\n\n".join(
            f"{number}. {use.tool}:\n{text}"
            for number, (use, text) in enumerate(zip(reply.calls, results, strict=True), 1)
        )
    return Answered(
        question_id,
        tuple(reply.columns),
        len(exchanges),
        calls,
        characters,
        perf_counter() - began,
        reply.note,
        error,
    )
