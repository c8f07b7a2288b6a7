"""Generates the tables of MCP tools in docs/agents.md."""

import inspect
import re
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

from linker.config.settings import load_settings
from linker.environment import Environment
from linker.serve.mcp import Tools
from linker.serve.session import ServerSession

_MARKED = re.compile(r"(<!-- tools: .*? -->\n).*?(<!-- end of tools -->)", re.DOTALL)
_OF_ALL = "max_chars"


def agents_page(page: Path) -> str:
    """The page with its list of tools."""
    rows = ["| tool | what it does | arguments |", "|---|---|---|"]
    rows += [_row(tool) for tool in Tools(ServerSession(Environment(load_settings({})))).all]
    return _MARKED.sub(
        lambda marks: marks[1] + "\n".join(["", *rows, "", ""]) + marks[2], page.read_text("utf-8")
    )


def _row(tool: object) -> str:
    hints = get_type_hints(tool, include_extras=True)
    # What is no argument of the caller has no words.
    told = []
    for name, hint in hints.items():
        words = _words(hint)
        if name != _OF_ALL and words:
            told.append(f"`{name}`: {words}")
    words = inspect.getdoc(tool) or ""
    # In a table a bar ends a cell, in code too.
    cells = [text.replace("|", "\\|") for text in (" ".join(words.split()), " ".join(told))]
    return f"| `{getattr(tool, '__name__', '')}` | {' | '.join(cells)} |"


def _words(hint: object) -> str:
    if get_origin(hint) is not Annotated:
        return ""
    return next(
        (field.description for field in get_args(hint)[1:] if getattr(field, "description", None)),
        "",
    )
