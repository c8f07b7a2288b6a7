"""
Records of `--format json`: a contract that the reference pages and JSON schemas are written from.

A field that is added does not change a version; one that is renamed, removed or given another meaning does.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from linker.link.answer import EvidenceKind, Status
from linker.sql.records import Outcome

VERSION = 1


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True)


class EvidenceRecord(_Record):
    """One thing that speaks for a table or column."""

    kind: EvidenceKind = Field(
        description="`vote`: ways to answer that need it; `value`: it holds what the question names; `key`: joins; "
        "`profile`, `statistic`: what was measured of it; `probe`: what a small query found; "
        "`usage`: how many queries use it, of those that `linker learn` read; `ranking`: why it is likely."
    )
    text: str = Field(description="What it says, in a line.")


class FamilyRecord(_Record):
    """Physical tables that are one logical table."""

    key_kind: str = Field(description="What tells the members apart, such as `day`.")
    first_key: str = Field(description="The first of these keys.")
    last_key: str = Field(description="The last of these keys.")
    member_count: int = Field(description="How many physical tables there are.")
    representative: str = Field(description="The physical table whose columns are shown: the newest.")


class ColumnRecord(_Record):
    """A column of a table of the answer, or a path inside a nested column."""

    path: str = Field(description="Its name, or the path with dots between the steps.")
    type: str = Field(description="The type, as the warehouse writes it.")
    nullable: bool = Field(description="Whether the warehouse lets it be null.")
    description: str | None = Field(description="What is said of it in the warehouse or in dbt.")
    primary_key: bool = Field(description="Whether it is the key of its table, or a part of it.")
    points_to: list[str] = Field(description="Keys that its values lead to, as `schema.table.column`, surest first.")
    examples: list[str] = Field(
        description="Some of its values; none of a masked or hidden column. What the question names comes first."
    )
    status: Status | None = Field(
        description="`required`: most ways to answer need it; `kept`: evidence spoke for it; `pending`: nothing was "
        "decided, so it stays. Null where the strategy does not vote."
    )
    credibility: float | None = Field(
        description="How surely it is needed, from 0 to 1, by the votes; null where there were none."
    )
    score: float = Field(description="How likely it is needed, from 0 to 1, by the ranking.")
    reason: str = Field(description="Why it is there, in a line.")
    evidence: list[EvidenceRecord] = Field(description="All that speaks for it.")


class FurtherColumnRecord(_Record):
    """A column that is not likely needed, handed over with a schema that fits into a prompt."""

    path: str = Field(description="Its name, or the path with dots between the steps.")
    type: str = Field(description="The type, as the warehouse writes it.")


class FurtherTableRecord(_Record):
    """A table that is not likely needed, handed over with a schema that fits into a prompt."""

    name: str = Field(description="`schema.table`.")
    columns: list[FurtherColumnRecord] = Field(description="Its columns.")


class TableRecord(_Record):
    """A table of the answer. Its columns are those that the question needs."""

    schema_name: str = Field(alias="schema", description="Schema or dataset.")
    name: str = Field(description="Name of the logical table; of a family, the name with `*` for the key.")
    kind: str = Field(description="`table` or `view`, or what else the warehouse calls it.")
    description: str | None = Field(description="What is said of it in the warehouse or in dbt.")
    row_count_estimate: int | None = Field(description="About how many rows it has; null where nobody counts.")
    family: FamilyRecord | None = Field(description="The physical tables behind it; null for a table of its own.")
    siblings: list[str] = Field(description="Tables with the same columns and another meaning.")
    stands_for: list[str] = Field(description="Copies with the same columns that it is shown for.")
    status: Status | None = Field(description="As for a column.")
    credibility: float | None = Field(description="As for a column.")
    reason: str = Field(description="Why it is there, in a line; empty where its columns say it.")
    evidence: list[EvidenceRecord] = Field(description="All that speaks for it.")
    score: float | None = Field(description="How likely it is needed, from 0 to 1; null where nothing says it.")
    columns: list[ColumnRecord] = Field(description="The columns that are needed; without a model, the likely ones.")
    further_columns: list[FurtherColumnRecord] = Field(
        description="Its other columns, where the whole schema is handed over because it fits into `schema_tokens`."
    )


class JoinRecord(_Record):
    """A way to bring two tables of the answer together. Measures are null where nothing was measured."""

    left: str = Field(description="The table that points, as `schema.table`.")
    left_columns: list[str] = Field(description="Its columns.")
    right: str = Field(description="The table that is pointed to.")
    right_columns: list[str] = Field(description="Its columns, in the same order.")
    overlap: float | None = Field(description="Share of the left side's distinct values that the right side holds.")
    fan_out: float | None = Field(description="Rows of the left side for one key of the right side, on average.")
    reason: str = Field(description="How the join is known.")


class AlternativeRecord(_Record):
    """One way to answer that was weighed."""

    number: int = Field(description="Its number, from 1.")
    summary: str = Field(description="What it does, in a line.")
    diverges: list[str] = Field(description="How it differs from the others.")
    tables: list[str] = Field(description="Tables that it needs, as `schema.table`.")
    ruled_out: str | None = Field(description="Why nothing of it had to be kept; null where it is in the answer.")


class DiscardedRecord(_Record):
    """A table or column that some way to answer asked for, and that is not in the answer."""

    kind: Literal["table", "column"] = Field(description="What it is.")
    name: str = Field(description="`schema.table` or `schema.table.column`.")
    credibility: float | None = Field(description="As for a column of the answer.")
    reason: str = Field(description="Why it was left out.")


class UnanswerableRecord(_Record):
    """Why this warehouse cannot answer the question. The tables of the document are then what comes nearest."""

    missing: str = Field(description="What the warehouse lacks.")
    nearest: list[str] = Field(description="Tables and columns that come nearest, by name.")


class CostRecord(_Record):
    """What was spent."""

    calls: int = Field(description="Requests to a language model.")
    prompt_tokens: int = Field(description="Tokens that it read.")
    cached_tokens: int = Field(description="Those of them that the provider had cached.")
    completion_tokens: int = Field(description="Tokens that it wrote.")
    probes: int = Field(description="Small queries in the warehouse.")
    bytes: int = Field(description="Bytes that these read, where the warehouse tells.")
    seconds: float = Field(description="Time; steps that run side by side each count theirs.")


class StepCostRecord(_Record):
    """What one step did cost."""

    step: str = Field(description="Name of the step.")
    cost: CostRecord = Field(description="What it did cost.")


class BillRecord(_Record):
    """What the answer did cost, in all and by step."""

    total: CostRecord = Field(description="The sum of the steps; `seconds` is the time that passed.")
    steps: list[StepCostRecord] = Field(description="One record a step, in their order; none where none was counted.")


class AnswerRecord(_Record):
    """The linked schema of one question."""

    version: int = Field(description=f"Version of this contract: {VERSION}.")
    question: str = Field(description="The question.")
    target: str = Field(description="The dbt profile and target, with a dot between.")
    strategy: str = Field(description="How it was linked.")
    chosen_because: str | None = Field(description="Why so, where `auto` chose it; null where the user did.")
    unanswerable: UnanswerableRecord | None = Field(
        description="Set where the warehouse cannot answer; the command then ends with exit code 3."
    )
    complete: float | None = Field(
        description="The chance, from 0 to 1, that the likely columns are all that is needed; null where a strategy "
        "cannot say it."
    )
    tables: list[TableRecord] = Field(description="The tables that are needed; without a model, the likely ones.")
    further_tables: list[FurtherTableRecord] = Field(
        description="The other tables, where the whole schema is handed over because it fits into `schema_tokens`."
    )
    joins: list[JoinRecord] = Field(description="How they join.")
    alternatives: list[AlternativeRecord] = Field(description="Ways to answer that were weighed.")
    discarded: list[DiscardedRecord] = Field(description="What was asked for and left out.")
    warnings: list[str] = Field(description="What is degraded: limits that were reached, parts that did not work.")
    cost: BillRecord = Field(description="What it did cost.")
    trace: str | None = Field(description="Names the record of the run: `linker trace show`.")
    seconds: float = Field(description="Time from question to answer.")


SQL_VERSION = 1


class ResultRecord(_Record):
    """What the statement gave."""

    columns: list[str] = Field(description="Names of the columns.")
    rows: list[list[str | int | float | bool | None]] = Field(
        description="Rows, cell by cell: times as ISO texts, decimals as numbers, what is nested as JSON in a text."
    )
    is_cut: bool = Field(description="Whether there are more rows than `sql_rows` lets be fetched.")


class AttemptRecord(_Record):
    """One statement of a candidate."""

    sql: str = Field(description="The statement.")
    error: str | None = Field(description="Why it did not run, in the words of the guard or of the warehouse.")
    rows: int | None = Field(description="How many of its rows are kept, at most five; null where it did not run.")


class CandidateRecord(_Record):
    """One way a language model wrote the statement."""

    number: int = Field(description="Its number, from 1.")
    error: str | None = Field(description="Why the model gave none.")
    attempts: list[AttemptRecord] = Field(description="Its statement, and each correction of it.")


class SqlRecord(_Record):
    """The SQL that answers one question."""

    version: int = Field(description=f"Version of this contract: {SQL_VERSION}.")
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
