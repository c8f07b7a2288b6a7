"""Which models of a dbt project only prepare another one that is, or gets, a semantic model."""

import re
from collections.abc import Mapping, Sequence

from linker.catalog.profile import ColumnProfile, TableProfile
from linker.dbt.project import DbtProject, DbtTable
from linker.types import TableRef

MEASURES = ("money", "measure")
_STAGING = re.compile(r"(stg|base|int)_")

Profiled = tuple[DbtTable, TableProfile]


def key_of(profile: TableProfile) -> ColumnProfile | None:
    """The column that is the key of a table."""
    return next(
        (each for each in profile.columns if each.l1.primary_key_origin and each.l1.is_unique), None
    )


def prepared_models(found: Sequence[Profiled], project: DbtProject) -> frozenset[TableRef]:
    """
    The models that only prepare another one: staging models, and those whose key and amounts go on
    in another one.

    A staging model is told by its name, and left to what is built from it, or to the marts that the
    layer has.
    """
    covered = project.semantic_layer.tables
    has_marts = any(not _STAGING.match(name.partition(".")[2]) for name in covered)
    models = {_name_of(profile): profile for table, profile in found if table.section == "models"}
    further: dict[str, set[str]] = {name: set() for name in models}
    for name in {*models, *covered}:
        for ancestor in _ancestors(name, project.upstream) & further.keys():
            further[ancestor].add(name)
    prepared = set()
    for name, profile in models.items():
        is_staging = _STAGING.match(profile.table.ref.name.lower())
        is_left_to_name = is_staging and (further[name] or has_marts)
        if is_left_to_name or any(
            _goes_on(profile, models[each]) for each in further[name] & models.keys()
        ):
            prepared.add(profile.table.ref)
    return frozenset(prepared)


def _name_of(profile: TableProfile) -> str:
    return f"{profile.table.ref.schema}.{profile.table.ref.name}".lower()


def _ancestors(name: str, upstream: Mapping[str, Sequence[str]]) -> set[str]:
    """All that a model is built from, and what that is built from."""
    found: set[str] = set()
    waiting = [*upstream.get(name, ())]
    while waiting:
        parent = waiting.pop()
        if parent not in found:
            found.add(parent)
            waiting += upstream.get(parent, ())
    return found - {name}


def _goes_on(parent: TableProfile, model: TableProfile) -> bool:
    """Tell if a model has the key of another one as its own, and all amounts of it."""
    keys = key_of(parent), key_of(model)
    if keys[0] is None or keys[1] is None or keys[0].path.lower() != keys[1].path.lower():
        return False
    amounts = {column.path.lower() for column in parent.columns if column.l1.category in MEASURES}
    return amounts <= {column.path.lower() for column in model.columns}
