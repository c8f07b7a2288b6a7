"""Entry points of all commands and interfaces: ask, link, sql, show, search, joins and profile."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from linker.catalog.column_metadata import read_privacy
from linker.catalog.index_session import INDEX_CHANGED
from linker.catalog.profile import read_profile
from linker.catalog.read_catalog import catalog_sql
from linker.catalog.warehouse import still_shown
from linker.dbt.ossie_document import OssieSource, dataset_names, has_single_key
from linker.dbt.project import read_project
from linker.environment import Environment
from linker.errors import ArtifactError, ConfigError, StoreError
from linker.identifiers.resolver import find
from linker.linking.linking import LinkSession, read_linked_question
from linker.linking.mschema import join_tables
from linker.linking.result import LinkedSchema
from linker.linking.trace import saved
from linker.strategies import Strategy, open_strategy, without_model, without_reranker
from linker.text.escaping import check_length
from linker.types import TableRef
from linker.warehouses import dialect_of

if TYPE_CHECKING:
    from linker.catalog.profile import ColumnProfile, TableProfile
    from linker.dbt.project import DbtProject, DbtTable
    from linker.linking.mschema import JoinedTables
    from linker.retrieval.hits import Retrieved
    from linker.sql import SqlAnswer


def ask(question: str, environment: Environment) -> LinkedSchema:
    """Link a question with the configured strategy."""
    if not question.strip():
        raise ConfigError(
            "the question is empty", hint="write one, like: Which carrier delivers late most often?"
        )
    strategy = open_strategy(environment.settings.strategy)
    environment.index.reload_if_changed()
    try:
        schema = link(question.strip(), environment, strategy)
        if INDEX_CHANGED in schema.warnings and not any(step.cost.calls for step in schema.cost):
            # A retry only costs time; a paid model answer is returned with its warning.
            environment.index.reload_if_changed()
            schema = link(question.strip(), environment, strategy)
    finally:
        # A reader locks a DuckDB file.
        environment.release_warehouse()
    if not schema.tables and not schema.unanswerable:
        raise _nothing_indexed(environment)
    # Answers must contain only what the trace holds.
    return schema


def link(question: str, environment: Environment, strategy: Strategy) -> LinkedSchema:
    """Link a question and write its trace; all strategies run through here."""
    check_length(question, "a question")
    chosen, because = strategy.chosen(environment)
    if chosen.needs_model and environment.model is None:
        raise without_model(chosen.name)
    if chosen.needs_reranker and environment.reranker is None:
        raise without_reranker(chosen.name)
    linking = LinkSession(chosen.name, question, environment, because=because)
    try:
        linked_question = read_linked_question(question, linking, rereads=chosen.rereads)
        if linked_question is None:
            # Without an index, say what is missing.
            return LinkedSchema(question, environment.target_key, chosen.name, tables=())
        schema = chosen.answer(linked_question, linking)
    finally:
        problem = linking.save()
    return saved(schema, problem)


def sql(schema: LinkedSchema, environment: Environment, *, is_dry: bool = False) -> "SqlAnswer":
    """SQL for a linked question; a dry run only validates it."""
    # Imports the SQL parser.
    from linker.sql.answering import answer_in_sql

    try:
        return answer_in_sql(schema, environment, is_dry=is_dry)
    finally:
        environment.release_warehouse()


def show(name: str, environment: Environment) -> "tuple[TableProfile, ColumnProfile | None]":
    """The profile of a table, and of a column if the name means one."""
    # Not needed for questions.
    warehouse = environment.warehouse
    try:
        ref = find(name, warehouse.catalog)
        profile = read_profile(warehouse.artifacts, warehouse.catalog.table_by_ref[ref.table])
    finally:
        environment.release_warehouse()
    if isinstance(ref, TableRef):
        return profile, None
    for column in profile.columns:
        if column.path == ref.path:
            return profile, column
    raise ArtifactError(
        f"linker_profile_l1 does not contain {ref}",
        hint="the profiles are incomplete; run: linker profile",
    )


def search(text: str, environment: Environment, limit: int) -> "Retrieved":
    """Search tables and columns by meaning, keywords and values."""
    if not text.strip():
        raise ConfigError("the text is empty", hint="search for words or a value")
    check_length(text, "a text")
    environment.index.reload_if_changed()
    hits = environment.retriever.search(text.strip(), limit=limit)
    if not hits.columns:
        raise _nothing_indexed(environment)
    return hits


def joins(names: Sequence[str], environment: Environment) -> "JoinedTables":
    """Joins of one table, or those that connect several."""
    environment.index.reload_if_changed()
    refs = [find(name, environment.indexed.catalog) for name in names]
    tables = dict.fromkeys(ref.table for ref in refs)
    return join_tables([*tables], environment)


def profile_project(
    folder: Path, names: Sequence[str], environment: Environment
) -> "tuple[DbtProject, list[tuple[DbtTable, TableProfile]]]":
    """A dbt project with profiles of its tables, or of the named ones."""
    project = read_project(folder, environment.settings, environment.target)
    warehouse = environment.warehouse
    try:
        catalog = warehouse.catalog
        wanted = {find(name, catalog).table for name in names}
        kept_back = still_shown(
            environment.settings, catalog, read_privacy(warehouse.artifacts, catalog)
        )
        profiles = []
        for table in catalog.tables:
            described = project.tables.get((table.ref.schema.lower(), table.ref.name.lower()))
            if described and (not names or table.ref in wanted):
                paths = (ref.path for ref in kept_back if ref.table == table.ref)
                profiles.append(
                    (described.keeping_back(paths), read_profile(warehouse.artifacts, table))
                )
    finally:
        environment.release_warehouse()
    return project, profiles


def describe_for_ossie(
    names: Sequence[str], environment: Environment, project_dir: Path | None = None
) -> "OssieSource":
    """
    Tables, or the named ones, with profiles and terms; with a project for dbt, only models with a
    single-column key and without a semantic model.
    """
    warehouse, settings = environment.warehouse, environment.settings
    project = read_project(project_dir, settings, environment.target) if project_dir else None
    try:
        profiled = warehouse.profiled
        wanted = {find(name, profiled.catalog).table for name in names}
        tables = [item for item in profiled.catalog.tables if not names or item.ref in wanted]
        if project:
            tables = [item for item in tables if project.lacks_semantic_model(item.ref)]
        profiles = [read_profile(warehouse.artifacts, table) for table in tables]
        if project:
            profiles = list(filter(has_single_key, profiles))
        privacy = read_privacy(warehouse.artifacts, profiled.catalog)
        kept_back = still_shown(settings, profiled.catalog, privacy)
        [[database]] = warehouse.artifacts.query(catalog_sql("database"))
    finally:
        environment.release_warehouse()
    return OssieSource(
        environment.target_key,
        dialect_of(environment.dialect),
        str(database),
        profiles,
        terms=(*settings.glossary, *profiled.terms),
        kept_back=frozenset(kept_back),
        names=dataset_names((item.table.ref for item in profiles), for_dbt=project is not None),
        taken=project.semantic_layer.other_names if project else frozenset(),
        for_dbt=project is not None,
        lacks_time_spine=project is not None and not project.semantic_layer.has_time_spine,
    )


def _nothing_indexed(environment: Environment) -> StoreError:
    others = " and ".join(environment.store.models(environment.target_key))
    before = f", only with {others}" if others else ""
    return StoreError(
        f"no index for target `{environment.target.name}` with the embedding model "
        f"{environment.embedder.name}{before}",
        hint="linker index",
    )
