"""
Runs a strategy over a suite, saves each answer, and judges execution accuracy of generated SQL.

Questions are grouped by database, so that each is indexed once; each worker has its own
environment. Gold is read only to judge SQL after it was written. Generated and gold SQL run in the
guarded session. Rows compare as multisets; order counts only where the question asks for one and
the gold orders, with ties in any order; columns match in any order and by any name.
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from time import perf_counter
from typing import get_args

import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from linker import __version__
from linker.budget import Cost
from linker.catalog import documents
from linker.environment import Environment
from linker.errors import ConfigError, LinkerError
from linker.evaluation import GoldenQuestion, JudgedSql, Prediction, RankedColumn, Verdict
from linker.evaluation.preparing import Prepared
from linker.evaluation.results import Header, ResultFile, Task, read_results, unfinished
from linker.linking.result import LinkedSchema
from linker.pipeline import link
from linker.ranking.weights import read_weights
from linker.refresh.steps import update_index
from linker.sql import Attempt
from linker.sql.answering import answer_in_sql
from linker.sql.candidates import STEP
from linker.sql.comparing import Row, SameRows, asks_for_order, holds_columns, same_rows
from linker.sql.statements import Statements
from linker.sql_policy.guard import ProbeLimits
from linker.strategies import Strategy, open_strategy, without_model, without_reranker
from linker.types import ColumnRef, OnProgress, Record

# Larger gold results count as not executable.
MAX_ROWS = 5000

DEFAULT_BUDGETS = (40, 80, 120, 160)
_THAT_CHANGE_ANSWERS = (
    "embedder",
    "model",
    "model_base_url",
    "model_effort",
    "model_temperature",
    "model_by_step",
    "reranker",
    "schema_tokens",
    "recall",
    "max_tokens",
    "max_calls",
    "max_probes",
    "column_budget",
    "sql_candidates",
    "prefer",
    "exclude",
    "glossary",
    "documents",
)


def with_sql(
    prediction: Prediction, question: GoldenQuestion, schema: LinkedSchema, environment: Environment
) -> Prediction:
    """The prediction with generated SQL and its verdict."""
    answer = answer_in_sql(schema, environment)
    limits = ProbeLimits(MAX_ROWS, environment.settings.sql_seconds)
    statements = Statements(schema, environment.warehouse, limits, lambda: None)
    spent = sum((step.cost for step in answer.cost if step.step == STEP), Cost())
    has_tried = any(candidate.attempts for candidate in answer.candidates)
    verdict, _ = _verdict(answer.sql, question, statements, has_tried=has_tried)
    judged = JudgedSql(verdict, answer.confidence, spent.tokens, spent.calls)
    return replace(prediction, sql=answer.sql or None, judged=judged)


def verdict_on(sql: str, question: GoldenQuestion, environment: Environment) -> tuple[Verdict, str]:
    """Verdict on given SQL, and why it did not run."""
    limits = ProbeLimits(MAX_ROWS, environment.settings.sql_seconds)
    schema = LinkedSchema(question.text, environment.target_key, "agent", tables=())
    statements = Statements(schema, environment.warehouse, limits, lambda: None)
    return _verdict(sql, question, statements)


def _verdict(
    sql: str, question: GoldenQuestion, statements: Statements, *, has_tried: bool = False
) -> tuple[Verdict, str]:
    golds = [
        gold
        for gold in map(statements.attempt, question.gold_sql)
        if gold.result and not gold.result.is_cut
    ]
    if not asks_for_order(question.text):
        golds = [replace(gold, is_ordered=False) for gold in golds]
    if not golds:
        return "gold did not run", ""
    if not sql:
        return "failed" if has_tried else "none written", ""
    written = statements.attempt(sql)
    if written.result is None:
        return "failed", written.error
    rows = written.result.rows
    verdicts = {compare_rows(rows, gold, statements.dialect) for gold in golds}
    return next(verdict for verdict in get_args(Verdict) if verdict in verdicts), ""


def compare_rows(written: Sequence[Row], gold: Attempt, dialect: str) -> Verdict:
    """Verdict on rows against those of one correct statement."""
    right = gold.result.rows if gold.result else ()
    same = partial(_same_in_order, ends=_bounds_of_ties(right, _sorting_columns(gold, dialect)))
    if len(written) != len(right):
        return "wrong"
    if same(written, right):
        return "right"
    if holds_columns(written, right, same):
        return "right" if len(written[0]) == len(right[0]) else "more columns"
    if holds_columns(right, written, same):
        return "fewer columns"
    is_told_otherwise = any(
        _differ_in_one_column(written, right, label, same) for label in _labels(gold, dialect)
    )
    return "other labels" if is_told_otherwise else "wrong"


def _differ_in_one_column(
    written: Sequence[Row], right: Sequence[Row], label: int, same: SameRows
) -> bool:
    """Whether rows are equal except for one label column that is distinct in every row."""
    labels, rest = _apart(right, label)
    if not len(written[0]) == len(right[0]) > 1 or len(labels) != len(right):
        return False
    others = (_apart(written, index) for index in range(len(written[0])))
    return any(len(left) == len(right) and same(bare, rest) for left, bare in others)


def _apart(rows: Sequence[Row], index: int) -> tuple[set[object], list[Row]]:
    return {row[index] for row in rows}, [(*row[:index], *row[index + 1 :]) for row in rows]


def _labels(gold: Attempt, dialect: str) -> list[int]:
    """Indexes of computed grouping columns, such as the month of a day."""
    tree = sqlglot.parse_one(gold.sql, read=dialect)
    if not isinstance(tree, exp.Query) or not tree.args.get("group"):
        return []
    indexes = _select_indexes(tree)
    positions = [indexes.get(key.sql().casefold(), -1) for key in tree.args["group"].expressions]
    return [
        index
        for index in positions
        if index >= 0 and not isinstance(tree.selects[index].unalias(), exp.Column)
    ]


def _same_in_order(first: Sequence[Row], second: Sequence[Row], ends: Sequence[int]) -> bool:
    return all(
        same_rows(first[start:end], second[start:end], ordered=False)
        for start, end in pairwise(ends)
    )


def _bounds_of_ties(rows: Sequence[Row], columns: Sequence[int]) -> list[int]:
    """Bounds of runs of rows with equal sort keys; one run without an order."""
    keys = [_only(row, columns) for row in rows]
    differ = [
        index
        for index in range(1, len(rows))
        if not same_rows([keys[index - 1]], [keys[index]], ordered=True)
    ]
    return [0, *differ, len(rows)]


def _only(row: Row, columns: Sequence[int]) -> Row:
    return tuple(row[column] for column in columns)


def _sorting_columns(gold: Attempt, dialect: str) -> Sequence[int]:
    """
    Indexes of the sort columns; none without an order, all if it sorts by something not selected.
    """
    tree = sqlglot.parse_one(gold.sql, read=dialect)
    if (
        not gold.is_ordered
        or not isinstance(tree, exp.Query)
        or not gold.result
        or not gold.result.rows
    ):
        return ()
    indexes = _select_indexes(tree)
    positions = [
        indexes.get(key.this.sql().casefold(), -1) for key in tree.args["order"].expressions
    ]
    width = len(gold.result.rows[0])
    return range(width) if -1 in positions or len(tree.selects) != width else positions


def _select_indexes(tree: exp.Query) -> dict[str, int]:
    """Indexes of selected expressions by number, name and text."""
    indexes: dict[str, int] = {}
    for index, select in enumerate(tree.selects):
        for key in (index + 1, select.alias_or_name, select.unalias().sql()):
            indexes[str(key).casefold()] = index
    return indexes


class RunOptions(Record, frozen=True):
    """Options of a run; default budgets if none are given."""

    strategy: str
    budgets: tuple[int | None, ...] = ()
    with_evidence: bool = True
    workers: int = 1
    retry_errors: bool = False
    with_sql: bool = False


class Progress(Record, frozen=True):
    """Answers so far."""

    done: int
    due: int
    errors: int

    def after(self, prediction: Prediction) -> "Progress":
        return Progress(self.done + 1, self.due, self.errors + (prediction.error is not None))


def run(
    prepared: Prepared,
    questions: Sequence[GoldenQuestion],
    options: RunOptions,
    path: Path,
    on_progress: OnProgress = lambda _done, _due: None,
) -> Progress:
    """Answer all open tasks; each answer is saved at once."""
    # Reject an unknown name early.
    strategy = open_strategy(options.strategy)
    if strategy.needs_model and prepared.settings.model is None:
        raise without_model(options.strategy)
    if strategy.needs_reranker and prepared.settings.reranker is None:
        raise without_reranker(options.strategy)
    if options.with_sql and not prepared.is_target:
        raise ConfigError(
            f"{prepared.suite.name} has no warehouse to run SQL in", hint="leave `--sql` out"
        )
    if options.with_sql and prepared.settings.model is None:
        raise ConfigError(
            "SQL needs a language model, and none is configured",
            hint="set `model` to provider:name",
        )
    options = replace(options, budgets=_budgets(_that_answers(strategy, prepared), options.budgets))
    header = header_of(prepared, options)
    with ResultFile(path, header) as file:
        tasks = _tasks(questions, options.budgets)
        written = {question.id for question in questions if options.with_sql and question.gold_sql}
        answers = read_results(path).predictions
        due = set(unfinished(tasks, answers, retry_errors=options.retry_errors, to_judge=written))
        progress = Progress(len(tasks) - len(due), len(tasks), 0)
        ids = {question_id for question_id, _ in due}
        chosen = [question for question in questions if question.id in ids]
        return _Runner(prepared, options, file, on_progress, progress).run(chosen, due)


def _that_answers(strategy: Strategy, prepared: Prepared) -> Strategy:
    """The strategy that `auto` selects under these settings."""
    with Environment(prepared.settings) as environment:
        return strategy.chosen(environment)[0]


def _budgets(strategy: Strategy, given: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The given or default budgets; None leaves the size to the strategy."""
    if not strategy.has_budget:
        return (None,)
    return given or (DEFAULT_BUDGETS + ((None,) if strategy.has_own_size else ()))


