"""
Rewrites `linker` commands and pages of the documentation in messages, so that they can be pasted
and opened: current flags and the site are added.
"""

import re
import shlex
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType

# Connection flags by command.
_CONNECTION = (
    "target",
    "profile",
    "profiles_dir",
    "artifacts_schema",
    "embedder",
    "model",
    "state_dir",
    "config",
)
TAKEN = dict.fromkeys(
    ("ask", "diff", "doctor", "index", "learn", "profile", "refresh", "runs"), _CONNECTION
) | {
    "demo": ("state_dir",),
    **dict.fromkeys(("trace list", "trace show"), ("state_dir", "config")),
}
# Flags of the running command.
CONNECTION_FLAGS: ContextVar[Mapping[str, object]] = ContextVar(
    "connection_flags", default=MappingProxyType({})
)
_NAMES = "|".join(TAKEN)
# Quotations in messages are no commands.
_COMMAND = re.compile(rf"“[^”]*”|\blinker ({_NAMES})\b")
# Invisible mark after commands on a page; warehouse text is stripped of it.
_MARK = "\u2060"
_MARKED = re.compile(rf"({_NAMES})?{_MARK}")
# For Python: quotations, commands with a method, other commands, flags.
_IN_PYTHON = re.compile(
    r"“[^”]*”|(?P<quote>`?)\blinker (?P<method>index|refresh|status|runs|diff)\b"
    r"(?P<given>(?: --[a-z-]+(?: [A-Z]+)?| RUN\d?| \d+)*)(?P=quote)"
    r"|\b(?:linker (?:ask|sql|show|search|doctor|demo|learn|profile|trace|eval|tune|export|serve|mcp)"  # noqa: E501
    r"|pip install|dbt (?:run|build|debug|deps|parse))\b(?: [^\s;,`]+)*"
    r"|`?--(?P<flag>[a-z][a-z-]+)(?: (?P<value>[A-Z][A-Z0-9:_]*))?`?"
)
_GIVEN = re.compile(r"--([a-z-]+)(?: ([A-Z]+))?|(\w+)")
# A page of the documentation, which an installation does not have.
_PAGE = re.compile(r"(?<![\w/.])docs/([\w/-]+\.md)")
_RAISED = re.compile(r"raise it with --([a-z-]+)")


def with_flags(message: str, given: Mapping[str, object]) -> str:
    """Append flags, quoted for a shell, to each command that accepts them."""
    return _COMMAND.sub(lambda found: found[0] + _flags(found[1], given), message)


def pasted(message: str) -> str:
    """The message with the running command's connection flags."""
    return with_links(with_flags(message, CONNECTION_FLAGS.get()))


def with_links(message: str) -> str:
    """The message with the addresses of documentation pages."""
    return _PAGE.sub(lambda found: f"{_documentation()}{found[1]}", message)


@cache
def _documentation() -> str:
    """Where the installed version's pages are."""
    from importlib.metadata import metadata

    urls = map(str, metadata("dbt-linker").get_all("Project-URL") or ())
    pages = [url for url in urls if url.startswith("Documentation, ")]
    return pages[0].removeprefix("Documentation, ").removesuffix("README.md")


def command(name: str) -> str:
    """A command for a page, laid out without flags, which may be long."""
    return f"linker {name}{_MARK}"


def completed(page: str) -> str:
    """The page with the running command's flags."""
    return _MARKED.sub(
        lambda found: (found[1] or "") + _flags(found[1], CONNECTION_FLAGS.get()), page
    )


def for_others(message: str, given: Mapping[str, object]) -> str:
    """The message for clients of a server, who have no shell."""
    is_task = any(match[1] for match in _COMMAND.finditer(message)) or _RAISED.search(message)
    message = _RAISED.sub(lambda flag: f"raise `{flag[1].replace('-', '_')}`", message)
    return with_links(with_flags(message, given)) + (
        " (tell the person who runs this server)" if is_task else ""
    )


def for_python(message: str) -> str:
    """The message for Python callers, with methods and settings."""
    return with_links(_IN_PYTHON.sub(_in_python, message))


def _in_python(match: re.Match[str]) -> str:
    if flag := match["flag"]:
        name, value = flag.replace("-", "_"), match["value"]
        return f'`{name}="{value}"`' if value else f"`{name}`"
    if not match["method"]:
        return match[0]
    opened, given = [], []
    for flag, value, number in _GIVEN.findall(match["given"]):
        name = flag.replace("-", "_")
        if name in _CONNECTION:
            opened.append(f"{name}={value or True}")
        else:
            given.append(number or f"{name}={value or True}")
    linker = f"Linker.open({', '.join(opened)})" if opened else "linker"
    return f"`{linker}.{match['method']}({', '.join(given)})`"


def _flags(name: str | None, given: Mapping[str, object]) -> str:
    flags = [
        (flag, given[flag]) for flag in TAKEN.get(name or "", ()) if given.get(flag) is not None
    ]
    return "".join(
        f" --{flag.replace('_', '-')} {shlex.quote(str(value))}" for flag, value in flags
    )
