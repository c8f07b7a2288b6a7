"""
JSON contracts of linked schemas, searches and joins: the records that answers are parsed into and
JSON schemas are generated from.

docs/words/answer.yml describes the fields. Adding a field keeps the version; renaming, removing or
redefining one changes it.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol

from msgspec.structs import replace
from pydantic import AfterValidator, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from linker.linking.mschema import JoinedTables
from linker.linking.result import EvidenceKind, LinkedSchema, LinkedTable, Status
from linker.output import as_json
from linker.sql import Outcome, SqlAnswer
from linker.text.escaping import escaped
from linker.types import Catalog, FamilyKind, Hit, TableHit, TableRef

VERSION = 2
_Name = Annotated[str, BeforeValidator(str)]
_Share = Annotated[float, AfterValidator(lambda share: round(share, 4))]
_Seconds = Annotated[float, AfterValidator(lambda seconds: round(seconds, 3))]
# Zero and empty values mean unknown.
_KNOWN = BeforeValidator(lambda value: value or None)
_Text = Annotated[str | None, _KNOWN]
_Credibility = Annotated[_Share | None, _KNOWN]
# Whether there is a reason.
_IsDegraded = Annotated[bool, BeforeValidator(bool)]

SQL_VERSION = 1


class _Form(BaseModel):
    model_config = ConfigDict(
        frozen=True, from_attributes=True, json_schema_serialization_defaults_required=True
    )


def _at(*steps: str) -> Any:  # noqa: ANN401 - as pydantic's own
    """A field with another name or path in the answer."""
    return Field(validation_alias=AliasPath(*steps))


def _kind(ref: object) -> str:
    return "table" if isinstance(ref, TableRef) else "column"


class EvidenceRecord(_Form):
    """A piece of evidence for a table or column."""

    kind: EvidenceKind
    text: str


class FamilyRecord(_Form):
    """A sharded table family: physical tables that form one logical table."""

    kind: FamilyKind
    key_kind: str
    first_key: str
    last_key: str
    member_count: Annotated[int, BeforeValidator(len)] = _at("members")
    representative: str


class ColumnRecord(_Form):
    """A column of a table of the answer, or a path inside a nested column."""

    path: str = _at("column", "path")
    type: str = _at("column", "data_type")
    nullable: bool = _at("column", "is_nullable")
    description: str | None = _at("column", "description")
    primary_key: bool = _at("is_primary_key")
    points_to: list[_Name]
    examples: list[str]
    status: Status | None
    credibility: _Credibility
    score: _Share
    reason: str
    evidence: list[EvidenceRecord]


class FurtherColumnRecord(_Form):
    """
    A column that is probably not needed, included because the whole schema fits into a prompt.
    """

    path: str = _at("column", "path")
    type: str = _at("column", "data_type")


class FurtherTableRecord(_Form):
    """A table that is probably not needed, included because the whole schema fits into a prompt."""

    name: _Name = _at("table", "ref")
    columns: list[FurtherColumnRecord] = _at("further")


class TableRecord(_Form):
    """A table of the answer with the columns that the question needs."""

    schema_name: str = Field(
        validation_alias=AliasPath("table", "ref", "schema"), serialization_alias="schema"
    )
    name: str = _at("table", "ref", "name")
    kind: str = _at("table", "kind")
    description: str | None = _at("table", "description")
    row_count_estimate: int | None = _at("table", "row_count_estimate")
    family: FamilyRecord | None = _at("table", "family")
    siblings: list[str] = _at("table", "siblings")
    stands_for: list[_Name]
    status: Status | None
    credibility: _Credibility
    reason: str
    evidence: list[EvidenceRecord]
    score: _Share | None
    columns: list[ColumnRecord]
    further_columns: list[FurtherColumnRecord] = _at("further")


class JoinRecord(_Form):
    """A join of two tables of the answer. Measures are null if unmeasured."""

    left: _Name
    left_columns: list[str]
    right: _Name
    right_columns: list[str]
    overlap: _Share | None
    fan_out: _Share | None
    cardinality: str | None
    reason: str


class AlternativeRecord(_Form):
    """A hypothesis."""

    number: int
    summary: str
    diverges: list[str]
    tables: list[_Name]
    ruled_out: _Text


class DiscardedRecord(_Form):
    """A table or column of some hypothesis that is not in the answer."""

    kind: Annotated[Literal["table", "column"], BeforeValidator(_kind)] = _at("ref")
    name: _Name = _at("ref")
    credibility: _Credibility
    reason: str


class UnanswerableRecord(_Form):
    """
    Why the warehouse cannot answer the question. The document's tables are then the nearest match.
    """

    missing: str
    nearest: list[_Name]


class CostRecord(_Form):
    """Cost."""

    calls: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    probes: int
    bytes: int
    seconds: _Seconds


class StepCostRecord(_Form):
    """Cost of a step."""

    step: str
    cost: CostRecord


class BillRecord(_Form):
    """Cost in total and by step."""

    total: CostRecord
    steps: list[StepCostRecord]


class AnswerRecord(_Form):
    """The linked schema of one question."""

    version: int = VERSION
    question: str
    target: str
    strategy: str
    chosen_because: _Text
    unanswerable: UnanswerableRecord | None
    complete: _Share | None
    tables: list[TableRecord]
    further_tables: list[FurtherTableRecord]
    joins: list[JoinRecord]
    alternatives: list[AlternativeRecord]
    discarded: list[DiscardedRecord]
    warnings: list[str]
    degraded: _IsDegraded
    degraded_because: list[str] = _at("degraded")
    cost: BillRecord = _at("bill")
    trace: _Text
    seconds: _Seconds


class ResultRecord(_Form):
    """Result of the statement."""

    columns: list[str]
    rows: list[list[str | int | float | bool | None]]
    is_cut: bool


class AttemptRecord(_Form):
    """A statement of a candidate."""

    sql: str
    error: _Text
    rows: Annotated[
        int | None, BeforeValidator(lambda result: len(result.rows) if result else None)
    ] = _at("result")


class CandidateRecord(_Form):
    """A candidate: a statement of the language model, with corrections."""

    number: int
    error: _Text
    attempts: list[AttemptRecord]


class SqlRecord(_Form):
    """The SQL that answers one question."""

    version: int = SQL_VERSION
    question: str
    target: str
    dialect: str
    strategy: str
    outcome: Outcome
    sql: _Text
    runs: _Text
    result: ResultRecord | None
    used_columns: list[_Name] = _at("used")
    masked_columns: list[_Name] = _at("masked")
    confidence: _Share | None
    votes: int
    of: int
    doubts: list[str]
    missing: _Text
    unanswerable: UnanswerableRecord | None
    candidates: list[CandidateRecord]
    warnings: list[str]
    degraded: _IsDegraded
    degraded_because: list[str] = _at("degraded")
    cost: BillRecord = _at("bill")
    trace: _Text
    seconds: _Seconds


def render(schema: LinkedSchema, *, explain: bool = False) -> str:
    """One line; with `explain` indented, with all evidence and discarded candidates."""
    record = AnswerRecord.model_validate(schema if explain else _without_evidence(schema))
    return escaped(record.model_dump_json(indent=2 if explain else None, by_alias=True))


def _without_evidence(schema: LinkedSchema) -> LinkedSchema:
    tables: list[LinkedTable] = []
    for table in schema.tables:
        columns = tuple(replace(column, evidence=()) for column in table.columns)
        tables.append(replace(table, evidence=(), columns=columns))
    return replace(schema, tables=tuple(tables), discarded=())


# Raise if a field changes meaning.
LOOKUP_VERSION = 1


class FoundHits(Protocol):
    """Results of a search."""

    @property
    def tables(self) -> Sequence[TableHit]:
        """Best first."""

    @property
    def columns(self) -> Sequence[Hit]:
        """Best first."""


def search_json(hits: FoundHits, text: str, catalog: Catalog, target: str) -> str:
    """Found tables and columns, best first."""
    tables: list[dict[str, object]] = []
    for hit in hits.tables:
        if table := catalog.table_by_ref.get(hit.ref):
            facts = {"description": table.description, "score": hit.score}
            tables.append({"name": str(hit.ref), **facts})
    columns: list[dict[str, object]] = []
    for column_hit in hits.columns:
        if column := catalog.find(column_hit.ref):
            values = [match.value for match in column_hit.matches]
            facts = {"description": column.description, "score": column_hit.score}
            columns.append({"name": str(column_hit.ref), **facts, "values": values})
    record = {"version": LOOKUP_VERSION, "target": target, "text": text}
    return as_json({**record, "tables": tables, "columns": columns})


def joins_json(joined: JoinedTables) -> str:
    """Joins, intermediate tables, and tables without a join."""
    joins = [JoinRecord.model_validate(join).model_dump(by_alias=True) for join in joined.joins]
    record = {
        "version": LOOKUP_VERSION,
        "tables": list(map(str, joined.tables)),
        "joins": joins,
        "between": list(map(str, joined.between)),
        "apart": list(map(str, joined.apart)),
    }
    return as_json(record)


def sql_json(answer: SqlAnswer) -> str:
    """A SQL answer as indented JSON."""
    return escaped(SqlRecord.model_validate(answer).model_dump_json(indent=2))
