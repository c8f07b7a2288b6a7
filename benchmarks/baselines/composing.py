"""
Parts that baselines are composed of: a schema that fits, answers side by side, and the finding of
them all.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from linker.link.choosing import Choosing, Chosen, found_of, grounded
from linker.link.grounding import named
from linker.link.linking import Finding
from linker.link.model_questions import ModelQuestions, ResultT
from linker.link.replies import ColumnsReply, whole_name
from linker.link.schema_view import schema_view
from linker.link.views import View, bound_view
from linker.models import Prompt
from linker.names.repair import Unknown
from linker.strategies.base import FindingStrategy
from linker.types import TableRef

# A model answers the same to the same prompt, so each answer is to a schema in another order.
ANSWERS = 5


class DroppedReply(ColumnsReply):
    """Columns to leave out."""


# Its name, its choice, and why it chose.
Way = tuple[str, Chosen, str]


class AskingStrategy(FindingStrategy):
    """A strategy that asks a model, whatever the column budget is."""

    needs_model = True
    has_budget = False


def schema_of(
    choosing: Choosing, tables: Sequence[TableRef] | None = None, *, turned: int = 0
) -> View:
    """
    The schema, or some tables of it, as far as `schema_tokens` lets.

    `turned` shows the same in another order: a model reads what comes first best, and may be asked
    more than once.
    """
    view = schema_view(
        choosing.question, choosing.linking.environment.settings.schema_tokens, tables
    )
    if not turned:
        return view
    blocks = [block.split("\n") for block in re.split(r"\n(?! )", view.text)]
    random.Random(turned).shuffle(blocks)  # noqa: S311 - nothing is kept secret by it
    for block in blocks:
        lines = block[1:]
        random.Random(turned).shuffle(lines)  # noqa: S311
        block[1:] = lines
    return replace(view, text="\n".join("\n".join(block) for block in blocks))


def orders_of(
    choosing: Choosing, tables: Sequence[TableRef] | None = None, answers: int = ANSWERS
) -> list[View]:
    """The same schema in several orders; the first is the usual one."""
    return [schema_of(choosing, tables, turned=at) for at in range(answers)]


def together(model: ModelQuestions, *tasks: Callable[[], ResultT]) -> list[ResultT]:
    """The results of questions that are asked side by side, in their order."""
    with ThreadPoolExecutor(max(1, min(len(tasks), model.width))) as pool:
        return [future.result() for future in [pool.submit(task) for task in tasks]]


def several(
    choosing: Choosing, views: Sequence[View], ask: Callable[[int, View], Chosen]
) -> list[Chosen]:
    """An answer for each view, side by side; `ask` gets its number from 1."""
    return together(
        choosing.model,
        *(lambda at=at, view=view: ask(at, view) for at, view in enumerate(views, start=1)),
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
    """
    Columns of a view by the names that a model gives; once it is asked again with those that lead
    nowhere.
    """
    among = tuple(dict.fromkeys(ref.table for ref in view.columns))
    columns, lost = named(
        lambda unknown: names("\n".join(map(str, unknown))),
        lambda name: choosing.linking.names.column(name, among),
    )
    return Chosen(columns=columns, unknown=lost)


def dropped(choosing: Choosing, step: str, view: View, render: Callable[..., Prompt]) -> Chosen:
    """
    Columns of a view that a model wants to be left out; a name that leads nowhere drops nothing.
    """
    said = choosing.model.ask(step, render(**showing(choosing, view)), DroppedReply)
    names = (choosing.linking.names.column(name) for name in names_of(said)) if said else ()
    return Chosen(columns=tuple(ref for ref in names if not isinstance(ref, Unknown)))


def names_of(said: ColumnsReply) -> Iterator[str]:
    """The columns of a reply by their whole names."""
    return (whole_name(one.table, name) for one in said.tables for name in one.columns)


def found(choosing: Choosing, shown: View, *ways: Way) -> Finding:
    """The union of all ways; where there are several, how many chose an item is its vote."""
    groundings = [
        grounded(number, name, chosen, why)
        for number, (name, chosen, why) in enumerate(ways, start=1)
    ]
    seen = (("shown", shown.columns), *((name, chosen.columns) for name, chosen, _ in ways))
    return found_of(choosing.question, choosing.linking, groundings, seen, is_voted=len(ways) > 1)
