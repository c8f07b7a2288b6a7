"""Parts that baselines are composed of: a schema that fits, answers side by side, and the finding of them all."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from linker.link.choosing import Choosing, Chosen, found_of, grounded
from linker.link.grounding import Pick, named
from linker.link.linking import Finding
from linker.link.replies import ColumnsReply, whole_name
from linker.link.schema_view import schema_view
from linker.link.views import View, bound_view
from linker.models import Prompt
from linker.names.repair import Unknown
from linker.strategies.base import Strategy
from linker.types import TableRef

# A model answers the same to the same prompt, so each answer is to a schema in another order.
ANSWERS = 5


class DroppedReply(ColumnsReply):
    """Columns to leave out."""


# Its name, its choice, and why it chose.
Way = tuple[str, Chosen, str]


class AskingStrategy(Strategy):
    """A strategy that asks a model, whatever the column budget is."""

    needs_model = True
    has_budget = False


def schema_of(choosing: Choosing, tables: Sequence[TableRef] | None = None, *, turned: int = 0) -> View:
    """The schema, or some tables of it, as far as `schema_tokens` lets."""
    return schema_view(choosing.question, choosing.linking.environment.settings.schema_tokens, tables, turned=turned)


def orders_of(choosing: Choosing, tables: Sequence[TableRef] | None = None, answers: int = ANSWERS) -> list[View]:
    """The same schema in several orders; the first is the usual one."""
    return [schema_of(choosing, tables, turned=at) for at in range(answers)]


def several(choosing: Choosing, views: Sequence[View], ask: Callable[[int, View], Chosen]) -> list[Chosen]:
    """An answer for each view, side by side; `ask` gets its number from 1."""
    return choosing.model.together(*(lambda at=at, view=view: ask(at, view) for at, view in enumerate(views, start=1)))


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
    """Columns of a view by the names that a model gives; once it is asked again with those that lead nowhere."""
    among = tuple(dict.fromkeys(ref.table for ref in view.columns))
    columns, _, lost = named(
        lambda unknown: map(Pick, dict.fromkeys(names("\n".join(map(str, unknown))))),
        lambda name: choosing.linking.names.column(name, among),
    )
    return Chosen(columns=tuple(columns), unknown=tuple(name.name for name in lost))


def dropped(choosing: Choosing, step: str, view: View, render: Callable[..., Prompt]) -> Chosen:
    """Columns of a view that a model wants to be left out; a name that leads nowhere drops nothing."""
    said = choosing.model.ask(step, render(**showing(choosing, view)), DroppedReply)
    names = (choosing.linking.names.column(name) for name in names_of(said)) if said else ()
    return Chosen(columns=tuple(ref for ref in names if not isinstance(ref, Unknown)))


def names_of(said: ColumnsReply) -> Iterator[str]:
    """The columns of a reply by their whole names."""
    return (whole_name(one.table, name) for one in said.tables for name in one.columns)


def found(choosing: Choosing, shown: View, *ways: Way) -> Finding:
    """The union of all ways; where there are several, how many chose an item is its vote."""
    groundings = [grounded(number, name, chosen, why) for number, (name, chosen, why) in enumerate(ways, start=1)]
    seen = (("shown", shown.columns), *((name, chosen.columns) for name, chosen, _ in ways))
    return found_of(choosing.question, choosing.linking, groundings, seen, is_voted=len(ways) > 1)
