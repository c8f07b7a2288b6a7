"""
Metrics, measures and dimensions of a dbt semantic layer as glossary terms.

A term maps to the columns of its expression. All identifiers in it are candidates;
`linker.catalog.warehouse` keeps those that are columns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        for template in _filters(metric, parameters):
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


def _filters(metric: Entry, parameters: Entry) -> Iterator[str]:
    for entry in (metric, parameters.get("measure") or {}):
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
