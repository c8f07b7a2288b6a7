"""
What a probe may do with a masked column: enters a place where it stands, leaves the texts that it is compared with.

Counting it, testing it for null, sorting and grouping by it and handing it on tell no value: they work on a mark.
Comparing it with texts that the statement holds tells whether they are there, and no more.
"""

from collections.abc import Iterable

from sqlglot import exp

from linker.guard.refusal import refused

MASKED = "(masked)"


def compared_texts(column: exp.Column, ref: str) -> list[str]:
    """The texts; raises for any use that would tell a value, or be answered by marks as if they were values."""
    place: exp.Expr = column
    while isinstance(place.parent, exp.Paren):
        place = place.parent
    around = place.parent
    match around:
        case exp.Count() | exp.Group() | exp.Ordered() | exp.Select():
            return []
        case exp.Alias() if isinstance(around.parent, exp.Select):
            return []
        case exp.Is() if isinstance(around.expression, exp.Null):
            return []
        case exp.EQ() | exp.NEQ():
            other = around.expression if around.this is place else around.this
            return _texts([other], ref)
        case exp.In() if around.this is place and around.expressions and not around.args.get("query"):
            return _texts(around.expressions, ref)
    raise refused("masked_column", f"{ref} is masked")


def _texts(values: Iterable[exp.Expr], ref: str) -> list[str]:
    """Plain texts and numbers; a number becomes a text, as the masked column is one."""
    texts = []
    for value in values:
        if not isinstance(value, exp.Literal):
            raise refused("masked_column", f"{ref} is masked, and is compared with something else than a text")
        if value.name == MASKED:
            raise refused("masked_column", f"{ref} is masked, and is compared with the mark for that")
        value.set("is_string", True)
        texts.append(value.name)
    return texts
