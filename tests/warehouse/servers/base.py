"""
Interface of test servers: one module per warehouse, each with `start(folder)`.

`servers.start` finds the module by the name of the dbt target.
"""

from collections.abc import Mapping
from typing import Protocol


class WarehouseServer(Protocol):
    """A running warehouse; dbt runs in a separate process."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that the consumer's profiles.yml reads for this target."""

    @property
    def artifacts(self) -> str:
        """The schema of the artifacts, as a query spells it in front of `.linker_tables`."""

    @property
    def text_type(self) -> str:
        """The type that `cast(… as …)` makes text of."""

    def execute(self, script: str) -> None:
        """Run statements that end in `;` at the end of a line, for the set-up."""

    def fetch(self, query: str) -> list[list[str]]:
        """The rows of a query whose columns are all text; null comes as an empty text."""


def statements_of(script: str) -> list[str]:
    """The statements of a script one by one, for drivers that take no more."""
    without_comments = (
        "\n".join(line for line in script.splitlines() if not line.startswith("--")) + "\n"
    )
    return [part.strip() for part in without_comments.split(";\n") if part.strip()]
