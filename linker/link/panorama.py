"""
The panorama: enters a question with its ranking, leaves what a model sees at once, within so many
tokens.

The likeliest columns are shown with what they mean, and every other column of their tables by name,
so a schema that fits is shown whole. A table that does not fit with all its names is not begun, and
named alone. Only the likeliest one is shown whatever it takes.
"""

from collections.abc import Iterable

from linker.catalog.description import heading
from linker.link.question import LinkedQuestion
from linker.link.schema_view import likeliest, line_cost, stood_for
from linker.link.views import View, names_view, other_columns, table_line
from linker.ranking.allocation import connected
from linker.types import ColumnRef, Record, Ref, Table, TableRef

# Shares of the tokens: for the tables that bring others together, and for what columns of a first
# wide table mean.
_BRIDGES = 0.1
_FIRST_MEANT = 0.25
_TOKENS_OF_NAMES = 1_500
# Tables that did not fit, and of which the likeliest columns are named.
_NEARLY_SHOWN = 5
# What is longer is said once.
_SHORT = 40


class Panorama(Record, frozen=True):
    """The tables with columns, further tables by name, and the columns that can be read there."""

    tables: str
    names: str
    columns: tuple[ColumnRef, ...]
    left_out: int
    further: int


def panorama(question: LinkedQuestion, tokens: int) -> Panorama:
    """The panorama of a question."""
    sheet, columns = _Sheet(question, tokens * (1 - _BRIDGES)), likeliest(question, None, tokens)
    sheet.add(columns[:1])
    sheet.left = max(sheet.left, tokens * _FIRST_MEANT)
    sheet.add(columns)
    sheet.left += tokens * _BRIDGES
    sheet.add([ref for pair in connected(question.ranked, sheet.lines) for ref in pair])
    sheet.add(columns)
    view, others = sheet.view(), names_view(question, min(_TOKENS_OF_NAMES, tokens // 4))
    names: dict[Ref, str] = dict(zip(others.shown, others.text.splitlines(), strict=True))
    for ref in [*sheet.refused][:_NEARLY_SHOWN]:
        names[ref] = table_line(
            question, question.catalog.table_by_ref[ref], question.read.siblings.get(ref, ())
        )
    further = "\n".join(line for ref, line in names.items() if ref not in sheet.lines)
    return Panorama(
        view.text, further, view.columns, max(0, view.left_out), max(0, others.left_out)
    )


class _Sheet:
    """
    Lines of columns by table, as many as fit with the names of all other columns of these tables.
    """

    def __init__(self, question: LinkedQuestion, tokens: float) -> None:
        self.question, self.left = question, tokens
        self.lines = dict[TableRef, dict[ColumnRef, str]]()
        self.refused = dict[TableRef, None]()
        self._written = set[str]()

    def add(self, columns: Iterable[ColumnRef]) -> None:
        """
        Show columns: those with what they mean that tell anything, the others by name; the first
        one in any case.
        """
        for ref in columns:
            own = self.lines.get(ref.table)
            if ref.table in self.refused or ref in (own or ()):
                continue
            names = other_columns(self.question, ref.table, ()).text if own is None else ""
            cost = line_cost(self._heading(ref.table)) + line_cost(names) if own is None else 0
            if cost > self.left and self.lines:
                self.refused[ref.table] = None
                continue
            self.left -= cost
            own = self.lines.setdefault(ref.table, {})
            described = self.question.describe(ref)
            parts = [part for part in described.meaning() if part not in self._written]
            if parts or described.facts.is_primary_key:
                line = "; ".join((f" {described.structure()}", *parts))
                cost = line_cost(line) - line_cost(ref.path)
                if cost <= self.left:
                    self.left -= cost
                    own[ref] = line
                    self._written.update(part for part in parts if len(part) > _SHORT)

    def view(self) -> View:
        """Each table: its heading, columns in its order, and the names of its others."""
        lines, shown = list[str](), list[ColumnRef]()
        for table, own in self.lines.items():
            others = other_columns(self.question, table, own)
            refs = (ColumnRef(table, each.path) for each in self._table(table).columns)
            in_order = [ref for ref in refs if ref in own]
            lines += [self._heading(table), *map(own.__getitem__, in_order)]
            lines += [others.text] if others.text else []
            shown += dict.fromkeys((*in_order, *others.columns))
        left_out = self.question.catalog.column_count - stood_for(self.question, shown)
        return View("\n".join(lines), tuple(shown), left_out)

    def _table(self, ref: TableRef) -> Table:
        return self.question.catalog.table_by_ref[ref]

    def _heading(self, table: TableRef) -> str:
        return heading(self._table(table), self.question.read.siblings.get(table, ()))
