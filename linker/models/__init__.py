"""
Language models behind one protocol. None is needed: without one, linking works on profiles and
retrieval.
"""

from typing import TYPE_CHECKING

from linker.models.base import AnswerT as AnswerT
from linker.models.base import Completion as Completion
from linker.models.base import Exchange as Exchange
from linker.models.base import LanguageModel as LanguageModel
from linker.models.base import ModelSession as ModelSession
from linker.models.base import Prompt as Prompt
from linker.models.base import ReplyLength as ReplyLength
from linker.models.base import listening as listening

if TYPE_CHECKING:
    from linker.models.pydantic_ai.model import PydanticAIModel


def open_model(
    name: str,
    base_url: str | None = None,
    request_seconds: float = 120.0,
    *,
    effort: str | None = None,
    temperature: float | None = None,
) -> "PydanticAIModel":
    """The model `provider:name`, through pydantic-ai; whoever opens it closes it."""
    from linker.models.pydantic_ai.model import ModelOptions, PydanticAIModel

    return PydanticAIModel(
        name, base_url, options=ModelOptions(effort, temperature), request_seconds=request_seconds
    )
