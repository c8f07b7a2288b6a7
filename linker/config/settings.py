"""The settings: one record, with the reader of each; docs/words/settings.yml says what each is."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from linker.config.glossary import Term, terms
from linker.config.table_patterns import TablePattern, table_patterns
from linker.config.values import (
    Secret,
    WrongError,
    duration,
    number,
    path,
    seconds,
    secret,
    text,
    texts,
    up_to,
    yes_or_no,
)
from linker.types import Record

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
# The steps whose model may be another one.
STEPS = ("hypotheses", "evidence", "decision", "sql")


def effort(value: object) -> str:
    """
    The effort with which a model reasons; what a model does not know of them is the nearest that it
    knows.
    """
    if value not in EFFORTS:
        raise WrongError(f"it should be one of {', '.join(EFFORTS)}")
    return str(value)


def models_by_step(value: object) -> tuple[tuple[str, str], ...]:
    """
    Models by step: a mapping, or `step=provider:name` with commas between, as in the environment.
    """
    if isinstance(value, tuple):
        value = dict(value)
    if isinstance(value, str):
        value = dict(part.partition("=")[::2] for part in value.split(","))
    if not isinstance(value, Mapping) or not value:
        raise WrongError("it should hold one `step: provider:name` a line")
    found = {str(step).strip(): text(model).strip() for step, model in value.items()}
    if unknown := next((step for step in found if step not in STEPS), None):
        raise WrongError(f"there is no step `{unknown}`; the steps are {', '.join(STEPS)}")
    return tuple(found.items())


PREFIX = "LINKER_"


class Settings(Record, frozen=True):
    """
    Every setting, with its default. The name of a key is the same in linker.yml, `LINKER_…` and
    `--…`.
    """

    profiles_dir: Annotated[Path | None, path] = None
    profile: Annotated[str | None, text] = None
    target: Annotated[str | None, text] = None
    artifacts_schema: Annotated[str | None, text] = None
    manifest: Annotated[Path | None, path] = None
    dbt: Annotated[str | None, text] = None
    exclude_columns: Annotated[tuple[str, ...], texts] = ()
    hide_columns: Annotated[tuple[str, ...], texts] = ()
    mask_columns: Annotated[tuple[str, ...], texts] = ()
    show_columns: Annotated[tuple[str, ...], texts] = ()
    state_dir: Annotated[Path, path] = Path(".linker")
    store_url: Annotated[Secret | None, secret] = None
    embedder: Annotated[str, text] = "offline"
    embedder_base_url: Annotated[str | None, text] = None
    reranker: Annotated[str | None, text] = None
    model: Annotated[str | None, text] = None
    model_base_url: Annotated[str | None, text] = None
    model_concurrency: Annotated[int, number(1, 64)] = 4
    model_timeout: Annotated[float, seconds] = 120.0
    model_effort: Annotated[str | None, effort] = None
    model_temperature: Annotated[float | None, up_to(2)] = None
    model_by_step: Annotated[tuple[tuple[str, str], ...], models_by_step] = ()
    max_tokens: Annotated[int, number(1_000, 1_000_000_000)] = 200_000
    max_calls: Annotated[int | None, number(1, 1_000_000)] = None
    max_probes: Annotated[int, number(0, 1_000_000)] = 40
    timeout: Annotated[float, seconds] = 300.0
    warn_age: Annotated[timedelta, duration] = timedelta(days=7)
    strategy: Annotated[str, text] = "auto"
    schema_tokens: Annotated[int, number(500, 10_000_000)] = 20_000
    panorama_tokens: Annotated[int, number(500, 10_000_000)] = 3_600
    scan_seconds: Annotated[int | None, number(1, 86_400)] = None
    kept_traces: Annotated[int, number(0, 100_000)] = 200
    kept_runs: Annotated[int, number(2, 100_000)] = 400
    sql_candidates: Annotated[int, number(1, 20)] = 5
    sql_rows: Annotated[int, number(1, 100_000)] = 100
    sql_seconds: Annotated[int, number(1, 86_400)] = 30
    time_travel: Annotated[bool, yes_or_no] = False
    session_memory_mb: Annotated[int, number(300, 1_000_000)] = 4_000
    ranking_weights: Annotated[Path | None, path] = None
    learn_from: Annotated[tuple[str, ...], texts] = ()
    prefer: Annotated[tuple[TablePattern, ...], table_patterns] = ()
    exclude: Annotated[tuple[TablePattern, ...], table_patterns] = ()
    glossary: Annotated[tuple[Term, ...], terms] = ()
    documents: Annotated[tuple[str, ...], texts] = ()
    recall: Annotated[float | None, up_to(1)] = None
    column_budget: Annotated[int | None, number(1, 10_000)] = None
    explorer_url: Annotated[str | None, text] = None

    @property
    def most_columns(self) -> int:
        """The most columns of an answer that nothing else limits."""
        return self.column_budget or 60


def variable_of(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()
