"""
The public API: open a target, index it, ask it. What it gives back shows itself, in a notebook too.
"""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypedDict, Unpack

from linker import pipeline
from linker.config import load_settings
from linker.environment import Environment
from linker.history.column_changes import Thresholds
from linker.history.runs import compare_runs, read_runs
from linker.render.shown import (
    Card,
    Found,
    Runs,
    ShownDiff,
    ShownJoins,
    ShownRun,
    ShownSchema,
    ShownSql,
    ShownStatus,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class QuestionSettings(TypedDict, total=False):
    """
    Settings of one question, as `linker ask` has them; those that are not given are the target's.
    """

    strategy: str
    recall: float
    column_budget: int
    documents: "Sequence[str]"
    max_tokens: int
    max_probes: int
    timeout: float


class Linker(AbstractContextManager["Linker"]):
    """Links questions to the tables and columns of one target."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    @classmethod
    def open(cls, **settings: object) -> "Linker":
        """
        Open with settings by name; those that are not given come from the environment and
        linker.yml.
        """
        return cls(Environment(load_settings(settings)))

    def ask(self, question: str, **given: Unpack[QuestionSettings]) -> "ShownSchema":
        """The tables and columns that the question needs."""
        return shown(ShownSchema, pipeline.ask(question, self.environment.with_settings(**given)))

    def sql(
        self, question: str, *, dry_run: bool = False, **given: Unpack[QuestionSettings]
    ) -> "ShownSql":
        """The SQL that answers the question, with its first rows; a dry run executes nothing."""
        if dry_run:
            # A probe is executed, too.
            given["max_probes"] = 0
        schema = self.ask(question, **given)
        environment = self.environment.with_settings(**given)
        return shown(ShownSql, pipeline.sql(schema, environment, is_dry=dry_run), schema=schema)

    def show(self, name: str) -> "Card":
        """The profile of a table, or of a column."""
        return Card(*pipeline.show(name, self.environment))

    def search(self, text: str, limit: int = 20) -> "Found":
        """The columns and tables that lie nearest to a text: by meaning, by words and by values."""
        found = pipeline.search(text, self.environment, limit)
        return Found(
            text, tuple(found.columns), tuple(found.tables), self.environment.indexed.catalog
        )

    def joins(self, table: str, *others: str) -> "ShownJoins":
        """
        All joins of a table; with others those that bring them together, and the tables between.
        """
        return shown(ShownJoins, pipeline.joins((table, *others), self.environment))

    def status(self) -> "ShownStatus":
        """How current the profiles and the index are, schema by schema."""
        from linker.refresh.status import read_status

        try:
            return shown(ShownStatus, read_status(self.environment))
        finally:
            self.environment.forget_artifacts()

    def runs(self, limit: int = 20) -> "Runs":
        """The newest runs, the last one first."""
        return Runs(read_runs(self.environment, limit))

    def diff(
        self,
        first: int | None = None,
        second: int | None = None,
        *,
        thresholds: "Thresholds | None" = None,
    ) -> "ShownDiff":
        """
        What changed between two runs; of one since the run before; of none what the last found that
        found any.
        """
        numbers = [number for number in (first, second) if number is not None]
        return shown(ShownDiff, compare_runs(self.environment, numbers, thresholds or Thresholds()))

    def index(self) -> int:
        """
        Bring the index in step with the artifacts; the number of documents that were embedded.
        """
        from linker.refresh.flows import index

        return index(self.environment).run.work.embedded

    def refresh(
        self,
        *,
        select: "Sequence[str]" = (),
        exclude: "Sequence[str]" = (),
        max_bytes: int | None = None,
        full: bool = False,
        accept_empty: bool = False,
    ) -> "ShownRun":
        """
        Bring profiles and index in step with the warehouse; what the run did, and what it could not
        read.
        """
        from linker.dbt.selection import read_selection
        from linker.refresh.flows import refresh

        selection = read_selection(select, exclude)
        dbt = self.environment.dbt_target(selection, max_bytes=max_bytes, full_refresh=full)
        done = refresh(self.environment, dbt, selection=str(selection), accept_empty=accept_empty)
        return shown(ShownRun, done.run)

    def close(self) -> None:
        """Let go of the warehouse and the store."""
        self.environment.close()

    def __exit__(self, *error: object) -> None:
        self.close()
