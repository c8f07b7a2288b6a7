"""
Lines about tables and columns for a model: enters what is known of one, leaves what it is, in few
characters.
"""

from collections.abc import Sequence

from linker.catalog.facts import ColumnFacts
from linker.environment import Environment
from linker.link.views import cut, heading, name_of
from linker.ranking.roles import ROLES, roles_of
from linker.serve.copies import kept_beside
from linker.text.words import parts as parts_of
from linker.text.words import readable, word_list
from linker.types import Column, ColumnRef, Table, TableRef

# Kinds of which a value tells more than the name; where nothing was measured, any may.
_TELLING = ("category", "code", "text", "constant", "year", None)
# Kinds that a type need not say, and those that go without saying beside one.
_READ, _PLAIN = ("boolean", "date", "timestamp"), ("text", "measure", "foreign_key", None)
CODED = ("category", "code", "boolean")
# A comment of a code says what its values mean.
_LONGEST_COMMENT, _LONGEST_LEGEND = 80, 140
_LONGEST_VALUE, _VALUES_SHOWN = 30, 2
FIGURES, _BY = ("measure", "money"), (*CODED, "foreign_key", "date", "timestamp", "year")
_NO_TIMES, _SIBLINGS_NAMED = ("boolean", "code", "constant", "empty"), 3


def table_line(environment: Environment, table: Table, siblings: Sequence[TableRef] = ()) -> str:
    """
    A table in a line; of one without a comment what its kind, its name or its columns say that it
    is.
    """
    beside = environment.derive(kept_beside).get(table.ref)
    meanings = (
        f"kept beside {name_of(str(beside))}" if beside else "",
        "view" if table.kind == "view" else "",
    )
    meaning = (
        "; ".join(filter(None, (*meanings, _figures(environment, table))))
        if not table.description
        else ""
    )
    return heading(table, siblings, _SIBLINGS_NAMED) + (f" - {meaning}" if meaning else "")


def _figures(environment: Environment, table: Table) -> str:
    """The columns by which a table has figures, where it has no key and one of them is a time."""
    known = {
        each.path: environment.indexed.facts.of(ColumnRef(table.ref, each.path))
        for each in table.columns
    }
    times = {each.path for each in table.columns if tells_time(each, known[each.path])}
    by = [path for path, facts in known.items() if path in times or facts.category in _BY]
    figures = [
        path for path, facts in known.items() if path not in times and facts.category in FIGURES
    ]
    is_whole = len(by) + len(figures) == len(known) and not any(
        facts.is_primary_key for facts in known.values()
    )
    return (
        f"figures by {', '.join(map(name_of, by))}"
        if is_whole and times and len(figures) > 1
        else ""
    )


def tells_time(column: Column, facts: ColumnFacts) -> bool:
    """
    True of a column that says when, by its days, its type or its name; one day for all rows says
    nothing.
    """
    if facts.days:
        return facts.days[0] < facts.days[1]
    words = parts_of(column.path)
    is_number = not word_list("naming_times_as_numbers").isdisjoint(words)
    is_named = is_number or roles_of(column, words, (), facts)[ROLES.index("time")]
    return is_named and "per" not in words and facts.category not in _NO_TIMES


def column_line(
    column: Column,
    facts: ColumnFacts,
    examples: Sequence[str],
    *,
    label: str = "",
    with_type: bool = False,
) -> str:
    """A column in a line; `label` names the things that its key leads to."""
    parts = [column_head(column, facts, with_type=with_type)]
    parts += [f"named by {label}"] if label else []
    short = [
        readable(value) + facts.where(value)
        for value in examples
        if len(readable(value)) <= _LONGEST_VALUE
    ]
    if facts.category in _TELLING and short:
        parts.append(
            f"such as {', '.join(short[: 1 if facts.category == 'text' else _VALUES_SHOWN])}"
        )
    parts += [" to ".join(dict.fromkeys(facts.days))] if facts.days else []
    if column.description:
        longest = _LONGEST_LEGEND if facts.category in CODED else _LONGEST_COMMENT
        parts.append(cut(column.description, longest).rstrip("."))
    return "; ".join(parts)


def column_head(column: Column, facts: ColumnFacts, *, with_type: bool = False) -> str:
    """
    Name, kind and key of a column; the key that it leads to without its name, where that is the
    same.
    """
    leads_to = facts.points_to[0] if facts.points_to else None
    kind = "key" if facts.is_primary_key else facts.category
    type_ = cut(column.short_type, 40)
    if with_type:
        kind = type_ if kind in _PLAIN or kind == type_ else f"{type_} {kind}"
    elif kind in _READ and kind not in type_:
        kind = f"{type_} {kind}"
    elif leads_to and kind in ("foreign_key", "identifier"):
        kind = None
    parts = [name_of(column.path), kind or ("" if leads_to else type_)]
    if leads_to:
        has_same_name = leads_to.path.casefold() == column.path.casefold()
        parts.append(f"-> {name_of(str(leads_to.table if has_same_name else leads_to))}")
    return " ".join(part for part in parts if part)
