"""
The panorama: enters a question with its ranking, leaves what a model sees at once, within so many
tokens.

The likeliest columns are shown with what they mean, and every other column of their tables by name,
so a schema that fits is shown whole. A table that does not fit with all its names is not begun, and
named alone. Only the likeliest one is shown whatever it takes.
"""

from collections.abc import Iterable

from linker.link.question import LinkedQuestion
from linker.link.schema_view import likeliest, meaning
from linker.link.views import View, heading, names_view, other_columns, structure_line, table_line
from linker.ranking.connecting import connected
from linker.text.tokens import estimate_tokens
from linker.types import ColumnRef, Record, Ref, TableRef

# Shares of the tokens: for the tables that bring others together, and for what columns of a first
# wide table mean.
_BRIDGES, _FIRST_MEANT = 0.1, 0.25
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
            cost = _cost(self._heading(ref.table)) + _cost(names) if own is None else 0
            if cost > self.left and self.lines:
                self.refused[ref.table] = None
                continue
            self.left -= cost
            own = self.lines.setdefault(ref.table, {})
            parts = [part for part in meaning(self.question, ref) if part not in self._written]
            column, facts = self.question.catalog.find(ref), self.question.facts_of(ref)
            if column and (parts or facts.is_primary_key):
                line = "; ".join((f" {structure_line(column, facts)}", *parts))
                cost = _cost(line) - _cost(ref.path)
                if cost <= self.left:
                    self.left -= cost
                    own[ref] = line
                    self._written.update(part for part in parts if len(part) > _SHORT)

    def view(self) -> View:
        """Each table: its heading, columns in its order, and the names of its others."""
        lines, shown = list[str](), list[ColumnRef]()
        for table, own in self.lines.items():
            others = other_columns(self.question, table, own)
            columns = self.question.catalog.table_by_ref[table].columns
            in_order = [ref for each in columns if (ref := ColumnRef(table, each.path)) in own]
            lines += [
                self._heading(table),
                *map(own.__getitem__, in_order),
                *filter(None, [others.text]),
            ]
            shown += dict.fromkeys((*in_order, *others.columns))
        stood_for = sum(1 + len(self.question.read.siblings.get(ref.table, ())) for ref in shown)
        return View("\n".join(lines), tuple(shown), self.question.catalog.column_count - stood_for)

    def _heading(self, table: TableRef) -> str:
        return heading(
            self.question.catalog.table_by_ref[table], self.question.read.siblings.get(table, ())
        )


def _cost(line: str) -> int:
    return estimate_tokens(f"{line}\n")
