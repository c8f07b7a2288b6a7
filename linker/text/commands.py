"""Commands of ours in a message: enter the message and the flags that were given, leaves it ready to be pasted."""

import re
import shlex
from collections.abc import Mapping

# The flags that a command takes of those that say which connection, store and encoder are meant.
_CONNECTION = ("target", "profile", "profiles_dir", "artifacts_schema", "embedder", "model", "state_dir", "config")
TAKEN = dict.fromkeys(("ask", "diff", "doctor", "index", "learn", "profile", "refresh", "runs"), _CONNECTION) | {
    "demo": ("state_dir",),
    **dict.fromkeys(("trace list", "trace show"), ("state_dir", "config")),
}
_COMMAND = re.compile(rf"\blinker ({'|'.join(TAKEN)})\b")


def with_flags(message: str, given: Mapping[str, object]) -> str:
    """The message with the given flags behind each command that takes them, quoted for a shell."""

    def written(command: re.Match[str]) -> str:
        flags = [(name, given[name]) for name in TAKEN[command[1]] if given.get(name) is not None]
        return command[0] + "".join(f" --{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in flags)

    return _COMMAND.sub(written, message)


def for_others(message: str, given: Mapping[str, object]) -> str:
    """The message for those whom a server answers: they have no shell, so a command is for the person who runs it."""
    remark = " (tell the person who runs this server)" if _COMMAND.search(message) else ""
    return with_flags(message, given) + remark