def _tasks(questions: Sequence[GoldenQuestion], budgets: tuple[int | None, ...]) -> list[Task]:
    """Every question at every budget; unanswerable ones at the largest only."""
    largest = max(budgets, key=lambda budget: budget or 0)
    return [
        (question.id, budget)
        for question, budget in product(questions, budgets)
        if question.is_answerable or budget == largest
    ]


def header_of(prepared: Prepared, options: RunOptions) -> Header:
    """Header of a results file: everything that affects an answer, and no secrets."""
    shown = {name: str(getattr(prepared.settings, name)) for name in _THAT_CHANGE_ANSWERS}
    learned = {"weights": repr(read_weights(prepared.settings.ranking_weights))}
    settings = json.dumps({**shown, "evidence": options.with_evidence, **learned}, sort_keys=True)
    template = Path(documents.__file__).read_bytes()
    return Header(
        suite=prepared.suite.name,
        strategy=options.strategy,
        settings=hashlib.sha256(settings.encode()).hexdigest()[:12],
        template=hashlib.sha256(template).hexdigest()[:12],
        versions=(("linker", __version__),),
    )


class _Runner:
    """A run with its workers, file and progress."""

    def __init__(
        self,
        prepared: Prepared,
        options: RunOptions,
        file: ResultFile,
        on_progress: OnProgress,
        before: Progress,
    ) -> None:
        self._prepared, self._options, self._file = prepared, options, file
        self._on_progress, self._progress = on_progress, before
        self._strategy = open_strategy(options.strategy)
        self._of_thread = threading.local()
        self._opened: list[Environment] = []
        self._lock = threading.Lock()

    def run(self, questions: Sequence[GoldenQuestion], due: set[Task]) -> Progress:
        """Answer open tasks; opens the next database while answers are pending."""
        waiting: set[Future[Prediction]] = set()
        try:
            with ThreadPoolExecutor(self._options.workers) as pool:
                for database, question, budget in self._tasks(questions, due):
                    waiting.add(pool.submit(self._answer, database, question, budget))
                    if len(waiting) >= self._options.workers:
                        waiting = self._collect(waiting)
                while waiting:
                    waiting = self._collect(waiting)
        finally:
            for environment in self._opened:
                environment.close()
        return self._progress

    def _tasks(
        self, questions: Sequence[GoldenQuestion], due: set[Task]
    ) -> Iterator[tuple[str, GoldenQuestion, int | None]]:
        """Open tasks by database; each is indexed when its first question is due."""
        for database in dict.fromkeys(question.database for question in questions):
            # For indexed documents this costs one comparison.
            update_index(self._environment(database))
            for question in (question for question in questions if question.database == database):
                for budget in self._options.budgets:
                    if (question.id, budget) in due:
                        yield database, question, budget

    def _collect(self, waiting: set[Future[Prediction]]) -> set[Future[Prediction]]:
        finished, rest = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            prediction = future.result()
            self._file.append(prediction)
            self._progress = self._progress.after(prediction)
            self._on_progress(self._progress.done, self._progress.due)
        return rest

    def _answer(self, database: str, question: GoldenQuestion, budget: int | None) -> Prediction:
        started = perf_counter()
        with_evidence = self._options.with_evidence
        strategy = self._options.strategy
        try:
            environment = for_question(
                question, self._environment(database), budget, with_evidence=with_evidence
            )
            text = text_of(question, with_evidence=with_evidence)
            schema = link(text, environment, self._strategy)
            seconds = perf_counter() - started
            prediction = prediction_of(question, strategy, budget, schema, seconds)
            if self._options.with_sql and question.gold_sql:
                return with_sql(prediction, question, schema, environment)
        except LinkerError as error:
            seconds = perf_counter() - started
            return Prediction(
                question.id, strategy, budget, (), (), seconds=seconds, error=str(error)
            )
        return prediction

    def _environment(self, database: str) -> Environment:
        """Connections of a worker, kept until it moves to the next database."""
        own = self._of_thread
        if not hasattr(own, "parts"):
            own.parts, own.database = Environment(self._prepared.settings), None
            with self._lock:
                self._opened.append(own.parts)
        if own.database != database:
            merged = self._prepared.database_by_name[database]
            own.environment = self._prepared.environment(merged, own.parts)
            own.database = database
        environment: Environment = own.environment
        return environment


