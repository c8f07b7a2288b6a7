"""
What `linker sql --format json` holds, record by record: a contract that its page and its JSON schema are made from.

A field that is added does not change the version; one that is renamed, removed or given another meaning does.
"""

from pydantic import BaseModel, ConfigDict, Field

from linker.render.contract import BillRecord, UnanswerableRecord
from linker.sql.records import Outcome

VERSION = 1


class _SqlDocumentPart(BaseModel):
    model_config = ConfigDict(frozen=True)


class ResultRecord(_SqlDocumentPart):
    """What the statement gave."""

    columns: list[str] = Field(description="Names of the columns.")
    rows: list[list[str | int | float | bool | None]] = Field(
        description="Rows, cell by cell: times as ISO texts, decimals as numbers, what is nested as JSON in a text."
    )
    is_cut: bool = Field(description="Whether there are more rows than `sql_rows` lets be fetched.")


class AttemptRecord(_SqlDocumentPart):
    """One statement of a candidate."""

    sql: str = Field(description="The statement.")
    error: str | None = Field(description="Why it did not run, in the words of the guard or of the warehouse.")
    rows: int | None = Field(description="How many of its rows are kept, at most five; null where it did not run.")


class CandidateRecord(_SqlDocumentPart):
    """One way a language model wrote the statement."""

    number: int = Field(description="Its number, from 1.")
    error: str | None = Field(description="Why the model gave none.")
    attempts: list[AttemptRecord] = Field(description="Its statement, and each correction of it.")


class SqlRecord(_SqlDocumentPart):
    """The SQL that answers one question."""

    version: int = Field(description=f"Version of this contract: {VERSION}.")
    question: str = Field(description="The question.")
    target: str = Field(description="The dbt profile and target, with a dot between.")
    dialect: str = Field(description="The SQL that it is written in.")
    strategy: str = Field(description="How the question was linked.")
    outcome: Outcome = Field(
        description="`answered`: it ran, and most candidates gave its rows; `draft`: it ran and is not certain, "
        "`doubts` say why; `written`: it may run and was not; `needs_model`: there is no language model to write it; "
        "`failed`: nothing that the model wrote runs; `unanswerable`: the warehouse lacks what is asked for."
    )
    sql: str | None = Field(description="The statement, formatted; null where there is none.")
    runs: str | None = Field(description="What the guard lets run of it: limited, without hidden columns.")
    result: ResultRecord | None = Field(description="What it gave; null where it was not run.")
    used_columns: list[str] = Field(description="Columns of the linked schema that it uses, as `schema.table.column`.")
    masked_columns: list[str] = Field(description="Those of them that show only that a value is there.")
    confidence: float | None = Field(
        description="How surely more than half of all candidates would give this, by the votes; null without votes."
    )
    votes: int = Field(description="Candidates that gave this result.")
    of: int = Field(description="Candidates that were asked for.")
    doubts: list[str] = Field(description="What is not certain.")
    missing: str | None = Field(description="Why there is no answer.")
    unanswerable: UnanswerableRecord | None = Field(description="What the warehouse lacks, and what comes nearest.")
    candidates: list[CandidateRecord] = Field(description="All candidates of the language model.")
    warnings: list[str] = Field(description="What is degraded: limits that were reached, parts that did not work.")
    cost: BillRecord = Field(description="What linking and writing did cost, in all and by step.")
    trace: str | None = Field(description="Names the record of the run: `linker trace show`.")
    seconds: float = Field(description="Time from question to answer.")
