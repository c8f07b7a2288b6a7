"""
Explains a failure of dbt to the user: enters dbt's reason, leaves what happened and the one thing to do.

Drivers say the same things in many words; those that people meet while a schedule runs at night are known here.
Values are never in these words: what reads values is stripped of them before.
"""

import re
from functools import cache
from pathlib import Path

from linker.config.installed import install_command
from linker.errors import WarehouseError
from linker.warehouses import WAREHOUSES, shipped_dialects


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    # A question needs none of it.
    import yaml

    of_warehouses = [
        (failure.pattern, failure.what, failure.hint) for dialect in shipped_dialects() for failure in dialect.failures
    ]
    known = yaml.safe_load(Path(__file__).with_name("failures.yml").read_text("utf-8"))
    of_all = [("|".join(failure["messages"]), failure["what"], failure["hint"]) for failure in known]
    return tuple(
        (re.compile(pattern, re.IGNORECASE | re.DOTALL), what, hint)
        for pattern, what, hint in (*of_warehouses, *of_all)
    )


def is_of_the_whole_run(reason: str) -> bool:
    """Tell if it is the fault of no table: the next one would fail as well."""
    return any(pattern.search(reason) for pattern, _, _ in _patterns())


def explained(reason: str, log: object) -> WarehouseError:
    """An error in the user's words, with dbt's own behind them."""
    for pattern, what, hint in _patterns():
        if found := pattern.search(reason):
            named = {name: text.lower() for name, text in found.groupdict().items()}
            if adapter := named.get("name"):
                named["install"] = install_command(adapter) if adapter in WAREHOUSES else f"pip install dbt-{adapter}"
            return WarehouseError(f"{what.format(**named)}: {reason}", hint=hint.format(**named))
    return WarehouseError(f"dbt failed: {reason}", hint=f"the whole log is {log}")


def held(path: object, holder: str) -> WarehouseError:
    """Error for a file that was not free in time."""
    return WarehouseError(f"{path} is open in another process: {holder}", hint="run it again when that has ended")


def waits_for(path: object, holder: str) -> str:
    """Words on what a run waits for."""
    return f"waiting for {path}, which is open in {holder}"