def for_question(
    question: GoldenQuestion,
    environment: Environment,
    budget: int | None = None,
    *,
    with_evidence: bool = True,
) -> Environment:
    """The environment with the settings of a question."""
    changes: dict[str, object] = {}
    if budget is not None:
        changes["column_budget"] = budget
    if question.document and with_evidence:
        changes["documents"] = (*environment.settings.documents, str(question.document))
    return environment.with_settings(**changes).without_verified(question.text)


def text_of(question: GoldenQuestion, *, with_evidence: bool) -> str:
    """The question, with its evidence if wanted."""
    if with_evidence and question.evidence:
        return f"{question.text}\n{question.evidence}"
    return question.text


def prediction_of(
    question: GoldenQuestion,
    strategy: str,
    budget: int | None,
    schema: LinkedSchema,
    seconds: float,
) -> Prediction:
    """An answer as stored."""
    columns = []
    for linked in schema.tables:
        for column in linked.columns:
            ref = ColumnRef(linked.table.ref, column.column.path)
            columns.append(RankedColumn(ref, column.score, column.credibility))
    spent = schema.bill.total
    return Prediction(
        question_id=question.id,
        strategy=strategy,
        budget=budget,
        columns=tuple(sorted(columns, key=lambda column: -column.score)),
        tables=tuple(linked.table.ref for linked in schema.tables),
        seen=schema.seen,
        seconds=seconds,
        tokens=spent.tokens,
        cached_tokens=spent.cached_tokens,
        calls=spent.calls,
        probes=spent.probes,
        warnings=schema.warnings,
        refused=schema.unanswerable is not None,
        complete=schema.complete,
    )
