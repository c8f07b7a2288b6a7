"""What a table of the answer stands for, in words: enters a linked table, leaves a line, or nothing."""

from linker.linked import LinkedTable
from linker.render.text import one_line

_MOST_NAMED = 20


def standing(linked: LinkedTable) -> str:
    """Such as `same columns as orders_north, orders_south`; a name says its schema where that is another."""
    if not linked.stands_for:
        return ""
    own = linked.table.ref.schema
    names = [one_line(ref.name if ref.schema == own else str(ref)) for ref in linked.stands_for]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"same columns as {', '.join(names[:_MOST_NAMED])}{more}"
