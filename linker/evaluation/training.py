"""
Fits the four stages of the ranking one after another, and the calibration of its log-odds.

Every question has the same weight. Stages that separate columns by themselves balance positives and
negatives; later stages weigh every row alike, which keeps them conservative. Each is a logistic
regression with L2 on standardised features, by Newton's method; those of tables also rank the
tables of each question (softmax), since probabilities alone compare rows of different questions.
Calibration is fitted on databases that the weights did not see, since it would be overconfident
otherwise.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from linker.errors import NameLookupError
from linker.evaluation import Gold, GoldenQuestion
from linker.evaluation.running import text_of
from linker.evaluation.scoring import column_key, scorable, table_key
from linker.identifiers.resolver import find
from linker.ranking.calibration import (
    Likelihoods,
    completeness_features,
    likelihood_features,
    likelihoods,
)
from linker.ranking.catalog_index import CatalogIndex, Named
from linker.ranking.column_selection import allocate
from linker.ranking.features import (
    column_features,
    context_features,
    neighbour_features,
    table_features,
)
from linker.ranking.lexical_match import (
    MatchFeatures,
    RetrievalSignals,
    compute_match_features,
    match,
)
from linker.ranking.query_analysis import analyse
from linker.ranking.ranker import RankingResult, rank_evidence
from linker.ranking.table_tokens import Floats, Ints
from linker.ranking.weights import Regression, Weights, stacked
from linker.types import ColumnRef, Record

# With more alternatives from a wildcard, the intended table cannot be learned.
_MAX_ALTERNATIVES = 3

_BALANCED = ("columns",)
_OF_TABLES = ("tables", "neighbours")
# Found by cross-validation over databases: tables generalise best with strong regularisation,
# columns with weak.
STRENGTHS = {"tables": 60.0, "neighbours": 300.0, "columns": 3.0, "context": 30.0}
NO_FEATURES: frozenset[str] = frozenset()

# Answer sizes used for fitting completeness.
_SIZES = (4, 6, 8, 12, 16, 20, 25, 30, 40, 60, 80, 120, 160, 240)
_STRENGTH = 0.1

GOLDEN = "golden"
# Minimum number of golden questions for calibrating completeness.
MIN_GOLDEN = 20
# Above any claim.
_NEVER_COMPLETE = 2.0


class Example(Record, frozen=True):
    """Features and labels of a question; indexes are those of the candidate pool."""

    question_id: str
    database: str
    suite: str
    evidence: MatchFeatures
    table_labels: Floats
    column_labels: Floats
    table_importance: Floats
    column_importance: Floats
    choices: tuple[tuple[frozenset[int], ...], ...]
    stand_ins: Mapping[int, frozenset[int]]

    def is_complete(self, answer: frozenset[int]) -> bool:
        """
        Whether an answer contains everything that one correct statement reads; any of identical
        tables will do.
        """
        shown = answer.union(*(self.stand_ins.get(column, frozenset()) for column in answer))
        return any(_is_met(gold, shown) for gold in self.choices)


def _is_met(gold: Sequence[frozenset[int]], shown: frozenset[int]) -> bool:
    return bool(gold) and not any(choice.isdisjoint(shown) for choice in gold)


def example_of(
    suite: str,
    question: GoldenQuestion,
    catalog_index: CatalogIndex,
    golds: Sequence[Gold],
    signals: RetrievalSignals,
) -> Example:
    """The weight-independent part of a question."""
    text = text_of(question, with_evidence=True)
    evidence = compute_match_features(
        catalog_index, match(analyse(text), catalog_index.lexicon, signals)
    )
    column_at = {column_key(ref): index for index, ref in enumerate(catalog_index.lexicon.refs)}
    table_at = {
        table_key(table.ref): index for index, table in enumerate(catalog_index.lexicon.tables)
    }
    usable = [gold for gold in scorable(golds) if gold.fields]
    fields, tables = [], []
    for gold in usable:
        fields.append([_at(map(column_key, field), column_at) for field in gold.fields])
        tables.append([_at(map(table_key, choice), table_at) for choice in gold.tables])
    column_labels, column_importance = _labels(fields, len(catalog_index.lexicon.refs))
    table_labels, table_importance = _labels(tables, len(catalog_index.lexicon.tables))
    for ref in _unsure(question, catalog_index):
        for at, labels, importance in (
            (column_at.get(column_key(ref)), column_labels, column_importance),
            (table_at.get(table_key(ref.table)), table_labels, table_importance),
        ):
            if at is not None and not labels[at]:
                importance[at] = 0.0
    return Example(
        question_id=question.id,
        database=question.database,
        suite=suite,
        evidence=evidence,
        table_labels=table_labels,
        column_labels=column_labels,
        table_importance=table_importance,
        column_importance=column_importance,
        choices=tuple(tuple(gold) for gold in fields),
        stand_ins=_stand_ins(catalog_index, column_at),
    )


def _unsure(question: GoldenQuestion, index: CatalogIndex) -> Iterator[ColumnRef]:
    """Existing columns whose label is unknown."""
    for name in question.unsure_columns:
        with suppress(NameLookupError):
            ref = find(name, index.lexicon.catalog)
            if isinstance(ref, ColumnRef):
                yield ref


def _stand_ins(
    index: CatalogIndex, indexes: Mapping[tuple[str, ...], int]
) -> dict[int, frozenset[int]]:
    """For each column of the pool the same column of identical tables."""
    copies: dict[int, frozenset[int]] = {}
    tables = index.lexicon.tables
    for group in index.siblings:
        for column in tables[group[0]].columns:
            keys = (column_key(ColumnRef(tables[table].ref, column.path)) for table in group)
            near_duplicates = _at(keys, indexes)
            copies.update(dict.fromkeys(near_duplicates, near_duplicates))
    return copies


def _at(keys: Iterable[tuple[str, ...]], indexes: Mapping[tuple[str, ...], int]) -> frozenset[int]:
    return frozenset(indexes[key] for key in keys if key in indexes)


def _labels(golds: Sequence[Sequence[frozenset[int]]], size: int) -> tuple[Floats, Floats]:
    """
    Labels: the first gold is positive; columns of other golds, or of many alternatives, have no
    label.
    """
    labels, importance = np.zeros(size, dtype=np.float32), np.ones(size, dtype=np.float32)
    for gold in golds:
        for choice in gold:
            importance[list(choice)] = 0.0
    for choice in golds[0] if golds else ():
        if 0 < len(choice) <= _MAX_ALTERNATIVES:
            labels[list(choice)] = 1.0
            importance[list(choice)] = 1.0
    return labels, importance


def train(
    examples: Sequence[Example], command: str = "", *, without: frozenset[str] = NO_FEATURES
) -> Weights:
    """
    Fit tables alone and in context, then columns alone and in context.

    `without` omits features, for ablations.
    """
    fitting = _Fitting(examples, _importance(examples), without)
    firsts = [table_features(example.evidence) for example in examples]
    tables = fitting.stage("tables", firsts)
    logits = [tables.logits(named) for named in firsts]
    seconds = [
        neighbour_features(example.evidence, odds)
        for example, odds in zip(examples, logits, strict=True)
    ]
    neighbours = fitting.stage("neighbours", seconds)
    logits = [neighbours.logits(named) for named in seconds]
    thirds = [
        column_features(example.evidence, odds)
        for example, odds in zip(examples, logits, strict=True)
    ]
    columns = fitting.stage("columns", thirds)
    fourths = [
        context_features(example.evidence, odds, columns.logits(named))
        for example, odds, named in zip(examples, logits, thirds, strict=True)
    ]
    return Weights(tables, neighbours, columns, fitting.stage("context", fourths), command=command)


class _Fitting(Record, frozen=True):
    examples: Sequence[Example]
    importance: Sequence[float]
    without: frozenset[str]

    def stage(self, stage: str, named: Sequence[Named]) -> Regression:
        """Fit one stage over all questions."""
        features = [name for name in named[0] if name not in self.without]
        rows, answers, importance, questions = [], [], [], []
        of_tables = stage in _OF_TABLES
        for number, (example, columns_of_features, weight) in enumerate(
            zip(self.examples, named, self.importance, strict=True)
        ):
            labels = example.table_labels if of_tables else example.column_labels
            counts = (example.table_importance if of_tables else example.column_importance) > 0
            right = labels[counts]
            if right.any():
                rows.append(stacked(columns_of_features, features)[counts])
                answers.append(right)
                importance.append(weight * _weights(right, is_balanced=stage in _BALANCED))
                questions.append(np.full(len(right), number))
        return fit(
            features,
            np.concatenate(rows),
            np.concatenate(answers),
            np.concatenate(importance),
            STRENGTHS[stage],
            np.concatenate(questions) if of_tables else None,
        )


def _weights(right: Floats, *, is_balanced: bool) -> Floats:
    """Row weights; balanced, the positives together weigh as much as the negatives."""
    count = float(right.sum())
    wrong = count if not is_balanced else max(len(right) - count, 1.0)
    return np.where(right > 0, 1 / count, 1 / wrong)


def _importance(examples: Sequence[Example]) -> list[float]:
    """Question weights that give each suite the same total."""
    counts = Counter(example.suite for example in examples)
    return [1 / counts[example.suite] for example in examples]


def ranked_example(example: Example, weights: Weights) -> RankingResult:
    """The ranking without data for reasons, to save memory."""
    return replace(rank_evidence(example.evidence, weights), column_features={})


class HeldOutRanking(Record, frozen=True):
    """A ranking by weights that never saw its database, with column order and fold."""

    example: Example
    ranked: RankingResult
    fold: int
    order: tuple[int, ...]
    smallest_complete: int


def held_out_ranking(example: Example, ranked: RankingResult, fold: int) -> HeldOutRanking:
    """Adds how many columns are needed for completeness."""
    order = allocate(ranked, len(ranked.columns)).columns
    sizes = range(1, len(order) + 1)
    too_small = bisect_left(
        sizes, True, key=lambda size: example.is_complete(frozenset(order[:size]))
    )
    return HeldOutRanking(example, ranked, fold, order, too_small + 1)


def calibrated(rankings: Sequence[HeldOutRanking], weights: Weights) -> Weights:
    """The weights with calibrations."""
    single = [*zip(rankings, _importance_of_rankings(rankings), strict=True)]
    with_single = replace(
        weights,
        likely_tables=_fitted(
            (likelihood_features(ranking.ranked.tables), ranking.example.table_labels, weight)
            for ranking, weight in single
        ),
        likely_columns=_fitted(
            (likelihood_features(ranking.ranked.columns), ranking.example.column_labels, weight)
            for ranking, weight in single
            # If everything about something is requested, whole tables are needed.
            if "all" not in ranking.example.evidence.matches.question.asks
        ),
    )
    return replace(
        with_single,
        complete=_fitted(
            (*_completeness(ranking, likelihoods(ranking.ranked, with_single)), weight)
            for ranking, weight in single
        ),
    )


def complete_at(rankings: Sequence[HeldOutRanking], weights: Weights) -> tuple[float, ...]:
    """
    Claimed completeness at which answers to golden questions were complete; empty for few
    questions.
    """
    copies: list[float] = []
    for ranking in rankings:
        if ranking.example.suite != GOLDEN:
            continue
        order = np.array(ranking.order[: ranking.smallest_complete], dtype=np.int64)
        is_complete = ranking.smallest_complete <= len(ranking.order)
        claims = likelihoods(ranking.ranked, weights).claims(order)
        copies.append(float(claims[-1]) if is_complete else _NEVER_COMPLETE)
    return tuple(sorted(copies)) if len(copies) >= MIN_GOLDEN else ()


def _completeness(ranking: HeldOutRanking, likely: Likelihoods) -> tuple[Named, Floats]:
    """For several answer sizes, features of completeness and whether they are complete."""
    sizes = np.array(sorted({min(size, len(ranking.order)) for size in _SIZES}), dtype=np.int64)
    gained = likely.gained(np.array(ranking.order, dtype=np.int64))[sizes - 1]
    return completeness_features(likely, gained), (sizes >= ranking.smallest_complete).astype(
        np.float32
    )


def _importance_of_rankings(rankings: Sequence[HeldOutRanking]) -> list[float]:
    """A suite with four times the questions counts twice."""
    counts = Counter(ranking.example.suite for ranking in rankings)
    return [counts[ranking.example.suite] ** -0.5 for ranking in rankings]


def _fitted(parts: Iterable[tuple[Named, Floats, float]]) -> Regression:
    """
    One regression over all questions; a larger catalog weighs more, but less than proportionally.
    """
    rows, answers, importance = [], [], []
    features: list[str] = []
    for named, right, weight in parts:
        features = list(named)
        rows.append(stacked(named, features))
        answers.append(right)
        importance.append(np.full(len(right), weight * len(right) ** -0.5))
    return fit(
        features,
        np.concatenate(rows),
        np.concatenate(answers),
        np.concatenate(importance),
        _STRENGTH,
    )


Matrix = npt.NDArray[np.floating[Any]]
_MAX_STEPS = 30
_CLOSE_ENOUGH = 1e-6
_MIN_DEVIATION = 1e-6
_TOTAL = 1000.0
# Importance of ranking, as a share of the total; more ranks better and finds fewer further tables.
_OF_RANKING = 0.1


def fit(
    features: Sequence[str],
    rows: Matrix,
    answers: Matrix,
    importance: Matrix,
    strength: float,
    questions: Ints | None = None,
) -> Regression:
    """
    Fit a logistic regression.

    `strength` is the L2 penalty per standardised feature, for a total importance of one thousand.
    `questions` numbers the question of each row, ascending, if they are to be ranked.
    """
    rows, answers = rows.astype(np.float64), answers.astype(np.float64)
    importance = importance * (_TOTAL / importance.sum())
    means = np.average(rows, axis=0, weights=importance)
    deviations = np.sqrt(np.average((rows - means) ** 2, axis=0, weights=importance))
    # Constant features are dropped.
    is_informative = deviations > _MIN_DEVIATION
    deviations = np.where(is_informative, deviations, 1.0)
    standard = np.column_stack(
        [np.where(is_informative, (rows - means) / deviations, 0.0), np.ones(len(rows))]
    )
    pull = np.full(standard.shape[1], strength)
    pull[-1] = 1e-6
    lists = None if questions is None else _lists(questions, answers, importance)
    slopes = _newton(_Problem(standard, answers, importance, pull, lists))
    return Regression(
        features=tuple(features),
        means=tuple(float(value) for value in means),
        deviations=tuple(float(value) for value in deviations),
        weights=tuple(float(value) for value in slopes[:-1]),
        intercept=float(slopes[-1]),
    )


class _Lists(Record, frozen=True):
    """Each needed row against the unneeded rows of its question; `starts` are first rows."""

    starts: Ints
    question_of: Ints
    needed: Ints
    importance: Matrix

    def loss(self, odds: Matrix) -> float:
        _, right, total = self._terms(odds)
        return float(self.importance @ (np.log(total) - np.log(np.maximum(right, 1e-300))))

    def curvature(self, rows: Matrix, odds: Matrix) -> tuple[Matrix, Matrix]:
        """Gradient and Hessian."""
        wrong, right, total = self._terms(odds)
        question = self.question_of[self.needed]
        per_question = np.bincount(question, self.importance / total, minlength=len(self.starts))
        weights = per_question[self.question_of] * wrong
        weights[self.needed] = self.importance * right / total
        excess = weights.copy()
        excess[self.needed] -= self.importance
        sums = np.add.reduceat(rows * wrong[:, None], self.starts)[question]
        means = (rows[self.needed] * right[:, None] + sums) / total[:, None]
        hessian = (rows * weights[:, None]).T @ rows - (means * self.importance[:, None]).T @ means
        return rows.T @ excess, hessian

    def _terms(self, odds: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Exponentials of unneeded and needed rows, and the total that each needed row is in."""
        highest = np.maximum.reduceat(odds, self.starts)
        wrong = np.exp(odds - highest[self.question_of])
        right = wrong[self.needed]
        wrong[self.needed] = 0.0
        beside = np.add.reduceat(wrong, self.starts)[self.question_of[self.needed]]
        return wrong, right, right + beside


