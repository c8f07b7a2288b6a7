"""
Options of a model: the effort and temperature that a user wants, as settings of its requests.

Providers differ in what they take, and in its name. What a model refuses is told when it is opened,
not at the first question: https://platform.openai.com/docs/guides/reasoning,
https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, https://ai.google.dev/gemini-api/docs/thinking.
"""

from typing import TYPE_CHECKING, Any

from linker.budget import USUAL_COMPLETION_TOKENS
from linker.models.pydantic_ai.failures import not_set_up
from linker.types import Record

if TYPE_CHECKING:
    from pydantic_ai.models import Model

NO_EFFORT = "none"
# Anthropic refuses smaller budgets, and any other temperature while a model reasons.
_LEAST_BUDGET = 1_024
_MOST_TEMPERATURE_OF_ANTHROPIC = 1.0


class ModelOptions(Record, frozen=True):
    """
    The effort with which a model reasons, and the temperature of its replies; None leaves it to the
    model.
    """

    effort: str | None = None
    temperature: float | None = None

    def check(self, name: str, model: "Model", base_url: str | None) -> None:
        """ModelError says which option a model does not take."""
        profile, effort = model.profile, self.effort
        # What a server of one's own serves, only that server knows.
        is_known = not (model.system == "ollama" or (base_url and model.system == "openai"))
        if effort and is_known and not profile.get("supports_thinking"):
            raise not_set_up(f"model `{name}` takes no `model_effort`", "leave it out")
        if effort == NO_EFFORT and profile.get("thinking_always_enabled"):
            raise not_set_up(
                f"model `{name}` always reasons", "set `model_effort` to `minimal` or `low`"
            )
        if self.temperature is None:
            return
        if not self._may_have_temperature(model):
            raise not_set_up(
                f"model `{name}` takes no `model_temperature` where it reasons", "leave it out"
            )
        if model.system == "anthropic" and self.temperature > _MOST_TEMPERATURE_OF_ANTHROPIC:
            raise not_set_up(f"model `{name}` takes a `model_temperature` from 0 to 1", "lower it")

    def settings(
        self, model: "Model", usual_temperature: float, most_tokens: int | None
    ) -> dict[str, Any]:
        """
        The settings of one request in pydantic-ai's words; None is no limit of ours to its reply.
        """
        settings: dict[str, Any] = {}
        if self._may_have_temperature(model):
            settings["temperature"] = (
                usual_temperature if self.temperature is None else self.temperature
            )
        if most_tokens or model.system == "anthropic":
            # Anthropic insists on a limit.
            settings["max_tokens"] = most_tokens or USUAL_COMPLETION_TOKENS
        return settings | self._effort_settings(model, most_tokens)

    def _may_have_temperature(self, model: "Model") -> bool:
        """
        True unless the model reasons: some that do take no temperature, and some refuse the request
        for it.
        """
        profile = model.profile
        if profile.get("openai_supports_reasoning"):
            return self.effort == NO_EFFORT and bool(
                profile.get("openai_supports_reasoning_effort_none")
            )
        is_reasoning = model.system == "anthropic" and self.effort not in (None, NO_EFFORT)
        return not (is_reasoning or profile.get("anthropic_disallows_sampling_settings"))

    def _effort_settings(self, model: "Model", most_tokens: int | None) -> dict[str, Any]:
        effort, profile = self.effort, model.profile
        if not effort:
            return {}
        if not profile.get("supports_thinking"):
            # A server of one's own: pydantic-ai does not know what it serves, and would send
            # nothing.
            return {"openai_reasoning_effort": effort}
        has_budget = model.system == "anthropic" and not profile.get(
            "anthropic_supports_adaptive_thinking"
        )
        if has_budget and effort != NO_EFFORT:
            return _budget_settings(effort, most_tokens)
        return {"thinking": False if effort == NO_EFFORT else effort}


def _budget_settings(effort: str, most_tokens: int | None) -> dict[str, Any]:
    """
    The budget of reasoning, beside which there has to be room for the reply; none where too little
    is left.
    """
    from pydantic_ai.profiles.anthropic import ANTHROPIC_THINKING_BUDGET_MAP as BUDGETS

    budget = next(tokens for level, tokens in BUDGETS.items() if level == effort)
    if most_tokens is None:
        return {**_reasoning(budget), "max_tokens": budget + USUAL_COMPLETION_TOKENS}
    budget = min(budget, most_tokens // 2)
    return _reasoning(budget) if budget >= _LEAST_BUDGET else {}


def _reasoning(budget: int) -> dict[str, Any]:
    return {"anthropic_thinking": {"type": "enabled", "budget_tokens": budget}}
