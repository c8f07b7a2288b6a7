"""
The public Python API: open a target, index it, query it.

Results render themselves in notebooks and convert to data frames and dictionaries.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from linker import pipeline
from linker.config.settings import load_settings
from linker.dbt.selection import read_selection
from linker.environment import Environment
from linker.errors import LinkerError
from linker.history.column_changes import Thresholds
from linker.history.runs import compare_runs, read_runs
from linker.output.notebook_results import (
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
from linker.text.commands import for_python


class Linker(AbstractContextManager["Linker"]):
    """
    Links questions to the tables and columns of one target.

    >>> from linker import Linker
    >>> with Linker.open(target="demo") as linker:
    ...     schema = linker.ask("Which carrier delivers late most often?", column_budget=6)
    >>> schema.column_count
    6
    """

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def __repr__(self) -> str:
        settings = self.environment.settings
        shown = {
            "target": settings.target,
            "strategy": settings.strategy,
            "model": settings.model,
            "state_dir": str(settings.state_dir),
        }
        return f"Linker({', '.join(f'{name}={value!r}' for name, value in shown.items() if value)})"

    @classmethod
    def open(  # noqa: PLR0913 - every setting, so that an editor completes them
        cls,
        *,
        config: str | Path | None = None,
        profiles_dir: str | Path | None = None,
        profile: str | None = None,
        target: str | None = None,
        artifacts_schema: str | None = None,
        manifest: str | Path | None = None,
        dbt: str | None = None,
        exclude_columns: Sequence[str] | None = None,
        hide_columns: Sequence[str] | None = None,
        mask_columns: Sequence[str] | None = None,
        show_columns: Sequence[str] | None = None,
        state_dir: str | Path | None = None,
        store_url: str | None = None,
        embedder: str | None = None,
        embedder_base_url: str | None = None,
        reranker: str | None = None,
        model: str | None = None,
        model_base_url: str | None = None,
        model_concurrency: int | None = None,
        model_timeout: float | None = None,
        model_effort: str | None = None,
        model_temperature: float | None = None,
        model_by_step: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        max_calls: int | None = None,
        max_probes: int | None = None,
        timeout: float | None = None,
        warn_age: timedelta | str | None = None,
        strategy: str | None = None,
        schema_tokens: int | None = None,
        panorama_tokens: int | None = None,
        scan_seconds: int | None = None,
        kept_traces: int | None = None,
        kept_runs: int | None = None,
        sql_candidates: int | None = None,
        sql_rows: int | None = None,
        sql_seconds: int | None = None,
        time_travel: bool | None = None,
        session_memory_mb: int | None = None,
        ranking_weights: str | Path | None = None,
        usage_sources: Sequence[str] | None = None,
        verified_questions: str | Path | None = None,
        prefer: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        glossary: str | Path | Mapping[str, object] | None = None,
        documents: Sequence[str] | None = None,
        recall: float | None = None,
        column_budget: int | None = None,
        ossie: Sequence[str] | None = None,
        explorer_url: str | None = None,
    ) -> "Linker":
        """
        Open a target with settings by name, as in linker.yml.

        Settings that are not given come from the environment (`LINKER_…`) and from linker.yml;
        `config` is the path of another settings file.

        >>> linker = Linker.open(target="demo", strategy="shortlist", recall=0.95)
        >>> linker.close()
        """
        given = {name: value for name, value in locals().items() if name != "cls"}
        with _errors_for_python():
            return cls(Environment(load_settings(given, called="the call")))

    def ask(  # noqa: PLR0913 - the settings of a question
        self,
        question: str,
        *,
        strategy: str | None = None,
        recall: float | None = None,
        column_budget: int | None = None,
        documents: Sequence[str] | None = None,
        max_tokens: int | None = None,
        max_probes: int | None = None,
        timeout: float | None = None,
    ) -> ShownSchema:
        """
        Link a question to the tables, columns and joins that it needs.

        Settings given here hold for this question only.

        >>> schema = linker.ask("Which carrier delivers late most often?", column_budget=6)
        >>> str(schema.tables[0].table.ref)
        'logistics.carriers'
        """
        environment = self._changed(
            strategy=strategy,
            recall=recall,
            column_budget=column_budget,
            documents=documents,
            max_tokens=max_tokens,
            max_probes=max_probes,
            timeout=timeout,
        )
        return _ask(question, environment)

    def sql(  # noqa: PLR0913 - the settings of a question
        self,
        question: str,
        *,
        dry_run: bool = False,
        strategy: str | None = None,
        recall: float | None = None,
        column_budget: int | None = None,
        documents: Sequence[str] | None = None,
        max_tokens: int | None = None,
        max_probes: int | None = None,
        timeout: float | None = None,
    ) -> ShownSql:
        """
        Answer a question in SQL, with the first rows of the result; a dry run executes nothing.

        Without a language model (`model`) the answer holds the linked schema only.

        >>> answer = linker.sql("How many carriers are there?")
        >>> answer.outcome, answer.schema.column_count > 0
        ('needs_model', True)
        """
        environment = self._changed(
            strategy=strategy,
            recall=recall,
            column_budget=column_budget,
            documents=documents,
            max_tokens=max_tokens,
            # A probe is executed, too.
            max_probes=0 if dry_run else max_probes,
            timeout=timeout,
        )
        schema = _ask(question, environment)
        with _errors_for_python():
            answer = pipeline.sql(schema, environment, is_dry=dry_run)
        return shown(ShownSql, replace(answer, missing=for_python(answer.missing)), schema=schema)

    def show(self, name: str) -> Card:
        """
        The profile of a table (`table` or `schema.table`) or of a column (`table.column`).

        >>> card = linker.show("sales.orders.status_code")
        >>> card.column.l2.distinct_count
        7
        """
        with _errors_for_python():
            return Card(*pipeline.show(name, self.environment))

    def search(self, text: str, limit: int = 20) -> Found:
        """
        Search tables and columns by meaning, keywords and values; no ranking by relevance.

        >>> str(linker.search("DHL Parcel", limit=1).columns[0].ref)
        'logistics.carriers.carrier_name'
        """
        with _errors_for_python():
            hits = pipeline.search(text, self.environment, limit)
            catalog, target = self.environment.indexed.catalog, self.environment.target_key
        return Found(text, tuple(hits.columns), tuple(hits.tables), catalog, target)

    def joins(self, table: str, *others: str) -> ShownJoins:
        """
        All joins of a table; of several tables the joins that connect them, with the tables in
        between.

        >>> path = linker.joins("logistics.carriers", "sales.orders")
        >>> [str(ref) for ref in path.between]
        ['logistics.shipments']
        """
        with _errors_for_python():
            return shown(ShownJoins, pipeline.joins((table, *others), self.environment))

    def status(self) -> ShownStatus:
        """
        How up to date profiles and index are, by schema.

        >>> linker.status().index.in_step
        True
        """
        from linker.refresh.status import read_status

        try:
            with _errors_for_python():
                return shown(ShownStatus, read_status(self.environment))
        finally:
            self.environment.invalidate()

    def runs(self, limit: int = 20) -> Runs:
        """
        The newest runs, newest first.

        >>> linker.runs(limit=1)[0].work.failed
        0
        """
        with _errors_for_python():
            return Runs.create(self.environment.target_key, read_runs(self.environment, limit))

    def diff(
        self,
        first: int | None = None,
        second: int | None = None,
        *,
        thresholds: Thresholds | None = None,
    ) -> ShownDiff:
        """
        Schema diff of two runs; of one run and the run before it; or of the last two runs that
        found changes.

        >>> linker.diff(1, 1).tables
        ()
        """
        numbers = [number for number in (first, second) if number is not None]
        with _errors_for_python():
            comparison = compare_runs(self.environment, numbers, thresholds or Thresholds())
        return shown(ShownDiff, comparison)

    def index(self, *, allow_empty_schemas: bool = False) -> int:
        """
        Update the index from the profile tables; returns the number of embedded documents.

        >>> linker.index()
        0
        """
        from linker.refresh.pipelines import index

        with _errors_for_python():
            return index(
                self.environment, allow_empty_schemas=allow_empty_schemas
            ).run.work.embedded

    def refresh(
        self,
        *,
        select: Sequence[str] = (),
        exclude: Sequence[str] = (),
        max_bytes: int | None = None,
        full: bool = False,
        allow_empty_schemas: bool = False,
    ) -> ShownRun:
        """
        Update profiles and index from the warehouse; returns a report of the run with its failures.

        >>> linker.refresh(select=["logistics"]).work.failed
        0
        """
        from linker.refresh.pipelines import refresh

        with _errors_for_python():
            selection = read_selection(select, exclude)
            dbt = self.environment.dbt_target(selection, max_bytes=max_bytes, full_refresh=full)
            done = refresh(
                self.environment,
                dbt,
                selection=str(selection),
                allow_empty_schemas=allow_empty_schemas,
            )
        return shown(ShownRun, done.run)

    def close(self) -> None:
        """Close the connections to warehouse and store."""
        self.environment.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    def _changed(self, **given: object) -> Environment:
        """The environment with the settings of one question."""
        with _errors_for_python():
            return self.environment.with_settings(
                **{name: value for name, value in given.items() if value is not None}
            )


def _ask(question: str, environment: Environment) -> ShownSchema:
    with _errors_for_python():
        schema = pipeline.ask(question, environment)
    return shown(ShownSchema, replace(schema, warnings=tuple(map(for_python, schema.warnings))))


@contextmanager
def _errors_for_python() -> Iterator[None]:
    """Errors inside the block name Python methods and settings instead of commands and flags."""
    try:
        yield
    except LinkerError as error:
        error.what = for_python(error.what)
        error.hint = for_python(error.hint)
        error.args = (error.what, *error.args[1:])
        raise
