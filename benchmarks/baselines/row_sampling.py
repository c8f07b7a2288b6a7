"""Lets a model sample rows of a schema view by small queries."""

from collections.abc import Iterable, Sequence
from itertools import chain

from benchmarks.baselines.composing import showing
from benchmarks.baselines.prompting import telling
from benchmarks.baselines.writing import Sql
from linker.errors import BudgetExceeded
from linker.linking.actions import ProbeSql, Reply
from linker.linking.column_selection_prompt import Choosing
from linker.linking.prompt_sections import View
from linker.linking.tools import Toolbox
from linker.text.words import readable

_LONGEST = 400


class QueriesReply(Reply):
    """Small queries, none of which answers the question."""

    queries: list[Sql]


def explored(
    choosing: Choosing, step: str, views: Sequence[View], most: int, hints: str = ""
) -> str:
    """Results of small queries over views; one call per view, in parallel."""

    def asked(view: View) -> list[str]:
        dialect = choosing.linking.environment.dialect
        prompt = telling("look_at_rows", hints=hints, most=most, dialect=dialect)(
            **showing(choosing, view)
        )
        reply = choosing.model.ask(step, prompt, QueriesReply)
        return reply.queries[:most] if reply else []

    replies = choosing.model.together(*(lambda view=view: asked(view) for view in views))
    return _ran(choosing, step, chain.from_iterable(replies))


def _ran(choosing: Choosing, step: str, queries: Iterable[str]) -> str:
    """Each query with its first rows, or why the guard refused it."""
    tools, found = Toolbox(choosing.question, choosing.linking, step), list[str]()
    for sql in dict.fromkeys(" ".join(query.split()) for query in queries):
        try:
            result = tools.use(ProbeSql(sql=sql)).text if sql else ""
        except BudgetExceeded as error:
            choosing.linking.warn(f"not all queries were run: {error.what}")
            break
        if result:
            found.append(f"{readable(sql)[:_LONGEST]}\n-> {result[:_LONGEST]}")
    return "\n".join(found)
