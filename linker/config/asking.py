"""
Reads how language models are asked: enters what stands in a setting, leaves effort and models of
steps.
"""

from collections.abc import Mapping

from linker.config.values import WrongError, text

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
# The steps whose model may be another one.
STEPS = ("hypotheses", "evidence", "decision", "sql")


def effort(value: object) -> str:
    """
    The effort with which a model reasons; what a model does not know of them is the nearest that it
    knows.
    """
    if value not in EFFORTS:
        raise WrongError(f"it should be one of {', '.join(EFFORTS)}")
    return str(value)


def models_by_step(value: object) -> tuple[tuple[str, str], ...]:
    """
    Models by step: a mapping, or `step=provider:name` with commas between, as in the environment.
    """
    if isinstance(value, tuple):
        value = dict(value)
    if isinstance(value, str):
        value = dict(part.partition("=")[::2] for part in value.split(","))
    if not isinstance(value, Mapping) or not value:
        raise WrongError("it should hold one `step: provider:name` a line")
    found = {str(step).strip(): text(model).strip() for step, model in value.items()}
    if unknown := next((step for step in found if step not in STEPS), None):
        raise WrongError(f"there is no step `{unknown}`; the steps are {', '.join(STEPS)}")
    return tuple(found.items())
