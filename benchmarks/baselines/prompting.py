"""Prompts of the baselines: enter the name of a template of the folder beside this module and what it shows."""

from functools import partial

from linker.prompts.render import render_prompt as rendered

render_prompt = partial(rendered, package="benchmarks.baselines.prompts")
