"""Helpers of provider tests: a model at a scripted server, and its request."""

import json
import traceback
from typing import Any

import pytest
from pydantic import BaseModel, Field

from linker.budget import CallLimit
from linker.errors import ModelError
from linker.models import Completion, Prompt
from linker.models.pydantic_ai.model import PydanticAIModel
from tests.contract.model_server import ModelServer, Reply
from tests.contract.model_wires import Wire

KEY = "sk-hidden-word-0123456789"
# The provider's own, which no server but the provider's may see.
OWN_KEY = "sk-own-word-9876543210"
PROMPT = Prompt(instructions="Choose the tables.", content="How many orders were returned?")
GOOD = {"tables": ["shop.orders"], "confidence": 0.75}
TEXT = json.dumps(GOOD)


class Choice(BaseModel):
    """The requested answer."""

    tables: list[str]
    confidence: float = Field(ge=0, le=1)


class Asking:
    """A model at a scripted server, with pauses that are noted instead of slept."""

    def __init__(self, wire: Wire, server: ModelServer, name: str = "", **options: Any) -> None:
        self.pauses: list[float] = []
        self.server = server
        given: dict[str, Any] = {"sleep": self._sleep, "request_seconds": 20.0} | options
        self.model = PydanticAIModel(name or wire.name, server.url + wire.base_path, **given)

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def answer(self, *replies: Reply, allowance: CallLimit | None = None) -> Completion[Choice]:
        self.server.replies = list(replies)
        return self.model.complete(PROMPT, Choice, allowance or CallLimit())

    def error(self, *replies: Reply, allowance: CallLimit | None = None) -> ModelError:
        with pytest.raises(ModelError) as caught:
            self.answer(*replies, allowance=allowance)
        assert self.server.replies == []
        assert self.model.name in caught.value.what
        assert caught.value.hint
        assert KEY not in "".join(traceback.format_exception(caught.value)) + caught.value.hint
        return caught.value
