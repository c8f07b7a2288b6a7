"""
An Apache Ossie (formerly Open Semantic Interchange) document from profiles: datasets with fields,
verified joins, synonyms and values that may be shown, and the metrics of the dbt project.

https://github.com/apache/ossie/blob/main/core-spec/spec.md
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import field

from linker.catalog.profile import ColumnProfile, JoinEdge, TableProfile
from linker.config.settings import Settings
from linker.config.target import Target
from linker.config.values import Term
from linker.dbt.manifest import Manifest
from linker.dbt.ossie_import import GENERATOR
from linker.dbt.semantic_layer import MetricExpression, layer_name, read_metrics
from linker.errors import ConfigError
from linker.files import write_atomically
from linker.text.escaping import one_line
from linker.types import Column, ColumnRef, Record, TableRef
from linker.warehouses.base.dialect import Dialect

Entry = dict[str, Any]

# The first release, supported by dbt 1.12.
RELEASED = "0.1.1"
# The vendor name for common extensions in both versions.
VENDOR = "COMMON"

_MAX_VALUES = 10
_LONGEST_VALUE = 60
_SURE = 0.9
_KNOWN_ORIGINS = ("declared", "tested")
_TIMES = ("date", "timestamp")
_AMOUNTS = ("money", "measure")
# Semantic types whose values are useful filters.
_INFORMATIVE = ("category", "code", "boolean", "year", "geo", "constant")
# Dialects of the first release.
_RELEASED_DIALECTS = ("ANSI_SQL", "SNOWFLAKE", "DATABRICKS")


class OssieSource(Record, frozen=True):
    """
    The exported profiles, terms and metrics, and columns that settings have restricted since
    profiling.

    With `for_dbt` names follow dbt's rules: joining keys share a name, as entities do.
    """

    target: str
    dialect: Dialect
    database: str
    profiles: Sequence[TableProfile]
    terms: Sequence[Term] = ()
    metrics: Sequence[MetricExpression] = ()
    kept_back: frozenset[ColumnRef] = frozenset()
    version: str = RELEASED
    for_dbt: bool = False
    names: Mapping[TableRef, str] = field(default_factory=dict)
    # Names of entities, measures and metrics, which dimensions must not have.
    taken: frozenset[str] = frozenset()
    # dbt requires a time spine to parse semantic models.
    lacks_time_spine: bool = False


def dataset_names(tables: Iterable[TableRef], *, for_dbt: bool = False) -> dict[TableRef, str]:
    """Unique names; the schema is prepended if several tables share a name."""
    refs = list(tables)
    counts = Counter(layer_name(ref.name) for ref in refs)
    names: dict[TableRef, str] = {}
    for ref in refs:
        name = ref.name if counts[layer_name(ref.name)] == 1 else f"{ref.schema}_{ref.name}"
        names[ref] = layer_name(name) if for_dbt or "*" in name else name
    return names


def ossie_document(source: OssieSource) -> Entry:
    profiles = {profile.table.ref: profile for profile in source.profiles}
    joins = list(_verified_joins(profiles))
    fields = _field_names(source, joins)
    synonyms = _synonyms(source.terms)
    model: Entry = {
        "name": layer_name(source.target),
        "description": f"Tables of {source.target} with measured joins and values, by dbt-linker.",
        "ai_context": {
            "instructions": "Values and counts are of the last scan of a table; "
            "query the warehouse for current figures."
        },
        "datasets": [_dataset(source, item, joins, fields, synonyms) for item in source.profiles],
        "relationships": list(_relationships(source, joins, fields)),
        "metrics": [_metric(source, item) for item in source.metrics if item.expression],
        "custom_extensions": [_extension(generator=GENERATOR, target=source.target)],
    }
    empty = [key for key in ("relationships", "metrics") if not model[key]]
    for key in empty:
        del model[key]
    return {"version": source.version, "semantic_model": [model]}


class Written(Record, frozen=True):
    """A written file with counts of its content."""

    target: str
    file: str
    datasets: int
    relationships: int
    metrics: int


def write_document(folder: Path, source: OssieSource) -> Written:
    """Write the document into a folder, under the standard file name."""
    if not source.profiles:
        raise ConfigError(
            "there is nothing to export", hint="name other tables, or run: linker profile"
        )
    document = ossie_document(source)
    if source.version == RELEASED:
        # dbt reads `osi/*.json`.
        file, text = folder / "linker.json", json.dumps(document, indent=2, ensure_ascii=False)
    else:
        # Agents Schema reads `*.osi.yaml`.
        import yaml

        file = folder / "linker.osi.yaml"
        text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"cannot write {folder}: {error.strerror}", hint="name another folder"
        ) from None
    write_atomically(file, text.rstrip() + "\n")
    [model] = document["semantic_model"]
    counts = (len(model.get(part, ())) for part in ("datasets", "relationships", "metrics"))
    return Written(source.target, str(file), *counts)


def read_metrics_of(
    project_dir: Path, settings: Settings, target: Target, source: OssieSource
) -> tuple[MetricExpression, ...]:
    """Metrics of a dbt project over the exported tables; empty without a manifest."""
    path = settings.manifest or project_dir / "target" / "manifest.json"
    if not settings.manifest and not path.exists():
        return ()
    names = {str(ref).lower(): name for ref, name in source.names.items()}
    content = Manifest(path).content()
    return read_metrics(content, lambda table: names.get(table, ""), target.kind)


def _dataset(
    source: OssieSource,
    profile: TableProfile,
    joins: Sequence[JoinEdge],
    fields: Mapping[ColumnRef, str],
    synonyms: Mapping[str, list[str]],
) -> Entry:
    table = profile.table
    key = _primary_key(profile)
    pointed = dict.fromkeys(edge.to_columns for edge in joins if edge.key == table.ref)
    others = [columns for columns in pointed if columns != key]
    described = one_line(table.description or "")
    tops = _tops(profile)
    name_of = {column.path: fields[ColumnRef(table.ref, column.path)] for column in tops}
    dataset: Entry = {"name": source.names[table.ref], "source": _physical_name(source, profile)}
    if key:
        dataset["primary_key"] = list(map(name_of.__getitem__, key))
    if others:
        dataset["unique_keys"] = [list(map(name_of.__getitem__, columns)) for columns in others]
    if described:
        dataset["description"] = described
    instructions = _about_table(profile)
    context = _context(instructions, synonyms.get(str(table.ref).lower(), []))
    if context:
        dataset["ai_context"] = context
    measured = {column.path: column for column in profile.columns}
    dataset["fields"] = [
        _field(source, profile, column, measured.get(column.path), name_of[column.path], synonyms)
        for column in tops
    ]
    return dataset


def _field(
    source: OssieSource,
    profile: TableProfile,
    column: Column,
    measured: ColumnProfile | None,
    name: str,
    synonyms: Mapping[str, list[str]],
) -> Entry:
    ref = ColumnRef(profile.table.ref, column.path)
    entry: Entry = {"name": name, "expression": _expression(source, _as_sql(source, column.path))}
    category = measured.l1.category if measured else ""
    if category not in ("", *_AMOUNTS):
        entry["dimension"] = {"is_time": category in _TIMES}
    if described := one_line(column.description or ""):
        entry["description"] = described
    is_shown = measured is not None and measured.is_shown and ref not in source.kept_back
    instructions = "" if is_shown else "Values are not shown: they may be personal or confidential."
    context = _context(instructions, synonyms.get(str(ref).lower(), []))
    values = list(_sample_values(measured)) if measured and is_shown else []
    if values:
        context["sample_values"] = values
    if context:
        entry["ai_context"] = context
    return entry


def _sample_values(column: ColumnProfile) -> Iterator[str]:
    """The most frequent values, if they are useful filters."""
    if column.l1.category not in _INFORMATIVE or column.l2.personal_data:
        return
    for item in (column.l2.representative_values or ())[:_MAX_VALUES]:
        if len(item.value) <= _LONGEST_VALUE:
            yield one_line(item.value)


def _about_table(profile: TableProfile) -> str:
    """Rows, scan time, and the shards of a family."""
    sentences: list[str] = []
    if profile.table.family:
        sentences.append(f"{profile.table.family}.")
    if scanned := profile.statistics:
        sentences.append(f"{scanned.row_count:,} rows on {scanned.scanned_at:%Y-%m-%d}.")
    return " ".join(sentences)


def _relationships(
    source: OssieSource, joins: Iterable[JoinEdge], fields: Mapping[ColumnRef, str]
) -> Iterator[Entry]:
    for edge in joins:
        names = source.names[edge.source], source.names[edge.key]
        sides = (
            [fields[ColumnRef(edge.source, path)] for path in edge.from_columns],
            [fields[ColumnRef(edge.key, path)] for path in edge.to_columns],
        )
        cardinality = edge.cardinality or "cardinality not measured"
        yield {
            "name": "_".join((names[0], *sides[0], "to", names[1], *sides[1])),
            "from": names[0],
            "to": names[1],
            "from_columns": sides[0],
            "to_columns": sides[1],
            "ai_context": {"instructions": f"{cardinality}; {one_line(edge.evidence)}"},
            "custom_extensions": [
                _extension(
                    cardinality=edge.cardinality,
                    origin=edge.origin,
                    confidence=edge.confidence,
                    containment=edge.containment,
                    key_uniqueness=edge.key_uniqueness,
                    fan_out=edge.fan_out,
                    sampled_values=edge.sampled_values,
                )
            ],
        }


def _verified_joins(profiles: Mapping[TableRef, TableProfile]) -> Iterator[JoinEdge]:
    """Joins of exported tables that are declared, or certain by measurement; each once."""
    paths = {ref: _top_paths(profile) for ref, profile in profiles.items()}
    for ref, profile in profiles.items():
        for edge in profile.joins:
            if edge.source != ref or edge.key not in profiles or edge.cardinality == "n:m":
                continue
            is_measured = edge.containment is not None and edge.confidence >= _SURE
            has_fields = paths[ref].issuperset(edge.from_columns)
            has_keys = paths[edge.key].issuperset(edge.to_columns)
            if (edge.origin in _KNOWN_ORIGINS or is_measured) and has_fields and has_keys:
                yield edge


def _field_names(source: OssieSource, joins: Sequence[JoinEdge]) -> dict[ColumnRef, str]:
    """Field names: the columns' own, except for dbt."""
    refs = list[ColumnRef]()
    for profile in source.profiles:
        refs += (ColumnRef(profile.table.ref, column.path) for column in _tops(profile))
    if source.for_dbt:
        return _names_for_dbt(source, refs, joins)
    return {ref: ref.path for ref in refs}


