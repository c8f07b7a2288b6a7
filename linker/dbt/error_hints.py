"""
Explains dbt failures: what happened and what to do next.

Drivers report the same problems in many wordings; the common ones are recognised here. Values are
stripped from statements that read data before their errors reach this module.
"""

import re
from functools import cache
from itertools import chain
from pathlib import Path

from linker.config.installed import install_command
from linker.errors import WarehouseError
from linker.warehouses import WAREHOUSES, shipped_dialects

_HEADING = re.compile(r"compiled code at|(Runtime|Database) Error( in|$)")
# All kinds of quotation marks.
_QUOTE = "[\"`'\u00ab\u00bb\u2018-\u201f\u2039-\u203a\u300c-\u300f]"
# In order; macros/primitives/guarded.sql does the same for errors stored in the warehouse.
_VALUES = (
    (re.compile(r"\s+"), " "),
    (re.compile(f"{_QUOTE}.*{_QUOTE}"), "..."),
    (re.compile(f"{_QUOTE}.*"), "..."),
    (re.compile(r"([Vv]alue:).*"), r"\1 ..."),
    (re.compile(r"(^|[^a-zA-Z0-9_])[0-9][^ ]*"), r"\1..."),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    # Not needed for questions.
    import yaml

    of_warehouses = chain.from_iterable(dialect.failures for dialect in shipped_dialects())
    patterns = [(failure.pattern, failure.what, failure.hint) for failure in of_warehouses]
    listed = yaml.safe_load(Path(__file__).with_name("error_hints.yml").read_text("utf-8"))
    for failure in listed:
        patterns.append(("|".join(failure["messages"]), failure["what"], failure["hint"]))
    return tuple(
        (re.compile(pattern, re.IGNORECASE | re.DOTALL), what, hint)
        for pattern, what, hint in patterns
    )


def is_of_the_whole_run(reason: str) -> bool:
    """Whether the failure is not specific to a table, so the next table would fail too."""
    return any(pattern.search(reason) for pattern, _, _ in _patterns())


def explained(reason: str, log: object) -> WarehouseError:
    """An error for the user, with dbt's message as the cause."""
    for pattern, what, hint in _patterns():
        if match := pattern.search(reason):
            named = {name: text.lower() for name, text in match.groupdict().items()}
            if adapter := named.get("name"):
                named["install"] = (
                    install_command(adapter)
                    if adapter in WAREHOUSES
                    else f"pip install dbt-{adapter}"
                )
            return WarehouseError(f"{what.format(**named)}: {reason}", hint=hint.format(**named))
    return WarehouseError(f"dbt failed: {reason}", hint=f"full log: {log}")


def without_values(message: str) -> str:
    """The message without quoted values, which may be private."""
    for pattern, replacement in _VALUES:
        message = pattern.sub(replacement, message)
    return message


def single_line(message: object) -> str:
    """The warehouse's part of a dbt message, in one line."""
    # DuckDB appends the line of our statement.
    text = re.split(r"^\s*LINE \d+:", str(message), maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # dbt adds a heading and the path of the compiled file.
    words = [line for line in lines if not _HEADING.match(line)]
    return " ".join(words or lines)


def file_locked_error(path: object, holder: str) -> WarehouseError:
    """Error for a file that stayed locked."""
    return WarehouseError(
        f"{path} is open in another process: {holder}", hint="run it again when that has ended"
    )


def wait_message(path: object, holder: str) -> str:
    """What a run waits for."""
    return f"waiting for {path}, which is open in {holder}"
