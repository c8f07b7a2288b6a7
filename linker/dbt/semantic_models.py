"""
Drafts MetricFlow semantic models from dbt models and their profiles, as a patch.

Keys become entities that join where the columns do, categories and times become dimensions, amounts
become measures. Names are unique across the layer; a clash adds the model's name. Staging models
have no draft, since their columns would appear twice.

Since dbt 1.12 a semantic model is part of the entry of its model, entities and dimensions are keys
of columns, and metrics aggregate: https://docs.getdbt.com/docs/build/latest-metrics-spec
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from msgspec import Struct, field
from msgspec.structs import replace

from linker.catalog.profile import ColumnProfile, TableProfile
from linker.dbt.project import DbtProject, DbtTable
from linker.dbt.proposals import SchemaPatch, diff_of, entry_of, sure_edge, text_of
from linker.dbt.semantic_layer import layer_name
from linker.dbt.yaml_text import (
    BareScalar,
    Commented,
    UnsupportedYamlError,
    YamlText,
    child,
    document,
    holds_all,
    named,
    open_text,
    read_nodes,
    read_values,
)
from linker.text.escaping import one_line, quoted
from linker.text.numbers import counted, percent
from linker.text.words import parts
from linker.types import TableRef

MEASURES = ("money", "measure")
_STAGING = re.compile(r"(stg|base|int)_")

Profiled = tuple[DbtTable, TableProfile]


def key_of(profile: TableProfile) -> ColumnProfile | None:
    """The primary key, if it is one column."""
    return next(
        (item for item in profile.columns if item.l1.primary_key_origin and item.l1.is_unique), None
    )


def prepared_models(profiled: Sequence[Profiled], project: DbtProject) -> frozenset[TableRef]:
    """
    Models that only feed another one: staging models, and those whose key and measures all continue
    in another model.

    Staging models are recognised by name, and count only if a model is built from them or the layer
    has marts.
    """
    covered = project.semantic_layer.tables
    has_marts = any(not _STAGING.match(name.partition(".")[2]) for name in covered)
    models = {
        _name_of(profile): profile for table, profile in profiled if table.section == "models"
    }
    further: dict[str, set[str]] = {name: set() for name in models}
    for name in {*models, *covered}:
        for ancestor in _ancestors(name, project.upstream) & further.keys():
            further[ancestor].add(name)
    prepared = set()
    for name, profile in models.items():
        is_staging = _STAGING.match(profile.table.ref.name.lower())
        is_left_to_name = is_staging and (further[name] or has_marts)
        if is_left_to_name or any(
            _goes_on(profile, models[item]) for item in further[name] & models.keys()
        ):
            prepared.add(profile.table.ref)
    return frozenset(prepared)


def _name_of(profile: TableProfile) -> str:
    return f"{profile.table.ref.schema}.{profile.table.ref.name}".lower()


def _ancestors(name: str, upstream: Mapping[str, Sequence[str]]) -> set[str]:
    ancestors: set[str] = set()
    waiting = [*upstream.get(name, ())]
    while waiting:
        parent = waiting.pop()
        if parent not in ancestors:
            ancestors.add(parent)
            waiting += upstream.get(parent, ())
    return ancestors - {name}


def _goes_on(parent: TableProfile, model: TableProfile) -> bool:
    """Whether a model keeps another one's key and all its measures."""
    keys = key_of(parent), key_of(model)
    if keys[0] is None or keys[1] is None or keys[0].path.lower() != keys[1].path.lower():
        return False
    amounts = {column.path.lower() for column in parent.columns if column.l1.category in MEASURES}
    return amounts <= {column.path.lower() for column in model.columns}


_FILE = "semantic_models.yml"
_SPINE = "metricflow_time_spine"
_DIMENSIONS = ("category", "code", "boolean", "year")
_TIMES = ("date", "timestamp")
_KEY_ENDING = re.compile(r"_(id|key|code|no|nr|number|sk|pk|fk|uuid)$")
_MODEL_PREFIX = re.compile(r"^(stg|int|fct|fact|dim|mart|raw)_+")
# Amounts to average rather than sum.
_AVERAGED = frozenset(
    (
        "pct",
        "percent",
        "percentage",
        "rate",
        "ratio",
        "share",
        "avg",
        "average",
        "score",
        "price",
        "rating",
        "stars",
        "age",
    )
)
# Suffixes of ordinals, which must not be averaged.
_ORDINALS = frozenset(
    ("number", "num", "no", "nr", "rank", "position", "sequence", "seq", "version")
)
# Load times are no event times.
_AUDIT = re.compile(r"^_|(^|_)(loaded|inserted|updated|synced|extracted|ingested)(_|$)")
_RESERVED = re.compile(
    r"(nano|micro|milli)?second|minute|hour|day|week|month|quarter|year|metric_time|."
)


