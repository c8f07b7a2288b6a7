"""Asks a model for SQL over a view of the schema, and reads what it used: nothing that it wrote is run."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.baselines.prompting import render_prompt
from linker.lineage.statements import Used, used_by
from linker.link.actions import bare
from linker.link.choosing import NOTHING, Choosing, Chosen
from linker.link.views import View, bound_view

_MOST_TOLD = 8


class SaidSql(BaseModel):
    """One query."""

    model_config = ConfigDict(json_schema_extra=bare)

    sql: Annotated[str, Field(max_length=20_000)]


def written(choosing: Choosing, step: str, view: View) -> Chosen:
    """The tables and columns of one query; what is wrong with it is told once."""
    first = _used(choosing, step, view)
    problem = _problem_of(first) if first else ""
    if first is None or not problem:
        return _chosen(first)
    second = _used(choosing, step, view, problem)
    if second is None:
        return _chosen(first)
    if second.problem:
        choosing.linking.warn(f"a query of the language model could not be read: {second.problem}")
    # What the first one used was meant as well, where it exists.
    return Chosen(first.tables, first.columns) + _chosen(second)


def _used(choosing: Choosing, step: str, view: View, problem: str = "") -> Used | None:
    asked, linking = choosing.asked, choosing.linking
    besides = {"problem": problem} if problem else {}
    prompt = render_prompt(
        "write_sql",
        question=asked.question,
        bound=bound_view(asked),
        dialect=linking.environment.dialect,
        left_out=view.left_out,
        columns=view.text,
        **besides,
    )
    said = choosing.model.ask(step, prompt, SaidSql)
    return used_by(said.sql, linking.environment.dialect, linking.names, asked.catalog) if said else None


def _problem_of(used: Used) -> str:
    if used.problem:
        return used.problem
    if used.unknown:
        return f"it names what does not exist: {', '.join(used.unknown[:_MOST_TOLD])}"
    return "" if used.tables else "it reads no table"


def _chosen(used: Used | None) -> Chosen:
    return Chosen(used.tables, used.columns, used.unknown) if used else NOTHING
