"""
Labels of coded values, from the column's comment or the lookup table it references (read through
the guard).
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from linker.catalog.description import CODED, cut, label_of
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.errors import LinkerError
from linker.ranking.column_selection import labels_of
from linker.text.escaping import one_line
from linker.text.words import parts, readable, words_of_text
from linker.types import ColumnRef, Table, TableRef

# Larger tables are no code lists.
_MAX_ROWS = 1_000
_SECONDS = 10
_LONGEST_LABEL = 60
_LONGEST_COMMENT = 200
# Codes listed with labels; up to the second limit only those in the question.
_FEW = 8
_MAX_CODES = 100
_LONGEST_PAIRS = 100
_CODES = (*CODED, "foreign_key", "identifier", "year", "constant")
# Between several labels words are allowed.
_BETWEEN = r"=|:|->|→|=>|–|—|\s-\s|\bmeans\b|\bis\b|\bfor\b"
# After a code, these words continue a sentence.
_LABEL = r"(?!(?:and|or|of|to|when|if|is|are|the|for|und|oder|bis)\b)([^,;|/\n().]*[^\W\d_][^,;|/\n().]*)"  # noqa: E501


def _nothing_read(_: ProfiledCatalog) -> dict[ColumnRef, Mapping[str, str]]:
    return {}


class CodeLabels:
    """Labels of codes; a lookup table is read once per scan."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._read = environment.derive(_nothing_read)

    def get(self, ref: ColumnRef, values: Sequence[str]) -> Mapping[str, str]:
        """Labels by value, for values that have one."""
        indexed = self._environment.indexed
        column = indexed.catalog.table_by_ref[ref.table].column_by_path[ref.path]
        facts = indexed.facts.get(ref)
        if facts.category not in _CODES or not values:
            return {}
        if labels := labels_in_comment(column.description or "", values):
            return labels
        return self._labels_by(self.key_of(ref))

    def key_of(self, ref: ColumnRef) -> ColumnRef:
        """The column that defines a column's codes."""
        points_to = self._environment.indexed.facts.get(ref).points_to
        return points_to[0] if points_to else ref

    def pairs_of(self, ref: ColumnRef, question: str = "") -> str:
        """
        Codes with labels from the lookup table, such as `O = Open, C = Closed`, those in the
        question first; only these if there are many or if they are row ids. Empty if the comment
        lists them.
        """
        indexed = self._environment.indexed
        column = indexed.catalog.table_by_ref[ref.table].column_by_path[ref.path]
        facts = indexed.facts.get(ref)
        is_short = 0 < (facts.distinct_count or 0) <= _MAX_CODES
        leads_to_list = facts.is_primary_key or facts.points_to
        if not (is_short and leads_to_list) or labels_in_comment(
            column.description or "", facts.values
        ):
            return ""
        labels = self.get(ref, facts.values or ("",))
        codes = [value for value in facts.values if value in labels] or list(labels)
        words = set(words_of_text(question))
        spoken = [code for code in codes if _is_in_question(code, labels[code], words)]
        is_code = facts.category in CODED or not all(map(str.isdecimal, codes))
        shown = codes if is_code and len(codes) <= _FEW else spoken
        ordered = sorted(shown, key=lambda code: code not in spoken)
        return _first_pairs([_pair(code, labels[code]) for code in ordered])

    def _labels_by(self, key: ColumnRef) -> Mapping[str, str]:
        """Labels of a lookup table; empty if the warehouse is unavailable."""
        if key not in self._read:
            with suppress(LinkerError):
                self._read[key] = self._labels_in_table(key)
        return self._read.get(key, {})

    def _labels_in_table(self, key: ColumnRef) -> Mapping[str, str]:
        indexed = self._environment.indexed
        table = indexed.catalog.table_by_ref.get(key.table)
        if table is None or table.family:
            return {}
        count, label = table.row_count_estimate or 0, labelling_column(table)
        # Each code must have one row.
        is_list = count <= _MAX_ROWS and indexed.facts.get(key).distinct_count == count
        if not is_list or label in ("", key.path):
            return {}
        rows = self._rows(key.table, (key.path, label))
        return {str(code): one_line(str(name))[:_LONGEST_LABEL] for code, name in rows if name}

    def _rows(self, table: TableRef, columns: Sequence[str]) -> Sequence[Sequence[object]]:
        """Rows of columns through the guard; empty if one is masked."""
        from sqlglot import exp

        from linker.sql_policy.guard import ProbeLimits

        warehouse = self._environment.warehouse
        if not warehouse.is_profiled:
            return []
        query = exp.select(*(exp.column(column, quoted=True) for column in columns)).from_(
            exp.table_(table.name, table.schema, quoted=True)
        )
        guard = warehouse.guard_within(ProbeLimits(rows=_MAX_ROWS, seconds=_SECONDS))
        probe, rows = guard.run(query.sql(self._environment.dialect), warehouse.session)
        return [] if probe.masked else rows


def _is_in_question(code: str, label: str, words: Collection[str]) -> bool:
    """Whether a code or its full label is in the question."""
    named = (words_of_text(text) for text in (code, label))
    return any(item and set(item) <= set(words) for item in named)


def _pair(code: str, label: str) -> str:
    return label if code == label else f"{readable(code)} = {label}"


def _first_pairs(pairs: Sequence[str]) -> str:
    """Pairs that fit in a line, and how to get the rest."""
    shown, length = list[str](), 0
    for pair in pairs:
        length += len(pair)
        if shown and length > _LONGEST_PAIRS:
            break
        shown.append(pair)
    left = len(pairs) - len(shown)
    more = f" and {left} more (column_values lists them)" if left else ""
    return f"{', '.join(shown)}{more}"


def labelling_column(table: Table) -> str:
    """The column that labels rows; None if several do."""
    labels = labels_of(table)
    return table.columns[labels[0]].path if len(labels) == 1 else ""


def labels_in_comment(comment: str, values: Iterable[str]) -> dict[str, str]:
    """
    Labels from a comment, such as `1 = open, 2 = closed` or `O open, C closed`; a single match may
    be chance and is ignored.
    """
    labels = {}
    for value in filter(None, values):
        listed = re.search(rf"(?:^|[,;:|/(])\s*{re.escape(value)}\s+{_LABEL}", comment)
        label = label_of(value, comment, between=_BETWEEN) or (listed[1].strip() if listed else "")
        if label:
            labels[value] = label[:_LONGEST_LABEL]
    return labels if len(labels) > 1 else {}


def explaining_comment(environment: Environment, ref: ColumnRef, values: Sequence[str]) -> str:
    """A comment that explains some of a column's codes, or empty."""
    column = environment.indexed.catalog.table_by_ref[ref.table].column_by_path[ref.path]
    words = set(parts(column.description or ""))
    if environment.indexed.facts.get(ref).category not in CODED:
        return ""
    named = [value for value in values if parts(value) and words.issuperset(parts(value))]
    return cut(column.description or "", _LONGEST_COMMENT) if named else ""
