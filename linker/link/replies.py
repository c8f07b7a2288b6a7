"""Replies of a language model that several strategies ask for, as pydantic validates them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from linker.link.actions import AnyDecision, AnyLook, bare

Text = Annotated[str, Field(max_length=2_000)]


class Reply(BaseModel):
    """A reply; what its schema repeats of the prompt is left out of it."""

    model_config = ConfigDict(json_schema_extra=bare)


class TablesReply(Reply):
    """Chosen tables."""

    tables: list[Text]


class ColumnsOfTable(Reply):
    """Chosen columns of one table."""

    table: Text
    columns: list[Text]


class ColumnsReply(Reply):
    """Chosen columns."""

    tables: list[ColumnsOfTable]


class HypothesisReply(Reply):
    """One way to answer, with all columns that it reads."""

    summary: Text = ""
    tables: list[ColumnsOfTable] = []


class PanoramaReply(Reply):
    """
    What a model says of a panorama: in every turn the same shape, so that providers can cache what
    came before.
    """

    hypotheses: list[HypothesisReply] = []
    maybe: list[ColumnsOfTable] = []
    look: list[AnyLook] = []
    decide: list[AnyDecision] = []
    missing: Text = ""


def whole_name(table: str, column: str) -> str:
    """The column with its table, which some models write twice."""
    return column if column.startswith(f"{table}.") else f"{table}.{column}"