class _LayerNames(Struct):
    """Names of the layer with their meanings."""

    kinds: dict[str, str] = field(default_factory=dict)

    def take(self, name: str, kind: str, model: str) -> str:
        """The name, prefixed with the model if it already has another meaning."""
        plain = layer_name(name)
        is_taken = self.kinds.get(plain, kind) != kind or (
            kind == "measures" and plain in self.kinds
        )
        if is_taken or _RESERVED.fullmatch(plain) or quoted(plain) != plain:
            plain = layer_name(f"{model}_{plain}")
        self.kinds[plain] = kind
        return plain


def draft_semantic_models(
    profiled: Sequence[Profiled],
    project: DbtProject,
    is_bare: Callable[[str], bool],
    *,
    is_chosen: bool = False,
    is_legacy: bool = False,
) -> SchemaPatch:
    """
    A patch that adds a semantic model to each model without one, and a time spine if needed;
    `is_legacy` writes the format before dbt 1.12.

    Models that only feed another one are skipped, unless models were chosen.
    """
    layer = project.semantic_layer
    prepared = frozenset() if is_chosen else prepared_models(profiled, project)
    models, left_to_others = list[Profiled](), list[str]()
    for table, profile in profiled:
        ref = profile.table.ref
        is_there = table.name == _SPINE or f"{ref.schema}.{ref.name}".lower() in layer.tables
        if table.section != "models" or is_there or not profile.columns:
            continue
        if ref in prepared:
            left_to_others.append(table.name)
        else:
            models.append((table, profile))
    names = _LayerNames(dict(layer.kinds))
    models = [(table, _plain(profile, is_bare)) for table, profile in models]
    entity_of = _entity_names(models)
    drafts = list[dict[str, object]]()
    for table, profile in models:
        entities = _entities(table, profile, project, entity_of, names, is_bare)
        drafts.append(_draft(table, profile, project, entities, names))
    if not drafts:
        return SchemaPatch("", prepared=tuple(left_to_others))
    top = PurePosixPath(models[0][0].file).parts[0]
    if is_legacy:
        patch = _legacy_patch(f"{top}/{_FILE}", drafts, project)
    else:
        tables = [table for table, _ in models]
        patch = write_model_entries(zip(tables, drafts, strict=True), project)
    is_lacking = bool(patch.text) and not layer.has_time_spine
    spine = _time_spine(top, [profile for _, profile in models]) if is_lacking else ""
    return replace(patch, text=patch.text + spine, prepared=tuple(left_to_others))


def _legacy_patch(
    file: str, drafts: Sequence[Mapping[str, object]], project: DbtProject
) -> SchemaPatch:
    """A file of semantic models with measures, for dbt before 1.12."""
    try:
        before = text_of(project.folder / file)
        text = open_text(before)
        text.extend(text.root, "semantic_models", drafts)  # type: ignore[arg-type]  # a mapping, or it is refused
    except (UnsupportedYamlError, AttributeError) as error:
        return SchemaPatch("", left_out=(f"{file}: {error}",))
    return SchemaPatch(diff_of(file, before, str(text)))


def _entity_names(models: Iterable[Profiled]) -> dict[tuple[TableRef, str], str]:
    """The name of the entity behind each model's own key."""
    keys = ((profile.table.ref, key_of(profile)) for _, profile in models)
    return {(ref, key.path): _stem(key.path) for ref, key in keys if key is not None}


def _entities(
    table: DbtTable,
    profile: TableProfile,
    project: DbtProject,
    entity_of: Mapping[tuple[TableRef, str], str],
    names: _LayerNames,
    is_bare: Callable[[str], bool],
) -> dict[str, Commented]:
    """The primary and foreign keys of a semantic model, by name."""
    key = key_of(profile)
    entities = dict[str, Commented]()
    for column in profile.columns:
        edge = sure_edge(profile, column, project, is_bare)
        source = (
            project.tables[edge.to_schema.lower(), edge.to_table.lower()].source if edge else ""
        )
        if column is key:
            kind = "primary"
            source_key = (profile.table.ref, column.path)
            note = f"{column.l1.primary_key_origin} key"
        # Joins of a model's source apply to the model.
        elif edge and (not source or _stem(edge.to_columns[0]) in entity_of.values()):
            kind, source_key, note = (
                "foreign",
                (edge.key, edge.to_columns[0]),
                one_line(edge.evidence),
            )
        else:
            continue
        wanted = entity_of.get(source_key, _stem(source_key[1]))
        name = names.take(
            _stem(column.path) if wanted in entities else wanted, "entities", table.name
        )
        entry = {
            "name": BareScalar(name),
            "type": BareScalar(kind),
            "expr": BareScalar(column.path),
        }
        entities[name] = Commented(entry, f"linker: {note}")
    return entities


