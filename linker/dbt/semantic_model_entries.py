"""
Writes drafts of semantic models in the specification of dbt 1.12 and later: a semantic model is part
of the entry of its model, entities and dimensions are keys of columns, and metrics aggregate.

https://docs.getdbt.com/docs/build/latest-metrics-spec
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from linker.dbt.project import DbtProject, DbtTable
from linker.dbt.proposals import SchemaPatch, diff_of, entry_of, text_of
from linker.dbt.yaml_text import (
    BareScalar,
    Commented,
    UnsupportedYamlError,
    YamlText,
    child,
    holds_all,
    named,
    open_text,
    read_nodes,
    read_values,
)

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
