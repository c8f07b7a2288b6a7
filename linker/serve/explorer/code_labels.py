"""
What the codes of a column stand for: as its comment says, or a small table that it leads to.

A table is read through the guard, so that nothing is shown that may not be.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from linker.catalog.profile import JoinEdge, TableProfile
from linker.environment import Environment
from linker.errors import LinkerError
from linker.guard import Guard, ProbeLimits
from linker.ranking.allocation import labels_of
from linker.render.profile_card import ColumnCard
from linker.text.safe import one_line, quoted
from linker.types import Table, TableRef

# Of a larger table a key is no code.
_MOST_ROWS = 300
_SECONDS = 5
_CODED = ("code", "category", "boolean", "foreign key", "year", "constant", "identifier")
_SURE = 0.8
_LONGEST_LABEL = 60
# Behind a code these go on with a sentence.
_NO_LABEL = r"(?!(?:and|or|of|to|when|if|is|are|the|for|und|oder|bis)\b)"
_LABEL = r"([^,;|/\n().]*[^\W\d_][^,;|/\n().]*)"
_BETWEEN = r"\s*(?:=|:|->|→|=>|\bmeans\b|\bis\b|\bfor\b)\s*"


class CodeLabels:
    """The labels of codes in one warehouse."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._known: dict[tuple[TableRef, tuple[str, ...]], Mapping[str, str]] = {}

    def of(self, card: ColumnCard) -> Mapping[str, str]:
        """The label of each value of a column that has one."""
        if card.category not in _CODED or card.kept_back:
            return {}
        values = [each.value for each in card.l2.representative_values or ()]
        if not values:
            return {}
        return told_by(card.description, values) or self._looked_up(card.table, card.column.path)

    def _looked_up(self, profile: TableProfile, path: str) -> Mapping[str, str]:
        for edge in profile.joins:
            leads = edge.source == profile.table.ref and edge.from_columns == (path,)
            if not leads or edge.confidence < _SURE:
                continue
            key = (edge.key, edge.to_columns)
            if key not in self._known:
                self._known[key] = self._read(edge)
            if self._known[key]:
                return self._known[key]
        return {}

    def _read(self, edge: JoinEdge) -> Mapping[str, str]:
        table = self._environment.indexed.catalog.table_by_ref.get(edge.key)
        if table is None or table.family or (table.row_count_estimate or 0) > _MOST_ROWS:
            return {}
        label = label_of(table)
        if not label or label in edge.to_columns or table.row_count_estimate is None:
            return {}
        names = ", ".join(map(quoted, (*edge.to_columns, label)))
        sql = f"select {names} from {quoted(table.ref.schema)}.{quoted(table.ref.name)}"  # noqa: S608 - quoted names, and the guard reads it
        try:
            probe, rows = self._guard.run(sql, self._environment.warehouse.session)
        except LinkerError:
            return {}
        if probe.masked:
            return {}
        return {str(code): one_line(str(text))[:_LONGEST_LABEL] for code, text in rows if text}

    @cached_property
    def _guard(self) -> Guard:
        limits = ProbeLimits(rows=_MOST_ROWS, seconds=_SECONDS)
        return self._environment.warehouse.guard_within(limits)


def label_of(table: Table) -> str:
    """The column that says in words what a row is; nothing where several do."""
    places = labels_of(table)
    return table.columns[places[0]].path if len(places) == 1 else ""


def told_by(comment: str, values: Iterable[str]) -> dict[str, str]:
    """
    What a comment says of values, such as `1 = open, 2 = closed` or `O open, C closed`; of one
    value it is chance.
    """
    found = {}
    for value in filter(None, values):
        code = rf"['‘\"“]?{re.escape(value)}['’\"”]?"
        met = re.search(rf"(?<![\w.]){code}{_BETWEEN}{_LABEL}", comment)
        met = met or re.search(rf"(?:^|[,;:|/(])\s*{code}\s+{_NO_LABEL}{_LABEL}", comment)
        label = " ".join(met[1].strip(" '\"“”‘’").split()) if met else ""
        if label:
            found[value] = label[:_LONGEST_LABEL]
    return found if len(found) > 1 else {}
