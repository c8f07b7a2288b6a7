"""Typed replies with a leading free text: reasoning, remarks or column notes."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated

from pydantic import Field

from benchmarks.baselines.composing import names_of, picked, showing
from linker.linking.actions import ColumnsReply, Reply
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import ModelQuestions
from linker.linking.prompt_sections import View
from linker.models import Prompt


class TextReply(Reply):
    """A text."""

    text: Annotated[str, Field(max_length=10_000)] = ""


class LinksReply(ColumnsReply, TextReply):
    """A text, and then the columns that follow from it."""


def links_of(
    choosing: Choosing, step: str, view: View, render: Callable[..., Prompt]
) -> tuple[str, Chosen]:
    """A text of the model, and the columns of a view that follow from it."""
    texts = list[str]()

    def names(unknown: str) -> Iterator[str]:
        prompt = partial(render, unknown=unknown) if unknown else render
        reply = choosing.model.ask(step, prompt(**showing(choosing, view)), LinksReply)
        if reply:
            texts.append(reply.text.strip())
        return names_of(reply) if reply else iter(())

    chosen = picked(choosing, view, names)
    return (texts[0] if texts else ""), chosen


def text_of(model: ModelQuestions, step: str, prompt: Prompt) -> str:
    """The text that a model answers; nothing where it gives none."""
    reply = model.ask(step, prompt, TextReply)
    return reply.text.strip() if reply else ""
