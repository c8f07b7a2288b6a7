"""
From a linked schema to an answer in SQL: enters the schema and the environment, leaves the statement and what it gave.

A language model writes candidates that vote; without one, or where it gives nothing, the writer of simple statements
tries. What linking did cost counts against the same limits, and everything goes into the same trace.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

from sqlglot import exp, parse_one

from linker.budget import Ledger
from linker.environment import Environment
from linker.errors import LimitReached
from linker.guard import Limits
from linker.linked import LinkedSchema, StepCost
from linker.mentions import read_mentions
from linker.minds.traced import TracedSession
from linker.models import ModelSession
from linker.ranking.reading import Reader
from linker.sql.candidates import STEP, Asking, candidates, chosen
from linker.sql.grouping import confidence, grouped
from linker.sql.records import Attempt, Candidate, Result, SqlAnswer
from linker.sql.simple.writer import Written, write
from linker.sql.statements import Statements
from linker.trace import Trace, continued

# A candidate is kept with its first rows: they show what it gave, and the chosen one has all.
_ROWS_OF_A_CANDIDATE = 5
# Of what is open to so large a part of its words, a statement would be a guess.
_MOST_OPEN = 0.34
NO_MODEL = "a language model is needed: set `model`, or ask in simpler words"


@dataclass
class _Answering:
    """One question: its account, its trace, and what was degraded on the way."""

    schema: LinkedSchema
    environment: Environment
    is_dry: bool

    def __post_init__(self) -> None:
        settings = self.environment.settings
        spent = {one.step: one.cost for one in self.schema.cost}
        self.ledger = Ledger(self.environment.limits, before=spent, seconds_before=self.schema.seconds)
        self.trace: Trace = continued(self.schema.trace, self.schema.question, settings.state_dir)
        self.warnings: dict[str, None] = dict.fromkeys(self.schema.warnings)
        self.started = perf_counter()
        self.answer = SqlAnswer(
            question=self.schema.question,
            target=self.schema.target,
            dialect=self.environment.dialect,
            outcome="failed",
            writer="rules",
            strategy=self.schema.strategy,
        )

    def run(self) -> SqlAnswer:
        """The answer, and the trace of it in the state folder."""
        try:
            with self.ledger.step(STEP):
                answer = self._answered()
            answer = self._finished(answer)
            self.trace.note("sql", answer=answer)
        finally:
            settings = self.environment.settings
            problem = self.trace.save(settings.state_dir, settings.kept_traces)
        return replace(answer, trace="", warnings=(*answer.warnings, problem)) if problem else answer

    def _finished(self, answer: SqlAnswer) -> SqlAnswer:
        """The answer with what it did cost."""
        cost = tuple(StepCost(step, cost) for step, cost in self.ledger.cost_by_step.items())
        return replace(
            answer,
            warnings=tuple(self.warnings),
            cost=cost,
            seconds=self.schema.seconds + perf_counter() - self.started,
            trace=self.trace.id if self.environment.settings.kept_traces else "",
        )

    def _answered(self) -> SqlAnswer:
        if self.schema.unanswerable:
            return replace(self.answer, outcome="unanswerable", unanswerable=self.schema.unanswerable)
        settings = self.environment.settings
        limits = Limits(rows=settings.sql_rows, seconds=settings.sql_seconds)
        admit: Callable[[], float | None] | None = None if self.is_dry else lambda: self.ledger.admit_probe(STEP)
        statements = Statements(self.schema, self.environment, limits, admit)
        model = self.environment.model
        if model is not None:
            session = ModelSession(model, self.ledger, max_concurrent_calls=settings.model_concurrency)
            asking = Asking(self.schema, TracedSession(session, self.trace), statements, self._warn)
            voted = self._voted(asking, settings.sql_candidates)
            if voted.sql:
                return voted
            self._warn("the language model gave no statement that may run; a simple one was tried without it")
        return self._simple(statements)

    def _voted(self, asking: Asking, count: int) -> SqlAnswer:
        """What most candidates gave; in a dry run, what most of them wrote."""
        found = candidates(asking, 1 if self.is_dry else count)
        self.trace.note("candidates", candidates=[_shortened(one) for one in found])
        base = replace(self.answer, writer="model", of=len(found), candidates=tuple(map(_shortened, found)))
        groups = grouped(found, self.schema.question)
        if groups:
            best = chosen(asking, groups)
            self.trace.note("groups", sizes=[len(one.members) for one in groups], chosen=best.speaker.number)
            votes = len(best.members)
            doubts = () if 2 * votes > len(found) else (f"only {votes} of {len(found)} candidates gave these rows",)
            answer = replace(_of_attempt(base, best.attempt), confidence=confidence(best, len(found)), votes=votes)
            return _judged(answer, doubts)
        may_run = next((one.last for one in found if one.last and one.last.runs and not one.last.error), None)
        if may_run:
            return replace(_of_attempt(base, may_run), outcome="written")
        failed = next((one.last for one in found if one.last and one.last.error), None)
        return replace(base, missing=failed.error if failed else "")

    def _simple(self, statements: Statements) -> SqlAnswer:
        """The simple statement, where the whole question is covered or nearly so."""
        written = self._written()
        self.trace.note("simple", written=written)
        base = replace(self.answer, readings=written.readings, open_words=written.open_words, doubts=written.doubts)
        if not written.sql or written.open_share > _MOST_OPEN:
            why = written.why_not or f"no meaning was found for {', '.join(f'“{one}”' for one in written.open_words)}"
            return replace(base, outcome="needs_model", missing=f"{why}; {NO_MODEL}")
        try:
            attempt = statements.attempt(written.sql)
        except LimitReached as error:
            self._warn(f"the statement was not run: {error.what}")
            attempt = statements.checked(written.sql)
        answer = _of_attempt(base, attempt)
        if attempt.error:
            return replace(answer, outcome="failed", missing=attempt.error)
        if attempt.result is None:
            return replace(answer, outcome="written")
        nothing = "no row meets the conditions" if self._finds_nothing(attempt) else ""
        alone = "every group has one row" if self._groups_nothing(attempt) else ""
        return _judged(answer, (nothing, alone, self._shared_place(written, attempt.result, statements)))

    def _written(self) -> Written:
        environment = self.environment
        read = Reader().read(self.schema.question, environment)
        mentions = read_mentions(self.schema.question, read.retrieved, environment.indexed.catalog)
        return write(mentions, self.schema, environment.indexed.facts, environment.dialect)

    def _finds_nothing(self, attempt: Attempt) -> bool:
        """Whether a condition leaves nothing of tables that hold rows: it may be of something else."""
        if attempt.result is None or any(cell not in (None, 0) for row in attempt.result.rows for cell in row):
            return False
        used = {ref.table for ref in attempt.used}
        are_filled = any(one.table.row_count_estimate != 0 for one in self.schema.tables if one.table.ref in used)
        return are_filled and parse_one(attempt.sql, read=self.environment.dialect).find(exp.Where) is not None

    def _groups_nothing(self, attempt: Attempt) -> bool:
        """Whether what is shown beside a group leaves it one row: it may be of another table than the rows counted."""
        tree = parse_one(attempt.sql, read=self.environment.dialect)
        group = tree.args.get("group")
        if attempt.result is None or len(attempt.result.rows) < 2 or not group or len(group.expressions) < 2:
            return False
        counts = [place for place, one in enumerate(tree.expressions) if isinstance(one.unalias(), exp.Count)]
        return bool(counts) and all(row[place] == 1 for row in attempt.result.rows for place in counts)

    def _shared_place(self, written: Written, result: Result, statements: Statements) -> str:
        """Whether more rows than were asked for stand on the last place; where that is not known, that it is not."""
        if not written.ties or not result.rows or (written.open_words or written.doubts):
            return ""
        try:
            more = statements.attempt(written.ties).result
        except LimitReached:
            more = None
        if more is None:
            return "whether others share the last place is not known"
        place = len(result.rows)
        if len(more.rows) > place and more.rows[place - 1][-1] == more.rows[place][-1]:
            return "others share the last place"
        return ""

    def _warn(self, warning: str) -> None:
        self.warnings[warning] = None


def answer_in_sql(schema: LinkedSchema, environment: Environment, *, is_dry: bool = False) -> SqlAnswer:
    """The statement that answers a linked question; in a dry run nothing of it is executed."""
    return _Answering(schema, environment, is_dry).run()


def _judged(answer: SqlAnswer, doubts: tuple[str, ...]) -> SqlAnswer:
    """The answer with more doubts, as far as there are any; a draft where one is left."""
    masked = f"{', '.join(map(str, answer.masked))}: the values are masked" if answer.masked else ""
    doubts = (*answer.doubts, *filter(None, (*doubts, masked)))
    return replace(answer, doubts=doubts, outcome="draft" if doubts or answer.open_words else "answered")


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
        replace(one, result=replace(one.result, rows=one.result.rows[:_ROWS_OF_A_CANDIDATE])) if one.result else one
        for one in candidate.attempts
    )
    return replace(candidate, attempts=attempts)
