"""Checks each part of an installation by using it, and suggests a fix for every failure."""

from collections.abc import Callable, Collection, Iterator
from itertools import chain
from time import perf_counter
from typing import Literal

from pydantic import BaseModel

from linker.budget import CallLimit
from linker.catalog.column_metadata import read_privacy
from linker.catalog.warehouse import patterns_of, still_shown, unmatched
from linker.config.values import matching
from linker.config.values import unmatched as unmatched_tables
from linker.dbt.manifest import artifacts_schema, relations_elsewhere
from linker.environment import Environment
from linker.errors import ConfigError, LinkerError
from linker.models import LanguageModel, Prompt
from linker.ranking.query_analysis import meaning_of
from linker.types import ColumnRef, Record

# Timeout for interactive use.
_MODEL_SECONDS = 60.0

State = Literal["ok", "failed", "unused"]


class Check(Record, frozen=True):
    """Result of one check."""

    part: str
    state: State
    detail: str
    hint: str
    seconds: float


class _Ready(BaseModel):
    word: str


def run_checks(
    environment: Environment, *, asks_model: bool = True, only: Collection[str] = ()
) -> Iterator[Check]:
    """Run the checks; a failure does not stop the others."""
    for part, check in _CHECKS.items():
        if (part == "model" and not asks_model) or (only and part not in only):
            continue
        started = perf_counter()
        try:
            state, detail = check(environment)
            yield Check(part, state, detail, "", perf_counter() - started)
        except LinkerError as error:
            yield Check(part, "failed", error.what, error.hint, perf_counter() - started)


def _check_warehouse(environment: Environment) -> tuple[State, str]:
    environment.warehouse.session.query("select 1")
    target = environment.target
    return "ok", f"connected to {target.kind} target {target.key}, read-only"


def _check_profiles(environment: Environment) -> tuple[State, str]:
    catalog = environment.warehouse.catalog
    tables = f"{catalog.physical_table_count:,} physical and {len(catalog.tables):,} logical tables"
    lie = f"in schema {artifacts_schema(environment.settings, environment.target)}"
    terms = len(environment.warehouse.profiled.terms)
    layer = f"{terms:,} terms of dbt's semantic layer" if terms else ""
    elsewhere = relations_elsewhere(environment.settings, environment.target)
    return "ok", "; ".join(
        filter(None, (f"{lie}: {tables}, {catalog.column_count:,} columns", layer, elsewhere))
    )


def _check_privacy(environment: Environment) -> tuple[State, str]:
    settings, warehouse = environment.settings, environment.warehouse
    if not any(patterns_of(settings).values()):
        return (
            "unused",
            (
                "no privacy rules configured (set `exclude_columns`, `hide_columns`, "
                "`mask_columns` or `show_columns`)"
            ),
        )
    for problem in unmatched(settings, warehouse.catalog):
        what, _, hint = problem.partition("; ")
        raise ConfigError(what, hint=hint)
    shown = still_shown(
        settings, warehouse.catalog, read_privacy(warehouse.artifacts, warehouse.catalog)
    )
    if shown:
        more = f" and {len(shown) - 1:,} more" if len(shown) > 1 else ""
        what = f"the profiles of {shown[0]}{more} hold more than the privacy settings allow"
        raise ConfigError(what, hint="linker refresh")
    return "ok", "the profiles comply with the privacy settings"


def _check_store(environment: Environment) -> tuple[State, str]:
    indexed = environment.store.content_hashes(environment.collection)
    columns = sum(isinstance(ref, ColumnRef) for ref in indexed)
    return "ok", f"{environment.store.describe()}; {columns:,} columns of this target indexed"


def _check_glossary(environment: Environment) -> tuple[State, str]:
    terms = environment.settings.glossary
    meanings = (meaning_of(term, environment.warehouse.catalog) for term in terms)
    problems = list(chain.from_iterable(meaning.unknown for meaning in meanings))
    if problems:
        what, _, hint = problems[0].partition("; ")
        raise ConfigError(what, hint=hint)
    return (
        ("ok", f"{len(terms):,} terms")
        if terms
        else ("unused", "no glossary configured (set `glossary` to your terms)")
    )


def _check_tables(environment: Environment) -> tuple[State, str]:
    prefer, exclude = environment.settings.prefer, environment.settings.exclude
    if not prefer and not exclude:
        return (
            "unused",
            "no tables preferred or excluded (set `prefer` or `exclude` to table patterns)",
        )
    tables = environment.warehouse.catalog.tables
    for problem in (
        *unmatched_tables("prefer", prefer, tables),
        *unmatched_tables("exclude", exclude, tables),
    ):
        what, _, hint = problem.partition("; ")
        raise ConfigError(what, hint=hint)
    counts = len(matching(prefer, tables)), len(matching(exclude, tables))
    return "ok", f"{counts[0]:,} tables preferred, {counts[1]:,} excluded"


def _check_embedder(environment: Environment) -> tuple[State, str]:
    embedder = environment.embedder
    [vector] = embedder.embed(["Which orders were returned?"])
    return "ok", f"{embedder.name}, {len(vector)} dimensions"


def _check_model(environment: Environment) -> tuple[State, str]:
    model = environment.model
    if model is None:
        return (
            "unused",
            (
                "no language model configured; linking works without one (set `model` to "
                "provider:name)"
            ),
        )
    models = {item.name: item for item in (model, *environment.models_of_steps.values())}
    return "ok", "; ".join(map(_readiness, models.values()))


def _readiness(model: LanguageModel) -> str:
    prompt = Prompt(
        instructions="You check that a connection works.", content="Answer with the word ready."
    )
    used = model.complete(prompt, _Ready, CallLimit(seconds=_MODEL_SECONDS)).usage
    again = f" in {used.calls} requests" if used.calls > 1 else ""
    return f"{model.name} answers{again}, {used.tokens:,} tokens"


_OF_PARTS: tuple[Callable[[Environment], tuple[State, str]], ...] = (
    _check_warehouse,
    _check_profiles,
    _check_privacy,
    _check_store,
    _check_tables,
    _check_glossary,
    _check_embedder,
    _check_model,
)
_CHECKS = {check.__name__.removeprefix("_check_"): check for check in _OF_PARTS}
