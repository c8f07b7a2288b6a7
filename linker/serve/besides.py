"""
Besides the likely columns: enter a question and a table that is found, leave columns and joins that
it needs as well.

A time where one is asked for, a figure that the question speaks of, what names the things behind a
key, and the way between two tables.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from linker.catalog.description import ColumnDescription, name_of
from linker.catalog.facts import Facts
from linker.environment import Environment
from linker.link.answer import Join, LinkedColumn, LinkedTable
from linker.link.mschema import join_tables
from linker.ranking.allocation import labels_of
from linker.ranking.question import analyse, says_little
from linker.ranking.roles import is_of_loading
from linker.serve.lines import FIGURES, tells_time
from linker.text.periods import periods_of
from linker.text.words import words_of_name
from linker.types import ColumnRef, Table, TableRef

_MOST_PASSED = 2
_NEARLY_ALL = 0.95


class Besides:
    """What a question asks for besides the columns of a table that are likely."""

    def __init__(self, environment: Environment, question: str) -> None:
        self._indexed, self._question = environment.indexed, analyse(question)
        self._periods = tuple(periods_of(question))

    def times(self, linked: LinkedTable, shown: Sequence[LinkedColumn]) -> list[LinkedColumn]:
        """
        The likeliest column that says when, where none is shown; better one that reaches into what
        is asked for.
        """
        if not self._periods and "time" not in self._question.asks:
            return []
        likely = {each.column.path for each in linked.columns}
        others = (each for each in linked.table.columns if each.path not in likely)
        every = (*linked.columns, *(LinkedColumn(each, 0.0, "") for each in others))
        times = [each for each in every if self._tells_time(linked, each)]
        if any(each in shown for each in times):
            return []
        dated = [period for period in self._periods if period.first or period.last]
        met = []
        for each in times:
            days = self._known(linked, each).facts.days
            if days is None or not dated or any(period.meets(*days) for period in dated):
                met.append(each)
        return (met or times)[:1]

    def _tells_time(self, linked: LinkedTable, each: LinkedColumn) -> bool:
        return tells_time(self._known(linked, each)) and not is_of_loading(each.column)

    def figures(self, linked: LinkedTable, shown: Sequence[LinkedColumn]) -> list[LinkedColumn]:
        """
        The likeliest figure whose name or comment has a word of the question, where no figure is
        shown.
        """
        spoken = list[LinkedColumn]()
        for each in linked.columns:
            if self._known(linked, each).facts.category in FIGURES:
                text = f"{each.column.path} {each.column.description or ''}"
                if each in shown:
                    return []
                if not self._words.isdisjoint(words_of_name(text)):
                    spoken.append(each)
        return spoken[:1]

    @cached_property
    def _words(self) -> set[str]:
        """
        The words of the question that cannot be asked of anything, and words that mean the same.
        """
        return {word for word in self._question.words if not says_little(word)}.union(
            *self._question.synonyms
        )

    def _known(self, linked: LinkedTable, each: LinkedColumn) -> ColumnDescription:
        return self._indexed.describe(ColumnRef(linked.table.ref, each.column.path))


def way_between(
    environment: Environment, tables: Sequence[TableRef], over: Collection[TableRef]
) -> tuple[Join, ...]:
    """
    The joins that bring two tables together over a few others, of which each leads on; two keys
    into one do not.
    """
    found = join_tables(tables, environment)
    passed = {*found.between}
    leads_on = passed <= {join.left for join in found.joins} & {*over}
    return found.joins if passed and leads_on and len(passed) <= _MOST_PASSED else ()


def labels_behind(
    environment: Environment,
    table: TableRef,
    columns: Sequence[LinkedColumn],
    shown: Mapping[TableRef, Sequence[LinkedColumn]],
) -> dict[str, str]:
    """
    By key what names the things that it leads to, and the number or code beside it, where no name
    is shown.
    """
    catalog, facts, found = environment.indexed.catalog, environment.indexed.facts, dict[str, str]()
    for column in columns:
        known = facts.of(ColumnRef(table, column.column.path))
        things = [key.table for key in known.points_to[:1]]
        things += [table] if known.is_primary_key else []
        target = catalog.table_by_ref.get(things[0]) if things else None
        if target is None:
            continue
        labels = [target.columns[place].path for place in labels_of(target)]
        names = {each.column.path for each in shown.get(target.ref, ())}
        if labels and names.isdisjoint(labels):
            found[column.column.path] = ", ".join(map(name_of, labels)) + _number_of(target, facts)
    return found


def _number_of(table: Table, facts: Facts) -> str:
    """
    The number or code, in brackets, by which people know a thing of a table, and which is no key.
    """
    for column in table.columns:
        known = facts.of(ColumnRef(table.ref, column.path))
        is_own = (known.distinct_count or 0) >= _NEARLY_ALL * (table.row_count_estimate or 1)
        is_key = known.is_primary_key or known.points_to
        if is_own and known.category in ("identifier", "code") and not is_key:
            return f" ({name_of(column.path)})"
    return ""
