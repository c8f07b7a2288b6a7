"""The wire formats of the providers, as their documentation gives them."""

from tests.contract.wires.anthropic import Anthropic
from tests.contract.wires.base import Wire
from tests.contract.wires.google import Google
from tests.contract.wires.openai import Ollama, OpenAI

__all__ = ["WIRES", "OpenAI", "Wire"]

WIRES: tuple[Wire, ...] = (OpenAI(), Anthropic(), Google(), Ollama())
