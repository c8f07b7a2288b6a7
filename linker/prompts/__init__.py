"""
Prompt templates, rendered with the stable part first for prompt caching.

Text from warehouses and people is fenced as data; a template that prints text outside a fence
fails.
"""

from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined

from linker.models import Prompt
from linker.text.escaping import escape_prompt
from linker.types import Record

_OURS = "linker.prompts"
_SUFFIX = ".md.j2"
# Separates the stable, cacheable part of a template.
_CHANGES = "\n<!-- from here on it changes -->\n"


class Fenced(Record, frozen=True):
    """Text between fence marks, without fence marks inside."""

    name: str
    text: str

    def __str__(self) -> str:
        return f'<data name="{self.name}">\n{escape_prompt(self.text)}\n</data>'


def render_prompt(name: str, /, *, package: str = _OURS, **shown: str | int) -> Prompt:
    """
    Render a template; all its texts are fenced under their variable names.

    `package` is the import path of another package's templates.
    """
    fenced = {
        key: Fenced(key, value) if isinstance(value, str) else value for key, value in shown.items()
    }
    stable, changing = _templates(package, name)
    return Prompt(instructions=stable.render().strip(), content=changing.render(fenced).strip())


@cache
def _source(package: str, file: str) -> str:
    folder = resources.files(package)
    if not folder.joinpath(file).is_file():
        names = sorted(path.name for path in folder.iterdir() if path.name.endswith(_SUFFIX))
        raise LookupError(
            f"the package {package} has no prompt {file}; it has {', '.join(names) or 'none'}"
        )
    return folder.joinpath(file).read_text("utf-8")


@cache
def _templates(package: str, name: str) -> tuple[Any, Any]:
    jinja = Environment(  # noqa: S701 - no HTML is written: texts are fenced, and `finalize` sees that they are
        undefined=StrictUndefined, finalize=_fenced_only, trim_blocks=True, lstrip_blocks=True
    )
    stable, changing = _source(package, f"{name}{_SUFFIX}").split(_CHANGES)
    return jinja.from_string(stable), jinja.from_string(changing)


def _fenced_only(value: object) -> object:
    if isinstance(value, Fenced | int):
        return value
    raise TypeError(f"a prompt shows a text that is not fenced: {value!r:.60}")