def _draft(
    table: DbtTable,
    profile: TableProfile,
    project: DbtProject,
    entities: Mapping[str, Commented],
    names: _LayerNames,
) -> dict[str, object]:
    """One semantic model with these keys."""
    key = key_of(profile)
    own = {str(entity.value["expr"]) for entity in entities.values()}
    shown = (
        column
        for column in profile.columns
        if column.l2.privacy == "show" and column.path not in own
    )
    others = [column for column in shown if not table.kept_back & {"*", column.path.lower()}]
    dimensions = [
        _dimension(table, column, names)
        for column in others
        if column.l1.category in _DIMENSIONS + _TIMES
    ]
    times = (
        column.path
        for column in others
        if column.l1.category in _TIMES and not column.l2.null_ratio
    )
    when = next((path for path in times if not _AUDIT.search(path.lower())), None)
    name = layer_name(table.name)
    name = f"{name}_model" if name in project.semantic_layer.names else name
    draft: dict[str, object] = {"name": BareScalar(name), "model": table.reference}
    if when:
        # Measures need a time dimension for aggregation.
        time = next(item["name"] for item in dimensions if item.get("expr", item["name"]) == when)
        draft["defaults"] = {"agg_time_dimension": time}
    if key is None:
        draft["primary_entity"] = BareScalar(
            names.take(_MODEL_PREFIX.sub("", table.name), "entities", table.name)
        )
    parts = {"entities": [*entities.values()], "dimensions": dimensions}
    parts |= {"measures": list(_measures(table, others, names))} if when else {}
    return draft | {name: part for name, part in parts.items() if part}


def _dimension(table: DbtTable, column: ColumnProfile, names: _LayerNames) -> dict[str, object]:
    is_time = column.l1.category in _TIMES
    name = names.take(column.path, "times" if is_time else "dimensions", table.name)
    entry: dict[str, object] = {
        "name": BareScalar(name),
        "type": BareScalar("time" if is_time else "categorical"),
    }
    entry |= {"expr": BareScalar(column.path)} if name != column.path else {}
    return entry | ({"type_params": {"time_granularity": BareScalar("day")}} if is_time else {})


def _measures(
    table: DbtTable, columns: Sequence[ColumnProfile], names: _LayerNames
) -> Iterator[Commented]:
    count = names.take(f"{table.name}_count", "measures", table.name)
    yield Commented(
        {"name": BareScalar(count), "agg": BareScalar("count"), "expr": "1", "create_metric": True},
        "linker: rows",
    )
    for column in columns:
        words = parts(column.path)
        if column.l1.category not in MEASURES or _ORDINALS.issuperset(words[-1:]):
            continue
        agg = "sum" if _AVERAGED.isdisjoint(words) else "average"
        name = names.take(column.path, "measures", table.name)
        kind = column.l1.category if agg == "sum" else "averaged, as a sum is meaningless,"
        nulls = f", {percent(column.l2.null_ratio)} null" if column.l2.null_ratio else ""
        note = (
            f"linker: {kind} in "
            f"{counted(column.l3.row_count, 'row') if column.l3 else 'no rows'}{nulls}"
        )
        entry = {
            "name": BareScalar(name),
            "agg": BareScalar(agg),
            "expr": BareScalar(column.path),
            "create_metric": True,
        }
        yield Commented(entry, note)


def _plain(profile: TableProfile, is_bare: Callable[[str], bool]) -> TableProfile:
    """The profile with the columns that SQL accepts unquoted."""
    tops = {
        column.path for column in profile.table.columns if not column.depth and is_bare(column.path)
    }
    return replace(
        profile, columns=tuple(column for column in profile.columns if column.path in tops)
    )


def _stem(column: str) -> str:
    """
    A key without its suffix, unless that leaves an SQL keyword: `customer` of `customer_id`, but
    `order_id`.
    """
    stem = layer_name(_KEY_ENDING.sub("", column.lower()))
    return stem if quoted(stem) == stem else layer_name(column)


