"""Replies of a language model that several strategies ask for, as pydantic validates them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from linker.link.actions import AnyDecision, AnyLook, bare

Text = Annotated[str, Field(max_length=2_000)]


class Reply(BaseModel):
    """A reply; what its schema repeats of the prompt is left out of it."""

    model_config = ConfigDict(json_schema_extra=bare)


class SaidTables(Reply):
    """Chosen tables."""

    tables: list[Text]


class SaidColumnsOfTable(Reply):
    """Chosen columns of one table."""

    table: Text
    columns: list[Text]


class SaidColumns(Reply):
    """Chosen columns."""

    tables: list[SaidColumnsOfTable]


class SaidHypothesis(Reply):
    """One way to answer, with all columns that it reads."""

    summary: Text = ""
    tables: list[SaidColumnsOfTable] = []


class SaidPanorama(Reply):
    """What a model says of a panorama: in every turn the same shape, so that providers can cache what came before."""

    hypotheses: list[SaidHypothesis] = []
    maybe: list[SaidColumnsOfTable] = []
    look: list[AnyLook] = []
    decide: list[AnyDecision] = []
    missing: Text = ""


def whole_name(table: str, column: str) -> str:
    """The column with its table, which some models write twice."""
    return column if column.startswith(f"{table}.") else f"{table}.{column}"
