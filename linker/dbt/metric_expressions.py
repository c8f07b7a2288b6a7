"""
Metrics of a dbt project as SQL: the aggregation of each, with its filter, over the tables of its
semantic models.

A metric whose meaning no aggregation has (cumulative, conversion, over other times) is named with
the reason.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from linker.dbt.semantic_layer import Entry, entries, names_of
from linker.types import Record

_DIMENSION = re.compile(
    r"\{\{\s*(Dimension|TimeDimension)\(\s*['\"](?:\w+?__)?(\w+)['\"]\s*\)\s*\}\}"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_AGGREGATIONS = {
    "sum": "sum({})",
    "min": "min({})",
    "max": "max({})",
    "average": "avg({})",
    "count": "count({})",
    "count_distinct": "count(distinct {})",
    "sum_boolean": "sum(case when {} then 1 else 0 end)",
    "median": "percentile_cont(0.5) within group (order by {})",
}

# Maps lower-case `schema.table` to a dataset name; empty if there is none.
DatasetOf = Callable[[str], str]


class MetricExpression(Record, frozen=True):
    """A metric with its SQL, or the reason why it has none."""

    name: str
    description: str
    synonyms: tuple[str, ...]
    expression: str = ""
    reason: str = ""


class _NoExpressionError(Exception):
    """Why a metric is not expressible as an aggregation."""


def read_metrics(
    content: Mapping[str, Any], dataset_of: DatasetOf, dialect: str
) -> tuple[MetricExpression, ...]:
    layer = _MetricGraph(content, dataset_of, dialect)
    metrics: list[MetricExpression] = []
    for name, entry in layer.metrics.items():
        description = " ".join(str(entry.get("description") or "").split())
        metric = MetricExpression(name, description, tuple(_synonyms(entry)))
        try:
            expression = layer.expression(name, (), frozenset())
            metrics.append(MetricExpression(name, description, metric.synonyms, expression))
        except _NoExpressionError as error:
            metrics.append(MetricExpression(name, description, metric.synonyms, reason=str(error)))
    return tuple(metrics)


class _MetricGraph:
    """Metrics and semantic models by name."""

    def __init__(self, content: Mapping[str, Any], dataset_of: DatasetOf, dialect: str) -> None:
        self.metrics = {str(item["name"]): item for item in entries(content, "metrics")}
        self._models = {str(item["name"]): item for item in entries(content, "semantic_models")}
        self._dataset_of, self._dialect = dataset_of, dialect

    def expression(self, name: str, filters: tuple[str, ...], seen: frozenset[str]) -> str:
        """SQL of a metric, including the filters of the metrics derived from it."""
        entry = self.metrics.get(name)
        if entry is None or name in seen:
            raise _NoExpressionError(f"there is no metric {name}")
        parameters = entry.get("type_params") or {}
        filters, seen = (*filters, *_filters(entry)), seen | {name}
        match entry.get("type"):
            case "simple":
                return self._aggregation(parameters, filters)
            case "ratio":
                sides = (parameters.get("numerator"), parameters.get("denominator"))
                above, below = (self._input(side, filters, seen) for side in sides)
                return f"({above}) / ({below})"
            case "derived":
                return self._derived(parameters, filters, seen)
        raise _NoExpressionError(f"a {entry.get('type')} metric is no aggregation")

    def _derived(self, parameters: Entry, filters: tuple[str, ...], seen: frozenset[str]) -> str:
        inputs: dict[str, str] = {}
        for item in parameters.get("metrics") or ():
            alias = str(item.get("alias") or item.get("name"))
            inputs[alias] = f"({self._input(item, filters, seen)})"
        return _WORD.sub(
            lambda word: inputs.get(word[0], word[0]), str(parameters.get("expr") or "")
        )

    def _input(self, item: Entry | None, filters: tuple[str, ...], seen: frozenset[str]) -> str:
        item = item or {}
        if item.get("offset_window") or item.get("offset_to_grain"):
            raise _NoExpressionError("it compares with another time")
        return self.expression(str(item.get("name")), (*filters, *_filters(item)), seen)

    def _aggregation(self, parameters: Entry, filters: tuple[str, ...]) -> str:
        """The aggregation of a measure, which simple metrics of dbt 1.12 contain themselves."""
        own = parameters.get("metric_aggregation_params")
        measure = dict(own or {}) | {"expr": parameters.get("expr")}
        model = self._models.get(str(measure.get("semantic_model")))
        if not own:
            used = parameters.get("measure") or {}
            filters = (*filters, *_filters(used))
            model, measure = self._measure(str(used.get("name")))
        if model is None:
            raise _NoExpressionError("its semantic model is not there")
        if measure.get("non_additive_dimension"):
            raise _NoExpressionError("it is not additive")
        aggregation = _AGGREGATIONS.get(str(measure.get("agg")))
        if aggregation is None:
            raise _NoExpressionError(f"{measure.get('agg')} is not an aggregation of standard SQL")
        column = self._qualified(model, str(measure.get("expr") or measure.get("name")))
        conditions = [self._condition(model, template) for template in filters]
        if f"{self._dataset(model)}." not in " ".join((column, *conditions)):
            # An unqualified name would not say whose rows are counted.
            conditions.append(f"{self._key(model)} is not null")
        if conditions:
            column = f"case when {' and '.join(conditions)} then {column} end"
        return aggregation.format(column)

    def _measure(self, name: str) -> tuple[Entry | None, dict[str, Any]]:
        for model in self._models.values():
            for measure in model.get("measures") or ():
                if measure.get("name") == name:
                    return model, dict(measure)
        return None, {}

    def _dataset(self, model: Entry) -> str:
        relation = model.get("node_relation") or {}
        table = f"{relation.get('schema_name')}.{relation.get('alias')}".lower()
        dataset = self._dataset_of(table)
        if not dataset:
            raise _NoExpressionError(f"{table} is not exported")
        return dataset

    def _key(self, model: Entry) -> str:
        """The primary key of a semantic model's table."""
        for entity in model.get("entities") or ():
            if entity.get("type") == "primary":
                return self._qualified(model, str(entity.get("expr") or entity["name"]))
        raise _NoExpressionError("it names no column")

    def _condition(self, model: Entry, template: str) -> str:
        """A filter as SQL; its dimensions must belong to one model."""
        dimensions = {str(item["name"]): item for item in model.get("dimensions") or ()}

        def expression(match: re.Match[str]) -> str:
            item = dimensions.get(match[2])
            if item is None:
                raise _NoExpressionError(f"its filter joins {match[2]} of another model")
            return self._qualified(model, str(item.get("expr") or item["name"]))

        sql = _DIMENSION.sub(expression, template)
        if "{{" in sql:
            raise _NoExpressionError("its filter is no plain dimension")
        return f"({' '.join(sql.split())})"

    def _qualified(self, model: Entry, sql: str) -> str:
        """An expression with columns qualified by dataset."""
        from sqlglot import exp, parse_one
        from sqlglot.errors import SqlglotError

        dataset = self._dataset(model)
        try:
            tree = parse_one(sql, dialect=self._dialect)
        except SqlglotError:
            raise _NoExpressionError("its expression cannot be parsed") from None
        for column in tree.find_all(exp.Column):
            if not column.table:
                column.set("table", exp.to_identifier(dataset))
        return str(tree.sql(dialect=self._dialect))


def _filters(entry: Entry) -> Iterable[str]:
    for item in (entry.get("filter") or {}).get("where_filters") or ():
        yield str(item.get("where_sql_template") or "")


def _synonyms(entry: Entry) -> Iterable[str]:
    """Synonyms of a metric."""
    own = str(entry["name"]).replace("_", " ").casefold()
    for words in names_of(entry):
        if words.replace("_", " ").casefold() != own:
            yield words
