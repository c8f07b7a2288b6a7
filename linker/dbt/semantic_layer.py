"""
Metrics, measures and dimensions of a dbt semantic layer as glossary terms, and metrics as SQL.

A term maps to the columns of its expression. All identifiers in it are candidates;
`linker.catalog.warehouse` keeps those that are columns. The SQL of a metric is its aggregation,
with its filter, over the tables of its semantic models; one whose meaning no aggregation has
(cumulative, conversion, over other times) is named with the reason.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

from linker.config.values import Term
from linker.types import Record

Entry = Mapping[str, Any]

_TEXT = re.compile(r"'(?:[^']|'')*'")
_NAME = re.compile(r'"([^"]+)"|([A-Za-z_]\w*)')
# `{{ Dimension('order_id__is_food_order') }}`, also Entity and TimeDimension.
_OBJECT = re.compile(r"\{\{\s*\w+\(\s*['\"](?:\w+?__)?(\w+)['\"].*?\}\}")
_SYNONYMS = ("synonyms", "aliases")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


class _Expression(Record, frozen=True):
    """Columns of one table, and the aggregation."""

    table: str
    columns: tuple[str, ...]
    formula: str


def layer_name(text: str) -> str:
    """
    A valid semantic layer name: at least two lower-case letters, digits and single underscores,
    starting with a letter.
    """
    name = _NOT_IN_NAMES.sub("_", text.lower()).strip("_")
    # Names in other scripts leave nothing, but must be unique.
    name = name or f"{crc32(text.encode()):08x}"
    return name if len(name) > 1 and name[0].isalpha() else f"n_{name}"


def read_terms(content: Mapping[str, Any]) -> tuple[Term, ...]:
    models = [_SemanticModel(entry) for entry in entries(content, "semantic_models")]
    metrics = {str(entry["name"]): entry for entry in entries(content, "metrics")}
    terms: list[Term] = []
    for name, metric in metrics.items():
        measured = tuple(_expressions(name, metrics, models, frozenset()))
        terms += _terms(metric, "metric", measured)
    for model in models:
        for measure in model.measures.values():
            terms += _terms(measure, "measure", (model.measured(measure),))
        for name, dimension in model.dimensions.items():
            # A name in several models, such as `date`, is ambiguous.
            if sum(name in other.dimensions for other in models) == 1:
                terms += _terms(dimension, "dimension", (model.expression(dimension),))
    terms_by_name: dict[str, Term] = {}
    for term in terms:
        # Metrics precede measures of the same name.
        terms_by_name.setdefault(term.term.casefold(), term)
    return tuple(terms_by_name.values())


class _SemanticModel:
    """A semantic model: table, measures and dimensions."""

    def __init__(self, entry: Entry) -> None:
        relation = entry.get("node_relation") or {}
        self.name = str(entry.get("name"))
        self.table = f"{relation.get('schema_name')}.{relation.get('alias')}"
        self.measures = {str(item["name"]): item for item in entry.get("measures") or ()}
        self.dimensions = {str(item["name"]): item for item in entry.get("dimensions") or ()}

    def measured(self, measure: Entry) -> _Expression:
        """Expression of a measure, with its aggregation."""
        expression = self.expression(measure)
        return _Expression(
            self.table, expression.columns, f"{measure.get('agg')}({expression.formula})"
        )

    def expression(self, entry: Entry) -> _Expression:
        """Expression of a measure or dimension; by default its name."""
        formula = str(entry.get("expr") or entry["name"])
        return _Expression(self.table, tuple(_names(formula)), formula)

    def filtered(self, template: str) -> _Expression:
        """Expression of a metric's filter over this model's dimensions."""
        columns: list[str] = []
        for name in _OBJECT.findall(template):
            if name in self.dimensions:
                columns += self.expression(self.dimensions[name]).columns
        return _Expression(
            self.table,
            tuple(columns),
            f"where {' '.join(_OBJECT.sub(_dimension, template).split())}",
        )


def _dimension(match: re.Match[str]) -> str:
    return match[1]


def _expressions(
    name: str, metrics: Mapping[str, Entry], models: Sequence[_SemanticModel], seen: frozenset[str]
) -> Iterator[_Expression]:
    """Expressions of a metric, through those that it is derived from."""
    if name not in metrics or name in seen:
        return
    metric = metrics[name]
    parameters = metric.get("type_params") or {}
    for model, measure in _measures(parameters, models):
        yield model.measured(measure)
        for entry in (metric, parameters.get("measure") or {}):
            for template in _filters(entry):
                yield model.filtered(template)
    for item in _input_metrics(parameters):
        yield from _expressions(str(item.get("name")), metrics, models, seen | {name})


def _measures(
    parameters: Entry, models: Sequence[_SemanticModel]
) -> Iterator[tuple[_SemanticModel, Entry]]:
    """Measures of a simple or cumulative metric; since dbt 1.12 the metric may contain one."""
    named = (parameters.get("measure") or {}).get("name")
    own = parameters.get("metric_aggregation_params")
    for model in models:
        if named in model.measures:
            yield model, model.measures[named]
        elif own and own.get("semantic_model") == model.name:
            yield model, {"name": "", "expr": parameters.get("expr"), **own}


def _input_metrics(parameters: Entry) -> Iterator[Entry]:
    cumulative = (parameters.get("cumulative_type_params") or {}).get("metric")
    single = (parameters.get("numerator"), parameters.get("denominator"), cumulative)
    yield from filter(None, (*single, *(parameters.get("metrics") or ())))


def _filters(entry: Entry) -> Iterator[str]:
    for item in (entry.get("filter") or {}).get("where_filters") or ():
        yield str(item.get("where_sql_template") or "")


def _terms(entry: Entry, kind: str, expressions: Sequence[_Expression]) -> Iterator[Term]:
    """One term per name of an entry; none if the name is that of its column."""
    name = str(entry["name"])
    columns = dict[str, None]()
    for item in expressions:
        columns.update(dict.fromkeys(f"{item.table}.{column}" for column in item.columns))
    tables = dict.fromkeys(item.table for item in expressions)
    formula = "; ".join(dict.fromkeys(item.formula for item in expressions))
    rule = ". ".join(filter(None, (formula, str(entry.get("description") or "").strip())))
    for words in names_of(entry):
        if [*columns] != [f"{table}.{words}" for table in tables]:
            yield Term(
                " ".join(words.replace("_", " ").split()),
                (),
                # A dimension is a column; a row count is its table.
                () if kind == "dimension" else tuple(tables),
                tuple(columns),
                " ".join(rule.split()),
                f"dbt {kind} {name}",
            )


def names_of(entry: Entry) -> Iterable[str]:
    """Name, label, and synonyms from `meta`."""
    meta = (entry.get("config") or {}).get("meta") or entry.get("meta") or {}
    synonyms: list[str] = []
    for key in _SYNONYMS:
        given = meta.get(key) if isinstance(meta, Mapping) else None
        synonyms += [given] if isinstance(given, str) else map(str, given or ())
    return dict.fromkeys(
        filter(None, (str(entry["name"]), str(entry.get("label") or ""), *synonyms))
    )


def _names(formula: str) -> Iterator[str]:
    for quoted, plain in _NAME.findall(_TEXT.sub("", formula)):
        yield quoted or plain


def entries(content: Mapping[str, Any], key: str) -> list[Entry]:
    """Entries of the project's own packages; empty in manifests of older dbt."""
    section = content.get(key) or {}
    return list(section.values()) if isinstance(section, Mapping) else []


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


def _synonyms(entry: Entry) -> Iterable[str]:
    """Synonyms of a metric."""
    own = str(entry["name"]).replace("_", " ").casefold()
    for words in names_of(entry):
        if words.replace("_", " ").casefold() != own:
            yield words
