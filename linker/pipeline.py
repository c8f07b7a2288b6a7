"""
The flows, step by step.

index:  artifacts -> catalog -> documents -> plan -> vectors, staged in the store
        -> the index, switched at once, and what it was made from as a snapshot beside it
ask:    question -> snapshot and vectors in the store -> strategy -> linked schema, with what the profiles tell of it,
        and a trace of it all
        retrieval: question -> what the index finds -> ranking -> budget -> linked schema
        evilink:   the steps below; `linker/strategies/evilink.py` takes them in this order
        others:    reading and mentions, what the strategy finds, and from the vote on as evilink
sql:    linked schema -> candidates of a language model, which run and vote -> answer
show:   name -> table or column of the catalog -> its profile

evilink, a module a step, with the records that enter and leave it:

    ranking/reading.py   question                     -> Read, and Ranked by ranking/ranker.py
    mentions.py          question, what was retrieved -> Mentions: what is bound before, and holds in all ways
    judges/               Asked                        -> Proposal of hypotheses (hypothesis.py merges paraphrases)
    grounding.py         Asked, hypotheses            -> Grounding of each, concurrently
    voting.py            Groundings                   -> Sets: required, uncertain, candidates
    deciding.py          Sets                         -> Decided, turn by turn: tools.py looks, refinement.py decides
    closure.py           Decided                      -> Survey: what joins, and what is missing
    conclusion.py        Run, all of the above        -> LinkedSchema; `linker trace replay` does this step again

The judges (judges/profiles.py, judges/language.py) answer what a step asks, and nothing else.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from linker.catalog.documents import write_documents
from linker.catalog.indexing import IndexPlan, OnProgress, apply_plan, read_plan
from linker.catalog.snapshot import ProfiledCatalog, pack
from linker.environment import Environment
from linker.errors import ArtifactError, ConfigError, StoreError
from linker.link.answer import LinkedSchema
from linker.store import MadeFrom
from linker.strategies import open_strategy
from linker.types import TableRef

if TYPE_CHECKING:
    from linker.catalog.profile import ColumnProfile, TableProfile
    from linker.sql.records import SqlAnswer


def compare_index(environment: Environment) -> IndexPlan:
    """What `index` would change."""
    return _plan(environment)[0]


def index(environment: Environment, on_progress: OnProgress) -> IndexPlan:
    """Bring the index in step with the artifacts; leaves what was changed."""
    plan, made_from = _plan(environment)
    apply_plan(plan, environment.embedder, environment.store, environment.collection, on_progress, made_from)
    return plan


def _plan(environment: Environment) -> tuple[IndexPlan, MadeFrom]:
    documents = write_documents(environment.warehouse.catalog, environment.warehouse.facts)
    made_from = MadeFrom(pack(ProfiledCatalog(environment.warehouse.catalog, environment.warehouse.facts)))
    kept = environment.store.snapshot(environment.collection, held=made_from.digest)
    plan = read_plan(documents, environment.store, environment.collection)
    return replace(plan, has_snapshot=bool(kept and kept.digest == made_from.digest and kept.is_settled)), made_from


def ask(question: str, environment: Environment) -> LinkedSchema:
    """Link one question, from the index alone if nothing else is needed."""
    if not question.strip():
        raise ConfigError("the question is empty", hint='linker ask "Which carrier delivers late most often?"')
    strategy = open_strategy(environment.settings.strategy)
    environment.index.catch_up()
    try:
        schema = strategy.link(question.strip(), environment)
    finally:
        # Whoever reads a DuckDB file keeps others from writing it.
        environment.release_warehouse()
    if not schema.tables and not schema.unanswerable:
        raise StoreError(
            f"nothing is indexed for target `{environment.target.name}` with the encoder {environment.embedder.name}",
            hint=f"linker index --target {environment.target.name}",
        )
    # Nothing is added here that its trace does not hold.
    return schema


def sql(schema: LinkedSchema, environment: Environment, *, is_dry: bool = False) -> "SqlAnswer":
    """The SQL that answers a question which was linked; in a dry run it is checked and not executed."""
    # With it comes a parser of SQL.
    from linker.sql.answering import answer_in_sql

    try:
        return answer_in_sql(schema, environment, is_dry=is_dry)
    finally:
        environment.release_warehouse()


def show(name: str, environment: Environment) -> "tuple[TableProfile, ColumnProfile | None]":
    """The profile of the table that a name means, and of the column, if it means one."""
    # What a question never needs.
    from linker.catalog.profile import read_profile
    from linker.names.lookup import find

    ref = find(name, environment.warehouse.catalog)
    if isinstance(ref, TableRef):
        return read_profile(environment.warehouse.artifacts, environment.warehouse.catalog.table_by_ref[ref]), None
    profile = read_profile(environment.warehouse.artifacts, environment.warehouse.catalog.table_by_ref[ref.table])
    for column in profile.columns:
        if column.path == ref.path:
            return profile, column
    raise ArtifactError(
        f"linker_profile_l1 does not hold {ref}", hint="the profiles are not whole; run: linker profile"
    )
