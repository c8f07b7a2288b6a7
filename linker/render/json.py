"""The linked schema as JSON: enters the answer, leaves the document that `contract` describes."""

from collections.abc import Iterable
from dataclasses import asdict, replace

from linker.budget import Cost
from linker.link.answer import Evidence, Join, LinkedColumn, LinkedSchema, LinkedTable, StepCost, Unanswerable
from linker.render import contract
from linker.text.safe import escaped
from linker.types import Family, TableRef


def render(schema: LinkedSchema) -> str:
    """The linked schema as an indented document."""
    return escaped(document(schema).model_dump_json(indent=2, by_alias=True))


def document(schema: LinkedSchema) -> contract.AnswerRecord:
    """The linked schema as the contract has it."""
    return contract.AnswerRecord(
        version=contract.VERSION,
        question=schema.question,
        target=schema.target,
        strategy=schema.strategy,
        chosen_because=schema.chosen_because or None,
        unanswerable=unanswerable(schema.unanswerable),
        complete=_rounded(schema.complete),
        tables=[_table(linked) for linked in schema.tables],
        further_tables=[
            contract.FurtherTableRecord(name=str(linked.table.ref), columns=_further(linked))
            for linked in schema.further_tables
        ],
        joins=[_join(join) for join in schema.joins],
        alternatives=[
            contract.AlternativeRecord(
                number=alternative.number,
                summary=alternative.summary,
                diverges=list(alternative.diverges),
                tables=[str(ref) for ref in alternative.tables],
                ruled_out=alternative.ruled_out or None,
            )
            for alternative in schema.alternatives
        ],
        discarded=[
            contract.DiscardedRecord(
                kind="table" if isinstance(item.ref, TableRef) else "column",
                name=str(item.ref),
                credibility=_rounded(item.credibility or None),
                reason=item.reason,
            )
            for item in schema.discarded
        ],
        warnings=list(schema.warnings),
        cost=bill(schema.cost, schema.seconds),
        trace=schema.trace or None,
        seconds=round(schema.seconds, 3),
    )


def _table(linked: LinkedTable) -> contract.TableRecord:
    table = linked.table
    return contract.TableRecord(
        schema=table.ref.schema,
        name=table.ref.name,
        kind=table.kind,
        description=table.description,
        row_count_estimate=table.row_count_estimate,
        family=_family(table.family),
        siblings=list(table.siblings),
        stands_for=[str(ref) for ref in linked.stands_for],
        status=linked.status,
        credibility=_rounded(linked.credibility or None),
        reason=linked.reason,
        evidence=_evidence(linked.evidence),
        score=_rounded(linked.score),
        columns=[_column(column) for column in linked.columns],
        further_columns=_further(linked),
    )


def _further(linked: LinkedTable) -> list[contract.FurtherColumnRecord]:
    columns = (column.column for column in linked.further)
    return [contract.FurtherColumnRecord(path=column.path, type=column.data_type) for column in columns]


def _family(family: Family | None) -> contract.FamilyRecord | None:
    if family is None:
        return None
    return contract.FamilyRecord(
        key_kind=family.key_kind,
        first_key=family.first_key,
        last_key=family.last_key,
        member_count=len(family.members),
        representative=family.representative,
    )


def _column(linked: LinkedColumn) -> contract.ColumnRecord:
    column = linked.column
    return contract.ColumnRecord(
        path=column.path,
        type=column.data_type,
        nullable=column.is_nullable,
        description=column.description,
        primary_key=linked.is_primary_key,
        points_to=[str(ref) for ref in linked.points_to],
        examples=list(linked.examples),
        status=linked.status,
        credibility=_rounded(linked.credibility or None),
        score=round(linked.score, 4),
        reason=linked.reason,
        evidence=_evidence(linked.evidence),
    )


def _evidence(evidence: Iterable[Evidence]) -> list[contract.EvidenceRecord]:
    return [contract.EvidenceRecord(kind=item.kind, text=item.text) for item in evidence]


def _join(join: Join) -> contract.JoinRecord:
    return contract.JoinRecord(
        left=str(join.left),
        left_columns=list(join.left_columns),
        right=str(join.right),
        right_columns=list(join.right_columns),
        overlap=_rounded(join.overlap),
        fan_out=_rounded(join.fan_out),
        reason=join.reason,
    )


def unanswerable(refusal: Unanswerable | None) -> contract.UnanswerableRecord | None:
    """The reason why there is no answer, as the contract has it."""
    if refusal is None:
        return None
    return contract.UnanswerableRecord(missing=refusal.missing, nearest=[str(ref) for ref in refusal.nearest])


def bill(steps: tuple[StepCost, ...], seconds: float) -> contract.BillRecord:
    """The cost of all steps, as the contract has it."""
    spent = sum((step.cost for step in steps), Cost())
    return contract.BillRecord(
        total=_cost(replace(spent, seconds=seconds)),
        steps=[contract.StepCostRecord(step=step.step, cost=_cost(step.cost)) for step in steps],
    )


def _cost(cost: Cost) -> contract.CostRecord:
    return contract.CostRecord(**asdict(replace(cost, seconds=round(cost.seconds, 3))))


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)
