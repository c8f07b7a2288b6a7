"""
Answers a linked question in SQL: generates, executes and scores candidates.

Without a model, or if no candidate runs, the answer says so. Linking and SQL share budget and
trace.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from linker.environment import Environment
from linker.linking.linking import ModelQuestions, QuestionAccount
from linker.linking.result import LinkedSchema
from linker.linking.trace import continued
from linker.ranking.query_analysis import terms_in_question
from linker.retrieval.passages import near_passages
from linker.sql import Attempt, Candidate, SqlAnswer
from linker.sql.candidates import STEP, CandidateRequest, candidates, chosen, near_values, widened
from linker.sql.comparing import confidence, grouped
from linker.sql.statements import Statements
from linker.sql.verified import NearQuestion, near_questions
from linker.sql_policy.guard import ProbeLimits

_MAX_PASSAGES = 5
_MAX_EXAMPLES = 3
# Candidates keep their first rows as a sample; the chosen one keeps all.
_ROWS_OF_A_CANDIDATE = 5
NO_MODEL = (
    "SQL needs a language model, and none is configured: set `--model PROVIDER:NAME`, such as "
    "openai:gpt-5, or set `model` in linker.yml"
)


@dataclass(eq=False)
class _Answering:
    """A question with account, trace and degradations."""

    schema: LinkedSchema
    environment: Environment
    is_dry: bool

    def __post_init__(self) -> None:
        settings = self.environment.settings
        trace = continued(self.schema.trace, self.schema.question, settings.state_dir)
        self.account = QuestionAccount(
            self.environment, trace, self.schema.cost, self.schema.seconds
        )
        self.account.warn(*self.schema.warnings)
        self.account.record_model_failure(*self.schema.degraded)
        self.answer = SqlAnswer(
            question=self.schema.question,
            target=self.schema.target,
            dialect=self.environment.dialect,
            outcome="failed",
            strategy=self.schema.strategy,
        )

    def run(self) -> SqlAnswer:
        """Answer and write the trace."""
        try:
            with self.account.ledger.step(STEP):
                answer = self._answered()
            answer = self._finished(answer)
            self.account.trace.note("sql", answer=answer)
        finally:
            problem = self.account.save()
        return (
            replace(answer, trace="", warnings=(*answer.warnings, problem)) if problem else answer
        )

    def _finished(self, answer: SqlAnswer) -> SqlAnswer:
        """The answer with its cost."""
        account = self.account
        return replace(
            answer,
            warnings=account.warnings,
            degraded=account.degraded,
            cost=account.cost,
            seconds=account.seconds,
            trace=account.kept_trace,
        )

    def _answered(self) -> SqlAnswer:
        if self.schema.unanswerable:
            return replace(
                self.answer, outcome="unanswerable", unanswerable=self.schema.unanswerable
            )
        if self.environment.model is None:
            return replace(self.answer, outcome="needs_model", missing=NO_MODEL)
        settings = self.environment.settings
        limits = ProbeLimits(rows=settings.sql_rows, seconds=settings.sql_seconds)
        admit: Callable[[], float | None] | None = (
            None if self.is_dry else lambda: self.account.ledger.admit_probe(STEP)
        )
        statements = Statements(self.schema, self.environment.warehouse, limits, admit)
        request = CandidateRequest(
            widened(self.schema, self.environment.indexed.facts),
            ModelQuestions(self.account),
            statements,
            self.account,
            tuple(self._meanings()),
            tuple(self._examples(statements)),
        )
        return self._voted(request, 1 if self.is_dry else settings.sql_candidates)

    def _examples(self, statements: Statements) -> Iterator[NearQuestion]:
        """Similar verified questions whose SQL may be shown today."""
        near = near_questions(self.schema.question, self.environment, _MAX_EXAMPLES)
        yield from (item for item in near if statements.may_be_shown(item.sql))

    def _meanings(self) -> Iterator[str]:
        """Possible values, glossary definitions and document passages for the question."""
        question = self.schema.question
        settings = self.environment.settings
        indexed = self.environment.indexed
        yield from near_values(self.schema, self.environment.retriever)
        for meaning in terms_in_question(
            question, (*settings.glossary, *indexed.terms), indexed.catalog
        ):
            yield f"Glossary: {meaning.term}"
        if settings.documents:
            passages = near_passages(
                question, settings.documents, self.environment.retriever.nearness
            )
            yield from (f"From a document: {passage}" for passage in passages[:_MAX_PASSAGES])

    def _voted(self, request: CandidateRequest, count: int) -> SqlAnswer:
        """The majority result; in a dry run the majority statement."""
        sampled = candidates(request, count)
        self.account.trace.note(
            "candidates", candidates=[_shortened(candidate) for candidate in sampled]
        )
        base = replace(self.answer, of=len(sampled), candidates=tuple(map(_shortened, sampled)))
        groups = grouped(sampled, self.schema.question)
        if groups:
            best = chosen(request, groups)
            self.account.trace.note(
                "groups",
                sizes=[len(group.members) for group in groups],
                chosen=best.representative.number,
            )
            votes = len(best.members)
            doubts = (
                ()
                if 2 * votes > len(sampled)
                else (f"only {votes} of {len(sampled)} candidates gave these rows",)
            )
            answer = replace(
                _of_attempt(base, best.attempt),
                confidence=confidence(best, sampled),
                votes=votes,
            )
            return _judged(answer, doubts)
        last = [candidate.last for candidate in sampled if candidate.last]
        if may_run := next(
            (attempt for attempt in last if attempt.runs and not attempt.error), None
        ):
            return replace(_of_attempt(base, may_run), outcome="written")
        error = last[0].error if last else sampled[0].error
        return replace(base, missing=f"the language model gave no statement that runs: {error}")


def answer_in_sql(
    schema: LinkedSchema, environment: Environment, *, is_dry: bool = False
) -> SqlAnswer:
    """SQL for a linked question; a dry run executes nothing."""
    return _Answering(schema, environment, is_dry).run()


def _judged(answer: SqlAnswer, doubts: tuple[str, ...]) -> SqlAnswer:
    """The answer with doubts; a draft if there are any."""
    masked = f"{', '.join(map(str, answer.masked))}: the values are masked" if answer.masked else ""
    doubts = tuple(filter(None, (*doubts, masked)))
    return replace(answer, doubts=doubts, outcome="draft" if doubts else "answered")


def _of_attempt(answer: SqlAnswer, attempt: Attempt) -> SqlAnswer:
    return replace(
        answer,
        sql=attempt.sql,
        runs=attempt.runs,
        result=attempt.result,
        used=attempt.used,
        masked=attempt.masked,
    )


def _shortened(candidate: Candidate) -> Candidate:
    """The candidate with the first rows of each attempt."""
    attempts = tuple(
        replace(
            attempt, result=replace(attempt.result, rows=attempt.result.rows[:_ROWS_OF_A_CANDIDATE])
        )
        if attempt.result
        else attempt
        for attempt in candidate.attempts
    )
    return replace(candidate, attempts=attempts)
