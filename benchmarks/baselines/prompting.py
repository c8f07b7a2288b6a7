"""Renders the prompt templates of the baselines."""

from collections.abc import Callable
from functools import partial

from linker.models import Prompt
from linker.prompts import render_prompt as rendered

render_prompt = partial(rendered, package="benchmarks.baselines.prompts")


def telling(name: str, **values: str | int) -> Callable[..., Prompt]:
    """Adds earlier findings to a prompt."""
    return partial(
        render_prompt, name, **{key: value for key, value in values.items() if value != ""}
    )