def _names_for_dbt(
    source: OssieSource, refs: Iterable[ColumnRef], joins: Iterable[JoinEdge]
) -> dict[ColumnRef, str]:
    """
    Names of entities and dimensions for dbt. Entities of the same name are joined: a key is named
    after its table, and foreign keys like their key. Dimensions avoid names with another meaning in
    the project.
    """
    names: dict[ColumnRef, str] = {}
    for ref in refs:
        name = layer_name(ref.path)
        names[ref] = f"{source.names[ref.table]}_{name}" if name in source.taken else name
    keys = _keys(source)
    for ref in keys:
        names[ref] = f"{source.names[ref.table]}_key"
    for edge in joins:
        own = ColumnRef(edge.source, edge.from_columns[0])
        wanted = names[ColumnRef(edge.key, edge.to_columns[0])]
        taken = {name for ref, name in names.items() if ref.table == edge.source and ref != own}
        if len(edge.from_columns) == 1 and wanted not in taken and own not in keys:
            names[own] = wanted
    return names


def _keys(source: OssieSource) -> set[ColumnRef]:
    keys: set[ColumnRef] = set()
    for profile in source.profiles:
        keys.update(ColumnRef(profile.table.ref, path) for path in _primary_key(profile))
    return keys


def has_single_key(profile: TableProfile) -> bool:
    """Whether the key is a single column, which dbt requires for dimensions."""
    return len(_primary_key(profile)) == 1