def _lists(questions: Ints, answers: Matrix, importance: Matrix) -> _Lists:
    """The rows of each question as a list."""
    _, starts, question_of = np.unique(questions, return_index=True, return_inverse=True)
    needed = np.flatnonzero(answers)
    of_needed = importance[needed] * (_OF_RANKING * _TOTAL / importance[needed].sum())
    return _Lists(starts, question_of, needed, of_needed)


class _Problem(Record, frozen=True):
    """Rows to fit, the penalty of each slope, and lists to rank."""

    rows: Matrix
    answers: Matrix
    importance: Matrix
    pull: Matrix
    lists: _Lists | None

    def loss(self, slopes: Matrix) -> float:
        odds = self.rows @ slopes
        misfit = float(self.importance @ (np.logaddexp(0, odds) - self.answers * odds))
        ranking = self.lists.loss(odds) if self.lists else 0.0
        return misfit + ranking + 0.5 * float((self.pull * slopes) @ slopes)

    def step(self, slopes: Matrix) -> Matrix:
        odds = self.rows @ slopes
        chances = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        gradient = self.rows.T @ (self.importance * (chances - self.answers)) + self.pull * slopes
        weights = self.importance * chances * (1 - chances)
        hessian = (self.rows * weights[:, None]).T @ self.rows + np.diag(self.pull)
        if self.lists:
            more = self.lists.curvature(self.rows, odds)
            gradient, hessian = gradient + more[0], hessian + more[1]
        step: Matrix = np.linalg.solve(hessian, gradient)
        return step


def _newton(problem: _Problem) -> Matrix:
    slopes: Matrix = np.zeros(problem.rows.shape[1])
    loss = problem.loss(slopes)
    for _ in range(_MAX_STEPS):
        before = loss
        slopes, loss = _shortened(problem, slopes, problem.step(slopes), before)
        if before - loss < _CLOSE_ENOUGH * max(1.0, abs(loss)):
            break
    return slopes


def _shortened(
    problem: _Problem, slopes: Matrix, step: Matrix, before: float
) -> tuple[Matrix, float]:
    """A Newton step, halved until it does not increase the loss."""
    for halvings in range(20):
        tried = slopes - step * 0.5**halvings
        loss = problem.loss(tried)
        if loss <= before:
            return tried, loss
    return slopes, before
