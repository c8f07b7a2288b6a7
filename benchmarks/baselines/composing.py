"""Building blocks of baselines: schema views in several orders."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from linker.identifiers.resolver import Unknown
from linker.linking.actions import ColumnsReply, whole_name
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking_state import named
from linker.linking.prompt_sections import View, bound_view
from linker.models import Prompt
from linker.types import TableRef

# A model answers the same to the same prompt, so each answer is to a schema in another order.
ANSWERS = 5


class DroppedReply(ColumnsReply):
    """Columns to leave out."""


def orders_of(
    choosing: Choosing, tables: Sequence[TableRef] | None = None, answers: int = ANSWERS
) -> list[View]:
    """The schema in several orders, since models attend most to what comes first."""
    view = choosing.schema(tables)
    return [view, *(_turned(view, at) for at in range(1, answers))]


def _turned(view: View, seed: int) -> View:
    blocks = re.split(r"\n(?! )", view.text)
    random.Random(seed).shuffle(blocks)  # noqa: S311 - nothing is kept secret by it
    return replace(view, text="\n".join(_with_columns_turned(block, seed) for block in blocks))


def _with_columns_turned(block: str, seed: int) -> str:
    head, *lines = block.split("\n")
    random.Random(seed).shuffle(lines)  # noqa: S311
    return "\n".join([head, *lines])


def several(
    choosing: Choosing, views: Sequence[View], ask: Callable[[int, View], Chosen]
) -> list[Chosen]:
    """One answer per view, in parallel; `ask` gets its number from 1."""
    return choosing.model.together(
        *(partial(ask, at, view) for at, view in enumerate(views, start=1))
    )


def showing(choosing: Choosing, view: View) -> dict[str, str | int]:
    """The question and a view of columns, as prompts show them."""
    asked = choosing.question
    return {
        "question": asked.question,
        "bound": bound_view(asked),
        "left_out": view.left_out,
        "columns": view.text,
    }


def picked(choosing: Choosing, view: View, names: Callable[[str], Iterable[str]]) -> Chosen:
    """Columns of a view by name; unknown names are sent back once."""
    among = tuple(dict.fromkeys(ref.table for ref in view.columns))
    columns, lost = named(
        lambda unknown: names("\n".join(map(str, unknown))),
        lambda name: choosing.linking.names.column(name, among),
    )
    return Chosen(columns=columns, unknown=lost)


def dropped(choosing: Choosing, step: str, view: View, render: Callable[..., Prompt]) -> Chosen:
    """Columns of a view to leave out; unknown names are ignored."""
    reply = choosing.model.ask(step, render(**showing(choosing, view)), DroppedReply)
    names = (choosing.linking.names.column(name) for name in names_of(reply)) if reply else ()
    return Chosen(columns=tuple(ref for ref in names if not isinstance(ref, Unknown)))


def names_of(reply: ColumnsReply) -> Iterator[str]:
    """The columns of a reply by their whole names."""
    for table in reply.tables:
        yield from (whole_name(table.table, name) for name in table.columns)
