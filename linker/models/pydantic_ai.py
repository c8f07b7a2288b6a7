"""
Language models through pydantic-ai: OpenAI and all that speak like it, and the providers that pydantic-ai knows.

API keys come from the provider's own variable (`OPENAI_API_KEY` …); this module never reads or shows one.
"""

from http import HTTPStatus
from typing import TYPE_CHECKING

from linker.errors import ModelError
from linker.models.base import AnswerT, Completion, Prompt, Usage

if TYPE_CHECKING:
    from pydantic_ai.exceptions import AgentRunError
    from pydantic_ai.models import Model

_TIMEOUT_SECONDS = 60.0


class PydanticAIModel:
    """One model of one provider."""

    def __init__(self, name: str, model: "Model") -> None:
        self.name = name
        self._model = model

    @classmethod
    def open(cls, name: str, base_url: str | None = None) -> "PydanticAIModel":
        """Find the provider; nothing is sent yet."""
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model

        try:
            return cls(name, _openai_compatible(name, base_url) if base_url else infer_model(name))
        except (UserError, ValueError) as error:
            raise ModelError(
                f"cannot use model `{name}`: {_first_line(error)}",
                hint="set `model` to provider:name and the provider's key",
            ) from None
        except ImportError as error:
            raise ModelError(
                f"model `{name}` needs a package: {_first_line(error)}", hint="pip install what it names"
            ) from None

    def complete(self, prompt: Prompt, answer: type[AnswerT]) -> Completion[AnswerT]:
        """One answer, validated against its pydantic model."""
        from pydantic_ai import Agent
        from pydantic_ai.exceptions import AgentRunError

        agent = Agent(
            self._model,
            output_type=answer,
            instructions=prompt.instructions,
            model_settings={"timeout": _TIMEOUT_SECONDS, "temperature": 0.0},
        )
        try:
            run = agent.run_sync(prompt.content)
        except AgentRunError as error:
            raise ModelError(
                f"model `{self.name}` gave no usable answer: {_reason(error)}", hint="linker doctor"
            ) from error
        used = run.usage
        return Completion(
            answer=run.output,
            usage=Usage(used.input_tokens, used.cache_read_tokens, used.output_tokens),
        )


def _openai_compatible(name: str, base_url: str) -> "Model":
    import os

    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    # Local servers need no key, but the client insists on one.
    key = os.environ.get("OPENAI_API_KEY", "none")
    return OpenAIChatModel(name.partition(":")[2] or name, provider=OpenAIProvider(base_url=base_url, api_key=key))


def _reason(error: "AgentRunError") -> str:
    """What went wrong. A server that refuses a key may quote it, so what it says then is left out."""
    from pydantic_ai.exceptions import ModelHTTPError

    if isinstance(error, ModelHTTPError) and error.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return f"the server refused the key (HTTP {error.status_code})"
    return _first_line(error)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