def _primary_key(profile: TableProfile) -> tuple[str, ...]:
    """The primary key's columns."""
    tops = _top_paths(profile)
    keys = [
        column for column in profile.columns if column.path in tops and column.l1.primary_key_origin
    ]
    alone = [column.path for column in keys if column.l1.is_unique]
    return tuple(alone[:1] or [column.path for column in keys])


def _metric(source: OssieSource, metric: MetricExpression) -> Entry:
    entry: Entry = {"name": metric.name, "expression": _expression(source, metric.expression)}
    if metric.description:
        entry["description"] = metric.description
    if metric.synonyms:
        entry["ai_context"] = {"synonyms": list(metric.synonyms)}
    return entry


def _expression(source: OssieSource, sql: str) -> Entry:
    name = source.dialect.ossie_name
    is_known = source.version != RELEASED or name in _RELEASED_DIALECTS
    return {"dialects": [{"dialect": name if is_known else "ANSI_SQL", "expression": sql}]}


def _as_sql(source: OssieSource, name: str) -> str:
    from sqlglot import exp

    if source.dialect.is_bare(name):
        return name
    return exp.to_identifier(name, quoted=True).sql(dialect=source.dialect.name)


def _physical_name(source: OssieSource, profile: TableProfile) -> str:
    """`database.schema.table`; of a family the newest shard, as no single table has all rows."""
    table = profile.table
    name = table.family.representative if table.family else table.ref.name
    return ".".join(filter(None, (source.database, table.ref.schema, name)))


def _synonyms(terms: Iterable[Term]) -> dict[str, list[str]]:
    """By lower-case name of a table or column the terms that refer to it only."""
    synonyms: dict[str, list[str]] = {}
    for term in terms:
        meant = term.columns or term.tables
        if len(meant) != 1 or term.source.startswith(("dbt metric", "dbt measure")):
            continue
        words = synonyms.setdefault(meant[0].lower(), [])
        words += [word for word in (term.term, *term.words) if word not in words]
    return synonyms


def _context(instructions: str, synonyms: Sequence[str]) -> Entry:
    context: Entry = {}
    if instructions:
        context["instructions"] = instructions
    if synonyms:
        context["synonyms"] = list(synonyms)
    return context


def _extension(**facts: object) -> Entry:
    properties = {name: fact for name, fact in facts.items() if fact is not None}
    return {"vendor_name": VENDOR, "data": json.dumps({"linker": properties})}


def _tops(profile: TableProfile) -> list[Column]:
    return [column for column in profile.table.columns if not column.depth]


def _top_paths(profile: TableProfile) -> set[str]:
    return {column.path for column in _tops(profile)}
