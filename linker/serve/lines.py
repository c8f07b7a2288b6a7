"""Lines about columns for a model: enters what is known of one, leaves its name, kind, key, values and comment."""

from collections.abc import Sequence

from linker.catalog.facts import ColumnFacts
from linker.link.views import cut, name_of
from linker.text.words import readable
from linker.types import Column

# Kinds of which a value tells more than the name; where nothing was measured, any may.
_TELLING = ("category", "code", "text", "constant", "year", None)
# Kinds that a type need not say, and those that go without saying beside one.
_READ, _PLAIN = ("boolean", "date", "timestamp"), ("text", "measure", "foreign_key", None)
CODED = ("category", "code", "boolean")
# A comment of a code says what its values mean.
_LONGEST_COMMENT, _LONGEST_LEGEND = 80, 140
_LONGEST_VALUE, _VALUES_SHOWN = 30, 2


def column_line(
    column: Column, facts: ColumnFacts, examples: Sequence[str], *, label: str = "", with_type: bool = False
) -> str:
    """A column in a line; `label` names the things that its key leads to."""
    parts = [column_head(column, facts, with_type=with_type)]
    parts += [f"named by {label}"] if label else []
    short = [readable(value) + facts.where(value) for value in examples if len(readable(value)) <= _LONGEST_VALUE]
    if facts.category in _TELLING and short:
        parts.append(f"such as {', '.join(short[: 1 if facts.category == 'text' else _VALUES_SHOWN])}")
    if column.description:
        longest = _LONGEST_LEGEND if facts.category in CODED else _LONGEST_COMMENT
        parts.append(cut(column.description, longest).rstrip("."))
    return "; ".join(parts)


def column_head(column: Column, facts: ColumnFacts, *, with_type: bool = False) -> str:
    """Name, kind and key of a column; the key that it leads to without its name, where that is the same."""
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
