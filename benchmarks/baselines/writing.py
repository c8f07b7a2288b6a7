"""Asks a model for SQL over a schema view and extracts the columns it uses; the SQL is not run."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from benchmarks.baselines.prompting import telling
from linker.linking.actions import Reply
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.prompt_sections import View, bound_view
from linker.sql_analysis.statements import Used, used_by

_MAX_TOLD = 8
Sql = Annotated[str, Field(max_length=20_000)]


class SqlReply(Reply):
    """One query."""

    sql: Sql


@dataclass(frozen=True, slots=True)
class Draft:
    """A query, and the tables and columns that it uses."""

    sql: str = ""
    chosen: Chosen = field(default_factory=Chosen)


def written(choosing: Choosing, step: str, view: View, hints: str = "") -> Chosen:
    """The tables and columns of one query."""
    return drafted(choosing, step, view, hints).chosen


def drafted(choosing: Choosing, step: str, view: View, hints: str = "") -> Draft:
    """One query and the columns it uses; an error is returned to the model once."""
    first, used = _asked(choosing, step, view, hints)
    problem = _problem_of(used) if used else ""
    if used is None or not problem:
        return Draft(first, _chosen(used))
    second, mended = _asked(choosing, step, view, hints, problem)
    if mended is None:
        return Draft(first, _chosen(used))
    if mended.problem:
        choosing.linking.warn(f"a query of the language model could not be read: {mended.problem}")
    # What the first one used was meant as well, where it exists.
    return Draft(second, Chosen(used.tables, used.columns) + _chosen(mended))


def _asked(
    choosing: Choosing, step: str, view: View, hints: str, problem: str = ""
) -> tuple[str, Used | None]:
    asked, linking = choosing.question, choosing.linking
    prompt = telling("write_sql", hints=hints, problem=problem)(
        question=asked.question,
        bound=bound_view(asked),
        dialect=linking.environment.dialect,
        left_out=view.left_out,
        columns=view.text,
    )
    reply = choosing.model.ask(step, prompt, SqlReply)
    return (
        (reply.sql, used_by(reply.sql, linking.environment.dialect, linking.names, asked.catalog))
        if reply
        else ("", None)
    )


def _problem_of(used: Used) -> str:
    if used.problem:
        return used.problem
    if used.unknown:
        return f"it names what does not exist: {', '.join(used.unknown[:_MAX_TOLD])}"
    return "" if used.tables else "it reads no table"


def _chosen(used: Used | None) -> Chosen:
    return Chosen(used.tables, used.columns, used.unknown) if used else Chosen()
