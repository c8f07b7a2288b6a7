"""Language models behind one seam. None is needed: without one, linking works on profiles and retrieval."""

from linker.models.base import AnswerT, Completion, LanguageModel, Prompt, Usage

__all__ = ["AnswerT", "Completion", "LanguageModel", "Prompt", "Usage", "open_model"]


def open_model(name: str, base_url: str | None = None) -> LanguageModel:
    """The model `provider:name`, through pydantic-ai."""
    from linker.models.pydantic_ai import PydanticAIModel

    return PydanticAIModel.open(name, base_url)
