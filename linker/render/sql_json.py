"""An answer in SQL as JSON: enters the answer, leaves the document that `sql_contract` describes."""

from linker.render import sql_contract as contract
from linker.render.json import bill, unanswerable
from linker.sql.records import Candidate, Result, SqlAnswer
from linker.text.safe import escaped


def render(answer: SqlAnswer) -> str:
    """The answer as an indented document."""
    return escaped(document(answer).model_dump_json(indent=2))


def document(answer: SqlAnswer) -> contract.SqlRecord:
    """The answer as the contract has it."""
    return contract.SqlRecord(
        version=contract.VERSION,
        question=answer.question,
        target=answer.target,
        dialect=answer.dialect,
        strategy=answer.strategy,
        outcome=answer.outcome,
        sql=answer.sql or None,
        runs=answer.runs or None,
        result=_result(answer.result),
        used_columns=[str(ref) for ref in answer.used],
        masked_columns=[str(ref) for ref in answer.masked],
        confidence=None if answer.confidence is None else round(answer.confidence, 4),
        votes=answer.votes,
        of=answer.of,
        doubts=list(answer.doubts),
        missing=answer.missing or None,
        unanswerable=unanswerable(answer.unanswerable),
        candidates=[_candidate(one) for one in answer.candidates],
        warnings=list(answer.warnings),
        cost=bill(answer.cost, answer.seconds),
        trace=answer.trace or None,
        seconds=round(answer.seconds, 3),
    )


def _result(result: Result | None) -> contract.ResultRecord | None:
    if result is None:
        return None
    rows = [list(row) for row in result.rows]
    return contract.ResultRecord(columns=list(result.columns), rows=rows, is_cut=result.is_cut)


def _candidate(candidate: Candidate) -> contract.CandidateRecord:
    return contract.CandidateRecord(
        number=candidate.number,
        error=candidate.error or None,
        attempts=[
            contract.AttemptRecord(
                sql=one.sql, error=one.error or None, rows=len(one.result.rows) if one.result else None
            )
            for one in candidate.attempts
        ],
    )