def _time_spine(top: str, profiles: Sequence[TableProfile]) -> str:
    """A table of days that covers all dates in the profiles and some later years."""
    years = list[str]()
    for column in chain.from_iterable(profile.columns for profile in profiles):
        if column.l3 and column.l2.privacy == "show":
            days = filter(None, (column.l3.first_day, column.l3.last_day))
            years += [day[:4] for day in days]
    first, last = (min(years), int(max(years)) + 5) if years else ("2000", 2050)
    template = Path(__file__).with_name("time_spine.sql").read_text("utf-8")
    sql = template.format(first=first, last=last, after=last + 1)
    described = {
        "name": BareScalar(_SPINE),
        "description": "One row per day, for the semantic layer.",
        "time_spine": {"standard_granularity_column": BareScalar("date_day")},
        "columns": [{"name": BareScalar("date_day"), "granularity": BareScalar("day")}],
    }
    text = document({"version": 2, "models": [described]})
    return diff_of(f"{top}/{_SPINE}.sql", None, sql) + diff_of(f"{top}/{_SPINE}.yml", None, text)


# A draft in the older form of `semantic_models:`, with `entities`, `dimensions` and `measures`.
Draft = Mapping[str, Any]


def write_model_entries(
    drafts: Iterable[tuple[DbtTable, Draft]], project: DbtProject
) -> SchemaPatch:
    by_file: dict[str, list[tuple[DbtTable, Draft]]] = defaultdict(list)
    for table, draft in drafts:
        by_file[table.file].append((table, draft))
    diffs, left_out = list[str](), list[str]()
    for file, models in sorted(by_file.items()):
        try:
            before = text_of(project.folder / file)
            diffs.append(diff_of(file, before, _written(before, models)))
        except UnsupportedYamlError as error:
            left_out.append(f"{file}: {error}")
    return SchemaPatch("".join(diffs), left_out=tuple(left_out))


def _written(before: str | None, models: Sequence[tuple[DbtTable, Draft]]) -> str:
    """The file's text with the semantic models."""
    text = open_text(before)
    if not isinstance(text.root, yaml.MappingNode):
        raise UnsupportedYamlError("it has no keys")
    new: list[dict[str, object]] = []
    for table, draft in models:
        entry = entry_of(text.root, table)
        if entry is None:
            parts = _model_keys(table, draft)
            columns = [{"name": BareScalar(path)} | keys for path, keys in _columns(draft).items()]
            parts |= {"columns": columns} if columns else {}
            metrics = _metrics(draft)
            parts |= {"metrics": metrics} if metrics else {}
            new.append({"name": BareScalar(table.name)} | parts)
        else:
            _extend(text, entry, table, draft)
    if new:
        text.extend(text.root, "models", new)
    after = str(text)
    read_nodes(after)
    if not holds_all(read_values(after), text.values):
        raise UnsupportedYamlError("existing text would change")
    return after


def _extend(text: YamlText, entry: yaml.MappingNode, table: DbtTable, draft: Draft) -> None:
    """Add the semantic model to a model's entry."""
    for key, value in _model_keys(table, draft).items():
        text.set(entry, key, value, below="name")
    new: list[dict[str, object]] = []
    for path, keys in _columns(draft).items():
        column_entry = named(child(entry, "columns"), path)
        if column_entry is None:
            new.append({"name": BareScalar(path)} | keys)
            continue
        for key, value in keys.items():
            text.set(column_entry, key, value, below="name")
    if new:
        text.extend(entry, "columns", new)
    if metrics := _metrics(draft):
        text.extend(entry, "metrics", metrics)


def _model_keys(table: DbtTable, draft: Draft) -> dict[str, object]:
    is_same = str(draft["name"]) == table.name
    keys: dict[str, object] = {
        "semantic_model": {"enabled": True} | ({} if is_same else {"name": draft["name"]})
    }
    if when := draft.get("defaults"):
        keys["agg_time_dimension"] = BareScalar(str(when["agg_time_dimension"]))
    if primary := draft.get("primary_entity"):
        keys["primary_entity"] = primary
    return keys


def _columns(draft: Draft) -> dict[str, dict[str, object]]:
    """Properties by column; the evidence of a key is a comment."""
    properties: dict[str, dict[str, object]] = {}
    for item in draft.get("entities", ()):
        entity = item.value
        keys = {"type": entity["type"], "name": entity["name"]}
        properties[str(entity["expr"])] = {"entity": Commented(keys, item.note)}
    for dimension in draft.get("dimensions", ()):
        path = str(dimension.get("expr", dimension["name"]))
        named_otherwise = {"name": dimension["name"]} if "expr" in dimension else {}
        keys = {"dimension": {"type": dimension["type"]} | named_otherwise}
        if "type_params" in dimension:
            keys["granularity"] = dimension["type_params"]["time_granularity"]
        properties[path] = keys
    return properties


def _metrics(draft: Draft) -> list[Commented]:
    metrics: list[Commented] = []
    for item in draft.get("measures", ()):
        measure = item.value
        metric = {"name": measure["name"], "type": BareScalar("simple")}
        metrics.append(
            Commented(metric | {"agg": measure["agg"], "expr": measure["expr"]}, item.note)
        )
    return metrics
